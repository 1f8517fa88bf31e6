"""Who wins, by how much and at what cost: costs of methods, and the leaderboard of a ranking."""

from dataclasses import dataclass

import numpy as np

from delvecore.answers.answer import Answer, Column, IntervalFields, Table
from delvecore.measures import Measure
from delvecore.render.numbers import counted, integer, parameter, percent, rank_text, seconds_text
from delvecore.render.spans import as_name, strong
from delvecore.report import words
from delvecore.report.ranking.ranking_report import places_note
from delvecore.report.ranking.sentences import (
    PLURALS,
    best_words,
    counted_units,
    counts_words,
    failed_ranking_words,
    named,
    other_unit_words,
    run_sentences,
    standing_of,
    unit_count,
    units_name,
    untestable_words,
)
from delvecore.report.ranking.tables import methods_table
from delvecore.stats.array_types import Floats
from delvecore.stats.orientation import oriented, oriented_interval
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.pareto_front import CostFront
from delvecore.stats.ranking.performance_profiles import NEAR, GroupRanks, group_ranks
from delvecore.stats.ranking.places import PlaceSets
from delvecore.stats.ranking.ranks import LEAST_UNITS, TASK
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.verdicts import PairVerdicts, place_sets_of

LEAST_COSTED = 2
"""Units with costs of all methods that a comparison needs."""


def within_words(ratio: bool, within: float) -> str:
    """Return such as `within 10 %`; if distances are differences, `within 0.1`."""
    return f"within {parameter(100 * within)} %" if ratio else f"within {parameter(within)}"


@dataclass(frozen=True, eq=False)
class Costs:
    """Cost and quality of methods: arrays with one entry a method.

    measure: what quality is; front: seconds and oriented means; mean_rank: of the ranking; megabytes: the
    most that was used, not a number where it is not known; unit, units: what counts once, and over how many
    seconds and losses are; ranked: over how many the ranks are; left_out: tasks on which the costs of some
    method are not known."""

    methods: tuple[str, ...]
    measure: Measure
    front: CostFront
    mean_rank: Floats
    megabytes: Floats
    unit: str
    units: int
    ranked: int
    left_out: int

    @property
    def has_intervals(self) -> bool:
        """Are there units enough for intervals?"""
        return self.units >= LEAST_UNITS

    @property
    def means(self) -> Floats:
        """Mean of each method and the ends of its interval, as values of the measure: shape (3, methods)."""
        front = self.front
        ends = oriented_interval(front.loss_lower, front.loss_upper, self.measure)
        return np.array([oriented(front.loss, self.measure), *ends])

    @property
    def quality(self) -> str:
        """What the means are of, in words: `loss`, `accuracy`."""
        return "loss" if self.measure.is_loss else self.measure.title

    @property
    def better(self) -> str:
        """Which of two means is better: `lower` or `higher`."""
        return "higher" if self.measure.higher_is_better else "lower"

    @property
    def basis(self) -> str:
        """Return such as `12 datasets`."""
        return counted_units(self.units, self.unit)


def cheaper_words(costs: Costs, method: str) -> str:
    """Return such as `3 of the 4 others are cheaper; of these 1 has a lower mean loss, ...`."""
    place, front, others = costs.methods.index(method), costs.front, len(costs.methods) - 1
    cheaper = front.cost < front.cost[place]
    count = int(cheaper.sum())
    said = f"{count or 'none'} of the {others} others {'is' if count < 2 else 'are'} cheaper"
    if not count:
        return said
    lower = _have(int((cheaper & (front.loss < front.loss[place])).sum()))
    better = _have(int((cheaper & (costs.mean_rank < costs.mean_rank[place])).sum()))
    mean = f"{costs.better} mean {as_name(costs.quality)}"
    return f"{said}; of these {lower} a {mean}, {better} a better mean rank"


def _have(count: int) -> str:
    return f"{count or 'none'} {'has' if count < 2 else 'have'}"


