"""Strengths in duels, by the model of Bradley and Terry."""

from delvecore.answers.answer import Answer, Column, by_method, interval_columns, interval_figure
from delvecore.answers.question import QuestionRequest, question
from delvecore.render.numbers import percent, probability_text
from delvecore.render.spans import as_name
from delvecore.render.text import and_list


@question(
    "strengths",
    order=110,
    title="How strong in duels?",
    meaning="strengths in duels (Bradley and Terry)",
    is_slow=True,
)
def strengths(request: QuestionRequest) -> Answer:
    """What are each method's odds of winning?"""
    import numpy as np

    from delvecore.stats.ranking.bradley_terry import bradley_terry, winning_chances
    from delvecore.stats.ranking.ranks import LEAST_UNITS

    analysis = request.analysis
    level = 1 - analysis.alpha
    strong = bradley_terry(analysis.units.oriented, level=level)
    chances = winning_chances(strong.estimate)
    methods, order = analysis.table.methods, np.argsort(-strong.estimate, kind="stable")
    leaders = [methods[place] for place in order if strong.estimate[place] == strong.estimate[order[0]]]
    are, beat = ("is", "it beats") if len(leaders) == 1 else ("are", "each beats")
    sentence = (
        f"{and_list([*map(as_name, leaders)])} {are} the strongest in duels on {request.units}: "
        f"{beat} "
        f"another method with probability {probability_text(chances[order[0]])} on average."
    )
    numbers = (strong.estimate, strong.lower, strong.upper)
    strength = interval_columns("strength", "strength", "number", *numbers, level=percent(level), ends="")
    table = by_method(methods, *strength, Column("chance", "wins", "share", chances), order=order.tolist())
    notes = (
        "The model of Bradley and Terry: a beats b with odds exp(strength of a - strength of b). Ties are "
        "half a win for both. Every method gets an extra half win and half defeat, divided among the others. "
        "So a method that always wins has a strength and an interval, too.",
        f"Intervals are Student's, with the larger of two variances of wins: that between {request.units}, "
        "and that of the model.",
    )
    if len(analysis.units.tasks) < LEAST_UNITS:
        notes = (*notes[:1], f"No intervals: they need {LEAST_UNITS} units.")
    figure = interval_figure(strength, ("method",), "strength (logarithm of odds)   better →")
    return Answer("strengths", sentence, table, notes, figure)
