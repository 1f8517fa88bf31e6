"""A prototask as its page shows it: the uses of its cases by every task, and what is special about it."""

from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.datasets.case_map import TaskCases
from dashboard.datasets.filters import Row
from dashboard.datasets.prototask_features import data_sentences, specification_sentences
from delvecore.encoding.prototask_cases import PrototaskCases, prototask_cases
from delvecore.encoding.task_instances import task_instances
from delvecore.errors import DelveError
from delvecore.model import Task
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.instances import INSTANCE_SUFFIX
from delvecore.readers.specifications import read_dataset, read_prototask

__all__ = ["PrototaskView", "read_prototask_view"]


@dataclass(frozen=True)
class PrototaskView:
    """tasks: those whose instances are known; reasons: why others are not, in words; sentences: Markdown."""

    case_count: int
    tasks: tuple[TaskCases, ...]
    sentences: tuple[str, ...]
    reasons: tuple[str, ...]


def read_prototask_view(
    hierarchy: Hierarchy, dataset: str, prototask: str, rows: Sequence[Row]
) -> PrototaskView:
    """Return the view of a prototask. rows: those of the archive's tasks table for it.

    Tasks with standard instances differ by their training size only, so one stands for all of a size.
    """
    try:
        facts = read_dataset(hierarchy, dataset)
        problem = read_prototask(hierarchy, facts, prototask)
    except DelveError as error:
        return PrototaskView(0, (), (), (str(error),))
    sentences = specification_sentences(facts, problem)
    try:
        cases = prototask_cases(hierarchy, facts, problem)
    except DelveError as error:
        return PrototaskView(0, (), tuple(sentences), (str(error),))
    tasks, reasons = _tasks(hierarchy, cases, rows)
    sentences += data_sentences(cases, tasks)
    return PrototaskView(cases.count, tuple(tasks), tuple(sentences), tuple(reasons))


def _tasks(
    hierarchy: Hierarchy, cases: PrototaskCases, rows: Sequence[Row]
) -> tuple[list[TaskCases], list[str]]:
    """Return (tasks, reasons why others have no instances), by training size, listed ones last."""
    found: dict[tuple[bool, str], TaskCases] = {}
    reasons: list[str] = []
    for row in rows:
        task = Task(row["dataset"], row["prototask"], row["prior"], row["training_size"])
        place = (task.dataset, task.prototask, task.name + INSTANCE_SUFFIX)
        is_listed = hierarchy.find("data", *place) is not None
        label = f"{task.name} (listed)" if is_listed else f"size {task.training_size:,}"
        if (is_listed, label) in found:
            continue
        try:
            instances = task_instances(hierarchy, cases, task)
        except DelveError as error:
            reasons.append(str(error))
            continue
        found[is_listed, label] = TaskCases(label, task.training_size, instances, is_listed)
    ordered = sorted(found, key=lambda key: (key[0], found[key].training_size))
    return [found[key] for key in ordered], list(dict.fromkeys(reasons))