def cost_sentence(costs: Costs, method: str) -> str:
    """`It takes 0.023 s a training set and at most 269 MB: 4 of the 11 others are cheaper; ...`"""
    place = costs.methods.index(method)
    memory, seconds = costs.megabytes[place], strong(f"{seconds_text(costs.front.cost[place])} s")
    most = "" if np.isnan(memory) else f" and at most {integer(memory)} MB"
    return f"It takes {seconds} a training set{most}: {cheaper_words(costs, method)}."


def front_names(costs: Costs) -> list[str]:
    """Return the methods on the front, cheapest first."""
    order = np.argsort(costs.front.cost, kind="stable")
    return [costs.methods[place] for place in order if costs.front.on_front[place]]


def front_sentence(costs: Costs, names: str) -> str:
    """Return the sentence on the methods that no other beats. names: of these, as they are to be written."""
    quality = f"a {costs.better} mean {as_name(costs.quality)}"
    return f"No other method is cheaper and has {quality} than {names} on {costs.basis}"


def costs_answer(costs: Costs) -> Answer:
    """Which methods are worth their cost?"""
    found = costs.front
    order, level = np.argsort(found.cost, kind="stable"), found.level
    unsure = [as_name(costs.methods[place]) for place in order if 1 - level < found.sure[place] < level]
    doubt = f"; of {', '.join(unsure)} it is not sure" if unsure else ", and that is sure"
    sentence = f"{front_sentence(costs, ', '.join(map(as_name, front_names(costs))))}{doubt}."
    axis = words.better_side(f"mean {words.unit_words(costs.measure)}", higher=costs.measure.higher_is_better)
    key = _mean_key(costs)
    figure = IntervalFields(("method",), key, f"{key}_lower", f"{key}_upper", axis)
    return Answer("front", sentence, Table(_fields(costs, order)), costs_notes(costs), figure)


def _mean_key(costs: Costs) -> str:
    return "loss" if costs.measure.is_loss else "mean"


def _fields(costs: Costs, order: np.ndarray) -> tuple[Column, ...]:
    found, key = costs.front, _mean_key(costs)
    ends = ("", "_lower", "_upper")
    titles = ("seconds", "from", "to", f"mean {costs.quality}", "from", "to")
    keys = (*(f"cost{end}" for end in ends), *(f"{key}{end}" for end in ends))
    columns = (found.cost, found.cost_lower, found.cost_upper, *costs.means)
    fields = [
        Column(key, title, "number", values[order])
        for key, title, values in zip(keys, titles, columns, strict=True)
    ]
    where = np.where(found.on_front, "on the front", "beaten")
    return (
        Column("method", "method", "name", [costs.methods[place] for place in order]),
        *fields,
        Column("mean_rank", "mean rank", "number", costs.mean_rank[order]),
        Column("on_front", "", "name", where[order].tolist()),
        Column("sure", "on it in", "share", found.sure[order]),
    )


def costs_notes(costs: Costs) -> tuple[str, ...]:
    """Say what the numbers are over, and what is missing."""
    measure = words.unit_words(costs.measure)
    units, level = PLURALS[costs.unit], percent(costs.front.level)
    intervals = f"{level} intervals, and shares by resampling {units}"
    if not costs.has_intervals:
        intervals = f"shares by resampling {units}; intervals need {LEAST_UNITS} {units}"
    basis = f"Mean {measure}, mean rank and seconds are over {costs.basis}."
    if costs.ranked > costs.units:
        ranked = counted_units(costs.ranked, costs.unit)
        basis = f"Mean {measure} and seconds are over {costs.basis}, mean ranks over {ranked}."
    notes = [
        f"{basis} Seconds: of a processor, for learning and predicting one instance, geometric mean; "
        f"{intervals}. Times are those of the machines on which methods were run."
    ]
    if costs.left_out:
        notes.append(f"{counted(costs.left_out, 'task')} left out, on which costs of a method are not known.")
    return tuple(notes)


