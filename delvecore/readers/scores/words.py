"""The names that columns of scores have, by what they hold: only letters and digits count, in lower case."""

import re

__all__ = ["DATASETS", "FAMILIES", "INSTANCES", "MEGABYTES", "METHODS", "METRICS", "PROPERTIES", "SECONDS"]
__all__ += ["SIZES", "SUMMARIES", "VALUES", "folded", "found_in"]


def folded(name: str) -> str:
    """Return a column's name as it stands in the lists below."""
    return re.sub(r"[\W_]+", "", name.lower())


def found_in(name: str, known: tuple[str, ...]) -> int | None:
    """At which place does a column's name stand in a list, the more telling names first? None: not there."""
    key = folded(name)
    return known.index(key) if key in known else None


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


DATASETS = _words(
    "dataset datasetname datasets dataname dataid datasetid did data task "
    "taskname tasks problem problemname problems benchmark benchmarkname environment env game function "
    "functionname funcname funcid scenario testcase series taskid openmltaskid tid "
)
METHODS = _words(
    "method methodname methods classifier classifiername classifiers framework frameworkname algorithm "
    "algorithmname algorithms algname algid algorithmid alg learner learnerid learnername model "
    "modelname models estimator estimatorname strategy strategyname approach technique system optimizer "
    "optimizername solver flowname flow agent policy regressor regressorname forecaster clusterer "
    "pipeline competitor setup runname "
)
INSTANCES = _words(
    "fold folds foldid foldno foldnumber cvfold outerfold testfold split splitid splitindex repeat "
    "repeats repetition repetitions rep resample resamples resampleid resamplingiteration iteration "
    "iter seed randomseed randomstate rngseed run runid runno trial trialid replicate replication cv "
)
"""The first of them that tell instances apart are taken."""
METRICS = _words(
    "metric metricname metrics measure measurename measures scorename evaluationmeasure "
    "evaluationfunction scoring scorer criterion indicator variable "
)
VALUES = _words(
    "value values score scores metricvalue metricerror result results performance perf measurevalue "
    "estimate outcome y "
)
SECONDS = _words(
    "seconds duration durations timetrains traintimes traintime trainingtime trainingduration "
    "trainseconds time times timeseconds timesec fittime meanfittime runtime runtimes elapsed "
    "elapsedtime walltime cputime usercputimemillistraining buildtime totaltime durationsec durations "
    "timems durationms "
)
MEGABYTES = _words("megabytes memory memorymb peakmemory peakmemorymb maxmemory maxmemorymb memmb rssmb ")
FAMILIES = _words(
    "family datasetfamily archive archivename collection suite datasetgroup group domain category area "
    "source "
)
SIZES = _words(
    "trainingsize trainsize ntrain trainn trainingsetsize trainsetsize numtrain ntraining trainingcases "
)
PROPERTIES = _words(
    "instances ninstances noofinstances numinstances numberofinstances cases ncases samples nsamples "
    "size datasetsize features nfeatures numfeatures numberoffeatures attributes nattributes "
    "noattributes dimensions classes nclasses numclasses numberofclasses noofclasses length "
    "serieslength type problemtype train test trainsize testsize year rows columns dim "
)
"""Of datasets, where they stand beside the scores of methods."""
SUMMARIES = _words(
    "average averages avg mean means median total sum count n std stdev sd stddev standarddeviation "
    "stderr averagerank avgrank meanrank rank ranks avgranks averageranks meanranks medianrank wins win "
    "losses ties winslosses wintieloss wtl winloss best worst max min minimum maximum overall all "
    "totalwins numwins nowins top1 avgaccuracy averageaccuracy meanaccuracy pvalue p averageerror "
    "meanerror geomean geometricmean variance mean±std avgdiff mpce "
)
