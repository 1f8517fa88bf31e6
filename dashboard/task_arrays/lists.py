"""Lists that replace the figures of a task-array on a phone. Their first lines are alternative texts."""

from statistics import fmean

from dashboard.task_arrays import data as array_data
from dashboard.ui.blocks import dot_list
from dashboard.ui.request import Request
from delvecore.answers.answer import Answer
from delvecore.answers.task_array_sentences import best_words, member_words, records, with_winners
from delvecore.plots import theme
from delvecore.plots.task_arrays import effects as effects_figures
from delvecore.plots.task_arrays.costs import cost_means
from delvecore.plots.task_arrays.panels import SIGNS
from delvecore.render.spans import plain
from delvecore.render.verdicts import BETTER
from delvecore.report import words
from delvecore.stats.orientation import oriented
from delvecore.tables import rows_of, values_of


def best(request: Request) -> Answer:
    """List the best method of each member, with its value at the largest training sets."""
    looks, table = array_data.looks(request), array_data.table("winners", request)
    largest = max(values_of(table, "training_size"))
    names = ("training_size", "levels", "best", "standardized_mean", "standardized_error")
    dots = [
        (
            member_words(request.task_array, levels),
            mean,
            f"{name} {words.with_error(mean, error)}",
            looks[name].color,
        )
        for size, levels, name, mean, error in rows_of(with_winners(table), names)
        if size == largest
    ]
    best_one = best_words(request.measure)
    return dot_list(f"The {plain(best_one)} with {words.count(largest, 'training case')}.", dots)


def of_member(request: Request) -> Answer:
    """List the values of the methods on the displayed member, at its largest training sets."""
    looks, table = array_data.looks(request), array_data.table("estimates", request)
    names = ("training_size", "levels", "method", "standardized_mean", "standardized_error")
    here = [
        (size, method, mean, error)
        for size, levels, method, mean, error in rows_of(table, names)
        if tuple(levels) == request.member and method in looks and mean is not None
    ]
    largest = max((size for size, *_ in here), default=0)
    dots = [
        (method, mean, words.with_error(mean, error), looks[method].color)
        for size, method, mean, error in here
        if size == largest
    ]
    what = "Losses" if request.measure.is_loss else request.measure.title
    return dot_list(f"{what} with {words.count(largest, 'training case')}.", dots)


def firsts(request: Request) -> Answer:
    """Count the tasks on which each method has the best value."""
    looks = array_data.looks(request)
    dots = [
        (name, first, f"{first} of {tasks}", looks[name].color)
        for name, first, _, tasks in records(array_data.table("winners", request), request.methods).rows
    ]
    return dot_list(f"Tasks on which each method has the {plain(best_words(request.measure))}.", dots)


def regrets(request: Request) -> Answer:
    """List the lead or deficit of a method against the best other method at the largest training sets."""
    looks, table = array_data.looks(request), array_data.table("regrets", request)
    dots = []
    largest = max(values_of(table, "training_size"), default=0)
    names = ("training_size", "levels", "method", "other", "difference", "difference_error", "verdict")
    for size, levels, method, other, value, error, verdict in rows_of(table, names):
        if size == largest and value is not None:
            look = looks[method if oriented(value, request.measure) < 0 else other]
            text = f"{words.with_error(value, error)}{f', {verdict}' if verdict in SIGNS else ''}"
            dots.append((member_words(request.task_array, levels), value, text, look.color))
    of = "Loss" if request.measure.is_loss else request.measure.title
    about = f"{of} of {request.reference} minus that of the best other method"
    return dot_list(f"{about}, with {words.count(largest, 'training case')}.", dots)


def differences(request: Request) -> Answer:
    """List the mean difference of each method from the reference, and the number of significant tasks."""
    looks, dots = array_data.looks(request), []
    names = ("method", "difference", "verdict")
    rows = list(rows_of(array_data.table("differences", request), names))
    for method in request.methods:
        part = [one for one in rows if one[0] == method != request.reference and one[1] is not None]
        if part:
            verdicts = [verdict for _, _, verdict in part]
            counts = ", ".join(f"{sign} {verdicts.count(verdict)}" for verdict, sign in SIGNS.items())
            mean = fmean(difference for _, difference, _ in part)
            text = f"{words.number(mean, digits=2)}, {counts} of {len(part)}"
            dots.append((method, mean, text, looks[method].color))
    better, worse = SIGNS.values()
    about = f"Mean difference from {request.reference}; tasks on which it is {BETTER} ({better})"
    return dot_list(f"{about} or worse ({worse}).", dots)


def effects(request: Request) -> Answer:
    """List the effects on the values of one method with their intervals, largest first."""
    looks, array_table, dots = array_data.looks(request), array_data.answer("effects", request).figure, []
    table = effects_figures.largest_first(effects_figures.effects_of(array_table))
    for method, label, *ends in table.select("method", "label", "value", "lower", "upper").rows:
        value, lower, upper = (words.number(end, digits=2) for end in ends)
        text = f"{'× ' * effects_figures.is_log(array_table.table)}{value} [{lower}, {upper}]"
        dots.append((label, ends[0], text, looks[method].color))
    return dot_list(f"Effects with {words.level(request.setting.level)} intervals.", dots)


def effects_map(request: Request) -> Answer:
    """Count the methods for which each effect is significant."""
    dots, array_table = [], array_data.answer("effects", request).figure
    for group in effects_figures.like_effects(array_table, array_data.looks(request)):
        number = sum(group["significant"])
        dots.append((group["label"][0], number, f"{number} of {len(group)}", theme.GRAY))
    methods = words.and_list(list(request.colored))
    return dot_list(f"Number of methods, out of {methods}, for which an effect is significant.", dots)


def slopes(request: Request) -> Answer:
    """List the mean slope of each method's learning curves, with the smallest and the largest."""
    looks, array_table, dots = array_data.looks(request), array_data.answer("slopes", request).figure, []
    marks = effects_figures.slopes_of(array_table).select("method", "value").rows
    for method in request.methods:
        values = [value for name, value in marks if name == method]
        if values:
            numbers = (fmean(values), min(values), max(values))
            mean, low, high = (words.number(one, digits=2) for one in numbers)
            text = f"{mean} [{low}, {high}]{' %' * effects_figures.is_log(array_table.table)}"
            dots.append((method, numbers[0], text, looks[method].color))
    return dot_list("Change with each doubling of the training cases: mean [smallest, largest].", dots)


def costs(request: Request) -> Answer:
    """List the mean and the computing time of each method at the largest training sets."""
    looks, means = array_data.looks(request), cost_means(array_data.table("costs", request), request.methods)
    columns = means.select("method", "mean", "seconds").rows
    largest = {method: (mean, seconds) for method, mean, seconds in columns}
    dots = []
    for method, numbers in largest.items():
        mean, seconds = (words.number(one, digits=2, zeros=True) for one in numbers)
        dots.append((method, numbers[0], f"{mean}, {seconds} s", looks[method].color))
    return dot_list(
        f"Mean {request.measure.noun} (dot) and computing time in seconds with the largest training sets.",
        dots,
    )
