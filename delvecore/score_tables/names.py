"""Words in names of columns and rows, by meaning. Case, blanks and punctuation do not count."""

import functools
import re

from delvecore.losses.metrics import known_metric


@functools.lru_cache(maxsize=1 << 16)
def folded(name: str) -> str:
    """Return a name in the form of the lists below: only lower-case letters and digits."""
    return re.sub(r"[\W_]+", "", name.lower())


@functools.lru_cache(maxsize=1 << 16)
def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a name in lower case: `meanAccuracy` and `mean_accuracy` have two."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
    spaced = re.sub(r"standard[\W_]*(?:deviation|error)", "std", spaced)
    return tuple(word for word in re.split(r"[\W_]+", spaced) if word)


def is_called(name: str, *lists: tuple[str, ...]) -> bool:
    """Is a name in one of these lists?"""
    key = folded(name)
    return any(key in words for words in lists)


def says(name: str, words: tuple[str, ...]) -> bool:
    """Is a name, or one of the words in it (`Model/adapter`), in a list?"""
    return folded(name) in words or not set(words).isdisjoint(words_of(name))


def ends_with(name: str, words: tuple[str, ...]) -> bool:
    """Is the last word of a name in a list?"""
    return "".join(words_of(name)[-1:]) in words


def without_unit(name: str) -> str:
    """Return a name without a unit in parentheses, as in `Params (M)`."""
    return re.sub(r"\s*[(\[][^()\[\]]*[)\]]\s*$", "", name)


def is_metric(name: str) -> bool:
    """Is this the name of a known metric? Single letters, which name losses of DELVE, do not count."""
    return len(name.strip()) > 1 and (known_metric(name) is not None or is_complement(name))


def says_metric(name: str) -> bool:
    """Is this the name of a metric, of test or of training cases?"""
    words = [word for word in words_of(name) if word not in ("train", "training")]
    return is_metric(name) or is_metric(" ".join(words))


def is_complement(name: str) -> bool:
    """Is this the distance of a known metric from its best value, such as `1-acc`, so that lower is
    better?"""
    match = re.fullmatch(r"\s*\(?\s*(1|100)\s*[-−–]\s*(.+?)\)?\s*", name)
    metric = known_metric(match[2]) if match else None
    return metric is not None and metric.higher_is_better and metric.best is not None


def hinted_directions(name: str) -> set[bool]:
    """Return the directions of the known metrics in the words of a name: lower for `normalized_error`."""
    metrics = (known_metric(word) for word in words_of(name) if len(word) > 1)
    return {metric.higher_is_better for metric in metrics if metric is not None}


def only_direction(name: str) -> bool | None:
    """Return the direction of the metrics in a name if they agree; None otherwise, as for counts and
    ranks."""
    beside = {*DEVIATIONS, *SECONDS, *MEGABYTES, *NO_DIRECTION}
    hints = hinted_directions(name) if beside.isdisjoint(words_of(name)) else set()
    return next(iter(hints)) if len(hints) == 1 else None


def is_cost(name: str) -> bool:
    """Is this the name of a time or memory column, such as `time_training_seconds` or `infer time`?"""
    words = words_of(name)
    if is_called(name, SECONDS, MEGABYTES) or not {*COST_WORDS}.isdisjoint(words):
        return True
    return len(words) > 1 and "time" in (words[0], words[-1]) and not {*TIMED}.isdisjoint(words)


def words_in(text: str) -> tuple[str, ...]:
    return tuple(text.split())


NO_DIRECTION = words_in(
    "rank ranks n count number id name type function train training runtime latency secs sec ms 1 100 minus "
    "neg negative inverse inv diff difference delta gap improvement vs weight bound threshold target cutoff "
    "lower upper low high lo hi ci ci95 lcb ucb"
)
"""Words that cancel the direction of a metric in the same name."""
MEANS = words_in("mean avg average means averages")
DEVIATIONS = words_in("std stds sd stdev stddev se sem stderr")

