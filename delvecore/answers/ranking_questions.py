"""Further questions over tasks, such as equivalence and regret; the best methods and equals of single tasks.

One record a question says what commands and pages call it and what it needs; one function gives its Answer.
Answers that need an archive's training sets are put together in `delvecore.archive.questions`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from delvecore.answers.answer import Answer, Column, IntervalFields, Kind, Table, table_of
from delvecore.measures import Measure
from delvecore.render.text import and_list, counted
from delvecore.report import words
from delvecore.report.ranking.sentences import ONE_DATASET, TEST_SINGLE_TASKS, unit_count
from delvecore.stats.array_types import Floats, Mask
from delvecore.stats.choose import DEFAULT_ADJUSTMENT, Verdict, adjustment_words, level_of, percent
from delvecore.stats.losses.comparison_with_best import WithBest
from delvecore.stats.orientation import oriented, oriented_interval
from delvecore.stats.p_adjustment import MOST_METHODS, adjust, bergmann_hommel, shaffer
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.bayesian_hierarchical import (
    LEAST_TASKS,
    HierarchicalPairs,
    TaskPairs,
    hierarchical_pairs,
)
from delvecore.stats.ranking.bradley_terry import bradley_terry
from delvecore.stats.ranking.effects import DEFAULT_MARGIN, scaled_effects, two_one_sided_tests
from delvecore.stats.ranking.interquartile_mean import aggregates
from delvecore.stats.ranking.performance_profiles import regret_profile
from delvecore.stats.ranking.ranks import LEAST_UNITS

MAY_BE, IS, IS_NOT = "may be the best", "the best", "worse than another"


def best_answer(
    tasks: Sequence[tuple[str, Sequence[str], WithBest]], *, level: float, measure: Measure
) -> Answer:
    """Which methods may be the best of each task? tasks: (name, methods, their comparison with the best)."""
    rows: list[tuple[object, ...]] = []
    for name, methods, found in tasks:
        numbers = (getattr(found, key).tolist() for key in ("lower", "upper", "p"))
        rows += zip([name] * len(methods), methods, _standings(found), *numbers, strict=True)
    confidence = percent(level)
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
    untested = [name for name, _, found in tasks if (np.isinf(found.lower) & np.isinf(found.upper)).any()]
    if untested:
        notes += (
            f"No ends on {and_list(_some(untested))}: there is no test of all pairs, as where differences do "
            "not vary.",
        )
    return Answer("best", _best_sentence(tasks, confidence), table_of(rows, about), notes)


def _some(names: Sequence[str], most: int = 4) -> list[str]:
    """Return the different names, or the first ones and how many more there are."""
    every = list(dict.fromkeys(names))
    more = [f"{counted(len(every) - most, 'more task')}"] if len(every) > most else []
    return every[:most] + more


def _standings(found: WithBest) -> list[str]:
    alone = found.may_be_best.sum() == 1
    return [(IS if alone else MAY_BE) if one else IS_NOT for one in found.may_be_best.tolist()]


def _best_sentence(tasks: Sequence[tuple[str, Sequence[str], WithBest]], confidence: str) -> str:
    if len(tasks) == 1:
        name, methods, found = tasks[0]
        kept = [method for method, one in zip(methods, found.may_be_best.tolist(), strict=True) if one]
        if len(kept) == 1:
            return f"On {name} {kept[0]} is the best of {counted(len(methods), 'method')} ({confidence})."
        return (
            f"On {name} {and_list(kept)} may be the best of {counted(len(methods), 'method')} ({confidence})."
        )
    alone = sum(int(found.may_be_best.sum() == 1) for *_, found in tasks)
    counts: dict[str, int] = {}
    for _, methods, found in tasks:
        for method, one in zip(methods, found.may_be_best.tolist(), strict=True):
            counts[method] = counts.get(method, 0) + one
    most = max(counts.values())
    leaders = [method for method, count in counts.items() if count == most]
    each = " each" if len(leaders) > 1 else ""
    return (
        f"One method is the best on {alone} of {counted(len(tasks), 'task')} ({confidence}); "
        f"{and_list(leaders)} may be the best most often, on {most}{each}."
    )


def same_answer(
    tasks: Sequence[tuple[str, Sequence[tuple[str, str]], tuple[Floats, Floats, Floats], Sequence[str]]],
    *,
    margin: float,
    level: float,
    measure: Measure,
) -> Answer:
    """Which methods are as good as each other on each task?

    tasks: (name, pairs of methods, (differences, lower, upper), verdicts of the first), the intervals being
    those of two one-sided tests, adjusted for the pairs of the task."""
    rows: list[tuple[object, ...]] = []
    verdicts: list[str] = []
    for name, pairs, (difference, lower, upper), said in tasks:
        same = (lower > -margin) & (upper < margin)
        own = ["as good as b" if one else word for one, word in zip(same, said, strict=True)]
        numbers = (values.tolist() for values in (difference, lower, upper))
        rows += zip([name] * len(pairs), *zip(*pairs, strict=True), *numbers, own, strict=True)
        verdicts += own
    equal, total = verdicts.count("as good as b"), len(verdicts)
    neither = verdicts.count("not significant") + verdicts.count("not tested")
    sentence = (
        f"On {counted(len(tasks), 'task')}, of {counted(total, 'comparison')} of two methods {equal} find "
        f"them as "
        f"good as each other within {margin:g}, {total - equal - neither} find a difference, {neither} "
        "find neither."
    )
    if len(tasks) == 1:
        sentence = sentence.replace("On 1 task", f"On {tasks[0][0]}", 1)
    about: tuple[tuple[str, str, Kind], ...] = (
        ("task", "task", "name"),
        ("a", "a", "name"),
        ("b", "b", "name"),
        ("difference", "difference", "number"),
        ("lower", "from", "number"),
        ("upper", "to", "number"),
        ("verdict", "a is", "name"),
    )
    notes: tuple[str, ...] = (
        f"As good as: two one-sided tests find the difference of expected "
        f"{words.unit_words(measure, plural=True)} (a less b) above -{margin:g} and below {margin:g}, at "
        f"{1 - level:.2g}. Bonferroni's inequality adjusts p for the pairs of a task; the interval lies "
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
    figure = IntervalFields(("a", "b"), "difference", "lower", "upper", axis, (-margin, margin))
    return Answer("same", sentence, table_of(rows, about), notes, figure)


REGIONS = (DEFAULT_MARGIN, 0.002, 0.005, 0.02, 0.05, 0.1)
"""Widths of the region of practical equivalence that pages offer."""
WITHIN = (0.0, 0.01, 0.05, 0.1)
"""Distances from the best at which a table shows a profile, the last of which is told in words."""
TOLD = 3


class Asked(NamedTuple):
    """question: one of QUESTIONS; measure: what is ranked; margin: half the width of the region in which
    methods are practically the same; adjust: how p is adjusted for all pairs."""

    question: str
    measure: Measure
    alpha: float
    margin: float
    adjust: str = DEFAULT_ADJUSTMENT

    @property
    def level(self) -> float:
        """The confidence."""
        return level_of(self.alpha)


def region_words(measure: Measure) -> str:
    """Say what a region of practical equivalence is in the unit of a measure."""
    hundredth = "; 0.01 is a hundredth of what predicting the mean loses" * measure.is_loss
    values = words.unit_words(measure, plural=True)
    return f"Differences of expected {values} up to this are practically none{hundredth}"


def _of_methods(value: str, ends: str, axis: str) -> IntervalFields:
    return IntervalFields(("method",), value, ends.format("lower"), ends.format("upper"), axis)


def _of_pairs(value: str, ends: str, axis: str, *, lines: tuple[float, ...] = (0.0,)) -> IntervalFields:
    return IntervalFields(("a", "b"), value, ends.format("lower"), ends.format("upper"), axis, lines)


def _pair_names(methods: Sequence[str]) -> tuple[Column, Column]:
    first, second = np.triu_indices(len(methods), 1)
    return (
        Column("a", "a", "name", [methods[place] for place in first.tolist()]),
        Column("b", "b", "name", [methods[place] for place in second.tolist()]),
    )


def adjusted_pairs(found: Analysis) -> Answer:
    """Which pairs differ by Wilcoxon's test, by procedures that use the logic of pairs?"""
    p, methods = found.wilcoxon.p, found.table.methods
    ways = {"Holm": adjust(p), "Shaffer": shaffer(p)}
    if len(methods) <= MOST_METHODS:
        ways["Bergmann-Hommel"] = bergmann_hommel(p)
    counts = [f"{name} {int((values < found.alpha).sum())}" for name, values in ways.items()]
    sentence = (
        f"Of {counted(len(p), 'pair')} of methods on {unit_count(found)} these differ at {found.alpha:g}: "
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


def effect_sizes(found: Analysis) -> Answer:
    """How large are the differences, whatever their unit?"""
    scaled, methods = scaled_effects(found.scan, found.effects), found.table.methods
    d, cliff = scaled.standardized, scaled.cliff
    largest = int(np.argmax(np.nan_to_num(np.abs(d.estimate))))
    a, b = _pair_names(methods)
    sentence = f"No pair of methods has a standardized difference on {unit_count(found)}."
    if np.isfinite(d.estimate).any():
        sentence = (
            f"The largest standardized difference on {unit_count(found)} is {d.estimate[largest]:.2g} "
            f"({d.lower[largest]:.2g} to {d.upper[largest]:.2g}), of {a.values[largest]} less "
            f"{b.values[largest]}."
        )
    fields = (
        Column("standardized", "d", "number", d.estimate),
        Column("standardized_lower", "from", "number", d.lower),
        Column("standardized_upper", "to", "number", d.upper),
        Column("rank_biserial", "rank-biserial", "number", scaled.rank_biserial),
        Column("cliff", "Cliff's delta", "number", cliff.estimate),
        Column("cliff_lower", "from", "number", cliff.lower),
        Column("cliff_upper", "to", "number", cliff.upper),
    )
    notes = (
        "Above 0 values of a are the larger ones. d: mean difference over its standard deviation, corrected "
        "for few by Hedges' approximation J = 1 - 3 / (4 df - 1). Rank-biserial: difference of the rank sums "
        "of either sign over their sum. Cliff's delta: share of pairs of values in which a's is larger less "
        "that in which b's is. Intervals are not adjusted for the number of pairs.",
        *_without_variation(found, "No d"),
    )
    if len(found.units.tasks) < LEAST_UNITS:
        notes = (*notes, f"No d of {unit_count(found)}: it needs {LEAST_UNITS}.")
    figure = _of_pairs("standardized", "standardized_{}", "standardized difference (d)")
    return Answer("effects", sentence, Table((a, b, *fields)), notes, figure)


def equivalence(found: Analysis, margin: float) -> Answer:
    """Which methods are as good as each other over the units?"""
    scan, methods = found.scan, found.table.methods
    df = np.full(len(scan.mean), scan.tasks - 1.0)
    errors = scan.standard_error(found.test_share)
    tests = two_one_sided_tests(
        scan.mean, errors, df, margin=margin, alpha=found.alpha, adjustment=found.adjustment
    )
    a, b = _pair_names(methods)
    better = oriented(scan.mean, found.table)
    said = _verdicts(tests.equivalent, better, adjust(found.t_tests.p, method=found.adjustment) < found.alpha)
    said = [str(Verdict.NOT_TESTED) if one else word for one, word in zip(scan.constant, said, strict=True)]
    named = [f"{a.values[pair]} and {b.values[pair]}" for pair in np.flatnonzero(tests.equivalent).tolist()]
    sentence = f"On {unit_count(found)} {_listed(named)} as good as each other, within {margin:g}."
    fields = (
        Column("difference", "difference", "number", scan.mean),
        Column("lower", f"{percent(tests.level)} from", "number", tests.lower),
        Column("upper", "to", "number", tests.upper),
        Column("p_equivalence", "p", "p", tests.p),
        Column("p_equivalence_adjusted", "adjusted", "p", tests.p_adjusted),
        Column("verdict", "a is", "name", said),
    )
    notes = (
        f"Two one-sided t-tests over {unit_count(found)}: is the mean difference (a less b) neither below "
        f"-{margin:g} nor above {margin:g}? p {adjustment_words(found.adjustment)}. That no difference was "
        "found does not make methods as good as each other.",
        *_without_variation(found, "No test and no interval"),
    )
    figure = _of_pairs("difference", "{}", "difference (first less second)", lines=(-margin, margin))
    return Answer("equivalence", sentence, Table((a, b, *fields)), notes, figure)


def _without_variation(found: Analysis, what: str, most: int = 4) -> tuple[str, ...]:
    """Say for which pairs there is nothing: those whose differences are equal on all units."""
    scan, (a, b) = found.scan, _pair_names(found.table.methods)
    pairs = np.flatnonzero(scan.constant).tolist()
    named = [f"{a.values[pair]} less {b.values[pair]} is {scan.mean[pair]:.6g}" for pair in pairs[:most]]
    if len(pairs) > most:
        named.append(f"{counted(len(pairs) - most, 'more pair')} are alike")
    return (f"{what} where nothing varies over {unit_count(found)}: {and_list(named)}.",) if pairs else ()


def _verdicts(equivalent: Mask, differences: Floats, different: Mask) -> list[str]:
    """Return what may be said of a against b: `as good as b`, `better`, `worse` or `not significant`."""
    sides = np.where(differences < 0, "better", "worse")
    said = np.where(different, sides, "not significant")
    return [str(one) for one in np.where(equivalent, "as good as b", said)]


def _listed(names: Sequence[str], most: int = 4) -> str:
    if not names:
        return "no two methods are shown to be"
    more = f" and {len(names) - most} more pairs" if len(names) > most else ""
    return f"{'; '.join(names[:most])}{more} are"


def regret(found: Analysis) -> Answer:
    """On which share of the units is each method near the best?"""
    profile = regret_profile(found.units.shortfall, at=WITHIN, level=1 - found.alpha)
    methods, order = found.table.methods, np.argsort(-profile.share[:, TOLD], kind="stable")
    first, told = order[0], [within_words(profile.ratio, within) for within in WITHIN]
    ends = f"{100 * profile.lower[first, TOLD]:.0f} to {100 * profile.upper[first, TOLD]:.0f} %"
    is_shared = (profile.share[:, TOLD] == profile.share[first, TOLD]).sum() > 1
    sentence = (
        f"{methods[first]} is {told[TOLD]} of the best on {100 * profile.share[first, TOLD]:.0f} % of "
        f"{unit_count(found)} ({ends}), "
        f"{'as often as the next' if is_shared else 'more often than any other method'}."
    )
    fields = [Column("method", "method", "name", [methods[place] for place in order])]
    for number, (within, title) in enumerate(zip(WITHIN, told, strict=True)):
        values = [one[order, number] for one in (profile.share, profile.lower, profile.upper)]
        fields.append(Column(f"within_{within:g}", title if within else "best", "share", values[0]))
        fields.append(Column(f"within_{within:g}_lower", "from", "share", values[1]))
        fields.append(Column(f"within_{within:g}_upper", "to", "share", values[2]))
    notes = (
        f"Share of {unit_count(found)} on which a method's {found.table.quantity or 'value'} is at most so "
        f"far from the best method's there; {percent(profile.level)} intervals of each share (Wilson). "
        "How far a method is from the best depends on which methods there are.",
    )
    axis = f"{told[TOLD]} of the best   better →"
    figure = _of_methods(f"within_{WITHIN[TOLD]:g}", f"within_{WITHIN[TOLD]:g}_{{}}", axis)
    return Answer("regret", sentence, Table(tuple(fields)), notes, figure)


def within_words(ratio: bool, within: float) -> str:
    """Return such as `within 10 %`; where distances are differences, `within 0.1`."""
    return f"within {100 * within:g} %" if ratio else f"within {within:g}"


def strengths(found: Analysis) -> Answer:
    """With which odds does each method win?"""
    strong = bradley_terry(found.units.oriented, level=1 - found.alpha)
    methods, order = found.table.methods, np.argsort(-strong.strength, kind="stable")
    leaders = [methods[place] for place in order if strong.strength[place] == strong.strength[order[0]]]
    are, beat = ("is", "it beats") if len(leaders) == 1 else ("are", "each beats")
    sentence = (
        f"{and_list(leaders)} {are} the strongest in duels on {unit_count(found)}: {beat} another method "
        f"with probability {strong.chance[order[0]]:.2f} on average."
    )
    columns = ("strength", "lower", "upper")
    titles = ("strength", f"{percent(strong.level)} from", "to")
    fields = [
        Column(key, title, "number", getattr(strong, key)[order])
        for key, title in zip(columns, titles, strict=True)
    ]
    names = Column("method", "method", "name", [methods[place] for place in order])
    chance = Column("chance", "wins", "share", strong.chance[order])
    notes = (
        "The model of Bradley and Terry: a beats b with odds exp(strength of a - strength of b). Ties are "
        "half a win for both. Every method has half a win and half a defeat more, divided among the others, "
        "so that one that always wins has a strength and an interval.",
        f"Intervals: Student's, from how wins vary between {unit_count(found)} and how they vary in the "
        "model, whichever is more.",
    )
    if len(found.units.tasks) < LEAST_UNITS:
        notes = (*notes[:1], f"No intervals: they need {LEAST_UNITS} units, and there are fewer.")
    figure = _of_methods("strength", "{}", "strength (logarithm of odds)   better →")
    return Answer("strengths", sentence, Table((names, *fields, chance)), notes, figure)


def training_set_answers(
    methods: Sequence[str],
    runs: Sequence[Floats],
    inflations: Sequence[float],
    *,
    level: float,
    measure: Measure,
) -> tuple[Answer, Answer]:
    """What would the middle half of the results be, and who wins, with other training sets of these tasks?

    runs, inflations: see `aggregates`. Returns interquartile means, and probabilities of improvement."""
    found = aggregates([oriented(one, measure) for one in runs], inflations=inflations, level=level)
    order, confidence = np.argsort(found.iqm, kind="stable"), percent(level)
    best = methods[order[0]]
    tasks = counted(len(runs), "task")
    names = Column("method", "method", "name", [methods[place] for place in order])
    iqm = oriented(found.iqm, measure)[order]
    lower, upper = oriented_interval(found.iqm_lower, found.iqm_upper, measure)
    means = [
        Column("iqm", "middle half", "number", iqm),
        Column("iqm_lower", f"{confidence} from", "number", lower[order]),
        Column("iqm_upper", "to", "number", upper[order]),
    ]
    values = "losses" if measure.is_loss else f"values of {measure.title}"
    basis = "Intervals say how sure the numbers are for these tasks, not what other tasks would bring."
    about = f"Training sets are resampled within each of {tasks}, with replacement. {basis}"
    counts = f"Intervals are binomial, with one win and one defeat more on each of {tasks}. {basis}"
    if max(inflations) > 1:
        about += " Of training sets that overlap fewer are drawn, as they vary together."
        counts += " Training sets that overlap count less, as they vary together."
    fixed = [methods[place] for place in order if np.isnan(lower[place])]
    if fixed:
        about += f" No interval of {and_list(fixed)}: nothing varies between training sets."
    sentence = (
        f"{best} has the {words.best_end(measure)} mean of the middle half of its {values} on {tasks}: "
        f"{iqm[0]:.3g}."
    )
    half = (
        f"Mean of the {words.unit_words(measure, plural=True)} between their quartiles, of all training sets "
        "of all tasks."
    )
    axis = words.better_side("mean of the middle half", higher=measure.higher_is_better)
    figure = _of_methods("iqm", "iqm_{}", axis)
    first = Answer("iqm", sentence, Table((names, *means)), (half, about), figure)
    sure = (found.improvement_lower > 0.5) | (found.improvement_upper < 0.5)
    sentence = (
        f"For {int(sure.sum())} of {counted(len(sure), 'pair')} one method is the more probable winner on a "
        f"training set of these {tasks}."
    )
    chances = [
        Column("improvement", "P(a wins)", "share", found.improvement),
        Column("improvement_lower", f"{confidence} from", "share", found.improvement_lower),
        Column("improvement_upper", "to", "share", found.improvement_upper),
    ]
    value = "loss" if measure.is_loss else measure.title
    wins = (
        f"Probability that a has a {'higher' if measure.higher_is_better else 'lower'} {value} than b after "
        "a training set of the same task, ties as one half."
    )
    figure = _of_pairs("improvement", "improvement_{}", "probability that the first wins", lines=(0.5,))
    fields = (*_pair_names(methods), *chances)
    return first, Answer("improvement", sentence, Table(fields), (wins, counts), figure)


def hierarchical_comparison(
    pairs: TaskPairs, unit: str, *, region: float, level: float, measure: Measure
) -> Answer:
    """How probably is a method better on the next unit, and how probably practically the same?"""
    differences = oriented(pairs.differences, measure)
    found = hierarchical_pairs(differences, pairs.errors, pairs.df, region=region, level=level)
    a, b = _pair_names(pairs.methods)
    decided = np.array([found.a_decided, found.equivalent_decided, found.b_decided])
    place = np.nan_to_num(decided).argmax(axis=0)
    # There are two directions in which methods can differ, each of which may err.
    needed = (1 + level) / 2
    sure = (place != 1) & (np.nan_to_num(decided).max(axis=0) >= needed)
    said = np.where(sure, np.array(["better", "", "worse"])[place], "not significant")
    said = np.where(np.isnan(found.mean), str(Verdict.NOT_TESTED), said)
    units = int(found.tasks.max(initial=0))
    better, worse = ("higher", "lower") if measure.higher_is_better else ("lower", "higher")
    ends = np.nan_to_num(decided).max(axis=0)[sure]
    shares = (
        dict.fromkeys(posterior_text(float(one)) for one in (ends.min(), ends.max())) if len(ends) else ()
    )
    reached = (
        f"posterior probability {' to '.join(shares)}" if shares else f"posterior below {percent(needed)}"
    )
    sentence = (
        f"For {int(sure.sum())} of {counted(len(said), 'pair')} of methods on {units} {unit} one method is "
        f"most likely the better one by more than {region:g} on another ({reached})."
    )
    notes: tuple[str, ...] = (
        "Bayesian hierarchical comparison. P(a better): how probably the expected "
        f"{words.unit_words(measure)} of a on another one of the {unit} is {better} than b's by more than "
        f"{region:g}. P(same), P(b better): practically the same, or {worse}. Most likely: another quantity, "
        "the posterior probability that this outcome is the most likely one of the three there. Each "
        "difference counts as much as its standard error says, in which shared training sets are counted. "
        f"Better, worse: the posterior probability of being the most likely outcome is at least {needed:g}. "
        "Not adjusted for the number of pairs. Which methods are as good as each other is tested by "
        "`equivalence`.",
    )
    if np.isnan(found.mean).any():
        notes += (
            f"Not tested: pairs with fewer than {LEAST_TASKS} {unit} that have a standard error. It has none "
            "where differences do not vary.",
        )
    fields = _hierarchy_fields(found, said.tolist(), measure)
    figure = _of_pairs("mean", "{}", "typical difference (first less second)", lines=(-region, region))
    return Answer("hierarchy", sentence, Table((a, b, *fields)), notes, figure)


def posterior_text(probability: float) -> str:
    """Return a posterior probability as its value.

    Examples
    --------
    >>> [posterior_text(one) for one in (0.975, 0.99951)]
    ['97.5 %', '> 99.9 %']
    """
    return "> 99.9 %" if probability > 0.9995 else f"{100 * probability:.1f} %"


def _hierarchy_fields(found: HierarchicalPairs, said: list[str], measure: Measure) -> tuple[Column, ...]:
    lower, upper = oriented_interval(found.lower, found.upper, measure)
    return (
        Column("units", "n", "count", found.tasks.astype(int)),
        Column("a_better", "P(a better)", "share", found.a_better),
        Column("equivalent", "P(same)", "share", found.equivalent),
        Column("b_better", "P(b better)", "share", found.b_better),
        Column("mean", "typical difference", "number", oriented(found.mean, measure)),
        Column("lower", f"{percent(found.level)} from", "number", lower),
        Column("upper", "to", "number", upper),
        Column("a_decided", "most likely: a", "share", found.a_decided),
        Column("equivalent_decided", "most likely: same", "share", found.equivalent_decided),
        Column("b_decided", "most likely: b", "share", found.b_decided),
        Column("verdict", "a is", "name", said),
    )


def without_tests(answer: Answer) -> Answer:
    """Return an answer about tasks of one dataset: its numbers, without p, verdicts, intervals and figure."""
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


@dataclass(frozen=True)
class Question:
    """One question beyond ranks.

    title: on the page Ranking, empty where another page answers it; meaning: what it asks, in the help of
    `--show`; of_table: answers it from the analysis alone; needs_archive: are training sets or costs needed?
    of_single_tasks: is each task asked by itself? has_region: does it take a region of practical equivalence?
    is_slow: of fewer methods where tasks are many, as all pairs are drawn on all tasks many times. adjusts:
    does it take an adjustment of p? over_units: does it ask about other tasks, rather than other training
    sets of these?"""

    title: str
    meaning: str
    of_table: Callable[[Analysis], Answer] | None = None
    needs_archive: bool = False
    of_single_tasks: bool = False
    has_region: bool = False
    is_slow: bool = False
    adjusts: bool = False
    over_units: bool = True


QUESTIONS = {
    "leaderboard": Question("", "who wins, by how much and at what cost"),
    "pairs": Question(
        "Shaffer, Bergmann-Hommel",
        "p of all pairs by Holm's, Shaffer's and Bergmann and Hommel's procedures",
        adjusted_pairs,
    ),
    "effects": Question(
        "How large?", "standardized differences, rank-biserial correlations, Cliff's delta", effect_sizes
    ),
    "equivalence": Question(
        "Who is as good as whom?",
        "which methods are as good as each other over the tasks",
        has_region=True,
        adjusts=True,
    ),
    "hierarchy": Question(
        "Better on the next one?",
        "Bayesian hierarchical comparison: better, practically the same, or worse on the next task",
        needs_archive=True,
        has_region=True,
        is_slow=True,
    ),
    "regret": Question(
        "How near to the best?", "on which share of the tasks each method is near the best", regret
    ),
    "strengths": Question(
        "How strong in duels?", "strengths in duels (Bradley and Terry)", strengths, is_slow=True
    ),
    "iqm": Question(
        "The middle half", "means of the middle half of the losses", needs_archive=True, over_units=False
    ),
    "improvement": Question(
        "Who wins a training set?",
        "how probably one method beats another after a training set",
        needs_archive=True,
        over_units=False,
    ),
    "front": Question("Worth its cost?", "which methods are worth their cost", needs_archive=True),
    "best": Question(
        "", "on each task: which methods may be the best", needs_archive=True, of_single_tasks=True
    ),
    "same": Question(
        "",
        "on each task: which methods are as good as each other",
        needs_archive=True,
        of_single_tasks=True,
        has_region=True,
        adjusts=True,
    ),
}
"""By the words of `delve rank --show`."""
