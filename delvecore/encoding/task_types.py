"""What kind of learning does a prototask ask for?"""

from delvecore.model import CATEGORICAL_TYPES, Dataset, Prior, Prototask

__all__ = ["TASK_TYPES", "task_type", "task_types"]

TASK_TYPES = ("classification", "regression")


def task_types(dataset: Dataset, prototask: Prototask, prior: Prior | None) -> tuple[str, ...]:
    """What kinds of learning does a prototask ask for? Some of TASK_TYPES, by its targets. A target's type is
    that in the prior; where none says it, its range decides."""
    types = {line.attribute: line.type for line in prior.lines} if prior else {}
    found = {
        TASK_TYPES[0]
        if types.get(number, dataset.attribute(number).range.kind) in (*CATEGORICAL_TYPES, "categorical")
        else TASK_TYPES[1]
        for number in prototask.targets
    }
    return tuple(name for name in TASK_TYPES if name in found)


def task_type(dataset: Dataset, prototask: Prototask, prior: Prior | None) -> str:
    """Is a prototask `classification` (all targets categorical), `regression` or `mixed`?"""
    found = task_types(dataset, prototask, prior)
    return "mixed" if len(found) > 1 else found[0]
