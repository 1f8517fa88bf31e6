"""What there is in the archive: how much, and what is missing."""

from collections import Counter
from typing import NamedTuple

import numpy as np

from delvecore.archive import Archive
from delvecore.model import place_names
from delvecore.render.numbers import integer
from delvecore.render.spans import as_name, strong
from delvecore.report import words
from delvecore.runner.choice import why_missing
from delvecore.tables import rows_of

MOST_NAMED = 4
NO_SCORE = "no score in the file"
PLACE = ("dataset", "prototask", "task")


def content_sentence(archive: Archive) -> str:
    """`**30 datasets** with 34 prototasks and 163 tasks; **12 methods** with results on 163 of the tasks.`"""
    _, done = _done(archive)
    datasets = words.count(archive.datasets.num_rows, "dataset")
    prototasks = words.count(archive.prototasks.num_rows, "prototask")
    tasks = words.count(archive.tasks.num_rows, "task")
    methods = words.count(archive.methods.num_rows, "method")
    results = f" with results on {integer(len(done))} of the tasks" if done else " and no results yet"
    parts = f"{prototasks} and {tasks}" if archive.paths else tasks
    return f"{strong(datasets)} with {parts}; {strong(methods)}{results}."


def _done(archive: Archive) -> tuple[dict[str, frozenset[str]], frozenset[str]]:
    """The tasks that each method with any results has done, and all of these, by path."""
    done = {method: paths for method, paths in archive.index.tasks_done.items() if paths}
    return done, frozenset[str]().union(*done.values())


class Gap(NamedTuple):
    """A method, the path of a prototask, its tasks, on how many of them the method has none, and why."""

    method: str
    prototask: str
    tasks: int
    missing: int
    reason: str = ""


def gaps(archive: Archive) -> tuple[Gap, ...]:
    """Where do methods with any results lack them, of the tasks that any method has done? Most first."""
    done, every = _done(archive)
    sizes = Counter(path.rpartition("/")[0] for path in every)
    found = []
    for method, paths in done.items():
        lacking = Counter(path.rpartition("/")[0] for path in every - paths)
        found += [Gap(method, name, sizes[name], count) for name, count in lacking.items()]
    return tuple(sorted(found, key=lambda gap: (-gap.missing, gap.method, gap.prototask)))


def gaps_with_reasons(archive: Archive) -> tuple[Gap, ...]:
    """The gaps, each with its reason, as far as the method says one."""
    if not archive.paths:
        return tuple(gap._replace(reason=NO_SCORE) for gap in gaps(archive))
    return tuple(
        gap._replace(reason=why_missing(archive.hierarchy, gap.method, *place_names(gap.prototask)))
        for gap in gaps(archive)
    )


def fewer_runs(archive: Archive) -> int:
    """Return how many results are of fewer instances than there are on their task, under their loss."""
    index, counts = archive.index, archive.results["instances"].to_numpy()
    place = index.task.astype(np.int64) * len(index.losses) + index.loss
    most = np.zeros(len(index.tasks) * len(index.losses), dtype=np.int64)
    np.maximum.at(most, place, counts)
    if not archive.paths:  # the instances of a task of scores are those that any method has
        known = {row[:3]: row[3] for row in rows_of(archive.tasks, (*PLACE, "instances"))}
        whole = np.array([known[task] for task in index.tasks], dtype=np.int64)
        most = np.maximum(most, np.repeat(whole, len(index.losses)))
    return int(np.count_nonzero(counts < most[place]))


def gap_sentence(archive: Archive) -> str:
    """Say who lacks results, or that nobody does; empty without results."""
    done, every = _done(archive)
    if not done:
        return ""
    missing: Counter[str] = Counter()
    for gap in gaps(archive):
        missing[gap.method] += gap.missing
    methods, tasks = words.count(len(done), "method"), words.count(len(every), "task")
    without = archive.tasks.num_rows - len(every)
    more = f" {words.count(without, 'task')} {'has' if without == 1 else 'have'} none yet." if without else ""
    short = fewer_runs(archive)
    runs = f" {words.count(short, 'result')} {'is' if short == 1 else 'are'} of fewer runs than others."
    runs = runs if short else ""
    read = archive.readings
    failed, left = sum(one.failed for one in read), any(one.omissions for one in read)
    if failed:
        total = words.count(sum(one.runs for one in read), "run")
        runs += f" {integer(failed)} of {total} failed or are missing."
    if not missing:
        have = "has" if len(done) == 1 else "have"
        all_there = f"{methods} {have} results on all of {tasks} that any has.{more}"
        return f"{all_there}{runs}" if runs or left else f"Nothing is missing: {all_there}"
    most = sorted(missing.items(), key=lambda item: (-item[1], item[0]))
    named = [f"{as_name(name)} lacks {integer(count)}" for name, count in most[:MOST_NAMED]]
    named += [f"{len(most) - MOST_NAMED} more lack some"] if len(most) > MOST_NAMED else []
    full = len(done) - len(most)
    have = f"{full} of {methods} have results on all of {tasks} that any has; {words.and_list(named)}."
    return f"{have}{more}{runs}"
