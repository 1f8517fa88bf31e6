"""Contents of the archive: number of datasets, methods and results, and missing results."""

from collections import Counter

import numpy as np

from delvecore.answers.answer import Column, Kind, Table, plain_columns, table_of
from delvecore.archive import Archive
from delvecore.archive.leaderboards import task_facts
from delvecore.model import place_names
from delvecore.render.numbers import integer
from delvecore.render.spans import as_name, strong
from delvecore.render.text import number_word
from delvecore.report import words
from delvecore.runner.choice import why_missing
from delvecore.tables import rows_of

MOST_NAMED = 4
NO_SCORE = "no score in the file"
PLACE = ("dataset", "prototask", "task")


def content_sentence(archive: Archive) -> str:
    """Return a text such as this:

    `**30 datasets** with 34 prototasks and 163 tasks; **12 methods** with results on 163 of the tasks.`"""
    _, done = _done(archive)
    datasets = words.count(archive.datasets.num_rows, "dataset")
    prototasks = words.count(archive.prototasks.num_rows, "prototask")
    tasks = words.count(archive.tasks.num_rows, "task")
    methods = words.count(archive.methods.num_rows, "method")
    results = f" with results on {integer(len(done))} of the tasks" if done else " and no results yet"
    parts = f"{prototasks} and {tasks}" if archive.paths else tasks
    return f"{strong(datasets)} with {parts}; {strong(methods)}{results}."


def _done(archive: Archive) -> tuple[dict[str, frozenset[str]], frozenset[str]]:
    """Return the tasks with results of each method, and all tasks with results, by path."""
    done = {method: paths for method, paths in archive.index.tasks_done.items() if paths}
    return done, frozenset[str]().union(*done.values())


GAPS: list[tuple[str, str, Kind]] = [
    *plain_columns("name", "method", "prototask"),
    *plain_columns("count", "tasks", "missing"),
]
"""A method, the path of a prototask, the number of its tasks, and of those without results of the method."""


def gaps(archive: Archive) -> Table:
    """Return the methods that lack results on some of the tasks with results, and these tasks; most first."""
    done, every = _done(archive)
    sizes = Counter(path.rpartition("/")[0] for path in every)
    shortfalls: list[tuple[str, str, int, int]] = []
    for method, paths in done.items():
        lacking = Counter(path.rpartition("/")[0] for path in every - paths)
        shortfalls += [(method, name, sizes[name], count) for name, count in lacking.items()]
    return table_of(sorted(shortfalls, key=lambda gap: (-gap[-1], *gap[:2])), GAPS)


def gaps_with_reasons(archive: Archive) -> Table:
    """Return the gaps, each with its reason if the method states one."""
    table = gaps(archive)
    reasons = [
        why_missing(archive.hierarchy, method, *place_names(path)) if archive.paths else NO_SCORE
        for method, path in table.select("method", "prototask").rows
    ]
    return Table((*table.columns, Column("reason", "reason", "name", reasons)))


def fewer_runs(archive: Archive) -> int:
    """Return the number of results that lack instances that other results on the same task and loss have."""
    index, counts = archive.index, archive.results["instances"].to_numpy()
    place = index.task.astype(np.int64) * len(index.losses) + index.loss
    most = np.zeros(len(index.tasks) * len(index.losses), dtype=np.int64)
    np.maximum.at(most, place, counts)
    if not archive.paths:  # the instances of a task of scores are those that any method has
        known = {row[:3]: row[3] for row in rows_of(archive.tasks, (*PLACE, "instances"))}
        whole = np.array([known[task] for task in index.tasks], dtype=np.int64)
        most = np.maximum(most, np.repeat(whole, len(index.losses)))
    return int(np.count_nonzero(counts < most[place]))


def coverage_sentence(archive: Archive) -> str:
    """Return a sentence on the methods that lack results, with known reasons; empty without results.

    `Four methods predict numbers only: no results on 38 classification tasks.`"""
    done, every = _done(archive)
    if not done:
        return ""
    types = {path: facts.task_type for path, facts in task_facts(archive).items()}
    missing = {method: every - paths for method, paths in done.items() if every - paths}
    groups: dict[tuple[str, int], list[str]] = {}
    for method, paths in list(missing.items()):
        lacked = {types.get(path, "") for path in paths}
        task_type = next(iter(lacked))
        has_any = any(types.get(path) == task_type for path in done[method])
        if len(lacked) == 1 and task_type in ONLY and not has_any and _cannot(archive, method, min(paths)):
            groups.setdefault((task_type, len(paths)), []).append(method)
            del missing[method]
    sentences = list[str]()
    for (task_type, count), methods in groups.items():
        who, predict = _who(len(methods))
        tasks = words.count(count, f"{task_type} task")
        sentences.append(f"{who} {predict} {ONLY[task_type]} only: no results on {tasks}.")
    tasks, full = words.count(len(every), "task"), len(done) - len(missing)
    if not missing and not groups:
        sentences += ["No method lacks results that another has."] * (len(done) > 1)
    elif missing:
        most = sorted(missing.items(), key=lambda item: (-len(item[1]), item[0]))
        named = [f"{as_name(name)} lacks {integer(len(paths))}" for name, paths in most[:MOST_NAMED]]
        named += [f"{len(most) - MOST_NAMED} more lack some"] if len(most) > MOST_NAMED else []
        start = f"{full} of {words.count(len(done), 'method')} have results on all {tasks} with results; "
        sentences.append(
            f"{'' if groups else start}{words.and_list(named)}{f' of {tasks}' if groups else ''}."
        )
    return " ".join([*sentences, *_shortfalls(archive, len(every))])


ONLY = {"classification": "numbers", "regression": "classes"}
"""The kinds of predictions of methods without results on tasks of a type."""


def _who(count: int) -> tuple[str, str]:
    word = number_word(count).capitalize()
    return (f"{word} method", "predicts") if count == 1 else (f"{word} methods", "predict")


def _cannot(archive: Archive, method: str, path: str) -> bool:
    """Does a method state that it cannot do a task?"""
    if not archive.paths:
        return False
    return why_missing(archive.hierarchy, method, *place_names(path)).startswith("cannot")


def _shortfalls(archive: Archive, done: int) -> list[str]:
    """Return sentences on tasks without results, results of fewer runs, and failed runs."""
    sentences, without, short = [], archive.tasks.num_rows - done, fewer_runs(archive)
    if without:
        verb = "has" if without == 1 else "have"
        sentences.append(f"{words.count(without, 'task')} {verb} no results yet.")
    if short:
        sentences.append(
            f"{words.count(short, 'result')} {'has' if short == 1 else 'have'} fewer runs than others."
        )
    read = archive.readings
    if failed := sum(one.failed for one in read):
        runs = words.count(sum(one.runs for one in read), "run")
        sentences.append(f"{integer(failed)} of {runs} failed or are missing.")
    return sentences
