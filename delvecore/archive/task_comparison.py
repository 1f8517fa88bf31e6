"""Rows of a comparison on one task: estimates, pairs, means by training set, differences of single cases."""

from collections.abc import Collection

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.answers.compare_pair import SPREADS, STOCHASTIC, Row
from delvecore.archive import Archive
from delvecore.archive.task_details import stochastic_trainings
from delvecore.losses.spec import is_logarithmic
from delvecore.model import TaskId
from delvecore.number_format.columns import NumberLists
from delvecore.render.numbers import integer
from delvecore.stats.choose import Setting
from delvecore.stats.losses.case_tests import CaseDifferences, case_differences
from delvecore.stats.losses.comparisons import compare_all
from delvecore.stats.losses.results import standardized_mean, standardized_spread
from delvecore.stats.orientation import oriented
from delvecore.tables import PLACE, rows_of


def task_estimates(archive: Archive, task: str, loss: str) -> tuple[Row, ...]:
    """Return rows of `results` in both units: the methods of a task, best first. Those without a mean are
    last."""
    place, measure = TaskId.parse(task), archive.measures[loss]
    rows = archive.results.take(archive.index.rows_of(place, loss)).to_pylist()
    runs = stochastic_trainings(archive, place, loss)
    for row in rows if runs else ():
        of_method = runs.get(row["method"])
        row |= {"sd_training": of_method.sd_training} if of_method else {}
        row[STOCHASTIC] = of_method.sd_stochastic if of_method else None

    def order(row: Row) -> tuple[bool, float, str]:
        return row["mean"] is None, oriented(row["mean"] or 0.0, measure), row["method"]

    return tuple(sorted(map(_in_both_units, rows), key=order))


def task_pairs(
    archive: Archive,
    task: str,
    losses: pa.Table,
    *,
    family: Collection[str],
    shown: Collection[str],
    standardizer: float | None,
    setting: Setting,
) -> tuple[Row, ...]:
    """Return rows of comparisons in both units; p is adjusted for all pairs of a family of methods.

    `losses` are those of the task under one loss. Only pairs of the methods in `shown` are returned.
    """
    loss, place = losses["loss"][0].as_py(), TaskId.parse(task)
    table = compare_all(
        losses,
        archive.tasks,
        {(*place, loss): standardizer},
        loss=loss,
        methods=sorted(family),
        against=None if set(shown) == set(family) else {place: frozenset(shown)},
        setting=setting,
        measures=archive.measures,
    )
    names = pa.array(sorted(shown), pa.string())
    is_shown = (pc.is_in(table[name], value_set=names) for name in ("method_a", "method_b"))
    return tuple(map(_in_both_units, table.filter(pc.and_(*is_shown)).to_pylist()))


def _in_both_units(row: Row) -> Row:
    """Return a row with all its numbers in units of the baseline, too."""
    loss, constant = row["loss"], row["standardizer"]
    spreads = [name for name in (*SPREADS, STOCHASTIC, "lower", "upper") if name in row]
    means = [name for name in ("mean_a", "mean_b") if name in row]
    return {
        **row,
        **{f"standardized_{name}": standardized_spread(loss, row[name], constant) for name in spreads},
        **{f"standardized_{name}": standardized_mean(loss, row[name], constant) for name in means},
    }


def instance_losses(losses: pa.Table, method: str) -> dict[int, np.ndarray]:
    """Return the losses of a method's test cases by task instance."""
    table = losses.filter(pc.equal(losses["method"], method))
    lists = NumberLists(table["values"])
    numbers = table["instance"].to_numpy().tolist()
    return {number: lists.span(row, row + 1) for row, number in enumerate(numbers)}


def shared_cases(
    losses: pa.Table, methods: Collection[str], *, design: str
) -> tuple[CaseDifferences | None, tuple[int, ...]]:
    """Return differences of two methods by case, None if their cases do not match, and the instances of
    both."""
    rows_a, rows_b = (instance_losses(losses, method) for method in methods)
    shared = tuple(sorted(rows_a.keys() & rows_b.keys()))
    if len({len(rows[number]) for rows in (rows_a, rows_b) for number in shared}) != 1:
        return None, shared
    stacks = (np.array([rows[number] for number in shared]) for rows in (rows_a, rows_b))
    return case_differences(*stacks, design=design), shared


def left_out(archive: Archive, place: TaskId, loss: str, counted: int) -> str:
    """Report test cases that do not count: `22 more left out for censored targets`; empty if all count."""
    planned = {TaskId(*task): cases for *task, cases in rows_of(archive.tasks, (*PLACE[1:], "test_cases"))}
    rows = rows_of(archive.prototasks, ("dataset", "prototask", "targets"))
    targets = next((targets for *names, targets in rows if (*names,) == place[:2]), ())
    names, attributes = pa.array(targets, pa.string()), archive.attributes
    is_target = pc.is_in(attributes["attribute"], value_set=names)
    facts = attributes.filter(pc.and_(pc.equal(attributes["dataset"], place.dataset), is_target))
    kinds = ("missing",) if is_logarithmic(loss) else ("missing", "censored")
    why = " or ".join(kind for kind in kinds if pc.sum(facts[kind]).as_py())
    missed = (planned.get(place) or 0) - counted
    return f"{integer(missed)} more left out for {why} targets" if why and missed > 0 else ""
