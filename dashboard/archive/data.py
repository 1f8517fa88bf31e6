"""The tables of the Archive page: who has results where, what is new, what is large."""

import os
from collections import Counter

import pandas as pd

from dashboard.archive.figures import CoverageCell, CoverageMap, coverage_figure
from dashboard.server import archive as opened
from delvecore.figures import words
from delvecore.readers.archives import packed

__all__ = ["at_start", "coverage", "coverage_table", "largest_table", "newest_table"]


def at_start(state: str) -> None:
    """Draw what takes longest on the first page, before the first visitor asks for it."""
    opened.figure(coverage_figure, coverage, state)


@opened.cached
def coverage(state: str) -> CoverageMap:
    """How many of each prototask's tasks has each method results on? All pairs, by prototask and method."""
    done = Counter(
        (method, path.rpartition("/")[0])
        for method, paths in opened.tasks_done(state).items()
        for path in paths
    )
    known = opened.choices(state)
    places = {tuple(path.split("/")[1:3]) for path in known.tasks}
    tasks = Counter(path.rpartition("/")[0] for path in known.tasks)
    prototasks = tuple(words.task_path(*place) for place in sorted(places))
    cells = tuple(
        CoverageCell(path, method, tasks[path], done[method, path], done[method, path] / tasks[path])
        for path in prototasks
        for method in known.methods
    )
    return CoverageMap(cells, prototasks, known.methods)


def coverage_table(state: str) -> pd.DataFrame:
    """The coverage as a table: prototask (full path), method, tasks, done, share."""
    return pd.DataFrame(coverage(state).cells, columns=CoverageCell._fields)


@opened.cached
def newest_table(state: str) -> pd.DataFrame:
    """Datasets and methods by the time their directories last changed, newest first: kind, name, changed."""
    places = [("dataset", row["dataset"], [row["directory"]]) for row in opened.rows(state, "datasets")]
    places += [("method", row["method"], row["directories"]) for row in opened.rows(state, "methods")]
    found = [
        {"kind": kind, "name": name, "changed": max(times)}
        for kind, name, directories in places
        if (times := [os.path.getmtime(path) for path in map(_on_disk, directories or ()) if path])
    ]
    table = pd.DataFrame(found, columns=["kind", "name", "changed"])
    table["changed"] = pd.to_datetime(table["changed"], unit="s").dt.floor("s")
    return table.sort_values(["changed", "name"], ascending=[False, True], ignore_index=True)


def _on_disk(path: str | None) -> str | None:
    """Return the path of a directory, or of the archive that it lies in, or None where neither is there."""
    inside = packed.archive_of(path) if path else None
    place = inside[0] if inside else path
    return place if place and os.path.exists(place) else None


@opened.cached
def largest_table(state: str) -> pd.DataFrame:
    """Datasets by their number of cases, largest first: dataset, cases, attributes, tasks."""
    tasks = Counter(row["dataset"] for row in opened.rows(state, "tasks"))
    datasets = opened.rows(state, "datasets")
    found = [(row["dataset"], row["cases"], row["attributes"], tasks[row["dataset"]]) for row in datasets]
    table = pd.DataFrame(found, columns=["dataset", "cases", "attributes", "tasks"]).astype(
        {"cases": "Int64"}
    )
    return table.sort_values(["cases", "dataset"], ascending=[False, True], ignore_index=True)
