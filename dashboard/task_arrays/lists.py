"""What a telephone lists of a task-array instead of figures; the first lines are alternative texts."""

from math import isnan
from statistics import fmean

from dashboard.task_arrays import data as array_data
from dashboard.task_arrays import tables
from dashboard.task_arrays.choice import Request
from dashboard.ui.blocks import Dot, DotList
from delvecore.plots import theme
from delvecore.plots.task_arrays import plot_data
from delvecore.render.spans import plain
from delvecore.report import words
from delvecore.stats.orientation import oriented


def best(request: Request) -> DotList:
    """The best method of each member, with its value at the largest training sets."""
    looks, names = tables.looks(request, every=True), tables.member_names(request)
    size = tables.sizes_of(request)[-1]
    dots = [
        Dot(
            name=names[tuple(row["levels"])],
            value=row["standardized_mean"],
            text=f"{row['best']} {words.with_error(row['standardized_mean'], row['standardized_error'])}",
            colour=looks[row["best"]].colour,
        )
        for row in array_data.winners(request).to_pylist()
        if row["training_size"] == size and row["best"]
    ]
    best_one = plot_data.best_words(request.measure)
    return DotList(f"The {plain(best_one)} with {words.count(size, 'training case')}.", dots)


def firsts(request: Request) -> DotList:
    """On how many tasks has each method the best value?"""
    looks = tables.looks(request, every=True)
    found = plot_data.records(array_data.winners(request).to_pylist(), request.methods)
    dots = [
        Dot(one.method, one.first, f"{one.first} of {one.tasks}", looks[one.method].colour) for one in found
    ]
    return DotList(
        f"Tasks on which each method has the {plain(plot_data.best_words(request.measure))}.", dots
    )


def regrets(request: Request) -> DotList:
    """How far is one method ahead of the best other one at the largest training sets, or behind it?"""
    drawn, looks = tables.regrets(request), tables.looks(request, every=True)
    last, own = len(drawn.sizes) - 1, request.reference
    known = [cell for cell in drawn.cells if cell.column == last and cell.missing is None]
    dots = [
        Dot(
            name=drawn.rows[cell.row],
            value=difference,
            text=f"{words.with_error(difference, cell.error)} {cell.sign}".rstrip(),
            colour=looks[own if cell.behind < 0 else cell.other].colour,
        )
        for cell, difference in ((cell, oriented(cell.behind, request.measure)) for cell in known)
    ]
    size = words.count(drawn.sizes[last], "training case")
    of = "Loss" if request.measure.is_loss else request.measure.title
    return DotList(f"{of} of {own} less that of the best other method, with {size}.", dots)


def differences(request: Request) -> DotList:
    """The mean difference of each method from the reference, and on how many tasks it is significant."""
    looks, dots = tables.looks(request, every=True), []
    verdict_signs = plot_data.verdict_signs(request.measure)
    rows = [row for row in array_data.differences(request).to_pylist() if row["difference"] is not None]
    for method in request.methods:
        own = [row for row in rows if row["method"] == method != request.reference]
        if own:
            mean = fmean(row["difference"] for row in own)
            signs = [verdict_signs.get(row["verdict"]) for row in own]
            lower, higher = (signs.count(sign) for sign in (plot_data.LOWER, plot_data.HIGHER))
            text = f"{words.number(mean, digits=2)}, ▼ {lower} ▲ {higher} of {len(own)}"
            dots.append(Dot(method, mean, text, looks[method].colour))
    about = f"Mean difference from {request.reference}; tasks with significantly lower ▼ and "
    about += f"higher ▲ {request.measure.noun}."
    return DotList(about, dots)


def effects(request: Request) -> DotList:
    """The effects on the values of one method, the largest first, with their intervals."""
    drawn, dots = tables.effects(request), []
    for row in drawn.rows:
        value, lower, upper = (words.number(one, digits=2) for one in row.effect[:3])
        text = f"{'× ' * drawn.is_factor}{value} [{lower}, {upper}]"
        dots.append(Dot(row.label, row.effect.value, text, drawn.look.colour))
    return DotList(f"Effects with {words.level(request.setting.level)} intervals.", dots)


def effects_map(request: Request) -> DotList:
    """For how many methods is each effect significant?"""
    drawn, dots = tables.effects_map(request), []
    for place, label in enumerate(drawn.labels):
        found = [cell.effect for cell in drawn.cells if cell.row == place]
        number = sum(effect.significant for effect in found)
        dots.append(Dot(label, number, f"{number} of {len(found)}", theme.GREY))
    methods = words.and_list(list(drawn.methods))
    return DotList(f"For how many of {methods} an effect is significant.", dots)


def slopes(request: Request) -> DotList:
    """The mean slope of each method's learning curves, with the least and the greatest."""
    drawn, dots = tables.slopes(request), []
    for method in drawn.methods:
        marks = [mark for mark in drawn.marks if mark.method == method and not isnan(mark.slope.value)]
        if marks:
            found = [mark.slope.value for mark in marks]
            mean, low, high = (words.number(one, digits=2) for one in (fmean(found), min(found), max(found)))
            dots.append(
                Dot(method, fmean(found), f"{mean} [{low}, {high}]{drawn.suffix}", marks[0].look.colour)
            )
    return DotList("Change with each doubling of the training cases, mean [least, greatest].", dots)


def costs(request: Request) -> DotList:
    """Mean and seconds of each method at the largest training sets."""
    dots = []
    for path in tables.costs(request).paths:
        last = path.points[-1]
        value, seconds = (words.number(one, digits=2, zeros=True) for one in (last.value, last.seconds))
        dots.append(Dot(path.method, last.value, f"{value}, {seconds} s", path.look.colour))
    return DotList(f"Mean {request.measure.noun} (the dot) and seconds with the largest training sets.", dots)
