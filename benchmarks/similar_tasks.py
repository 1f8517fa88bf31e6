"""Is advice from the nearest tasks better than the overall best method? `python -m benchmarks like`.

Each prototask of the archive is taken for new data: its dataset, or its whole family, is left out. The method
with the best mean rank on the nearest of the other tasks is the advice; the method with the best mean rank on
all others is the alternative. Regret is the loss of a method minus that of the best one on the task, in units
of the baseline's loss. Tasks are averaged by family.
"""

from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

import delvecore
from delvecore.answers.similar_data import DataDescription, distance, nearest_task
from delvecore.archive.leaderboards import TaskFacts, leading_loss, leading_scores, task_facts
from delvecore.importers.similar_tasks import described_prototasks, families_of
from delvecore.stats.ranking.analysis import analyze
from delvecore.stats.ranking.ranks import comparable_methods
from delvecore.stats.ranking.score_table import ScoreTable

NUMBERS = (2, 4, 8, 12)
ALL = 0
"""The number that stands for all other prototasks, at the nearest size."""


class Regret(NamedTuple):
    """Regrets on one task. out: what was left out; nearest: so many prototasks, ALL for all."""

    out: str
    nearest: int
    family: str
    dataset: str
    task: str
    advice: float
    overall: float


def regrets(target: str) -> Iterator[Regret]:
    """Yield the regrets of all tasks with this type of target."""
    archive = delvecore.open()
    described = [one for one in described_prototasks(archive)[0] if one.target == target]
    names = {one.name for one in described}
    facts = {path: one for path, one in task_facts(archive).items() if path.rpartition("/")[0] in names}
    table = comparable_methods(leading_scores(archive, leading_loss(archive, list(facts)), tasks=list(facts)))
    families, rows = families_of(archive), dict(zip(table.task_paths, table.tasks, strict=True))
    best = table.oriented.min(axis=1)
    for place, task in enumerate(table.task_paths):
        name = task.rpartition("/")[0]
        own = next(one for one in described if one.name == name)
        for out in ("dataset", "family"):
            rest = [one for one in described if _kind(one, out, families) != _kind(own, out, families)]
            overall = _best(
                table,
                [row for path, row in rows.items() if path.rpartition("/")[0] in {o.name for o in rest}],
            )
            for count in (*NUMBERS, ALL):
                chosen = _nearest(own, rest, facts, rows, size=facts[task].training_size, count=count)
                loss = [
                    table.oriented[place, table.methods.index(one)] - best[place]
                    for one in (_best(table, chosen), overall)
                ]
                yield Regret(out, count, families[name], facts[task].dataset, task, *map(float, loss))


def _kind(one: DataDescription, out: str, families: dict[str, str]) -> str:
    return families[one.name] if out == "family" else one.name.split("/")[1]


def _nearest(
    own: DataDescription,
    rest: Sequence[DataDescription],
    facts: dict[str, TaskFacts],
    rows: dict[str, str],
    *,
    size: int,
    count: int,
) -> list[str]:
    """Return the rows of the tasks that methods are ranked on."""
    near = sorted(rest, key=lambda one: (distance(own, one), one.name))[: count or None]
    neighbors = []
    for one in near:
        sizes = {path: facts[path].training_size for path in rows if path.rpartition("/")[0] == one.name}
        neighbors.append(rows[nearest_task(sizes, size)])
    return neighbors


def _best(table: ScoreTable, tasks: Sequence[str]) -> str:
    """Return the method with the best mean rank on these tasks, as `delve rank` has it."""
    analysis = analyze(table.select(tasks=tasks))
    return analysis.table.methods[analysis.order[0]]


def summary(target: str) -> pd.DataFrame:
    """Return mean regrets over families, a row for each number of tasks and for what was left out."""
    frame = pd.DataFrame(regrets(target))
    keys = ["out", "nearest"]
    datasets = frame.groupby([*keys, "family", "dataset"])[["advice", "overall"]].mean()
    by = datasets.groupby([*keys, "family"]).mean()
    difference = by["advice"] - by["overall"]
    means = by.groupby(keys).mean()
    means["difference"] = difference.groupby(keys).mean()
    means["error"] = difference.groupby(keys).std(ddof=1) / np.sqrt(difference.groupby(keys).size())
    means["better"] = (difference < -1e-9).groupby(keys).sum()
    means["worse"] = (difference > 1e-9).groupby(keys).sum()
    means["families"] = difference.groupby(keys).size()
    return means.reset_index()


def main(arguments: Sequence[str]) -> int:
    """Print both tables; return 0."""
    ArgumentParser(
        prog="python -m benchmarks like",
        description="Compare the advice of delve like with the method that is best over all other data.",
    ).parse_args(arguments)
    for target in ("numbers", "classes"):
        frame = summary(target)
        frame["nearest"] = frame["nearest"].replace(ALL, "all").astype(str)
        print(f"target: {target}")
        print(frame.round(4).to_string(index=False))
    return 0
