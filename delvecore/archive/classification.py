"""A method as a classifier on one task of an archive, from its prediction files."""

from delvecore.losses.evaluation import class_predictions
from delvecore.losses.method_task import open_method_task
from delvecore.model import TaskId
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.instances import INSTANCE_SUFFIX, listed_facts, parse_instances
from delvecore.stats.classification.summary import ClassificationSummary, InstancePredictions, summarize
from delvecore.stats.designs import COMMON, Design


def classification_summary(
    hierarchy: Hierarchy,
    method: str,
    task: TaskId,
    *,
    level: float = 0.95,
    null: float | None = None,
) -> ClassificationSummary:
    """Return contingency tables and measures of a method on a task (dataset, prototask, task). level, null:
    see `summarize`. Raises DelveError where the target is no class or there are no predictions, ParseError
    for a bad file."""
    opened = open_method_task(hierarchy, method, *task)
    classes, predictions = class_predictions(opened)
    parts = [
        InstancePredictions(one.instance, one.actual, one.guessed, one.probabilities) for one in predictions
    ]
    selection = opened.prototask.test_set_selection
    path = hierarchy.find("data", *task[:2], task[2] + INSTANCE_SUFFIX)
    independent, design = selection != COMMON, None
    if path is not None:
        listed = listed_facts(parse_instances(read_text(path), path), selection)
        independent, design = (
            listed.test_disjoint and listed.runs == 1,
            Design(listed.design, *listed.overlap),
        )
    if design and design.resubstitutes:  # which says nothing of other cases
        parts = [one for one in parts if one.instance > 0]
    return summarize(parts, classes=classes, independent=independent, design=design, level=level, null=null)
