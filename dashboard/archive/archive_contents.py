"""What there is in the archive: how much, what is missing, what is large, what is new."""

import os
from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np
import pandas as pd

from dashboard.server import archive as opened
from delvecore.archive import Archive
from delvecore.plots import words
from delvecore.readers.archives import packed

__all__ = [
    "Gap",
    "content_sentence",
    "datasets_table",
    "fewer_runs",
    "gap_sentence",
    "gaps",
    "largest",
    "newest",
]

MOST_NAMED = 4
PLACE = ("dataset", "prototask", "task")


def content_sentence(archive: Archive) -> str:
    """`**30 datasets** with 34 prototasks and 163 tasks; **12 methods** with results on 163 of the tasks.`"""
    done = frozenset[str]().union(*opened.tasks_done(archive.state).values())
    datasets = words.count(archive.datasets.num_rows, "dataset")
    prototasks = words.count(archive.prototasks.num_rows, "prototask")
    tasks = words.count(archive.tasks.num_rows, "task")
    methods = words.count(archive.methods.num_rows, "method")
    results = f" with results on {len(done):,} of the tasks" if done else " and no results yet"
    parts = f"{prototasks} and {tasks}" if archive.paths else tasks
    return f"**{datasets}** with {parts}; **{methods}**{results}."


class Gap(NamedTuple):
    """A method, the full path of a prototask, its tasks, and on how many of these the method has none."""

    method: str
    prototask: str
    tasks: int
    missing: int


@opened.cached
def gaps(state: str) -> tuple[Gap, ...]:
    """Where do methods with any results lack them, of the tasks that any method has done? Most first."""
    done = {method: paths for method, paths in opened.tasks_done(state).items() if paths}
    every = frozenset[str]().union(*done.values())
    found = []
    for method, paths in done.items():
        if len(paths) < len(every):
            lacking: dict[str, int] = {}
            for path in every - paths:
                prototask = path.rpartition("/")[0]
                lacking[prototask] = lacking.get(prototask, 0) + 1
            sizes = {name: sum(path.rpartition("/")[0] == name for path in every) for name in lacking}
            found += [Gap(method, name, sizes[name], count) for name, count in lacking.items()]
    return tuple(sorted(found, key=lambda gap: (-gap.missing, gap.method, gap.prototask)))


def fewer_runs(archive: Archive) -> int:
    """Return how many results are of fewer instances than there are on their task, under their loss."""
    index, counts = archive.index, archive.results["instances"].to_numpy()
    place = index.task.astype(np.int64) * len(index.losses) + index.loss
    most = np.zeros(len(index.tasks) * len(index.losses), dtype=np.int64)
    np.maximum.at(most, place, counts)
    if not archive.paths:  # the instances of a task of scores are those that any method has
        columns = (archive.tasks[name].to_pylist() for name in (*PLACE, "instances"))
        known = {names[:3]: names[3] for names in zip(*columns, strict=True)}
        whole = np.array([known[task] for task in index.tasks], dtype=np.int64)
        most = np.maximum(most, np.repeat(whole, len(index.losses)))
    return int(np.count_nonzero(counts < most[place]))


def gap_sentence(state: str) -> str:
    """Say who lacks results, or that nobody does; empty without results."""
    done = {method: paths for method, paths in opened.tasks_done(state).items() if paths}
    every = frozenset[str]().union(*done.values())
    if not done:
        return ""
    missing: dict[str, int] = {}
    for gap in gaps(state):
        missing[gap.method] = missing.get(gap.method, 0) + gap.missing
    methods, tasks = words.count(len(done), "method"), words.count(len(every), "task")
    without = len(opened.rows(state, "tasks")) - len(every)
    more = f" {words.count(without, 'task')} {'has' if without == 1 else 'have'} none yet." if without else ""
    short = fewer_runs(opened.archive_of(state))
    runs = f" {words.count(short, 'result')} {'is' if short == 1 else 'are'} of fewer runs than others."
    runs = runs if short else ""
    read = opened.archive_of(state).readings
    failed, left = sum(one.failed for one in read), any(one.omissions for one in read)
    if failed:
        runs += f" {failed:,} of {words.count(sum(one.runs for one in read), 'run')} failed or are missing."
    if not missing:
        have = "has" if len(done) == 1 else "have"
        all_there = f"{methods} {have} results on all of {tasks} that any has.{more}"
        return f"{all_there}{runs}" if runs or left else f"Nothing is missing: {all_there}"
    most = sorted(missing.items(), key=lambda item: (-item[1], item[0]))
    named = [f"{words.escape(name)} lacks {count:,}" for name, count in most[:MOST_NAMED]]
    named += [f"{len(most) - MOST_NAMED} more lack some"] if len(most) > MOST_NAMED else []
    full = len(done) - len(most)
    have = f"{full} of {methods} have results on all of {tasks} that any has; {words.and_list(named)}."
    return f"{have}{more}{runs}"


def largest(state: str) -> str | None:
    """Return the dataset with the most cases, where one has more than all others."""
    sizes = sorted((row["cases"] or 0, row["dataset"]) for row in opened.rows(state, "datasets"))
    is_one = len(sizes) > 1 and sizes[-1][0] > sizes[-2][0]
    return sizes[-1][1] if is_one else None


class Newest(NamedTuple):
    """What changed last. kind: dataset or method; day: such as 2026-01-31."""

    kind: str
    name: str
    day: str


@opened.cached
def newest(state: str) -> Newest | None:
    """Which dataset or method changed last? None where several did on that day, as when all was copied."""
    places = [("dataset", row["dataset"], [row["directory"]]) for row in opened.rows(state, "datasets")]
    places += [("method", row["method"], row["directories"]) for row in opened.rows(state, "methods")]
    found = [
        Newest(kind, name, datetime.fromtimestamp(max(times), UTC).date().isoformat())
        for kind, name, directories in places
        if (times := [os.path.getmtime(path) for path in map(_on_disk, directories or ()) if path])
    ]
    last = max((one.day for one in found), default="")
    of_that_day = [one for one in found if one.day == last]
    return of_that_day[0] if len(of_that_day) == 1 < len(found) else None


def _on_disk(path: str | None) -> str | None:
    """Return the path of a directory, or of the archive that it lies in, or None where neither is there."""
    inside = packed.archive_of(path) if path else None
    place = inside[0] if inside else path
    return place if place and os.path.exists(place) else None


@opened.cached
def datasets_table(state: str) -> pd.DataFrame:
    """The datasets, most cases first: dataset, title, cases, attributes, tasks."""
    tasks: dict[str, int] = {}
    for row in opened.rows(state, "tasks"):
        tasks[row["dataset"]] = tasks.get(row["dataset"], 0) + 1
    names = ("dataset", "title", "cases", "attributes")
    found = [
        (*(row[name] for name in names), tasks.get(row["dataset"], 0))
        for row in opened.rows(state, "datasets")
    ]
    table = pd.DataFrame(found, columns=[*names, "tasks"]).astype({"cases": "Int64"})
    return table.sort_values(["cases", "dataset"], ascending=[False, True], ignore_index=True)
