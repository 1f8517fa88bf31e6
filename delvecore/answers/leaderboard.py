"""Who wins, by how much and at what cost: the leaderboard of a ranking, and the sentence above it."""

from dataclasses import dataclass

import numpy as np

from delvecore.answers.answer import Answer, Field
from delvecore.answers.cost_quality import Costs
from delvecore.answers.ranking_questions import within_words
from delvecore.report.ranking.sentences import (
    PLAIN,
    Wording,
    best_words,
    counts_words,
    family_words,
    named,
    run_sentences,
    standing_of,
    unit_count,
    units_name,
    untestable_words,
)
from delvecore.report.verdict_words import not_tested
from delvecore.report.writers.text import counted
from delvecore.stats.array_types import Floats
from delvecore.stats.choose import percent
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.performance_profiles import NEAR, GroupRanks, group_ranks
from delvecore.stats.ranking.ranks import TASK
from delvecore.stats.verdicts import PairVerdicts


@dataclass(frozen=True, eq=False)
class Leaderboard:
    """A ranking and what is told of its methods. said: verdicts on pairs; whole: ranks and nearness to the
    best over all; costs: None where they are not known of all methods on two units."""

    found: Analysis
    said: PairVerdicts
    whole: GroupRanks
    costs: Costs | None

    @property
    def pairwise_wins(self) -> Floats:
        """The share of comparisons with another method that each wins, ties half: what a mean rank says."""
        count = len(self.whole.methods)
        rate: Floats = (count - self.whole.average) / (count - 1)
        return rate


def leaderboard_of(found: Analysis, said: PairVerdicts, costs: Costs | None) -> Leaderboard:
    """Return the leaderboard of an analysis."""
    every = {"": {"all": found.table.tasks}}
    (whole,) = group_ranks(found.table, every, unit=found.unit, level=1 - found.alpha)
    return Leaderboard(found, said, whole, costs)


def leader_sentence(board: Leaderboard, *, quantity: str = "", wording: Wording = PLAIN) -> str:
    """`a is best over 12 tasks by S: mean rank 1.20 of 5 methods, significantly better than every other.`"""
    found, whole, said = board.found, board.whole, board.said
    names = [whole.methods[place] for place in whole.order if whole.place(place) == 1]
    by = f" by {wording.name(quantity)}" if quantity else ""
    rank = f"mean rank {whole.average.min():.2f} of {counted(len(whole.methods), 'method')}"
    claim = best_words(found, said, wording)
    if not said.is_testable:
        claim = wording.strong(not_tested(untestable_words(found)))
    own = standing_of(found, said, names[0])
    is_best = ("are best" if len(names) > 1 else "is best") if own is not None and own.better else ""
    has = is_best or ("share the best mean rank" if len(names) > 1 else "has the best mean rank")
    lead = wording.strong(f"{named(names, wording)} {has}")
    return f"{lead} over {_basis(found)}{by}: {rank}, {claim}."


def _basis(found: Analysis) -> str:
    if found.unit == TASK:
        return unit_count(found)
    tasks, whole = len(found.table.tasks), len(found.given.tasks)
    return counts_words(tasks, len(found.units.tasks), unit=found.unit, is_said=False, whole=whole)


def leaderboard_answer(board: Leaderboard) -> Answer:
    """Return the leaderboard as a table, best first."""
    whole, order = board.whole, list(board.whole.order)
    units, found = units_name(board.found), board.found
    fields = [
        Field("method", "method", "name", [whole.methods[place] for place in order]),
        Field("mean_rank", "mean rank", "number", whole.average[order]),
        Field("lower", "from", "number", whole.lower[order]),
        Field("upper", "to", "number", whole.upper[order]),
        Field("pairwise_wins", "pairwise wins", "share", board.pairwise_wins[order]),
        Field("first", "best on", "share", whole.first[order]),
    ]
    for within, share in zip(NEAR, whole.near, strict=True):
        key = f"within_{100 * within:.0f}"
        fields.append(Field(key, within_words(whole.ratio, within), "share", share[order]))
    notes = [
        f"Mean ranks over {unit_count(found)}, with {percent(1 - found.alpha)} intervals. Pairwise wins: of "
        "the comparisons with another method, ties half. Best on, within: the share of "
        f"{units} on which nothing loses less, or the method that loses least does so by no more than that."
    ]
    notes[:0] = run_sentences(found.given.runs)
    notes += [said] if (said := family_words(found, board.said.test)) else []
    if board.costs is not None:
        front, megabytes = board.costs.front, board.costs.megabytes
        fields.append(Field("seconds", "seconds", "number", front.cost[order]))
        fields.append(Field("megabytes", "MB", "number", np.round(megabytes[order])))
        notes.append(
            "Seconds: of a processor, for learning and predicting one instance, geometric mean over "
            f"{units}; MB: the most memory that was used; both on the machines where methods were run."
        )
    return Answer(
        "leaderboard", leader_sentence(board, quantity=found.table.quantity), tuple(fields), tuple(notes)
    )
