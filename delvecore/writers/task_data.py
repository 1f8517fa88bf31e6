"""The files of a task that a method reads: training and test data, constants, codings, statistics.

Source: DELVE manual, section 7.4 and appendix C (`mgendata`).
"""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from delvecore.encoding.codings import full_options
from delvecore.encoding.encode import TaskPlan, encoded_texts
from delvecore.encoding.instances import Instance
from delvecore.numerals.text_columns import joined_lines
from delvecore.writers.files import StagedFiles
from delvecore.writers.task_files import coding_used_text, normalization_text, test_set_stats_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["instance_data_files", "step_count", "task_data_files", "write_task_data"]

ROWS = 1 << 14
"""How many cases are encoded at a time, so that memory holds a part of a large file only."""


def step_count(plan: TaskPlan) -> int:
    """How many lines of progress does a task give?"""
    return 2 + len(plan.instances) * (3 if plan.inputs else 2)


def task_data_files(
    plan: TaskPlan,
    statistics: dict[str, tuple[float | None, ...]],
    *,
    progress: Callable[[str], None] = lambda line: None,
) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield (name, content in pieces) of each file of a task; each content before the next file is asked for.

    statistics: of the task's test targets, for `Test-set-stats`; progress receives a line for each file
    worked on. There is no `test.n` without inputs and no `targets.n` where no target is encoded. Raises
    DelveError for values that cannot be encoded.
    """
    progress("segmenting cases...")
    progress("splitting test inputs and targets...")
    for instance in plan.instances:
        yield from instance_data_files(plan, instance, progress=progress)
    codings = [coding._replace(options=full_options(coding)) for coding in plan.codings.values()]
    yield "Coding-used", iter([coding_used_text(codings).encode()])
    yield "Test-set-stats", iter([test_set_stats_text(statistics).encode()])


def instance_data_files(
    plan: TaskPlan, instance: Instance, *, progress: Callable[[str], None] = lambda line: None
) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield (name, content in pieces) of the files of one instance; see `task_data_files`."""
    number, constants = instance.number, plan.constants(instance)

    def content(numbers: Sequence[int], positions: "NDArray[np.int64]") -> Iterator[bytes]:
        for start in range(0, len(positions), ROWS):
            block = positions[start : start + ROWS]
            columns = encoded_texts(plan, numbers, block, constants, instance)
            yield from joined_lines(columns, leading=True)

    progress(f"encoding instance {number} training data...")
    yield f"train.{number}", content((*plan.inputs, *plan.targets), instance.training)
    if plan.inputs:
        progress(f"encoding instance {number} test inputs...")
    if plan.names(plan.inputs):
        yield f"test.{number}", content(plan.inputs, instance.test)
    progress(f"encoding instance {number} test targets...")
    if plan.names(plan.targets):
        yield f"targets.{number}", content(plan.targets, instance.test)
    named = {attribute: dict(one.items()) for attribute, one in constants.items()}
    yield f"normalize.{number}", iter([normalization_text(named).encode()])


def write_task_data(
    plan: TaskPlan,
    directory: str,
    statistics: dict[str, tuple[float | None, ...]],
    *,
    progress: Callable[[str], None] = lambda line: None,
) -> None:
    """Write the files of a task into a true directory.

    All files are complete before the first one takes its place, so a value that cannot be encoded leaves the
    directory as it was.
    """
    with StagedFiles() as staged:
        for name, content in task_data_files(plan, statistics, progress=progress):
            staged.write(os.path.join(directory, name), content)
