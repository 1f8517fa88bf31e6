"""Which size limits the error of comparisons on each task: training sets, test cases or both? Which one is
too large?
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from delvecore.answers.answer import Answer, Kind, table_of
from delvecore.errors import DelveError
from delvecore.render.numbers import counted, percent
from delvecore.render.spans import strong
from delvecore.stats.array_types import Floats
from delvecore.stats.losses.anova import Components, error_parts

LITTLE = 0.05
"""A size is too large if halving it raises the standard error by less than this share."""
MOSTLY = 2 / 3
"""One size alone limits the error if it causes more than this share of the squared error."""
BOTH = "both"
COLUMNS: list[tuple[str, str, Kind]] = [
    ("task", "Task", "name"),
    ("instances", "Training sets", "count"),
    ("test_cases", "Test cases", "count"),
    ("from_training", "from training sets", "share"),
    ("from_cases", "from test cases", "share"),
    ("from_rest", "from the rest", "share"),
    ("limit", "limited by", "name"),
    ("twice_sets", "error saved by twice the sets", "share"),
    ("twice_cases", "error saved by twice the cases", "share"),
    ("badly_spent", "half would do", "name"),
]


class TaskDesign(NamedTuple):
    """Sizes of a task, and the standard deviations of its pairs of methods.

    Attributes
    ----------
    task : str
        Name of the task.
    instances, test_cases : int
        Common training sets of the methods, and cases of each test set.
    spreads : array of shape (pairs, 3)
        Standard deviations of each pair's difference: between training sets, between the cases of a common
        test set (NaN if each training set has its own), and of the rest.
    """

    task: str
    instances: int
    test_cases: int
    spreads: Floats


def task_design_answer(designs: Iterable[TaskDesign]) -> Answer:
    """Return a row for each task with the size that limits the standard error of a difference.

    Shares and savings are means over the pairs of methods. Raises DelveError if no task has two training sets
    and test cases."""
    rows = [_row(one) for one in designs if min(one.instances, one.test_cases) > 1 and len(one.spreads)]
    if not rows:
        raise DelveError("expected a task with two training sets and two test cases or more, found none")
    limits = [row[6] for row in rows]
    parts = [(limits.count(name), name) for name in ("training sets", "test cases", BOTH)]
    (count, name), *others = [(counted(count, "task"), name) for count, name in parts if count]
    shown = [f"{name} limit the error on {count}", *(f"{name} on {count}" for count, name in others)]
    sentence = ", ".join(shown)
    badly = sum(bool(row[-1]) for row in rows)
    spent = f" On {counted(badly, 'task')} half of one size would be enough." if badly else ""
    notes = (
        "The squared standard error of a mean difference has three parts: training sets, cases of a common "
        "test set, and the rest. Both sizes reduce the rest. Shares are means over the pairs of methods.",
        f"Limited by: the size that causes over {percent(round(MOSTLY, 2))} of the squared error; the rest "
        "counts as test cases if each training set has its own test set. Half would do: the error grows by "
        f"less than {percent(LITTLE)} if that size is halved.",
    )
    return Answer(
        "design", f"{strong(sentence[0].upper() + sentence[1:])}.{spent}", table_of(rows, COLUMNS), notes
    )


def _row(one: TaskDesign) -> tuple[object, ...]:
    shares, saved, grown = [], [], []
    for training, cases, residual in one.spreads.tolist():
        spread = Components(training, None if np.isnan(cases) else cases, residual)
        parts = _parts(spread, instances=one.instances, test_cases=one.test_cases)
        if not sum(parts):
            continue
        shares.append([part / sum(parts) for part in parts])
        saved.append([1 - _ratio(spread, one, *factors) for factors in ((2, 1), (1, 2))])
        grown.append([_ratio(spread, one, *factors) - 1 for factors in ((0.5, 1), (1, 0.5))])
    means = np.mean(shares, axis=0) if shares else np.full(3, np.nan)
    gains = np.mean(saved, axis=0) if saved else np.full(2, np.nan)
    loss = np.mean(grown, axis=0) if grown else np.full(2, np.inf)
    has_own_sets = bool(np.isnan(one.spreads[:, 1]).all())
    of_cases = means[1] + (means[2] if has_own_sets else 0.0)
    limit = "training sets" if means[0] > MOSTLY else "test cases" if of_cases > MOSTLY else BOTH
    badly = [
        name for name, share in zip(("training sets", "test cases"), loss, strict=True) if share < LITTLE
    ]
    numbers = [None if np.isnan(value) else float(value) for value in (*means, *gains)]
    return (
        one.task,
        one.instances,
        one.test_cases,
        *numbers[:3],
        limit,
        *numbers[3:],
        " and ".join(badly),
    )


def _parts(spread: Components[float], *, instances: float, test_cases: float) -> list[float]:
    return [part or 0.0 for part in error_parts(spread, instances=instances, test_cases=test_cases)]


def _ratio(spread: Components[float], one: TaskDesign, sets: float, cases: float) -> float:
    """Return the standard error with other sizes, as a multiple of the current one."""
    now = _parts(spread, instances=one.instances, test_cases=one.test_cases)
    then = _parts(spread, instances=sets * one.instances, test_cases=cases * one.test_cases)
    return float((sum(then) / sum(now)) ** 0.5)
