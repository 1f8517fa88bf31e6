"""The list of datasets, and a search in it by words."""

import difflib
from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from dashboard.server import archive as opened
from dashboard.server.archive import Row
from dashboard.server.cache import cached
from delvecore.archive import Archive
from delvecore.render.numbers import integer
from delvecore.report import words
from delvecore.stats.orientation import oriented

FIRST = ("dataset", "cases", "inputs", "type", "best", "title")
NOISE, NON_LINEARITY = "noise", "non-linearity"
"""Names of factors whose shares show how much of a target's variance a linear model cannot explain."""


@cached
def listed(archive: Archive) -> tuple[Row, ...]:
    """Return the rows of all datasets, with `levels` in words and `measures` for each factor of their
    task-arrays."""
    levels: dict[str, dict[str, str]] = {}
    measures: dict[str, dict[str, tuple[float, float]]] = {}
    inputs = _inputs(archive)
    for array in archive.arrays:
        for member in array.members:
            facts = levels.setdefault(member.dataset, {})
            for factor, level in zip(array.factors, member.levels, strict=True):
                facts.setdefault(factor.name, factor.label(level))
        for (member, factor_name), share in array.measures.items():
            measures.setdefault(member.dataset, {}).setdefault(factor_name, share)
    return tuple(
        {
            **row,
            "levels": levels.get(row["dataset"], {}),
            "measures": measures.get(row["dataset"], {}),
            "inputs": inputs.get(row["dataset"], {}),
        }
        for row in opened.rows(archive, "datasets")
    )


def _inputs(archive: Archive) -> dict[str, dict[str, int]]:
    """Count the numeric and categorical inputs that each dataset has in any of its prototasks."""
    prototasks = opened.rows(archive, "prototasks")
    used = {(row["dataset"], name) for row in prototasks for name in row["inputs"]}
    inputs: dict[str, dict[str, int]] = {}
    for row in opened.rows(archive, "attributes"):
        if (row["dataset"], row["attribute"]) in used:
            kind = "categorical" if row["kind"] == "categorical" else "numeric"
            inputs.setdefault(row["dataset"], {"numeric": 0, "categorical": 0})[kind] += 1
    return inputs


def input_words(row: Row) -> str | None:
    """Describe the inputs: `32 numeric`, `2 numeric and 3 categorical`; None if they are unknown."""
    return (
        words.and_list([f"{integer(count)} {kind}" for kind, count in row["inputs"].items() if count]) or None
    )


@cached
def best_methods(archive: Archive) -> pd.DataFrame:
    """Return the methods that most often have the best mean on each dataset, under the most common loss.

    All methods with exactly the best mean of a task count as best there. Columns: `methods`; `tasks`, the
    number of tasks on which each is best; `of`, the number of tasks with results; and the plain texts `cell`
    and `sentence`."""
    columns = ["dataset", "prototask", "task", "method", "loss", "mean"]
    table = archive.results.select(columns).to_pandas().dropna()
    for loss, measure in archive.measures.items():
        rows = table["loss"] == loss
        table.loc[rows, "mean"] = oriented(table.loc[rows, "mean"].to_numpy(), measure)
    preference = {
        loss: place for place, loss in enumerate(sorted(set(table["loss"]), key=words.loss_preference))
    }
    table["order"] = table["loss"].map(preference)
    tasks = columns[:3]
    table = table[table["order"] == table.groupby(tasks)["order"].transform("min")]
    of = table.drop_duplicates(tasks).value_counts("dataset")
    lowest = table[table["mean"] == table.groupby(tasks)["mean"].transform("min")]
    counts = lowest.value_counts(["dataset", "method"], sort=False).reset_index()
    first = counts[counts["count"] == counts.groupby("dataset")["count"].transform("max")]
    grouped = first.sort_values("method").groupby("dataset")
    best = pd.DataFrame({"methods": grouped["method"].agg(tuple), "tasks": grouped["count"].first()})
    best["of"] = of
    texts = [_best_texts(*row) for row in best.itertuples(index=False)]
    best["cell"], best["sentence"] = [one for one, _ in texts], [one for _, one in texts]
    return best


def _best_texts(methods: tuple[str, ...], tasks: int, of: int) -> tuple[str, str]:
    """Return `gp-1 and lin-1 (3 of 8)` and `gp-1 and lin-1 are each best on 3 of 8 tasks`, as plain texts.

    For a majority of the tasks, the texts have no numbers: `knn-cv-1` and `knn-cv-1 is best on most
    tasks`."""
    names, is_majority = words.and_list(methods), 2 * tasks > of
    where = "most tasks" if is_majority else f"{integer(tasks)} of {words.count(of, 'task')}"
    cell = names if is_majority else f"{names} ({integer(tasks)} of {integer(of)})"
    return cell, f"{names} {'are each best' if len(methods) > 1 else 'is best'} on {where}"


@cached
def factor_options(archive: Archive) -> dict[str, tuple[str, ...]]:
    """Return the levels of each factor in words, in the order of the task-arrays."""
    levels_by_factor: dict[str, dict[str, None]] = {}
    for array in archive.arrays:
        for factor in array.shown:
            levels_by_factor.setdefault(factor.name, {}).update(
                dict.fromkeys(level.label for level in factor.levels)
            )
    return {name: tuple(labels) for name, labels in levels_by_factor.items()}


