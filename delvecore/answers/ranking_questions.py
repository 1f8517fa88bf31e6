"""Questions about a ranking, for `delve rank --show`, the Ranking page and the library.

A question has a record in `QUESTIONS` and a function here, which takes a QuestionRequest and returns an
Answer. Data of an archive come through `ArchiveData`, which `delvecore.archive.questions` provides.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple, Protocol

import numpy as np

from delvecore.answers.answer import Answer, Column, IntervalFields, Kind, Table, Values, table_of
from delvecore.answers.leaderboard import (
    LEAST_COSTED,
    Costs,
    Scope,
    costs_answer,
    leaderboard_answer,
    leaderboard_of,
    within_words,
)
from delvecore.answers.questions import QUESTIONS
from delvecore.answers.ranking_figures import diagram_answer, names_in_order, order_answer
from delvecore.answers.task_design import TaskDesign, task_design_answer
from delvecore.answers.unit_power import unit_power_answer
from delvecore.errors import DelveError
from delvecore.measures import Measure
from delvecore.render.numbers import (
    counted,
    integer,
    parameter,
    percent,
    percentage,
    posterior_text,
    probability_text,
    significant,
)
from delvecore.render.spans import as_name
from delvecore.render.text import and_list
from delvecore.report import words
from delvecore.report.ranking.sentences import ONE_DATASET, TEST_SINGLE_TASKS, unit_count, units_name
from delvecore.stats.array_types import Floats, Mask, Whole
from delvecore.stats.choose import DEFAULT_SETTING, Setting, Verdict, adjustment_words, level_of
from delvecore.stats.losses.comparison_with_best import compare_with_best, level_for_best
from delvecore.stats.orientation import oriented, oriented_interval
from delvecore.stats.p_adjustment import MOST_METHODS, adjust, bergmann_hommel, shaffer
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.bayesian_hierarchical import (
    LEAST_TASKS,
    TaskPairs,
    hierarchical_pairs,
    tasks_with_errors,
)
from delvecore.stats.ranking.bradley_terry import bradley_terry, winning_chances
from delvecore.stats.ranking.effects import (
    DEFAULT_MARGIN,
    cliff_delta,
    level_for_pairs,
    rank_biserial,
    standardized_difference,
    two_one_sided_tests,
)
from delvecore.stats.ranking.interquartile_mean import interquartile_mean, probability_of_improvement
from delvecore.stats.ranking.performance_profiles import performance_profile, regrets_of
from delvecore.stats.ranking.ranks import LEAST_UNITS
from delvecore.stats.verdicts import DEFAULT_TEST, PairVerdicts, RankTest, pair_verdicts


class SingleTask(NamedTuple):
    """All pairs of the methods with results on a task.

    Attributes
    ----------
    pairs : tuple[Whole, Whole]
        Places of the first and of the second methods.
    differences : Floats
        First minus second.
    lower, upper : Floats
        Interval of each pair, not adjusted.
    p : Floats
        Two-sided, not adjusted.
    verdicts : tuple of str
        Verdicts on the first method, adjusted for all pairs.
    """

    task: str
    methods: tuple[str, ...]
    pairs: tuple[Whole, Whole]
    differences: Floats
    lower: Floats
    upper: Floats
    p: Floats
    verdicts: tuple[str, ...]


class ArchiveData(Protocol):
    """Archive data that questions need, for the ranked methods and tasks."""

    def pair_differences(self, unit: str) -> TaskPairs:
        """Return the standardized differences of all pairs on each unit, with their errors."""

    def training_sets(self) -> tuple[list[Floats], list[float]]:
        """Return the losses of the training sets that all methods share, and the factors by which their
        overlap raises the variance of a mean.

        Losses of a task have the shape (training sets, methods). Tasks without any are omitted.
        """

    def costs(self) -> Costs | None:
        """Return costs and quality of the methods; None unless all have known costs on two units."""

    def scope(self) -> Scope:
        """Return the common properties of the tasks."""

    def designs(self) -> Iterable[TaskDesign]:
        """Return the sizes of each task, and the standard deviations of the differences of its pairs."""

    def single_tasks(self, level_of_pairs: Callable[[float, int], float]) -> Iterable[SingleTask]:
        """Return the comparisons on each task.

        level_of_pairs: confidence of a pair's interval, from the setting's confidence and the number of
        methods.
        """


@dataclass(frozen=True, eq=False)
class QuestionRequest:
    """Input of a question.

    Attributes
    ----------
    measure : Measure
        The ranked measure.
    setting : Setting
        Confidence, and the adjustment of p.
    margin : float
        Half the width of the region of practical equivalence.
    test : RankTest
        The test behind verdicts on pairs.
    ranking : Analysis or None
        The ranking, None for questions about single tasks.
    data : ArchiveData or None
        None for a table of scores.
    """

    measure: Measure
    setting: Setting = DEFAULT_SETTING
    margin: float = DEFAULT_MARGIN
    test: RankTest = DEFAULT_TEST
    ranking: Analysis | None = None
    data: ArchiveData | None = None

    @property
    def analysis(self) -> Analysis:
        """The ranking. Raises ValueError for a request about single tasks."""
        if self.ranking is None:
            raise ValueError("expected an analysis of all tasks, got none")
        return self.ranking

    @property
    def archive(self) -> ArchiveData:
        """The archive data. Raises DelveError for a table of scores."""
        if self.data is None:
            raise DelveError("expected tasks of an archive, with their training sets, found a table")
        return self.data


_Answering = Callable[[QuestionRequest], Answer]
ANSWERS: dict[str, _Answering] = {}
"""Function that answers each of `QUESTIONS`."""


def answers(word: str) -> Callable[[_Answering], _Answering]:
    """Register the function that answers a question."""

    def register(function: _Answering) -> _Answering:
        ANSWERS[word] = function
        return function

    return register


def answer_question(word: str, request: QuestionRequest) -> Answer:
    """Answer one of QUESTIONS, without tests and intervals if all tasks are of one dataset.

    Raises DelveError if a required input is missing.
    """
    asked = QUESTIONS[word]
    try:
        if asked.needs:
            _ = request.archive
        answer = ANSWERS[word](request)
    except DelveError as error:
        raise DelveError(f"--show {word}: {error}") from None
    is_tested = asked.of_single_tasks or not (request.analysis.one_dataset and asked.over_units)
    return answer if is_tested else without_tests(answer)


@answers("leaderboard")
def leaderboard(request: QuestionRequest) -> Answer:
    """Who wins, by how much and at what cost?"""
    data, verdicts = request.data, pair_verdicts(request.analysis, request.test)
    costs, scope = (data.costs(), data.scope()) if data else (None, Scope())
    about: dict[str, Any] = {"scope": scope, "measure": request.measure}
    return leaderboard_answer(leaderboard_of(request.analysis, verdicts, costs, **about))


@answers("order")
def order(request: QuestionRequest) -> Answer:
    """How certain is the order?"""
    return order_answer(*_verdicts_and_names(request))


@answers("diagram")
def diagram(request: QuestionRequest) -> Answer:
    """Which methods do not differ?"""
    return diagram_answer(*_verdicts_and_names(request))


def _verdicts_and_names(request: QuestionRequest) -> tuple[Analysis, PairVerdicts, list[str]]:
    analysis = request.analysis
    return analysis, pair_verdicts(analysis, request.test), names_in_order(analysis)


REGIONS = (DEFAULT_MARGIN, 0.002, 0.005, 0.02, 0.05, 0.1)
"""Widths of the region of practical equivalence that pages offer."""
WITHIN = (0.0, 0.01, 0.05, 0.1)
"""Distances from the best at which a table shows a profile. A sentence describes the last one."""
TOLD = 3


def region_words(measure: Measure) -> str:
    """Explain a region of practical equivalence in the unit of a measure."""
    hundredth = "; 0.01 is a hundredth of what predicting the mean loses" * measure.is_loss
    values = words.unit_words(measure, plural=True)
    return f"Differences of expected {values} up to this are practically none{hundredth}"


PAIR = ("method_a", "method_b")


def _interval(
    key: str, title: str, kind: Kind, *values: Values, level: str = "", ends: str | None = None
) -> list[Column]:
    """Return columns of a number and its interval.

    ends: prefix of `lower` and `upper`, by default the key.
    """
    start = f"{key}_" if ends is None else ends
    keys = (key, f"{start}lower", f"{start}upper")
    about = zip(keys, (title, f"{level} from".strip(), "to"), values, strict=True)
    return [Column(key, title, kind, one) for key, title, one in about]


def _drawn(
    columns: Sequence[Column], names: tuple[str, ...], axis: str, *, lines: tuple[float, ...] = ()
) -> IntervalFields:
    """Return the figure of the columns of an interval."""
    value, lower, upper = (column.key for column in columns)
    return IntervalFields(names, value, lower, upper, axis, lines)


def _pair_names(methods: Sequence[str]) -> list[Column]:
    ends = zip(PAIR, "ab", np.triu_indices(len(methods), 1), strict=True)
    return [Column(key, title, "name", [methods[n] for n in places.tolist()]) for key, title, places in ends]


def _methods(methods: Sequence[str], *columns: Column, order: Whole) -> Table:
    return Table((Column("method", "method", "name", methods), *columns)).take(order.tolist())


@answers("pairs")
def adjusted_pairs(request: QuestionRequest) -> Answer:
    """Which pairs differ by Wilcoxon's test, by procedures that use the logic of pairs?"""
    analysis = request.analysis
    p, methods = analysis.wilcoxon.p, analysis.table.methods
    ways = {"Holm": adjust(p), "Shaffer": shaffer(p)}
    if len(methods) <= MOST_METHODS:
        ways["Bergmann-Hommel"] = bergmann_hommel(p)
    counts = [f"{name} {int((values < analysis.alpha).sum())}" for name, values in ways.items()]
    sentence = (
        f"Of {counted(len(p), 'pair')} of methods on {unit_count(analysis)} these differ at "
        f"{parameter(analysis.alpha)}: "
        f"{', '.join(counts)}."
    )
    keys = {"Holm": "p_holm", "Shaffer": "p_shaffer", "Bergmann-Hommel": "p_bergmann_hommel"}
    columns = [Column(keys[name], name, "p", values) for name, values in ways.items()]
    notes = [
        "p: Wilcoxon's signed-rank test, two-sided; then adjusted for all pairs. Shaffer's and Bergmann and "
        "Hommel's procedures count how many hypotheses can be true at once, if equality is transitive."
    ]
    if len(methods) > MOST_METHODS:
        notes.append(f"Bergmann and Hommel's procedure is for up to {MOST_METHODS} methods.")
    table = Table((*_pair_names(methods), Column("p", "p", "p", p), *columns))
    return Answer("pairs", sentence, table, (*notes,))


