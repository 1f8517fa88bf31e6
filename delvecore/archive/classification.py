"""A method as a classifier on one task of an archive, from its prediction files."""

from delvecore.losses.class_predictions import class_predictions
from delvecore.losses.method_task import open_method_task
from delvecore.readers.hierarchy import Hierarchy
from delvecore.statistics.classification.summary import (
    ClassificationSummary,
    InstancePredictions,
    summarize,
)

__all__ = ["classification_summary"]


def classification_summary(
    hierarchy: Hierarchy,
    method: str,
    task: tuple[str, str, str],
    *,
    level: float = 0.95,
    null: float | None = None,
) -> ClassificationSummary:
    """Return contingency tables and measures of a method on a task (dataset, prototask, task).

    level, null: see `summarize`. Raises DelveError where the target is no class or there are no predictions,
    ParseError for a bad file.
    """
    opened = open_method_task(hierarchy, method, *task)
    classes, predictions = class_predictions(opened)
    parts = [
        InstancePredictions(one.instance, one.actual, one.guessed, one.probabilities) for one in predictions
    ]
    independent = opened.prototask.test_set_selection == "hierarchical"
    return summarize(parts, classes=classes, independent=independent, level=level, null=null)