@dataclass(frozen=True, eq=False)
class Leaderboard:
    """A ranking and the facts of its methods. said: verdicts on pairs; whole: ranks and nearness to the best
    over all; costs: None if they are not known of all methods on two units."""

    found: Analysis
    said: PairVerdicts
    whole: GroupRanks
    costs: Costs | None

    @property
    def places(self) -> PlaceSets | None:
        """Confidence sets of places; None if nothing is testable."""
        return place_sets_of(self.found, self.said)

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


def leader_sentence(board: Leaderboard, *, quantity: str = "") -> str:
    """`a is best over 12 tasks by S: mean rank 1.20 of 5 methods, significantly better than every other.`"""
    found, whole, said = board.found, board.whole, board.said
    names = [whole.methods[place] for place in whole.order if whole.place(place) == 1]
    by = f" by {as_name(quantity)}" if quantity else ""
    rank = f"mean rank {rank_text(whole.average.min())} of {counted(len(whole.methods), 'method')}"
    claim = best_words(found, said)
    if not said.is_testable:
        claim = strong(untestable_words(found, said))
    own = standing_of(found, said, names[0])
    is_best = own is not None and len(own.better) == len(whole.methods) - 1
    has = "is best" if is_best else "share the best mean rank" if len(names) > 1 else "has the best mean rank"
    lead = strong(f"{named(names)} {has}")
    return f"{lead} over {_basis(found)}{by}: {rank}, {claim}."


def _basis(found: Analysis) -> str:
    if found.unit == TASK:
        return unit_count(found)
    tasks, whole = len(found.table.tasks), len(found.given.tasks)
    return counts_words(tasks, len(found.units.tasks), unit=found.unit, is_said=False, whole=whole)


def _near_words(table: ScoreTable) -> str:
    if table.higher_is_better or not table.standardized:
        return "nothing is better, or the best method is so by no more than that"
    return "nothing loses less, or the method that loses least does so by no more than that"


SHARED = ("method", "mean_rank", "lowest_place", "highest_place")
"""Columns of a leaderboard that every table of methods has."""


def leaderboard_answer(board: Leaderboard) -> Answer:
    """Return the leaderboard as a table, best first."""
    whole, order = board.whole, list(board.found.order)
    units, found, places = units_name(board.found), board.found, board.places
    columns = methods_table(found, board.said, places).select(*SHARED).columns
    fields = [
        *columns,
        Column("pairwise_wins", "pairwise wins", "share", board.pairwise_wins[order]),
        Column("first", "best on", "share", whole.first[order]),
    ]
    for within, share in zip(NEAR, whole.near, strict=True):
        key = f"within_{integer(100 * within)}"
        fields.append(Column(key, within_words(whole.ratio, within), "share", share[order]))
    notes = [
        f"Mean ranks over {unit_count(found)}. Pairwise wins: the share of comparisons with others won, "
        f"ties half. Best on, within: the share of {units} on which {_near_words(found.table)}."
    ]
    notes[:0] = run_sentences(found.given.runs, warns=False)
    notes += [places_note(places)] if places else []
    notes += [again] if (again := other_unit_words(found, board.said.test)) else []
    if board.costs is not None:
        front, megabytes = board.costs.front, board.costs.megabytes
        fields.append(Column("seconds", "seconds", "number", front.cost[order]))
        fields.append(Column("megabytes", "MB", "number", np.round(megabytes[order])))
        notes.append(
            "Seconds: of a processor, for learning and predicting one instance, geometric mean over "
            f"{units}; MB: the most memory that was used; both on the machines where methods were run."
        )
    leader = leader_sentence(board, quantity=found.table.quantity)
    sentence = " ".join(filter(None, [failed_ranking_words(found, board.said.test), leader]))
    return Answer("leaderboard", sentence, Table(tuple(fields)), tuple(notes))