@answers("effects")
def effect_sizes(request: QuestionRequest) -> Answer:
    """How large are the differences, independent of their unit?"""
    analysis = request.analysis
    scan, methods = analysis.scan, analysis.table.methods
    d, cliff = standardized_difference(scan), cliff_delta(scan)
    largest = int(np.argmax(np.nan_to_num(np.abs(d.estimate))))
    a, b = _pair_names(methods)
    sentence = f"No pair of methods has a standardized difference on {unit_count(analysis)}."
    if np.isfinite(d.estimate).any():
        sentence = (
            f"The largest standardized difference on {unit_count(analysis)} is "
            f"{significant(d.estimate[largest], 2)} "
            f"({significant(d.lower[largest], 2)} to {significant(d.upper[largest], 2)}), of "
            f"{as_name(a.values[largest])} "
            f"less {as_name(b.values[largest])}."
        )
    standardized = _interval("standardized", "d", "number", d.estimate, d.lower, d.upper)
    biserial = Column("rank_biserial", "rank-biserial", "number", rank_biserial(scan))
    deltas = _interval("cliff", "Cliff's delta", "number", cliff.estimate, cliff.lower, cliff.upper)
    notes = (
        "Above 0 values of a are the larger ones. d: mean difference over its standard deviation, corrected "
        "for few by Hedges' approximation J = 1 - 3 / (4 df - 1). Rank-biserial: difference of the rank sums "
        "of either sign over their sum. Cliff's delta: share of pairs of values in which a's is larger less "
        "that in which b's is. Intervals are not adjusted for the number of pairs.",
        *_without_variation(analysis, "No d"),
    )
    if len(analysis.units.tasks) < LEAST_UNITS:
        notes = (*notes, f"No d of {unit_count(analysis)}: it needs {LEAST_UNITS}.")
    figure = _drawn(standardized, PAIR, "standardized difference (d)", lines=(0.0,))
    return Answer("effects", sentence, Table((a, b, *standardized, biserial, *deltas)), notes, figure)


