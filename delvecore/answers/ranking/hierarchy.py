"""Bayesian hierarchical comparison of all pairs of methods."""

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
from delvecore.render.numbers import counted, parameter, percent, posterior_text
from delvecore.stats.choose import Verdict


@question(
    "hierarchy",
    order=90,
    title="Better on the next one?",
    meaning="Bayesian hierarchical comparison: better, practically the same, or worse on the next task",
    needs=("training sets",),
    has_region=True,
    is_slow=True,
)
def hierarchical_comparison(request: QuestionRequest) -> Answer:
    """Probability that a method is better on the next unit, or practically equivalent."""
    import numpy as np

    from delvecore.report import words
    from delvecore.report.ranking.sentences import units_name
    from delvecore.stats.orientation import oriented, oriented_interval
    from delvecore.stats.ranking.bayesian_hierarchical import (
        LEAST_TASKS,
        hierarchical_pairs,
        tasks_with_errors,
    )

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
        f"most likely the better one by more than {parameter(region)} on another one ({reached})."
    )
    notes: tuple[str, ...] = (
        "Bayesian hierarchical comparison. P(a better): probability that the expected "
        f"{words.unit_words(measure)} of a on another one of the {unit} is {better} than b's by more than "
        f"{parameter(region)}. P(same), P(b better): practically the same, or {worse}. Most likely is "
        "another quantity: the posterior probability that this outcome is the most likely of the three. The "
        "standard error of a difference determines its weight and allows for shared training sets. "
        f"Better, worse: the posterior probability of being the most likely outcome is at least "
        f"{parameter(needed)}. "
        "Not adjusted for the number of pairs. Which methods are as good as each other is tested by "
        "`equivalence`.",
    )
    if np.isnan(typical.estimate).any():
        notes += (
            f"Not tested: pairs with fewer than {LEAST_TASKS} {unit} that have a standard error. "
            "Differences that do not vary have none.",
        )
    numbers = (
        oriented(typical.estimate, measure),
        *oriented_interval(typical.lower, typical.upper, measure),
    )
    mean = interval_columns("mean", "typical difference", "number", *numbers, level=percent(level), ends="")
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
        (*pair_names(request.analysis.table.methods), count, *chances[:3], *mean, *chances[3:], verdict)
    )
    figure = interval_figure(mean, PAIR, "typical difference (first minus second)", lines=(-region, region))
    return Answer("hierarchy", sentence, table, notes, figure)