DATASETS = words_in(
    "dataset datasetname datasets dataname dataid datasetid did data task taskname tasks problem "
    "problemname problems benchmark benchmarkname environment env game function functionname funcname "
    "funcid scenario testcase series taskid openmltaskid openmlid openmldataid tid datasetno datasetnumber "
    "datasetindex datasetkey taskno tasknumber taskindex problemid problemno problemnumber problemindex "
    "benchmarkid benchmarkno corpus testproblem testfunction uniqueid envid envname environmentid evaltask "
    "evaldataset testset datasource"
)
SERIES = words_in("uniqueid ds")
"""Names of time series, or datasets for short. If `ds` holds dates, they are forecasts."""
TASKS = words_in("task taskname tasks")
"""Names of a column that may hold several tasks of one dataset."""
OF_TASKS = words_in("dataset datasetname datasets")
"""Names of a column that has the dataset of each task."""
LAST_DATASETS = words_in("instance instancename")
"""Names of test cases, or of datasets if no other column has such a name."""
ROWS = (*DATASETS, *LAST_DATASETS, "name", "names", "file", "filename")
"""Names of the column that labels the rows of a wide table."""
METHODS = words_in(
    "method methodname methods classifier classifiername classifiers framework frameworkname algorithm "
    "algorithmname algorithms algname algid algorithmid alg learner learnerid learnername model modelname "
    "models estimator estimatorname strategy strategyname approach technique system optimizer optimizername "
    "solver flowname flow agent policy regressor regressorname forecaster clusterer pipeline competitor "
    "setup modelid methodid classifierid algo algoname runname llm network architecture backbone detector "
    "optimiser heuristic clf imputer recommender submission"
)
INSTANCES = words_in(
    "fold folds foldid foldno foldnumber cvfold outerfold testfold split splitid splitindex repeat repeats "
    "repetition repetitions rep resample resamples resampleid resamplingiteration iteration iter seed "
    "randomseed randomstate rngseed run runid runno trial trialid replicate replication cv cutoff cutoffdate "
    "foldname window origin runname expname experimentname runuuid timestamp datetime date starttime"
)
"""Names of columns of instances. The first columns that distinguish instances are used."""
STEPS = words_in(
    "epoch epochs step steps globalstep iterationstep trainstep trainingstep timestep timesteps round "
    "rounds boostinground generation niter trainingiteration totaltimesteps"
)
"""Names of columns that number the rows of one run during training. These rows are not runs themselves."""
STEP_WORDS = words_in("epoch epochs step steps timestep timesteps generation")
ITERATIONS = words_in(
    "iteration iterations iter iters it itr ep episode episodes frame frames update updates tick cycle "
    "minibatch seen"
)
"""Names of steps or of repeats; other columns or the user decide which."""
RESAMPLING = words_in(
    "resampling resamplingid resamplingiteration resample cv fold outer inner repeat bootstrap learnerid"
)
"""Words in a name, and names of other columns, that show that an iteration is a repeat."""
STATUSES = words_in("status state result results outcome solved verdict answer exitcode message")
"""Names of columns of texts that report how a run ended."""
P_VALUES = words_in("p pvalue pval pvalues padj qvalue significance")
CLASSES = words_in("class classname classlabel label targetclass")
"""Names of the classes of a dataset, if each class has a score."""
CASES = words_in("docid caseid case sampleid exampleid questionid itemid instanceid promptid")
"""Names of the test case of a score."""
GROUPS = words_in("passage passageid subject subjectid cluster clusterid patient patientid speaker speakerid")
"""Names of groups of test cases."""
METRICS = words_in(
    "metric metricname metrics measure measurename measures scorename evaluationmeasure evaluationfunction "
    "scoring scorer criterion indicator loss lossname variable"
)
METRIC_WORDS = words_in("metric metrics metricname measure")
VALUES = words_in(
    "value values score scores metricvalue metricerror result results performance perf mean measurevalue "
    "estimate outcome y correct iscorrect passed pass solved resolved ispassed issolved"
)
SECONDS = words_in(
    "seconds duration durations timetrains traintimes traintime trainingtime trainingduration trainseconds "
    "time times timeseconds timesec fittime meanfittime runtime runtimes elapsed elapsedtime walltime "
    "wallclock wallclocktime cputime usercputimemillistraining buildtime totaltime durationsec durations "
    "timems durationms timetaken ttsec elapsedtimetraining usercputimetraining fittimemarginal"
)
MEGABYTES = words_in("megabytes memory memorymb peakmemory peakmemorymb maxmemory maxmemorymb memmb rssmb")
COST_WORDS = words_in("seconds secs duration runtime walltime cputime millis milliseconds megabytes")
TIMED = words_in(
    "train training test testing fit predict prediction inference infer total score eval cpu wall step"
)
"""Words that occur with `time` in names of costs."""
FAMILIES = words_in(
    "family datasetfamily archive archivename collection suite datasetgroup group domain category area source"
)
SIZES = words_in(
    "trainingsize trainsize ntrain trainn trainingsetsize trainsetsize numtrain ntraining trainingcases"
)
PROPERTIES = words_in(
    "nobs nclass ntest instances ninstances noofinstances numinstances numberofinstances cases ncases "
    "samples nsamples size datasetsize features nfeatures numfeatures numberoffeatures attributes "
    "nattributes noattributes dimensions class classes nclasses numclasses numberofclasses noofclasses "
    "length serieslength subset lang language locale type problemtype train test trainsize testsize "
    "year rows columns dim"
)
PROPERTY_WORDS = words_in(
    "imbalance ratio missing missingness num number count counts len length size sizes dim dims dimension "
    "dimensions dimensionality features classes samples instances observations obs points rows cols columns "
    "targets labels difficulty hardness entropy sparsity skewness kurtosis cardinality horizon frequency "
    "year params parameters version price cost usd noise level levels"
)
"""Words in names of numbers that describe the rows of a wide table."""
HORIZONS = words_in("horizon horizons predlen predictionlength forecasthorizon outputlength h")
"""Names of forecast horizons. Each horizon of a dataset is a task."""