@answers("equivalence")
def equivalence(request: QuestionRequest) -> Answer:
    """Which methods are as good as each other over the units?"""
    analysis, margin = request.analysis, request.margin
    scan, methods = analysis.scan, analysis.table.methods
    df = np.full(len(scan.mean), scan.tasks - 1.0)
    errors = scan.standard_error(analysis.test_share)
    interval, p = two_one_sided_tests(scan.mean, errors, df, margin=margin, alpha=analysis.alpha)
    adjusted = adjust(p, method=analysis.adjustment, untested=True)
    equivalent = adjusted < analysis.alpha
    a, b = _pair_names(methods)
    better = oriented(scan.mean, analysis.table)
    verdicts = _verdicts(
        equivalent, better, adjust(analysis.t_tests.p, method=analysis.adjustment) < analysis.alpha
    )
    verdicts = [
        str(Verdict.NOT_TESTED) if one else word for one, word in zip(scan.constant, verdicts, strict=True)
    ]
    named = [
        f"{as_name(a.values[pair])} and {as_name(b.values[pair])}"
        for pair in np.flatnonzero(equivalent).tolist()
    ]
    sentence = (
        f"On {unit_count(analysis)} {_listed(named)} as good as each other, within {parameter(margin)}."
    )
    numbers = (scan.mean, interval.lower, interval.upper)
    differences = _interval(
        "difference", "difference", "number", *numbers, level=percent(level_of(2 * analysis.alpha)), ends=""
    )
    fields = (
        *differences,
        Column("p_equivalence", "p", "p", p),
        Column("p_equivalence_adjusted", "adjusted", "p", adjusted),
        Column("verdict", "a is", "name", verdicts),
    )
    notes = (
        f"Two one-sided t-tests over {unit_count(analysis)}: is the mean difference (a less b) neither below "
        f"-{parameter(margin)} nor above {parameter(margin)}? p {adjustment_words(analysis.adjustment)}. "
        "That no difference was "
        "found does not make methods as good as each other.",
        *_without_variation(analysis, "No test and no interval"),
    )
    figure = _drawn(differences, PAIR, "difference (first less second)", lines=(-margin, margin))
    return Answer("equivalence", sentence, Table((a, b, *fields)), notes, figure)