@cached
def dataset_table(archive: Archive) -> pd.DataFrame:
    """Return all datasets, one per row. Only datasets of scores have instances and a metric."""
    results = archive.results.select(["dataset", "method", "loss", "instances"]).to_pandas()
    known = results.groupby("dataset").agg({"method": "nunique", "instances": "max", "loss": "unique"})
    by_dataset = known.to_dict("index")
    rows = listed(archive)
    factors = dict.fromkeys(factor for row in rows for factor in row["levels"])
    measured = dict.fromkeys(factor for row in rows for factor in row["measures"])
    table, best = [], best_methods(archive)
    titles = {loss: words.short_line(words.measure_name(one)) for loss, one in archive.measures.items()}
    for row in rows:
        name, is_scored = row["dataset"], row["attributes"] is None
        done = by_dataset.get(name, {"method": 0, "instances": None, "loss": ()})
        facts = {
            "dataset": name,
            "cases": row["cases"],
            "inputs": input_words(row),
            "type": None if is_scored else ", ".join(row["task_types"] or ()),
            "best": best["cell"].get(name),
            "title": row["title"],
            "attributes": row["attributes"],
            "methods": done["method"],
            "instances": done["instances"] if is_scored else None,
            "metric": ", ".join(titles[loss] for loss in sorted(done["loss"])) if is_scored else None,
            "missing": missing_share(row["missing_values"], row["cases"], row["attributes"]),
            "prototasks": None if is_scored else len(row["prototasks"] or ()),
            "origin": None if is_scored else row["origin"],
            "usage": None if is_scored else row["usage"],
        }
        # A factor of a task-array may be named `inputs`, too: the column of that name describes all datasets.
        shares = {factor: row["measures"].get(factor) for factor in measured}
        table.append(
            {
                **{f"{factor} (%)": share and share[0] for factor, share in shares.items()},
                **{factor: row["levels"].get(factor) for factor in factors},
                **facts,
            }
        )
    whole = dict.fromkeys(("cases", "attributes", "instances", "prototasks"), "Int64")
    frame = pd.DataFrame(table)
    return frame[list(dict.fromkeys((*FIRST, *frame)))].astype(whole) if table else frame


def missing_share(part: float | None, *whole: int | None) -> float | None:
    """Return the number of missing values as a share of all values; None if one of them is unknown."""
    for size in whole:
        if part is None or not size:
            return None
        part /= size
    return part


def hardest(rows: Iterable[Row]) -> tuple[str, int] | None:
    """Return the dataset that a linear model explains least, and the number of measured datasets.

    None if fewer than two were measured."""
    left = {
        row["dataset"]: unexplained(row["measures"])[0]
        for row in rows
        if {NOISE, NON_LINEARITY} <= row["measures"].keys()
    }
    return (max(left, key=left.__getitem__), len(left)) if len(left) > 1 else None


def unexplained(measures: Mapping[str, tuple[float, float]]) -> tuple[float, float]:
    """Return the percentage of a target's variance that a linear model leaves unexplained, with its error."""
    (noise, noise_error), (rest, rest_error) = measures[NOISE], measures[NON_LINEARITY]
    kept, explained = 1 - noise / 100, 1 - rest / 100
    error = (explained**2 * noise_error**2 + kept**2 * rest_error**2) ** 0.5
    return 100 * (1 - kept * explained), error


def within(rows: Iterable[Row], factor: str, low: float, high: float) -> list[Row]:
    """Return the rows whose measured share is between two limits."""
    return [row for row in rows if factor in row["measures"] and low <= row["measures"][factor][0] <= high]


FORGIVEN_FROM = 4
"""Smallest number of letters of a word in which one letter may be wrong."""


def with_words(rows: Sequence[Row], text: str) -> list[Row]:
    """Return the rows whose name, title, summary or prototasks contain all words of a text.

    An unknown word also matches words that differ by one letter, which is added, omitted, replaced or
    swapped."""
    searched = []
    for row in rows:
        parts = (row["dataset"], row["title"], row["summary"], *(row["prototasks"] or ()))
        searched.append(_folded(" ".join(filter(None, parts))))
    everything = " ".join(searched)
    matches = list(zip(rows, searched, strict=True))
    for word in _folded(text).split():
        if word in everything:
            matches = [(row, one) for row, one in matches if word in one]
        else:
            matches = [
                (row, one) for row, one in matches if any(_is_near(word, other) for other in one.split())
            ]
    return [row for row, _ in matches]


def _folded(text: str) -> str:
    return text.casefold().translate({ord(sign): None for sign in "-_'’"})


def _is_near(asked: str, word: str) -> bool:
    """Does a word, or its beginning, differ from the search term by one letter?"""
    if len(asked) < FORGIVEN_FROM:
        return False
    length = len(asked)
    beginnings = [word[: length + more] for more in (-1, 0, 1)]
    # Two words of n letters that differ in one letter have a similarity of 1 - 1/n.
    return bool(difflib.get_close_matches(asked, beginnings, cutoff=1 - 1.01 / length))
