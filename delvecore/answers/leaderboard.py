"""Who wins, by how much and at what cost: costs of methods, and the leaderboard of a ranking."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from delvecore.answers.answer import Answer, Column, IntervalFields, Table
from delvecore.measures import Measure
from delvecore.render.numbers import counted, integer, parameter, percent, seconds_text
from delvecore.render.spans import as_name, plain, strong
from delvecore.render.text import number_word
from delvecore.render.verdicts import BETTER, SIGNIFICANTLY
from delvecore.report import words
from delvecore.report.ranking.ranking_report import places_note
from delvecore.report.ranking.sentences import (
    NAMED_OUTRIGHT,
    PLURALS,
    adjustment_name,
    assumption_words,
    counted_units,
    failed_ranking_words,
    named,
    other_unit,
    other_unit_words,
    run_sentences,
    standing_of,
    test_in_words,
    unit_count,
    units_name,
    untestable_words,
)
from delvecore.stats.array_types import Floats
from delvecore.stats.orientation import oriented, oriented_interval
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.pareto_front import CostFront
from delvecore.stats.ranking.performance_profiles import NEAR, GroupRanks, group_ranks
from delvecore.stats.ranking.places import PlaceSets
from delvecore.stats.ranking.ranks import (
    DATASET,
    LEAST_UNITS,
    TASK,
    conditional_families,
    holds_several,
)
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.verdicts import PairVerdicts, pair_verdicts, place_sets_of

LEAST_COSTED = 2
"""Minimum number of units with costs of all methods for a comparison."""


def within_words(ratio: bool, within: float) -> str:
    """Return a text such as `within 10 %`; if distances are differences, `within 0.1`."""
    return f"within {parameter(100 * within)} %" if ratio else f"within {parameter(within)}"


@dataclass(frozen=True, eq=False)
class Costs:
    """Cost and quality of methods: arrays with one entry per method.

    Attributes
    ----------
    methods : tuple of str
        Methods with known costs.
    without : tuple of str
        Methods without known costs.
    measure : Measure
        The measure of quality.
    front : CostFront
        Seconds and oriented means.
    mean_rank : Floats
        Mean ranks of the ranking.
    megabytes : Floats
        Peak memory, NaN if unknown.
    unit, units
        Kind of unit that counts once, and the number of units behind seconds and losses.
    ranked : int
        Number of units behind the ranks.
    left_out : int
        Tasks on which some method has no known costs.
    """

    methods: tuple[str, ...]
    measure: Measure
    front: CostFront
    mean_rank: Floats
    megabytes: Floats
    unit: str
    units: int
    ranked: int
    left_out: int
    without: tuple[str, ...] = ()

    @property
    def has_intervals(self) -> bool:
        """Are there enough units for intervals?"""
        return self.units >= LEAST_UNITS

    @property
    def means(self) -> Floats:
        """Mean of each method and the ends of its interval, as values of the measure: shape (3, methods)."""
        front = self.front
        ends = oriented_interval(front.loss_lower, front.loss_upper, self.measure)
        return np.array([oriented(front.loss, self.measure), *ends])

    @property
    def quality(self) -> str:
        """The measured quantity in words: `loss`, `accuracy`."""
        return "loss" if self.measure.is_loss else self.measure.title

    @property
    def better(self) -> str:
        """The better direction of a mean: `lower` or `higher`."""
        return "higher" if self.measure.higher_is_better else "lower"

    @property
    def basis(self) -> str:
        """Return a text such as `12 datasets`."""
        return counted_units(self.units, self.unit)


def cheaper_words(costs: Costs, method: str) -> str:
    """Return a text such as `3 of the 4 others are cheaper; of these 1 has a lower mean loss, ...`."""
    place, front, others = costs.methods.index(method), costs.front, len(costs.methods) - 1
    cheaper = front.cost < front.cost[place]
    count = int(cheaper.sum())
    lead = f"{count or 'none'} of the {others} others {'is' if count < 2 else 'are'} cheaper"
    if not count:
        return lead
    lower = _have(int((cheaper & (front.loss < front.loss[place])).sum()))
    better = _have(int((cheaper & (costs.mean_rank < costs.mean_rank[place])).sum()))
    mean = f"{costs.better} mean {as_name(costs.quality)}"
    return f"{lead}; of these {lower} a {mean}, {better} a better mean rank"


def _have(count: int) -> str:
    return f"{count or 'none'} {'has' if count < 2 else 'have'}"


def cost_sentence(costs: Costs, method: str) -> str:
    """Return a text such as `It takes 0.023 s per training set and at most 269 MB. 4 of the 11 others are
    cheaper; ...`."""
    place = costs.methods.index(method)
    memory, seconds = costs.megabytes[place], strong(f"{seconds_text(costs.front.cost[place])} s")
    most = "" if np.isnan(memory) else f" and at most {integer(memory)} MB"
    others = cheaper_words(costs, method)
    return f"It takes {seconds} per training set{most}. {others[:1].upper()}{others[1:]}."


def front_names(costs: Costs) -> list[str]:
    """Return the methods on the front, cheapest first."""
    order = np.argsort(costs.front.cost, kind="stable")
    return [costs.methods[place] for place in order if costs.front.on_front[place]]


def costs_answer(costs: Costs) -> Answer:
    """Which methods are worth their cost?"""
    front = costs.front
    order, level = np.argsort(front.cost, kind="stable"), front.level
    unsure = [as_name(costs.methods[place]) for place in order if 1 - level < front.sure[place] < level]
    doubt = f" A place on this frontier is uncertain for {words.and_list(unsure)}." if unsure else ""
    names = words.and_list([as_name(name) for name in front_names(costs)])
    quality = f"a {costs.better} mean {as_name(costs.quality)}"
    sentence = f"No other method is cheaper and has {quality} than {names} on {costs.basis}.{doubt}"
    axis = words.better_side(f"mean {words.unit_words(costs.measure)}", higher=costs.measure.higher_is_better)
    key = _mean_key(costs)
    figure = IntervalFields(("method",), key, f"{key}_lower", f"{key}_upper", axis)
    return Answer("front", sentence, Table(_fields(costs, order)), costs_notes(costs), figure)


def _mean_key(costs: Costs) -> str:
    return "loss" if costs.measure.is_loss else "mean"


def _fields(costs: Costs, order: np.ndarray) -> tuple[Column, ...]:
    front, key = costs.front, _mean_key(costs)
    ends = ("", "_lower", "_upper")
    titles = ("seconds", "from", "to", f"mean {costs.quality}", "from", "to")
    keys = (*(f"cost{end}" for end in ends), *(f"{key}{end}" for end in ends))
    columns = (front.cost, front.cost_lower, front.cost_upper, *costs.means)
    fields = [
        Column(key, title, "number", values[order])
        for key, title, values in zip(keys, titles, columns, strict=True)
    ]
    where = np.where(front.on_front, "on the front", "beaten")
    return (
        Column("method", "method", "name", [costs.methods[place] for place in order]),
        *fields,
        Column("mean_rank", "mean rank", "number", costs.mean_rank[order]),
        Column("on_front", "", "name", where[order].tolist()),
        Column("sure", "on the front in", "share", front.sure[order]),
    )


def costs_notes(costs: Costs) -> tuple[str, ...]:
    """Describe the units behind the numbers, and missing costs."""
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
        f"{basis} Seconds: processor time for learning and predicting one instance, geometric mean; "
        f"{intervals}. Times are those of the machines on which methods were run."
    ]
    if costs.left_out:
        notes.append(f"{counted(costs.left_out, 'task')} left out because costs of a method are unknown.")
    if costs.without:
        has, is_drawn = ("has", "is") if len(costs.without) == 1 else ("have", "are")
        notes.append(f"{named(costs.without)} {has} no times and {is_drawn} left out.")
    return tuple(notes)


@dataclass(frozen=True, eq=False)
class Leaderboard:
    """A ranking and the facts of its methods.

    Attributes
    ----------
    analysis, verdicts : Analysis, PairVerdicts
        The ranking and its verdicts on pairs.
    whole : GroupRanks
        Ranks and nearness to the best over all tasks.
    costs : Costs or None
        None unless they are known for all methods on two units.
    task_type : str
        Type of the tasks, such as `regression`; empty if they differ.
    facts : tuple of str
        Properties that distinguish the tasks from the rest of the archive, such as `high noise`.
    measure : Measure or None
        The ranked measure; None if only the table names it.
    """

    analysis: Analysis
    verdicts: PairVerdicts
    whole: GroupRanks
    costs: Costs | None
    task_type: str = ""
    facts: tuple[str, ...] = ()
    measure: Measure | None = None

    @property
    def quantity(self) -> str:
        """Name of the values in words; empty if unknown."""
        return words.measure_quantity(self.measure) if self.measure else self.analysis.table.quantity

    @property
    def places(self) -> PlaceSets | None:
        """Confidence sets of places; None if nothing is testable."""
        return place_sets_of(self.analysis, self.verdicts)

    @property
    def pairwise_wins(self) -> Floats:
        """Share of pairwise comparisons that each method wins, with ties as half.

        It is equivalent to the mean rank.
        """
        count = len(self.whole.methods)
        rate: Floats = (count - self.whole.average) / (count - 1)
        return rate

    @property
    def gap(self) -> Floats:
        """Mean difference of each method from the best one of each unit, as values of the measure."""
        values = self.analysis.units.shortfall
        gap: Floats = (values - values.min(axis=1, keepdims=True)).mean(axis=0)
        return gap


def leaderboard_of(
    analysis: Analysis,
    verdicts: PairVerdicts,
    costs: Costs | None,
    *,
    scope: tuple[str, tuple[str, ...]] = ("", ()),
    measure: Measure | None = None,
) -> Leaderboard:
    """Return the leaderboard of an analysis. scope: its `task_type` and `facts`."""
    every = {"": {"all": analysis.table.tasks}}
    (whole,) = group_ranks(analysis.table, every, unit=analysis.unit, level=1 - analysis.alpha)
    return Leaderboard(analysis, verdicts, whole, costs, *scope, measure=measure)


MOST_WORDS = 15
"""Maximum number of words in a heading."""


def leader_heading(board: Leaderboard) -> str:
    """`gp-1 ranks first of 12 on 29 regression datasets.`, or the reason why methods cannot be ranked.

    Only a method that is significantly better than every other one is called best. A long description of the
    tasks is left out.
    """
    whole, count = board.whole, len(board.whole.methods)
    names = [whole.methods[place] for place in whole.order if whole.place(place) == 1]
    if not board.verdicts.is_testable:
        return _too_little(board)
    own = standing_of(board.analysis, board.verdicts, names[0])
    is_best = own is not None and len(own.better) == count - 1
    claim = "is best" if is_best else "ranks first" if len(names) == 1 else "share first place"
    lead = f"{named(names, 3)} {claim} of {count} on"
    boards = board, replace(board, task_type=""), replace(board, facts=())
    headings = [f"{lead} {_datasets(one)}." for one in boards]
    return next((one for one in headings if len(plain(one).split()) <= MOST_WORDS), headings[-1])


def _too_little(board: Leaderboard) -> str:
    analysis = board.analysis
    if board.verdicts.one_dataset:
        return "One dataset is not enough to rank methods."
    if (analysis.scan.zero == analysis.scan.tasks).all():
        return f"All {len(analysis.table.methods)} methods are equal on {_datasets(board)}."
    unit = analysis.unit if analysis.unit != TASK or _counts_tasks(analysis) else DATASET
    count = len(analysis.units.tasks)
    return f"{number_word(count).capitalize()} {PLURALS[unit]} are too few to rank methods."


def _counts_tasks(analysis: Analysis) -> bool:
    """Are the units tasks, because datasets are unknown or there is only one?"""
    return analysis.unit == TASK and (analysis.table.units is None or holds_several(analysis.table, DATASET))


def _datasets(board: Leaderboard) -> str:
    """Return a text such as `12 regression datasets (high noise)`; tasks if these count."""
    units, unit = board.analysis.table.units, TASK if _counts_tasks(board.analysis) else DATASET
    count = len(board.analysis.table.tasks) if unit == TASK or units is None else len(set(units.datasets))
    noun = f"{board.task_type} {unit}".strip()
    return f"{counted(count, noun)}{_facts(board)}"


def _facts(board: Leaderboard) -> str:
    return f" ({', '.join(map(as_name, board.facts))})" if board.facts else ""


def leader_basis(board: Leaderboard) -> str:
    """Return the loss, the tasks, and the methods that the first one beats, by both kinds of unit."""
    analysis, tests, facts = board.analysis, board.verdicts, _facts(board)
    tasks = counted_units(len(analysis.table.tasks), TASK, whole=len(analysis.given.tasks))
    tasks += "" if facts in leader_heading(board) else facts
    by = f"By {as_name(board.quantity)} on {tasks}." if board.quantity else f"On {tasks}."
    if not tests.is_testable:
        first = [board.whole.methods[place] for place in analysis.order if board.whole.place(place) == 1]
        best = f"{'has' if len(first) == 1 else 'share'} the best mean rank of {len(board.whole.methods)}"
        return f"{by} {named(first, 3)} {best}; differences are {strong(untestable_words(analysis, tests))}."
    is_alone = board.whole.place(analysis.order[1]) > 1
    subject = "it" if is_alone else as_name(analysis.table.methods[analysis.order[0]])
    lead, claim, again = _counting(analysis), beaten_words(analysis, tests), other_unit(analysis)
    start = f"{by} {lead}{subject if lead else subject.capitalize()} {claim}"
    if again is None:
        return f"{start}."
    verdicts = pair_verdicts(again, tests.test)
    other = beaten_words(again, verdicts, analysis.order[0])
    other = f"{subject} {other}" if verdicts.is_testable else untestable_words(again, verdicts)
    return f"{start}; counting {PLURALS[again.unit]}, {other}."


def _counting(analysis: Analysis) -> str:
    """Return `Counting each of the 8 families once, `; empty if tasks count.

    The text names the families if a claim covers only a few.
    """
    few = conditional_families(analysis.table, analysis.unit)
    of = f" of {named(few)}" if few else ""
    if analysis.unit == TASK:
        return f"On datasets{of}, " if of else ""
    return f"Counting each of the {len(analysis.units.tasks)} {units_name(analysis)}{of} once, "


def beaten_words(analysis: Analysis, verdicts: PairVerdicts, method: int | None = None) -> str:
    """Return `beats a and b`, perhaps with `but loses to c`; or `beats no other method significantly`.

    method: place of a method, None for the best mean rank."""
    place = analysis.order[0] if method is None else method
    own = standing_of(analysis, verdicts, analysis.table.methods[place])
    if own is None or not (own.better or own.worse):
        return f"beats no other method {SIGNIFICANTLY}"
    count = len(analysis.table.methods) - 1
    parts = [f"beats {_others(own.better, count)}"] if own.better else []
    parts += [f"loses to {_others(own.worse, count)}"] if own.worse else []
    return strong(" but ".join(parts))


def _others(names: Sequence[str], count: int) -> str:
    if len(names) == count > 1:
        return "all others"
    return named(names) if len(names) <= NAMED_OUTRIGHT else f"{len(names)} of the {count} others"


def beats_note(analysis: Analysis, verdicts: PairVerdicts) -> str:
    """Name the test by which a method beats another; empty if nothing is testable."""
    if not verdicts.is_testable:
        return ""
    how = f"{test_in_words(verdicts)}, {adjustment_name(verdicts)}, at {parameter(analysis.alpha)}"
    return f"Beats: is {BETTER} by {how}, {assumption_words(analysis)}."


def _near_words(table: ScoreTable) -> str:
    if table.higher_is_better or not table.standardized:
        return "no other method is better, or the best one is better by at most that much"
    return "no other method has a lower loss, or the lowest loss is lower by at most that much"


def _gap_decimals(board: Leaderboard) -> int:
    largest = float(board.gap.max())
    return min(max(2 - math.floor(math.log10(largest)), 0), 6) if largest > 0 else 0


def leader_columns(board: Leaderboard) -> list[Column]:
    """Return the columns of a leaderboard, with values in the order of the ranking's table."""
    whole, units, places = board.whole, units_name(board.analysis), board.places
    unknown = [None] * len(whole.methods)
    ends = (unknown, unknown) if places is None else (places.lowest.tolist(), places.highest.tolist())
    columns = [
        Column("method", "method", "name", whole.methods),
        Column(
            "mean_rank",
            "mean rank",
            "number",
            board.analysis.ranks.average,
            decimals=2,
            about=f"Mean over {units} of the rank within each task; 1 is best",
            best="min",
        ),
        Column(
            "lowest_place",
            "place from",
            "count",
            ends[0],
            about="Confidence set of the place, from the test of pairs",
        ),
        Column("highest_place", "to", "count", ends[1]),
        Column(
            "pairwise_wins",
            "wins",
            "share",
            board.pairwise_wins,
            about="Share of comparisons with another method that it wins; a tie counts half",
            best="max",
        ),
        Column(
            "first",
            "best on",
            "share",
            whole.first,
            about=f"Share of {units} on which no other method is better",
            best="max",
            is_shown=False,
        ),
        *(
            Column(
                f"within_{integer(100 * within)}",
                within_words(whole.ratio, within),
                "share",
                shares,
                about=f"Share of {units} on which the value is this close to that of the best method",
                best="max",
                is_shown=within == NEAR[1],
            )
            for within, shares in zip(NEAR, whole.near, strict=True)
        ),
        Column(
            "gap",
            "gap",
            "number",
            board.gap,
            decimals=_gap_decimals(board),
            about=f"Mean difference from the best method of each of the {units}",
            best="min",
        ),
    ]
    if costs := board.costs:
        rows = [costs.methods.index(name) if name in costs.methods else None for name in whole.methods]
        seconds, megabytes = (
            [math.nan if row is None else float(numbers[row]) for row in rows]
            for numbers in (costs.front.cost, np.round(costs.megabytes))
        )
        about = f"Processor time for learning and predicting one instance: geometric mean over {units}"
        columns += [
            Column("seconds", "seconds", "number", seconds, about=about, best="min"),
            Column("megabytes", "MB", "number", megabytes, about="Peak memory", is_shown=False),
        ]
    return columns


