"""The instances of a task, standard or listed: the one place that decides which. Manual, section 6."""

from delvecore.encoding.instances import Instance
from delvecore.encoding.listed_instances import listed_instances
from delvecore.encoding.prototask_cases import PrototaskCases
from delvecore.encoding.standard_instances import standard_instances
from delvecore.model import Task
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.instances import INSTANCE_SUFFIX, parse_instances

__all__ = ["instances_of_task", "task_instances"]


def task_instances(hierarchy: Hierarchy, cases: PrototaskCases, task: Task) -> list[Instance]:
    """Return the instances of a task: those of the file `TASK.instances` beside the prototask's
    specification, else the standard ones.

    cases: those of the task's prototask. Raises DelveError where there are too few cases, ParseError (naming
    file and line) for a faulty file.
    """
    path = hierarchy.find("data", task.dataset, task.prototask, task.name + INSTANCE_SUFFIX)
    return instances_of_task(path, cases, task)


def instances_of_task(path: str | None, cases: PrototaskCases, task: Task) -> list[Instance]:
    """Return the instances of a task that a file lists, or, without a path, the standard ones."""
    if path is not None:
        return listed_instances(parse_instances(read_text(path), path), cases, path)
    size = task.training_size
    return standard_instances(cases.prototask, cases.count, size, groups=cases.groups, strata=cases.strata)
