"""The names that columns of scores have, by what they hold: only letters and digits count, in lower case."""

import re

from delvecore.losses.metrics import known_metric

__all__ = ["DATASETS", "DEVIATIONS", "FAMILIES", "INSTANCES", "MEANS", "MEGABYTES", "METHODS", "METRICS"]
__all__ += ["PROPERTIES", "ROWS", "SECONDS"]
__all__ += ["SIZES", "VALUES", "folded", "found_in", "is_metric", "words_in", "words_of"]


MEANS, DEVIATIONS = ("mean", "avg", "average"), ("std", "sd", "stdev", "stddev")
"""Words of columns that hold means, and their standard deviations."""


def folded(name: str) -> str:
    """Return a column's name as it stands in the lists below."""
    return re.sub(r"[\W_]+", "", name.lower())


def words_of(name: str) -> list[str]:
    """Return the words of a name, in lower case, without what joins them."""
    return [word for word in re.split(r"[\W_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()) if word]


def found_in(name: str, known: tuple[str, ...]) -> int | None:
    """At which place does a column's name stand in a list, the more telling names first? None: not there."""
    key = folded(name)
    return known.index(key) if key in known else None


def is_metric(name: str) -> bool:
    """Is this the name of a known metric? A single letter, a loss of DELVE, may be anything else."""
    return len(name.strip()) > 1 and known_metric(name) is not None


def words_in(text: str) -> tuple[str, ...]:
    """Return the words of a list, in its order."""
    return tuple(text.split())


DATASETS = words_in(
    "dataset datasetname datasets dataname dataid datasetid did data task taskname tasks problem "
    "problemname problems benchmark benchmarkname environment env game function functionname funcname "
    "funcid scenario testcase series taskid openmltaskid tid"
)
TASKS = words_in("task taskname tasks")
"""Of a column in which names may be those of several tasks of one dataset."""
OF_TASKS = words_in("dataset datasetname datasets")
"""Of a column that says which dataset each task is of."""
ROWS = (*DATASETS, "name", "names")
"""Of the column that names the rows of a wide table."""
METHODS = words_in(
    "method methodname methods classifier classifiername classifiers framework frameworkname algorithm "
    "algorithmname algorithms algname algid algorithmid alg learner learnerid learnername model "
    "modelname models estimator estimatorname strategy strategyname approach technique system optimizer "
    "optimizername solver flowname flow agent policy regressor regressorname forecaster clusterer "
    "pipeline competitor setup modelid methodid classifierid algo algoname runname"
)
INSTANCES = words_in(
    "fold folds foldid foldno foldnumber cvfold outerfold testfold split splitid splitindex repeat "
    "repeats repetition repetitions rep resample resamples resampleid resamplingiteration iteration "
    "iter seed randomseed randomstate rngseed run runid runno trial trialid replicate replication cv"
)
"""The first of them that tell instances apart are taken."""
METRICS = words_in(
    "metric metricname metrics measure measurename measures scorename evaluationmeasure "
    "evaluationfunction scoring scorer criterion indicator loss lossname variable"
)
VALUES = words_in(
    "value values score scores metricvalue metricerror result results performance perf mean "
    "measurevalue estimate outcome y"
)
SECONDS = words_in(
    "seconds duration durations timetrains traintimes traintime trainingtime trainingduration "
    "trainseconds time times timeseconds timesec fittime meanfittime runtime runtimes elapsed "
    "elapsedtime walltime cputime usercputimemillistraining buildtime totaltime durationsec durations "
    "timems durationms timetaken ttsec elapsedtimetraining usercputimetraining fittimemarginal"
)
MEGABYTES = words_in("megabytes memory memorymb peakmemory peakmemorymb maxmemory maxmemorymb memmb rssmb")
FAMILIES = words_in(
    "family datasetfamily archive archivename collection suite datasetgroup group domain category area source"
)
SIZES = words_in(
    "trainingsize trainsize ntrain trainn trainingsetsize trainsetsize numtrain ntraining trainingcases"
)
PROPERTIES = words_in(
    "nobs nclass ntest instances ninstances noofinstances numinstances numberofinstances cases "
    "ncases samples nsamples size datasetsize features nfeatures numfeatures numberoffeatures "
    "attributes nattributes noattributes dimensions class classes nclasses numclasses numberofclasses "
    "noofclasses length serieslength type problemtype train test trainsize testsize year rows columns "
    "dim"
)
"""Of datasets, where they stand beside the scores of methods."""
