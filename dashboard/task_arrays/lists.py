"""What a telephone lists of a task-array instead of figures; the first lines are alternative texts."""

from math import isnan
from statistics import fmean

from dashboard.task_arrays import data as array_data
from dashboard.task_arrays.choice import Request
from dashboard.ui.blocks import Dot, DotList
from delvecore.answers.task_array_sentences import best_words, member_words, records
from delvecore.plots import theme
from delvecore.plots.task_arrays import effects as effects_figures
from delvecore.plots.task_arrays.panels import SIGNS
from delvecore.render.spans import plain
from delvecore.render.verdicts import BETTER
from delvecore.report import words
from delvecore.stats.orientation import oriented


def best(request: Request) -> DotList:
    """The best method of each member, with its value at the largest training sets."""
    looks, rows = array_data.scene(request).looks, array_data.rows("winners", request)
    size = max(row["training_size"] for row in rows)
    dots = [
        Dot(
            name=member_words(request.task_array, row["levels"]),
            value=row["standardized_mean"],
            text=f"{row['best']} {words.with_error(row['standardized_mean'], row['standardized_error'])}",
            colour=looks[row["best"]].colour,
        )
        for row in rows
        if row["training_size"] == size and row["best"]
    ]
    best_one = best_words(request.measure)
    return DotList(f"The {plain(best_one)} with {words.count(size, 'training case')}.", dots)


def of_member(request: Request) -> DotList:
    """Values of the methods on the member whose curves are drawn, at its largest training sets."""
    looks, rows = array_data.scene(request).looks, array_data.rows("estimates", request)
    here = [row for row in rows if tuple(row["levels"]) == request.member and row["method"] in looks]
    here = [row for row in here if row["standardized_mean"] is not None]
    size = max((row["training_size"] for row in here), default=0)
    dots = [
        Dot(
            name=row["method"],
            value=row["standardized_mean"],
            text=words.with_error(row["standardized_mean"], row["standardized_error"]),
            colour=looks[row["method"]].colour,
        )
        for row in here
        if row["training_size"] == size
    ]
    what = "Losses" if request.measure.is_loss else request.measure.title
    return DotList(f"{what} with {words.count(size, 'training case')}.", dots)


def firsts(request: Request) -> DotList:
    """On how many tasks has each method the best value?"""
    looks = array_data.scene(request).looks
    dots = [
        Dot(one.method, one.first, f"{one.first} of {one.tasks}", looks[one.method].colour)
        for one in records(array_data.rows("winners", request), request.methods)
    ]
    return DotList(f"Tasks on which each method has the {plain(best_words(request.measure))}.", dots)


def regrets(request: Request) -> DotList:
    """How far is one method ahead of the best other one at the largest training sets, or behind it?"""
    scene, rows = array_data.scene(request), array_data.rows("regrets", request)
    size, dots = max((row["training_size"] for row in rows), default=0), []
    for row in rows:
        if row["training_size"] == size and row["difference"] is not None:
            value = row["difference"]
            is_ahead = oriented(value, request.measure) < 0
            verdict = f", {row['verdict']}" if row["verdict"] in SIGNS else ""
            text = f"{words.with_error(value, row['difference_error'])}{verdict}"
            look = scene.looks[row["method"] if is_ahead else row["other"]]
            dots.append(Dot(member_words(request.task_array, row["levels"]), value, text, look.colour))
    of = "Loss" if request.measure.is_loss else request.measure.title
    about = f"{of} of {request.reference} less that of the best other method"
    return DotList(f"{about}, with {words.count(size, 'training case')}.", dots)


def differences(request: Request) -> DotList:
    """The mean difference of each method from the reference, and on how many tasks it is significant."""
    scene, dots = array_data.scene(request), []
    rows = [row for row in array_data.rows("differences", request) if row["difference"] is not None]
    for method in request.methods:
        part = [row for row in rows if row["method"] == method != request.reference]
        if part:
            mean = fmean(row["difference"] for row in part)
            verdicts = [row["verdict"] for row in part]
            counts = ", ".join(f"{sign} {verdicts.count(verdict)}" for verdict, sign in SIGNS.items())
            counts += f" of {len(part)}"
            text = f"{words.number(mean, digits=2)}, {counts}"
            dots.append(Dot(method, mean, text, scene.looks[method].colour))
    better, worse = SIGNS.values()
    about = f"Mean difference from {request.reference}; tasks on which it is {BETTER} ({better})"
    return DotList(f"{about} or worse ({worse}).", dots)


def effects(request: Request) -> DotList:
    """The effects on the values of one method, the largest first, with their intervals."""
    scene, table, dots = array_data.scene(request), array_data.answer("effects", request).figure, []
    for one in sorted(effects_figures.effects_of(table, scene), key=lambda one: -abs(one.size)):
        value, lower, upper = (words.number(end, digits=2) for end in one.estimate[:3])
        text = f"{'× ' * effects_figures.is_log(table)}{value} [{lower}, {upper}]"
        dots.append(Dot(one.label, one.estimate.value, text, scene.looks[one.method].colour))
    return DotList(f"Effects with {words.level(request.setting.level)} intervals.", dots)


def effects_map(request: Request) -> DotList:
    """For how many methods is each effect significant?"""
    dots, table = [], array_data.answer("effects", request).figure
    for group in effects_figures.like_effects(table, array_data.scene(request)):
        number = sum(one.estimate.significant for one in group)
        dots.append(Dot(group[0].label, number, f"{number} of {len(group)}", theme.GREY))
    methods = words.and_list(list(request.coloured))
    return DotList(f"For how many of {methods} an effect is significant.", dots)


def slopes(request: Request) -> DotList:
    """The mean slope of each method's learning curves, with the least and the greatest."""
    scene, table, dots = array_data.scene(request), array_data.answer("slopes", request).figure, []
    marks = [(row["method"], effects_figures.slope_of(row, scene).value) for row in table.to_pylist()]
    for method in request.methods:
        values = [value for name, value in marks if name == method and not isnan(value)]
        if values:
            numbers = (fmean(values), min(values), max(values))
            mean, low, high = (words.number(one, digits=2) for one in numbers)
            text = f"{mean} [{low}, {high}]{' %' * effects_figures.is_log(table)}"
            dots.append(Dot(method, numbers[0], text, scene.looks[method].colour))
    return DotList("Change with each doubling of the training cases, mean [least, greatest].", dots)


def costs(request: Request) -> DotList:
    """Mean and seconds of each method at the largest training sets."""
    dots = []
    for path in array_data.paths(request).paths:
        last = path.points[-1]
        value, seconds = (words.number(one, digits=2, zeros=True) for one in (last.value, last.seconds))
        dots.append(Dot(path.method, last.value, f"{value}, {seconds} s", path.look.colour))
    return DotList(f"Mean {request.measure.noun} (the dot) and seconds with the largest training sets.", dots)