@answers("power")
def power(request: QuestionRequest) -> Answer:
    """How many more units would find a difference that matters?"""
    analysis = request.analysis
    return unit_power_answer(
        analysis, pair_verdicts(analysis, request.test), request.margin, measure=request.measure
    )


@answers("design")
def design(request: QuestionRequest) -> Answer:
    """Which sizes limit the error of comparisons on each task?"""
    return task_design_answer(request.archive.designs())


def _without_variation(analysis: Analysis, what: str, most: int = 4) -> tuple[str, ...]:
    """Name the pairs without a result: their differences are equal on all units."""
    scan, (a, b) = analysis.scan, _pair_names(analysis.table.methods)
    pairs = np.flatnonzero(scan.constant).tolist()
    names = [f"{as_name(a.values[pair])} less {as_name(b.values[pair])}" for pair in pairs[:most]]
    named = [f"{name} is {significant(scan.mean[pair], 6)}" for name, pair in zip(names, pairs, strict=False)]
    if len(pairs) > most:
        named.append(f"{counted(len(pairs) - most, 'more pair')} are alike")
    return (f"{what} where nothing varies over {unit_count(analysis)}: {and_list(named)}.",) if pairs else ()


def _verdicts(equivalent: Mask, differences: Floats, different: Mask) -> list[str]:
    """Return the verdict on a against b: `as good as b`, `better`, `worse` or `not significant`."""
    sides = np.where(differences < 0, "better", "worse")
    verdicts = np.where(different, sides, "not significant")
    return [str(one) for one in np.where(equivalent, "as good as b", verdicts)]


def _listed(names: Sequence[str], most: int = 4) -> str:
    if not names:
        return "no two methods are shown to be"
    more = f" and {len(names) - most} more pairs" if len(names) > most else ""
    return f"{'; '.join(names[:most])}{more} are"


