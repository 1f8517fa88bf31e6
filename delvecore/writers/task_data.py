"""The files of a task that a method reads: training and test data, constants, codings, statistics.

Source: DELVE manual, section 7.4 and appendix C (`mgendata`).
"""

import os
from collections.abc import Callable, Iterator

from delvecore.encoding.codings import full_options
from delvecore.encoding.encode import TaskPlan, encoded_texts
from delvecore.encoding.instances import Instance
from delvecore.writers.files import write_atomically
from delvecore.writers.task_files import (
    coding_used_text,
    data_text,
    normalization_text,
    test_set_stats_text,
)

__all__ = ["task_data_files", "write_task_data"]


def task_data_files(
    plan: TaskPlan,
    statistics: dict[str, tuple[float | None, ...]],
    *,
    progress: Callable[[str], None] = lambda line: None,
) -> Iterator[tuple[str, str]]:
    """Yield (name, text) of each file of a task.

    statistics: of the task's test targets, for `Test-set-stats`; progress receives a line for each file
    worked on. There is no `test.n` without inputs and no `targets.n` where no target is encoded. Raises
    DelveError for values that cannot be encoded.
    """
    progress("segmenting cases...")
    progress("splitting test inputs and targets...")
    for instance in plan.instances:
        yield from _instance_files(plan, instance, progress)
    codings = [coding._replace(options=full_options(coding)) for coding in plan.codings.values()]
    yield "Coding-used", coding_used_text(codings)
    yield "Test-set-stats", test_set_stats_text(statistics)


def _instance_files(plan, instance: Instance, progress):
    number, constants = instance.number, plan.constants(instance)
    progress(f"encoding instance {number} training data...")
    both = (*plan.inputs, *plan.targets)
    yield f"train.{number}", data_text(encoded_texts(plan, both, instance.training, constants, instance))
    if plan.inputs:
        progress(f"encoding instance {number} test inputs...")
    inputs = encoded_texts(plan, plan.inputs, instance.test, constants, instance)
    if inputs:
        yield f"test.{number}", data_text(inputs)
    progress(f"encoding instance {number} test targets...")
    targets = encoded_texts(plan, plan.targets, instance.test, constants, instance)
    if targets:
        yield f"targets.{number}", data_text(targets)
    named = {attribute: dict(one.items()) for attribute, one in constants.items()}
    yield f"normalize.{number}", normalization_text(named)


def write_task_data(
    plan: TaskPlan,
    directory: str,
    statistics: dict[str, tuple[float | None, ...]],
    *,
    progress: Callable[[str], None] = lambda line: None,
) -> None:
    """Write the files of a task into a true directory.

    All instances are encoded before the first file is written, so a value that cannot be encoded leaves the
    directory as it was.
    """
    files = list(task_data_files(plan, statistics, progress=progress))
    for name, text in files:
        write_atomically(os.path.join(directory, name), text)
