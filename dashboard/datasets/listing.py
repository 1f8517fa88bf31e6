"""All datasets as the list shows them: what is known of each, what task-arrays say of it, and who has results
on it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import pandas as pd

from dashboard.server import archive as opened
from dashboard.server.archive import Row
from delvecore.losses.spec import metric_of
from delvecore.plots import words
from delvecore.task_arrays import Measure

__all__ = ["Hardest", "dataset_table", "factor_options", "hardest", "listed", "missing_share", "within"]

NOISE, NON_LINEARITY = "noise", "non-linearity"
"""What factors are called whose shares tell how much of a target's variance a linear model cannot explain."""


@opened.cached
def listed(state: str) -> tuple[Row, ...]:
    """The rows of all datasets with `levels`, their levels in words, and `measures`, what was measured of
    them, by factor, as the first task-array says that has them."""
    levels: dict[str, dict[str, str]] = {}
    measures: dict[str, dict[str, Measure]] = {}
    for array in opened.archive_of(state).arrays:
        for member in array.members:
            facts = levels.setdefault(member.dataset, {})
            for factor, level in zip(array.factors, member.levels, strict=True):
                facts.setdefault(factor.name, factor.label(level))
        for one in array.measures:
            measures.setdefault(one.member.dataset, {}).setdefault(one.factor, one)
    return tuple(
        {**row, "levels": levels.get(row["dataset"], {}), "measures": measures.get(row["dataset"], {})}
        for row in opened.rows(state, "datasets")
    )


@opened.cached
def factor_options(state: str) -> dict[str, tuple[str, ...]]:
    """The levels of each factor in words, in the order of the task-arrays."""
    found: dict[str, dict[str, None]] = {}
    for array in opened.archive_of(state).arrays:
        for factor in array.shown:
            found.setdefault(factor.name, {}).update(dict.fromkeys(level.label for level in factor.levels))
    return {name: tuple(labels) for name, labels in found.items()}


@opened.cached
def dataset_table(state: str) -> pd.DataFrame:
    """All datasets as the list shows them, one row each, in the archive's order. Instances and metric are
    those of datasets of which there are but scores."""
    methods, instances, metrics = _results_by_dataset(state)
    rows = listed(state)
    factors = dict.fromkeys(factor for row in rows for factor in row["levels"])
    measured = dict.fromkeys(factor for row in rows for factor in row["measures"])
    table = []
    for row in rows:
        name, is_scored = row["dataset"], row["attributes"] is None
        facts = {
            "dataset": name,
            "title": row["title"],
            **_factor_facts(row, factors, measured),
            "cases": row["cases"],
            "attributes": row["attributes"],
            "task types": None if is_scored else ", ".join(row["task_types"] or ()),
            "methods": methods[name],
            "instances": instances.get(name) if is_scored else None,
            "metric": ", ".join(metrics.get(name, ())) if is_scored else None,
            "missing": missing_share(row["missing_values"], row["cases"], row["attributes"]),
            "prototasks": None if is_scored else len(row["prototasks"] or ()),
            "origin": None if is_scored else row["origin"],
            "usage": None if is_scored else row["usage"],
        }
        table.append(facts)
    whole = dict.fromkeys(("cases", "attributes", "instances", "prototasks"), "Int64")
    return pd.DataFrame(table).astype(whole) if table else pd.DataFrame(table)


def _factor_facts(row: Row, factors: Iterable[str], measured: Iterable[str]) -> dict[str, object]:
    shares = ((factor, row["measures"].get(factor)) for factor in measured)
    return {
        **{f"{factor} (%)": None if found is None else found.percent for factor, found in shares},
        **{factor: row["levels"].get(factor) for factor in factors},
    }


def _results_by_dataset(state: str) -> tuple[Counter[str], dict[str, int], dict[str, list[str]]]:
    """Return how many methods have results on each dataset, the most instances of a task, and the losses."""
    archive = opened.archive_of(state)
    results = archive.results.select(["dataset", "method", "loss", "instances"])
    pairs = results.group_by(["dataset", "method"]).aggregate([])
    most = results.group_by(["dataset"]).aggregate([("instances", "max")]).to_pydict()
    losses = results.group_by(["dataset", "loss"]).aggregate([]).to_pydict()
    metrics: dict[str, list[str]] = {}
    for dataset, loss in sorted(zip(losses["dataset"], losses["loss"], strict=True)):
        metric = metric_of(loss)
        metrics.setdefault(dataset, []).append(words.plain(metric.name if metric else words.loss_name(loss)))
    instances = dict(zip(most["dataset"], most["instances_max"], strict=True))
    return Counter(pairs["dataset"].to_pylist()), instances, metrics


def missing_share(part: float | None, *whole: int | None) -> float | None:
    """Return a number as a share of a product; None where one of them is not known."""
    for size in whole:
        if part is None or not size:
            return None
        part /= size
    return part


class Hardest(NamedTuple):
    """The dataset of which a linear model explains least. among: how many were measured; noise, rest:
    percent of the target's variance, and of what is left of it; together: of all of it, with its error."""

    dataset: str
    among: int
    noise: float
    rest: float
    together: float
    error: float


def hardest(rows: Iterable[Row]) -> Hardest | None:
    """Which of these datasets is the most non-linear and noisy? The one of whose target's variance noise and
    what a linear model leaves of the rest take the largest share. None where fewer than two were measured."""
    found = [
        _together(row["dataset"], row["measures"])
        for row in rows
        if {NOISE, NON_LINEARITY} <= row["measures"].keys()
    ]
    if len(found) < 2:
        return None
    return max(found, key=lambda one: one.together)._replace(among=len(found))


def _together(dataset: str, measures: Mapping[str, Measure]) -> Hardest:
    noise, rest = measures[NOISE], measures[NON_LINEARITY]
    kept, explained = 1 - noise.percent / 100, 1 - rest.percent / 100
    error = (explained**2 * noise.error**2 + kept**2 * rest.error**2) ** 0.5
    return Hardest(
        dataset,
        among=0,
        noise=noise.percent,
        rest=rest.percent,
        together=100 * (1 - kept * explained),
        error=error,
    )


def within(rows: Iterable[Row], factor: str, low: float, high: float) -> list[Row]:
    """Return the rows of which a share between two limits was measured."""
    return [
        row for row in rows if factor in row["measures"] and low <= row["measures"][factor].percent <= high
    ]
