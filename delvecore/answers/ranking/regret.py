"""Performance profiles: how near each method is to the best."""

from itertools import chain

from delvecore.answers.answer import Answer, by_method, interval_columns, interval_figure
from delvecore.answers.question import QuestionRequest, question
from delvecore.render.numbers import integer, parameter, percent, percentage
from delvecore.render.spans import as_name

WITHIN = (0.0, 0.01, 0.05, 0.1)
"""Distances from the best at which a table shows a profile. The headline reports the last one."""
TOLD = 3


@question(
    "regret",
    order=100,
    title="How near to the best?",
    meaning="share of the tasks on which each method is near the best",
)
def regret(request: QuestionRequest) -> Answer:
    """On what share of the units is each method near the best?"""
    import numpy as np

    from delvecore.answers.leaderboard import within_words
    from delvecore.stats.ranking.performance_profiles import performance_profile, regrets_of

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
        f"{percentage(profile.estimate[first, TOLD])} of {request.units} ({ends}), "
        f"{'as often as the next' if is_shared else 'more often than any other method'}."
    )
    parts = (profile.estimate.T, profile.lower.T, profile.upper.T)
    shares = [
        interval_columns(f"within_{parameter(within)}", title if within else "best", "share", *values)
        for within, title, *values in zip(WITHIN, phrases, *parts, strict=True)
    ]
    notes = (
        f"Share of {request.units} on which a method's {as_name(analysis.table.quantity or 'value')} "
        f"is at "
        f"most this far from the best method's; {percent(level)} intervals of each share "
        "(Wilson). The distance from the best depends on the compared methods.",
    )
    figure = interval_figure(shares[TOLD], ("method",), f"{phrases[TOLD]} of the best   better →")
    return Answer(
        "regret", sentence, by_method(methods, *chain(*shares), order=order.tolist()), notes, figure
    )