def leaderboard_table(board: Leaderboard) -> Table:
    """Return the leaderboard with all known columns, best mean rank first. The best values are bold."""
    columns, bold = leader_columns(board), set[tuple[int, str]]()
    for one in columns:
        if one.best:
            best = np.nanmin(one.values) if one.best == "min" else np.nanmax(one.values)
            bold |= {(row, one.key) for row in np.flatnonzero(np.isclose(one.values, best)).tolist()}
    return Table(tuple(columns), frozenset(bold)).take(board.analysis.order)


def shown_columns(table: Table) -> Table:
    """Return the columns of a leaderboard that the page shows."""
    return table.select(*(one.key for one in table.columns if one.is_shown))


def leaderboard_answer(board: Leaderboard) -> Answer:
    """Return the leaderboard as a table, best first."""
    units, analysis, places = units_name(board.analysis), board.analysis, board.places
    notes = [
        *run_sentences(analysis.given.runs, warns=False),
        *filter(None, [beats_note(analysis, board.verdicts)]),
        f"Mean ranks over {unit_count(analysis)}. Wins: the share of comparisons with others won, ties half. "
        f"Best on, within: the share of {units} on which {_near_words(analysis.table)}. "
        f"Gap: the mean difference from the best method of each of the {units}.",
    ]
    notes += [places_note(places)] if places else []
    notes += [again] if (again := other_unit_words(analysis, board.verdicts.test)) else []
    if board.costs is not None:
        notes.append(
            f"Seconds: processor time for learning and predicting one instance, geometric mean over {units}. "
            "MB: peak memory. Both are from the machines on which methods were run."
        )
    parts = [failed_ranking_words(analysis, board.verdicts.test), leader_heading(board), leader_basis(board)]
    return Answer("leaderboard", " ".join(filter(None, parts)), leaderboard_table(board), tuple(notes))