@answers("hierarchy")
def hierarchical_comparison(request: QuestionRequest) -> Answer:
    """Probability that a method is better on the next unit, or practically equivalent."""
    unit, region = units_name(request.analysis), request.margin
    differences, errors, df = request.archive.pair_differences(request.analysis.unit)
    measure, level = request.measure, request.setting.level
    next_unit, most_likely, typical = hierarchical_pairs(
        oriented(differences, measure), errors, df, region=region, level=level
    )
    decided = np.array([most_likely.a_better, most_likely.equivalent, most_likely.b_better])
    place = np.nan_to_num(decided).argmax(axis=0)
    # Methods can differ in two directions, and each may be in error.
    needed = (1 + level) / 2
    sure = (place != 1) & (np.nan_to_num(decided).max(axis=0) >= needed)
    verdicts = np.where(sure, np.array(["better", "", "worse"])[place], "not significant")
    verdicts = np.where(np.isnan(typical.estimate), str(Verdict.NOT_TESTED), verdicts)
    tested = tasks_with_errors(differences, errors).sum(axis=1)
    units = int(tested.max(initial=0))
    better, worse = ("higher", "lower") if measure.higher_is_better else ("lower", "higher")
    ends = np.nan_to_num(decided).max(axis=0)[sure]
    reached = f"posterior below {percent(needed)}"
    if len(ends):
        reached = " to ".join(dict.fromkeys(posterior_text(float(one)) for one in (ends.min(), ends.max())))
        reached = f"posterior probability {reached}"
    sentence = (
        f"For {int(sure.sum())} of {counted(len(verdicts), 'pair')} of methods on {units} {unit} one method "
        f"is "
        f"most likely the better one by more than {parameter(region)} on another ({reached})."
    )
    notes: tuple[str, ...] = (
        "Bayesian hierarchical comparison. P(a better): how probably the expected "
        f"{words.unit_words(measure)} of a on another one of the {unit} is {better} than b's by more than "
        f"{parameter(region)}. P(same), P(b better): practically the same, or {worse}. Most likely: "
        "another quantity, "
        "the posterior probability that this outcome is the most likely one of the three there. Each "
        "difference counts as much as its standard error says, in which shared training sets are counted. "
        f"Better, worse: the posterior probability of being the most likely outcome is at least "
        f"{parameter(needed)}. "
        "Not adjusted for the number of pairs. Which methods are as good as each other is tested by "
        "`equivalence`.",
    )
    if np.isnan(typical.estimate).any():
        notes += (
            f"Not tested: pairs with fewer than {LEAST_TASKS} {unit} that have a standard error. It has none "
            "where differences do not vary.",
        )
    numbers = (
        oriented(typical.estimate, measure),
        *oriented_interval(typical.lower, typical.upper, measure),
    )
    mean = _interval("mean", "typical difference", "number", *numbers, level=percent(level), ends="")
    shares = (
        ("a_better", "P(a better)", next_unit.a_better),
        ("equivalent", "P(same)", next_unit.equivalent),
        ("b_better", "P(b better)", next_unit.b_better),
        ("a_decided", "most likely: a", most_likely.a_better),
        ("equivalent_decided", "most likely: same", most_likely.equivalent),
        ("b_decided", "most likely: b", most_likely.b_better),
    )
    chances = [Column(key, title, "share", values) for key, title, values in shares]
    count = Column("units", "n", "count", tested)
    verdict = Column("verdict", "a is", "name", verdicts.tolist())
    table = Table(
        (*_pair_names(request.analysis.table.methods), count, *chances[:3], *mean, *chances[3:], verdict)
    )
    figure = _drawn(mean, PAIR, "typical difference (first less second)", lines=(-region, region))
    return Answer("hierarchy", sentence, table, notes, figure)


@answers("regret")
def regret(request: QuestionRequest) -> Answer:
    """On which share of the units is each method near the best?"""
    analysis = request.analysis
    losses, level = analysis.units.shortfall, 1 - analysis.alpha
    ratio = bool((losses > 0).all())
    profile = performance_profile(regrets_of(losses, ratio=ratio), WITHIN, level=level)
    methods, order = analysis.table.methods, np.argsort(-profile.estimate[:, TOLD], kind="stable")
    first, phrases = order[0], [within_words(ratio, within) for within in WITHIN]
    ends = f"{integer(100 * profile.lower[first, TOLD])} to {percentage(profile.upper[first, TOLD])}"
    is_shared = (profile.estimate[:, TOLD] == profile.estimate[first, TOLD]).sum() > 1
    sentence = (
        f"{as_name(methods[first])} is {phrases[TOLD]} of the best on "
        f"{percentage(profile.estimate[first, TOLD])} of {unit_count(analysis)} ({ends}), "
        f"{'as often as the next' if is_shared else 'more often than any other method'}."
    )
    parts = (profile.estimate.T, profile.lower.T, profile.upper.T)
    shares = [
        _interval(f"within_{parameter(within)}", title if within else "best", "share", *values)
        for within, title, *values in zip(WITHIN, phrases, *parts, strict=True)
    ]
    notes = (
        f"Share of {unit_count(analysis)} on which a method's {as_name(analysis.table.quantity or 'value')} "
        f"is at "
        f"most so far from the best method's there; {percent(level)} intervals of each share "
        "(Wilson). How far a method is from the best depends on which methods there are.",
    )
    figure = _drawn(shares[TOLD], ("method",), f"{phrases[TOLD]} of the best   better →")
    return Answer("regret", sentence, _methods(methods, *chain(*shares), order=order), notes, figure)


