"""What the figures of the Ranking page say, for those who do not see them."""

from statistics import median

import numpy as np

from delvecore.plots import words
from delvecore.plots.ranking.method_rows import AgainstOne, LeaveOut, ScoreDistributions, TaskVerdicts
from delvecore.plots.ranking.rank_pairs import RankPairs
from delvecore.stats.choose import Verdict

__all__ = ["of_left_out", "of_pairs", "of_tasks", "of_values"]


def of_pairs(found: RankPairs) -> str:
    """`Of 3 tested pairs 1 differs: gp-1 is better than lin-1.`"""
    names, better = found.methods, found.verdict == "better"
    said = [
        f"{name} is better than {words.and_list([names[place] for place in np.flatnonzero(row)])}"
        for name, row in zip(names, better, strict=True)
        if row.any()
    ]
    upper = found.verdict[np.triu_indices(len(names), 1)]
    pairs = words.count(int((upper != Verdict.NOT_TESTED).sum()), "tested pair")
    lead = f"Of {pairs} {better.sum()} differ" + "s" * int(better.sum() == 1)
    return f"{lead}: {'; '.join(said)}." if said else f"{lead}."


def of_tasks(found: AgainstOne[TaskVerdicts]) -> str:
    """`lin-1 2, 5 and 30; cart-1 0, 1 and 36`"""
    return "; ".join(f"{row.method} {row.wins}, {row.ties} and {row.losses}" for row in found.rows)


def of_values(found: ScoreDistributions) -> str:
    """`gp-1 0.35; lin-1 0.57`: medians."""
    said = ((one.method, median(one.values)) for one in found.methods if one.values)
    return "; ".join(f"{name} {words.number(value, digits=3)}" for name, value in said)


def of_left_out(found: LeaveOut) -> str:
    """`all datasets: gp-1 1.8, lin-1 2.4; without kin: ...`, in the order of each row."""
    rows = []
    for row in found.rows:
        order = sorted(zip(row.ranks, found.methods, strict=True))
        rows.append(f"{row.title}: " + ", ".join(f"{name} {rank:.1f}" for rank, name in order))
    return "; ".join(rows)
