"""Questions about other training sets of the same tasks."""

from typing import TYPE_CHECKING

from delvecore.answers.answer import (
    PAIR,
    Answer,
    Table,
    by_method,
    interval_columns,
    interval_figure,
    pair_names,
)
from delvecore.answers.question import QuestionRequest, question
from delvecore.errors import DelveError
from delvecore.render.numbers import counted, percent, significant
from delvecore.render.spans import as_name
from delvecore.render.text import and_list

if TYPE_CHECKING:
    from delvecore.stats.array_types import Floats

THESE_TASKS = "Intervals are for other training sets of these tasks, not for other tasks."


@question(
    "iqm",
    order=120,
    title="The middle half",
    meaning="means of the middle half of the losses",
    needs=("training sets",),
    over_units=False,
)
def interquartile_means(request: QuestionRequest) -> Answer:
    """Interquartile mean of the results, with intervals for other training sets of these tasks."""
    import numpy as np

    from delvecore.report import words
    from delvecore.stats.orientation import oriented, oriented_interval
    from delvecore.stats.ranking.interquartile_mean import interquartile_mean

    losses, inflations = _training_sets(request)
    iqms = interquartile_mean(losses, inflations=inflations, level=request.setting.level)
    measure, methods, tasks = request.measure, request.analysis.table.methods, counted(len(losses), "task")
    order = np.argsort(iqms.estimate, kind="stable")
    ends = oriented_interval(iqms.lower, iqms.upper, measure)
    confidence, iqm = percent(request.setting.level), oriented(iqms.estimate, measure)
    means = interval_columns("iqm", "middle half", "number", iqm, *ends, level=confidence)
    values = "losses" if measure.is_loss else f"values of {as_name(measure.title)}"
    best = as_name(methods[order[0]])
    sentence = (
        f"{best} has the {words.best_end(measure)} mean of the middle half of its {values} "
        f"on {tasks}: {significant(iqm[order[0]])}."
    )
    about = f"Training sets are resampled within each of {tasks}, with replacement. {THESE_TASKS}"
    if max(inflations) > 1:
        about += " Fewer overlapping training sets are drawn, because they vary together."
    if fixed := [methods[place] for place in order if np.isnan(ends[0][place])]:
        named = and_list([*map(as_name, fixed)])
        about += f" No interval for {named}: results do not vary between training sets."
    half = (
        f"Mean of the {words.unit_words(measure, plural=True)} between their quartiles, over all training "
        "sets of all tasks."
    )
    axis = words.better_side("mean of the middle half", higher=measure.higher_is_better)
    table = by_method(methods, *means, order=order.tolist())
    return Answer("iqm", sentence, table, (half, about), interval_figure(means, ("method",), axis))


@question(
    "improvement",
    order=130,
    title="Who wins a training set?",
    meaning="probability that one method beats another after training",
    needs=("training sets",),
    over_units=False,
)
def improvement(request: QuestionRequest) -> Answer:
    """Who wins with other training sets of these tasks?"""
    from delvecore.stats.ranking.interquartile_mean import probability_of_improvement

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
    chances = interval_columns("improvement", "P(a wins)", "share", *numbers, level=level)
    value = "loss" if measure.is_loss else measure.title
    wins = (
        f"Probability that a has a {'higher' if measure.higher_is_better else 'lower'} {value} than b with "
        "training sets of the same task; a tie counts one half."
    )
    counts = (
        f"Intervals are binomial, with one extra win and one extra defeat on each of {tasks}. {THESE_TASKS}"
    )
    if max(inflations) > 1:
        counts += " Overlapping training sets count less, because they vary together."
    figure = interval_figure(chances, PAIR, "probability that the first wins", lines=(0.5,))
    fields = (*pair_names(request.analysis.table.methods), *chances)
    return Answer("improvement", sentence, Table(fields), (wins, counts), figure)


def _training_sets(request: QuestionRequest) -> "tuple[list[Floats], list[float]]":
    """Return oriented losses and inflations: see `ArchiveData.training_sets`."""
    from delvecore.stats.orientation import oriented

    losses, inflations = request.archive.training_sets()
    if not losses:
        raise DelveError("expected tasks with two training sets, found none")
    return [oriented(one, request.measure) for one in losses], inflations