@answers("strengths")
def strengths(request: QuestionRequest) -> Answer:
    """What are each method's odds of winning?"""
    analysis = request.analysis
    level = 1 - analysis.alpha
    strong = bradley_terry(analysis.units.oriented, level=level)
    chances = winning_chances(strong.estimate)
    methods, order = analysis.table.methods, np.argsort(-strong.estimate, kind="stable")
    leaders = [methods[place] for place in order if strong.estimate[place] == strong.estimate[order[0]]]
    are, beat = ("is", "it beats") if len(leaders) == 1 else ("are", "each beats")
    sentence = (
        f"{and_list([*map(as_name, leaders)])} {are} the strongest in duels on {unit_count(analysis)}: "
        f"{beat} "
        f"another method with probability {probability_text(chances[order[0]])} on average."
    )
    numbers = (strong.estimate, strong.lower, strong.upper)
    strength = _interval("strength", "strength", "number", *numbers, level=percent(level), ends="")
    table = _methods(methods, *strength, Column("chance", "wins", "share", chances), order=order)
    notes = (
        "The model of Bradley and Terry: a beats b with odds exp(strength of a - strength of b). Ties are "
        "half a win for both. Every method has half a win and half a defeat more, divided among the others, "
        "so that one that always wins has a strength and an interval.",
        f"Intervals: Student's, from how wins vary between {unit_count(analysis)} and how they vary in the "
        "model, whichever is more.",
    )
    if len(analysis.units.tasks) < LEAST_UNITS:
        notes = (*notes[:1], f"No intervals: they need {LEAST_UNITS} units, and there are fewer.")
    figure = _drawn(strength, ("method",), "strength (logarithm of odds)   better →")
    return Answer("strengths", sentence, table, notes, figure)


@answers("iqm")
def interquartile_means(request: QuestionRequest) -> Answer:
    """Interquartile mean of the results, with intervals for other training sets of these tasks."""
    losses, inflations = _training_sets(request)
    iqms = interquartile_mean(losses, inflations=inflations, level=request.setting.level)
    measure, methods, tasks = request.measure, request.analysis.table.methods, counted(len(losses), "task")
    order = np.argsort(iqms.estimate, kind="stable")
    ends = oriented_interval(iqms.lower, iqms.upper, measure)
    confidence, iqm = percent(request.setting.level), oriented(iqms.estimate, measure)
    means = _interval("iqm", "middle half", "number", iqm, *ends, level=confidence)
    values = "losses" if measure.is_loss else f"values of {as_name(measure.title)}"
    best = as_name(methods[order[0]])
    sentence = (
        f"{best} has the {words.best_end(measure)} mean of the middle half of its {values} "
        f"on {tasks}: {significant(iqm[order[0]])}."
    )
    about = f"Training sets are resampled within each of {tasks}, with replacement. {THESE_TASKS}"
    if max(inflations) > 1:
        about += " Of training sets that overlap fewer are drawn, as they vary together."
    if fixed := [methods[place] for place in order if np.isnan(ends[0][place])]:
        about += f" No interval of {and_list([*map(as_name, fixed)])}: nothing varies between training sets."
    half = (
        f"Mean of the {words.unit_words(measure, plural=True)} between their quartiles, of all training sets "
        "of all tasks."
    )
    axis = words.better_side("mean of the middle half", higher=measure.higher_is_better)
    table = _methods(methods, *means, order=order)
    return Answer("iqm", sentence, table, (half, about), _drawn(means, ("method",), axis))


@answers("improvement")
def improvement(request: QuestionRequest) -> Answer:
    """Who wins with other training sets of these tasks?"""
    losses, inflations = _training_sets(request)
    probabilities = probability_of_improvement(losses, inflations=inflations, level=request.setting.level)
    measure, tasks = request.measure, counted(len(losses), "task")
    sure = (probabilities.lower > 0.5) | (probabilities.upper < 0.5)
    sentence = (
        f"For {int(sure.sum())} of {counted(len(sure), 'pair')} one method is the more probable winner on a "
        f"training set of these {tasks}."
    )
    numbers = (probabilities.estimate, probabilities.lower, probabilities.upper)
    level = percent(request.setting.level)
    chances = _interval("improvement", "P(a wins)", "share", *numbers, level=level)
    value = "loss" if measure.is_loss else measure.title
    wins = (
        f"Probability that a has a {'higher' if measure.higher_is_better else 'lower'} {value} than b after "
        "a training set of the same task, ties as one half."
    )
    counts = f"Intervals are binomial, with one win and one defeat more on each of {tasks}. {THESE_TASKS}"
    if max(inflations) > 1:
        counts += " Training sets that overlap count less, as they vary together."
    figure = _drawn(chances, PAIR, "probability that the first wins", lines=(0.5,))
    fields = (*_pair_names(request.analysis.table.methods), *chances)
    return Answer("improvement", sentence, Table(fields), (wins, counts), figure)


