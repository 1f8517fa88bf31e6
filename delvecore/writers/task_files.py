"""The files of tasks and prototasks: data, constants, codings, statistics, predictions, losses.

Source: DELVE manual, sections 4.4, 7.4, 7.5 and appendix C (`dgenproto`, `mgendata`, `mloss`); layout of
DELVE 1.1."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from delvecore.encoding.codings import full_options
from delvecore.encoding.encode import TaskPlan, encoded_texts, validation_rows, with_targets
from delvecore.encoding.instances import Instance
from delvecore.encoding.normalization import Constants
from delvecore.encoding.prototask_cases import PrototaskCases
from delvecore.losses.standard_losses import TEST_SET_STATS_LOSSES
from delvecore.model import Coding
from delvecore.number_format.columns import format_numbers, joined_lines
from delvecore.number_format.numbers import format_number
from delvecore.readers.cases import take_words
from delvecore.readers.results import CONSTANTS, UNDEFINED
from delvecore.writers.files import StagedFiles

ROWS = 1 << 14
"""Number of cases that are joined at a time, so that memory holds only a part of a large file."""
Progress = Callable[[str], None]


def predictions_text(columns: Sequence[Sequence[str]]) -> str:
    """Return a prediction file: a line per case, single blanks between the values of a case."""
    return b"".join(joined_lines(columns, leading=False)).decode()


def losses_text(losses: np.ndarray) -> str:
    """Return `loss.L.n`: a line per case, 9 digits; an infinite loss is `Inf`."""
    return predictions_text([format_numbers(losses)])


def normalization_text(constants: Mapping[int, Constants]) -> str:
    """Return `normalize.n`: a line for each constant, in the order of `constants`."""
    return "".join(
        f"normalization options {name} {number} {format_number(value)}\n"
        for number, one in constants.items()
        for name, value in zip(CONSTANTS, one, strict=True)
    )


def coding_used_text(codings: Iterable[Coding]) -> str:
    """Return `Coding-used`: a line per attribute with its options, in ASCII order."""
    lines = []
    for attribute, coding, pairs in sorted(codings):
        options = " ".join(f"{name}={value}" for name, value in pairs)
        lines.append(f"{attribute} {coding}  {options}\n")
    return "".join(lines)


def test_set_stats_text(statistics: dict[str, tuple[float | None, ...]]) -> str:
    """Return `Test-set-stats`; one more `undefined` follows the L value of a single real target."""
    lines = []
    for loss in TEST_SET_STATS_LOSSES:
        words = [UNDEFINED if value is None else format_number(value) for value in statistics[loss]]
        single_number = len(words) == 1 and statistics["Z"][0] is None
        if loss == "L" and single_number and words[0] != UNDEFINED:
            words.append(UNDEFINED)
        lines.append(f"{loss} {' '.join(words)}\n")
    return "".join(lines)


setattr(test_set_stats_text, "__test__", False)  # noqa: B010 - its name means something else to pytest


def step_count(plan: TaskPlan) -> int:
    """Return the number of lines of progress of a task."""
    return 2 + len(plan.instances) * (3 if plan.inputs else 2)


def task_data_files(
    plan: TaskPlan, statistics: dict[str, tuple[float | None, ...]], *, progress: Progress = lambda line: None
) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield (name, content in pieces) of each file of a task. Each content must be read before the next file.

    statistics: those of the task's test targets, for `Test-set-stats`; progress receives a line for each
    file. There is no `test.n` without inputs, and no `targets.n` without an encoded target. Raises DelveError
    for values that cannot be encoded."""
    progress("segmenting cases...")
    progress("splitting test inputs and targets...")
    for instance in plan.instances:
        yield from instance_data_files(plan, instance, progress=progress)
    codings = [coding._replace(options=full_options(coding)) for coding in plan.codings.values()]
    yield "Coding-used", iter([coding_used_text(codings).encode()])
    yield "Test-set-stats", iter([test_set_stats_text(statistics).encode()])


def instance_data_files(
    plan: TaskPlan, instance: Instance, *, progress: Progress = lambda line: None
) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield (name, content in pieces) of the files of one instance; see `task_data_files`.

    `validation.n` has the numbers, from 1, of the lines of validation cases in `train.n`, one per line."""
    number, constants = instance.number, plan.constants(instance)
    training, true = with_targets(plan, instance)

    def content(numbers: Sequence[int], positions: NDArray[np.int64]) -> Iterator[bytes]:
        for start in range(0, len(positions), ROWS):
            block = positions[start : start + ROWS]
            columns = encoded_texts(plan, numbers, block, constants, instance)
            yield from joined_lines(columns, leading=True)

    progress(f"encoding instance {number} training data...")
    yield f"train.{number}", content((*plan.inputs, *plan.targets), training)
    if len(instance.validation):
        lines = (validation_rows(instance, training) + 1).tolist()
        yield f"validation.{number}", iter(["".join(f"{line}\n" for line in lines).encode()])
    if plan.inputs:
        progress(f"encoding instance {number} test inputs...")
    if plan.names(plan.inputs):
        yield f"test.{number}", content(plan.inputs, instance.test)
    progress(f"encoding instance {number} test targets...")
    if plan.names(plan.targets):
        yield f"targets.{number}", content(plan.targets, true)
    yield f"normalize.{number}", iter([normalization_text(constants).encode()])


def write_task_data(
    plan: TaskPlan,
    directory: str,
    statistics: dict[str, tuple[float | None, ...]],
    *,
    progress: Progress = lambda line: None,
) -> None:
    """Write the files of a task into a true directory, or none if values cannot be encoded."""
    with StagedFiles(directory) as staged:
        for name, content in task_data_files(plan, statistics, progress=progress):
            staged.write(name, content)


def prototask_data_pieces(cases: PrototaskCases) -> Iterator[bytes]:
    """Yield the lines of `Prototask.data`: values of inputs as listed, those of targets, then an index."""
    columns = [cases.columns[number].words for number in cases.prototask.used]
    for start in range(0, cases.count, ROWS):
        positions = np.arange(start, min(start + ROWS, cases.count))
        rows = [take_words(words, positions) for words in columns]
        indexes = cases.commonality[start : start + ROWS]
        if any(index is not None for index in indexes):
            pairs = zip(rows[-1], indexes, strict=True)
            rows[-1] = [word if index is None else f"{word} @{index}" for word, index in pairs]
        yield from joined_lines(rows, leading=False)
