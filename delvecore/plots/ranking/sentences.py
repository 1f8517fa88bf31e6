"""What figures of a ranking say in words: of one pair, and of others for those who do not see them."""

import math
from statistics import median

import numpy as np

from delvecore.plots.ranking.method_rows import AgainstOne, LeaveOut, ScoreDistributions
from delvecore.plots.ranking.rank_pairs import RankPairs
from delvecore.report import words
from delvecore.report.ranking.sentences import TaskVerdicts, task_counts_sentence
from delvecore.report.verdict_words import PHRASES
from delvecore.report.words import MARKDOWN
from delvecore.stats.choose import Verdict

MOST_NEEDED = 10_000


def pair_sentence(pairs: RankPairs, pair: tuple[str, str], tests: TaskVerdicts | None, needed: float) -> str:
    """What is said of two methods on single tasks, and over all of them?

    tests: on how many tasks the first is better, by each one's own test; None where there are none. needed:
    how many units would make it significant; not a number where that cannot be told."""
    place = tuple(pairs.methods.index(name) for name in pair)
    a, b = (words.escape(name) for name in pair)
    said = ""
    if tests is not None:
        said = f"**{task_counts_sentence(pair, tests, wording=MARKDOWN)}** "
    wins, ties, losses = (int(part[place]) for part in (pairs.wins, pairs.ties, pairs.losses))
    verdict = pairs.verdict[place]
    better = {Verdict.BETTER: a, Verdict.WORSE: b}.get(verdict)
    shown = f"{better} is {PHRASES[Verdict.BETTER]}" if better else PHRASES[verdict]
    said += f"Over all {wins + ties + losses} {pairs.units}: mean difference "
    said += f"{words.number(pairs.difference[place], digits=2)}, better on {wins}"
    said += f", {words.p_value(pairs.p_adjusted[place])}: **{shown}**."
    if better or math.isnan(needed):
        return said
    if needed > MOST_NEEDED:
        return f"{said} Were it as small as it seems, more {pairs.units} would hardly make it significant."
    return f"{said} If the difference is as it seems, 80 % power needs about {int(needed)} {pairs.units}."


def alt_of_pairs(found: RankPairs) -> str:
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


def alt_of_tasks(found: AgainstOne[TaskVerdicts]) -> str:
    """`lin-1 2, 5 and 30; cart-1 0, 1 and 36`"""
    return "; ".join(f"{row.method} {row.wins}, {row.ties} and {row.losses}" for row in found.rows)


def alt_of_values(found: ScoreDistributions) -> str:
    """`gp-1 0.35; lin-1 0.57`: medians."""
    said = ((one.method, median(one.values)) for one in found.methods if one.values)
    return "; ".join(f"{name} {words.number(value, digits=3)}" for name, value in said)


def alt_of_left_out(found: LeaveOut) -> str:
    """`all datasets: gp-1 1.8, lin-1 2.4; without kin: ...`, in the order of each row."""
    rows = []
    for row in found.rows:
        order = sorted(zip(row.ranks, found.methods, strict=True))
        rows.append(f"{row.title}: " + ", ".join(f"{name} {rank:.1f}" for rank, name in order))
    return "; ".join(rows)