THESE_TASKS = "Intervals say how sure the numbers are for these tasks, not what other tasks would bring."


def _training_sets(request: QuestionRequest) -> tuple[list[Floats], list[float]]:
    """Return oriented losses and inflations: see `ArchiveData.training_sets`."""
    losses, inflations = request.archive.training_sets()
    if not losses:
        raise DelveError("expected tasks with two training sets, found none")
    return [oriented(one, request.measure) for one in losses], inflations


@answers("front")
def front(request: QuestionRequest) -> Answer:
    """Which methods are worth their cost? Raises DelveError with known costs on fewer than two units."""
    costs = request.archive.costs()
    if costs is None:
        units = units_name(request.analysis)
        raise DelveError(f"expected {LEAST_COSTED} {units} with costs of all methods, found fewer")
    return costs_answer(costs)


def without_tests(answer: Answer) -> Answer:
    """Return an answer about tasks of one dataset: the numbers without p, verdicts, intervals and figure."""
    columns = []
    for one in answer.table.columns:
        if one.key == "verdict":
            one = replace(one, values=[Verdict.NOT_TESTED] * len(answer.table))
        elif one.kind == "p" or one.key.endswith(("lower", "upper")) or one.key in _POSTERIORS:
            one = replace(one, values=np.full(len(answer.table), np.nan))
        columns.append(one)
    sentence = f"{ONE_DATASET[:1].upper()}{ONE_DATASET[1:]}. {TEST_SINGLE_TASKS}"
    return replace(answer, headline=sentence, table=Table(tuple(columns)), notes=(), figure=None)


_POSTERIORS = ("a_better", "equivalent", "b_better", "a_decided", "equivalent_decided", "b_decided", "sure")


MAY_BE, IS, IS_NOT = "may be the best", "the best", "worse than another"


@answers("best")
def best(request: QuestionRequest) -> Answer:
    """Which methods may be the best on each task?"""
    measure, alpha = request.measure, request.setting.alpha
    rows: list[tuple[object, ...]] = []
    tasks, untested = [], []
    for one in _tasks(request, level_for_best):
        lower, upper, p = compare_with_best(
            one.pairs,
            oriented_interval(one.lower, one.upper, measure),
            one.p,
            differences=oriented(one.differences, measure),
            alpha=alpha,
        )
        ends, may_be_best = oriented_interval(lower, upper, measure), (p >= alpha).tolist()
        tasks.append((one.task, one.methods, may_be_best))
        untested += [one.task] if (np.isinf(lower) & np.isinf(upper)).any() else []
        kept = IS if sum(may_be_best) == 1 else MAY_BE
        verdicts = [kept if yes else IS_NOT for yes in may_be_best]
        numbers = (values.tolist() for values in (*ends, p))
        rows += zip([one.task] * len(one.methods), one.methods, verdicts, *numbers, strict=True)
    confidence = percent(request.setting.level)
    about: tuple[tuple[str, str, Kind], ...] = (
        ("task", "task", "name"),
        ("method", "method", "name"),
        ("verdict", "it is", "name"),
        ("lower", f"{'loses ' * measure.is_loss}{confidence} from", "number"),
        ("upper", "to", "number"),
        ("p", "p of being the best", "p"),
    )
    notes: tuple[str, ...] = (
        "Multiple comparison with the best (Hsu): each method against all others of the task by its own "
        f"test, adjusted so that the truly best one is kept with {confidence}. The interval is that of its "
        f"expected {words.unit_words(measure)} less the {words.best_end(measure)} of the others', at once "
        "for all methods of a task.",
    )
    if untested:
        notes += (
            f"No ends on {and_list(_some(untested))}: there is no test of all pairs, as where differences do "
            "not vary.",
        )
    return Answer("best", _best_sentence(tasks, confidence), table_of(rows, about), notes)