IDENTIFIERS = words_in(
    "id ids index no nr number num openmlid openmltaskid did tid uid key unnamed0 rowid row"
)
"""Names of columns that number or identify the rows."""
CHANGES = words_in("improvement improvements relativeimprovement gain gains delta δ diff difference")
"""Names of numbers that compare scores, used only if the caller chooses them."""
COUNTS = CHANGES + words_in(
    "rank ranks ranking params parameters numparams numberofparameters nparams activeparameters flops macs "
    "gflops modelsize embeddingdimensions dim maxtokens date timestamp created updated epoch epochs steps "
    "zeroshot borda year version mem memgb memorygb gpumemory vram latency inferencetime throughput "
    "gpuhours contextlength"
)
"""Names of numbers next to scores that are not scores."""
ALGORITHMS = words_in(
    "svm svc svr linearsvc rf randomforest extratrees xgb xgboost lgbm lightgbm catboost gbm gbdt gb "
    "gradientboosting adaboost mlp mlps nn ann dnn cnn rnn lstm gru knn nn1 1nn 3nn 5nn ed dtw nb "
    "naivebayes gnb gaussiannb bayesnet lr logreg logistic logisticregression ridge lasso elasticnet linreg "
    "ols cart c45 j48 c50 tree decisiontree dt lda qda gp gaussianprocess tabpfn tabnet resnet fcn "
    "inceptiontime rocket minirocket hydra bert gpt t5 autogluon autosklearn tpot h2oautoml flaml zeror "
    "oner stacking bagging smo ibk prophet arima ets naive informer autoformer patchtst dlinear nbeats "
    "transformer baseline ours"
)
"""Names of methods that show the orientation of a table."""
KNOWN_DATASETS = words_in(
    "iris wine adult mnist fashion fashionmnist kmnist emnist cifar10 cifar100 imagenet svhn boston "
    "diabetes glass ionosphere sonar zoo ecoli yeast letter letters digits digit titanic credit creditg "
    "german australian vehicle segment car balance breast breastcancer wdbc heart hepatitis pima lymph "
    "lymphography soybean vote voting vowel waveform abalone housing california bike covertype higgs "
    "spambase mushroom nursery ett etth1 etth2 ettm1 ettm2 electricity traffic weather exchange gunpoint "
    "coffee ecg200 ecg5000 beef arrowhead wafer squad mnli sst2 cola mrpc qqp qnli rte hellaswag mmlu gsm8k "
    "arc boolq piqa winogrande"
)
