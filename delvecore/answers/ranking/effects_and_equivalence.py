"""Effect sizes of pairs of methods, and tests of equivalence."""

from collections.abc import Sequence

from delvecore.answers.answer import (
    PAIR,
    Answer,
    Column,
    Table,
    interval_columns,
    interval_figure,
    pair_names,
)
from delvecore.answers.question import QuestionRequest, question
from delvecore.measures import Measure
from delvecore.render.numbers import counted, parameter, percent, significant
from delvecore.render.spans import as_name
from delvecore.render.text import and_list
from delvecore.stats.choose import DEFAULT_MARGIN, Verdict, adjustment_words, level_of

REGIONS = (DEFAULT_MARGIN, 0.002, 0.005, 0.02, 0.05, 0.1)
"""Half-widths of the region of practical equivalence that pages offer."""


def region_words(measure: Measure) -> str:
    """Explain a region of practical equivalence in the unit of a measure."""
    from delvecore.report.words import unit_words

    hundredth = "; 0.01 is a hundredth of the loss of predicting the mean" * measure.is_loss
    values = unit_words(measure, plural=True)
    return f"Differences of expected {values} up to this count as practically zero{hundredth}"


@question(
    "effects",
    order=50,
    title="How large?",
    meaning="standardized differences, rank-biserial correlations, Cliff's delta",
)
def effect_sizes(request: QuestionRequest) -> Answer:
    """How large are the differences, independent of their unit?"""
    import numpy as np

    from delvecore.stats.ranking.effects import cliff_delta, rank_biserial, standardized_difference
    from delvecore.stats.ranking.ranks import LEAST_UNITS

    analysis = request.analysis
    scan, methods = analysis.scan, analysis.table.methods
    d, cliff = standardized_difference(scan), cliff_delta(scan)
    largest = int(np.argmax(np.nan_to_num(np.abs(d.estimate))))
    a, b = pair_names(methods)
    sentence = f"No pair of methods has a standardized difference on {request.units}."
    if np.isfinite(d.estimate).any():
        sentence = (
            f"The largest standardized difference on {request.units} is "
            f"{significant(d.estimate[largest], 2)} "
            f"({significant(d.lower[largest], 2)} to {significant(d.upper[largest], 2)}), of "
            f"{as_name(a.values[largest])} "
            f"minus {as_name(b.values[largest])}."
        )
    standardized = interval_columns("standardized", "d", "number", d.estimate, d.lower, d.upper)
    biserial = Column("rank_biserial", "rank-biserial", "number", rank_biserial(scan))
    deltas = interval_columns("cliff", "Cliff's delta", "number", cliff.estimate, cliff.lower, cliff.upper)
    notes = (
        "Above 0, values of a are larger. d: mean over standard deviation of differences, corrected for "
        "small samples by Hedges' approximation J = 1 - 3 / (4 df - 1). Rank-biserial: difference of the "
        "rank sums "
        "of either sign over their sum. Cliff's delta: share of pairs of values in which a's is larger "
        "minus the share in which b's is. Intervals are not adjusted for the number of pairs.",
        *_without_variation(request, "No d"),
    )
    if len(analysis.units.tasks) < LEAST_UNITS:
        notes = (*notes, f"No d of {request.units}: it needs {LEAST_UNITS}.")
    figure = interval_figure(standardized, PAIR, "standardized difference (d)", lines=(0.0,))
    return Answer("effects", sentence, Table((a, b, *standardized, biserial, *deltas)), notes, figure)


@question(
    "equivalence",
    order=60,
    title="Who is as good as whom?",
    meaning="which methods are as good as each other over the tasks",
    has_region=True,
    adjusts=True,
)
def equivalence(request: QuestionRequest) -> Answer:
    """Which methods are as good as each other over the units?"""
    import numpy as np

    from delvecore.stats.orientation import oriented
    from delvecore.stats.p_adjustment import adjust
    from delvecore.stats.ranking.effects import two_one_sided_tests

    analysis, margin = request.analysis, request.margin
    scan, methods = analysis.scan, analysis.table.methods
    df = np.full(len(scan.mean), scan.tasks - 1.0)
    errors = scan.standard_error(analysis.test_share)
    interval, p = two_one_sided_tests(scan.mean, errors, df, margin=margin, alpha=analysis.alpha)
    adjusted = adjust(p, method=analysis.adjustment, untested=True)
    equivalent = adjusted < analysis.alpha
    a, b = pair_names(methods)
    better = oriented(scan.mean, analysis.table)
    different = adjust(analysis.t_tests.p, method=analysis.adjustment) < analysis.alpha
    verdicts = np.where(different, np.where(better < 0, "better", "worse"), "not significant")
    verdicts = np.where(equivalent, "as good as b", verdicts)
    verdicts = np.where(scan.constant, str(Verdict.NOT_TESTED), verdicts)
    named = [
        f"{as_name(a.values[pair])} and {as_name(b.values[pair])}"
        for pair in np.flatnonzero(equivalent).tolist()
    ]
    sentence = f"On {request.units} {_listed(named)} as good as each other, within {parameter(margin)}."
    numbers = (scan.mean, interval.lower, interval.upper)
    differences = interval_columns(
        "difference", "difference", "number", *numbers, level=percent(level_of(2 * analysis.alpha)), ends=""
    )
    fields = (
        *differences,
        Column("p_equivalence", "p", "p", p),
        Column("p_equivalence_adjusted", "adjusted", "p", adjusted),
        Column("verdict", "a is", "name", verdicts.tolist()),
    )
    notes = (
        f"Two one-sided t-tests over {request.units}: is the mean difference (a minus b) neither below "
        f"-{parameter(margin)} nor above {parameter(margin)}? p {adjustment_words(analysis.adjustment)}. "
        "A difference that is not significant does not make methods as good as each other.",
        *_without_variation(request, "No test and no interval"),
    )
    figure = interval_figure(differences, PAIR, "difference (first minus second)", lines=(-margin, margin))
    return Answer("equivalence", sentence, Table((a, b, *fields)), notes, figure)


def _without_variation(request: QuestionRequest, what: str, most: int = 4) -> tuple[str, ...]:
    """Name the pairs without a result: their differences are equal on all units."""
    import numpy as np

    scan, (a, b) = request.analysis.scan, pair_names(request.analysis.table.methods)
    pairs = np.flatnonzero(scan.constant).tolist()
    names = [f"{as_name(a.values[pair])} minus {as_name(b.values[pair])}" for pair in pairs[:most]]
    named = [f"{name} is {significant(scan.mean[pair], 6)}" for name, pair in zip(names, pairs, strict=False)]
    if len(pairs) > most:
        named.append(f"{counted(len(pairs) - most, 'more pair')} are alike")
    return (f"{what} if differences do not vary over {request.units}: {and_list(named)}.",) if pairs else ()


def _listed(names: Sequence[str], most: int = 4) -> str:
    if not names:
        return "no two methods are shown to be"
    more = f" and {len(names) - most} more pairs" if len(names) > most else ""
    return f"{'; '.join(names[:most])}{more} are"