def _some(names: Sequence[str], most: int = 4) -> list[str]:
    """Return the distinct names, or the first ones and the number of the others."""
    every = list(dict.fromkeys(names))
    more = [f"{counted(len(every) - most, 'more task')}"] if len(every) > most else []
    return [*map(as_name, every[:most]), *more]


def _best_sentence(tasks: Sequence[tuple[str, Sequence[str], Sequence[bool]]], confidence: str) -> str:
    if len(tasks) == 1:
        path, methods, may_be_best = tasks[0]
        name = as_name(path)
        kept = [as_name(method) for method, one in zip(methods, may_be_best, strict=True) if one]
        if len(kept) == 1:
            return f"On {name} {kept[0]} is the best of {counted(len(methods), 'method')} ({confidence})."
        return (
            f"On {name} {and_list(kept)} may be the best of {counted(len(methods), 'method')} ({confidence})."
        )
    alone = sum(sum(may_be_best) == 1 for *_, may_be_best in tasks)
    counts: dict[str, int] = {}
    for _, methods, may_be_best in tasks:
        for method, one in zip(methods, may_be_best, strict=True):
            counts[method] = counts.get(method, 0) + one
    most = max(counts.values())
    leaders = [as_name(method) for method, count in counts.items() if count == most]
    each = " each" if len(leaders) > 1 else ""
    return (
        f"One method is the best on {alone} of {counted(len(tasks), 'task')} ({confidence}); "
        f"{and_list(leaders)} may be the best most often, on {most}{each}."
    )


def _tasks(request: QuestionRequest, level_of_pairs: Callable[[float, int], float]) -> list[SingleTask]:
    tasks = list(request.archive.single_tasks(level_of_pairs))
    if not tasks:
        raise DelveError("expected tasks with results of two methods, found none")
    return tasks


@answers("same")
def same(request: QuestionRequest) -> Answer:
    """Which methods are as good as each other on each task?"""
    margin, level, measure = request.margin, request.setting.level, request.measure
    tasks = _tasks(request, level_for_pairs)
    rows: list[tuple[object, ...]] = []
    verdicts: list[str] = []
    for one in tasks:
        is_same = (one.lower > -margin) & (one.upper < margin)
        of_task = ["as good as b" if yes else word for yes, word in zip(is_same, one.verdicts, strict=True)]
        names = ([one.methods[place] for place in places] for places in one.pairs)
        numbers = (values.tolist() for values in (one.differences, one.lower, one.upper))
        rows += zip([one.task] * len(of_task), *names, *numbers, of_task, strict=True)
        verdicts += of_task
    equal, total = verdicts.count("as good as b"), len(verdicts)
    neither = verdicts.count("not significant") + verdicts.count("not tested")
    sentence = (
        f"On {counted(len(tasks), 'task')} {equal} of {counted(total, 'pair')} of methods "
        f"{'is' if equal == 1 else 'are'} as good as each other within {parameter(margin)}, "
        f"{total - equal - neither} differ, {neither} remain open."
    )
    if len(tasks) == 1:
        sentence = sentence.replace("On 1 task", f"On {as_name(tasks[0].task)}", 1)
    about: tuple[tuple[str, str, Kind], ...] = (
        ("task", "task", "name"),
        ("method_a", "a", "name"),
        ("method_b", "b", "name"),
        ("difference", "difference", "number"),
        ("lower", "from", "number"),
        ("upper", "to", "number"),
        ("verdict", "a is", "name"),
    )
    notes: tuple[str, ...] = (
        f"As good as: two one-sided tests find the difference of expected "
        f"{words.unit_words(measure, plural=True)} (a less b) above -{parameter(margin)} and below "
        f"{parameter(margin)}, at "
        f"{parameter(1 - level)}. Bonferroni's inequality adjusts p for the pairs of a task; the "
        "interval lies "
        "inside of the margins then. Better, worse: by the task's own test, adjusted for all pairs. That no "
        "difference was found does not make methods as good as each other.",
    )
    untested = [str(row[0]) for row in rows if row[-1] == Verdict.NOT_TESTED]
    if untested:
        notes += (
            f"Not tested: pairs on {and_list(_some(untested))} have no test, as where differences do not "
            "vary.",
        )
    axis = "difference (first less second)"
    figure = IntervalFields(PAIR, "difference", "lower", "upper", axis, (-margin, margin))
    return Answer("same", sentence, table_of(rows, about), notes, figure)
