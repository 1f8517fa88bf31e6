"""What figures of a task-array draw, made of its tables; and its tasks in words, for all that shows them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import log2, nan
from typing import Any

from delvecore.losses.published import PUBLISHED_SIGN, PublishedValue
from delvecore.model import TaskArray
from delvecore.plots import theme
from delvecore.plots.task_arrays.curves import CrossingDot, Curve, CurvePoint, CurvesFigure
from delvecore.plots.task_arrays.panels import MOST_COLUMNS, Look, PanelGrid, panel_grid
from delvecore.report import words
from delvecore.stats.arrays.estimates import Crossing
from delvecore.stats.arrays.results import LEFT_OUT

Row = Mapping[str, Any]
"""A row of a table of a task-array, by column."""
DASHES = ("6px,2px", "3px,2px", "8px,2px,2px,2px")


def level_words(array: TaskArray, factor: int, level: str) -> str:
    """Return a level in words: its label, or `noise: low` where the array gives it none. Not escaped."""
    label = array.factors[factor].label(level)
    return label if label != level else f"{array.factors[factor].name}: {level}"


def member_words(array: TaskArray, levels: Sequence[str]) -> str:
    """`8 inputs, fairly linear, medium noise`. Not escaped."""
    return ", ".join(level_words(array, number, level) for number, level in enumerate(levels))


def cell_words(array: TaskArray, row: Row) -> str:
    """`8 inputs, fairly linear, medium noise, 256 training cases`. Not escaped."""
    return f"{member_words(array, row['levels'])}, {words.count(row['training_size'], 'training case')}"


def place_words(array: TaskArray, row: Row) -> str:
    """Return the words of a row's cell as Plotly shows them."""
    return words.plot_text(cell_words(array, row), longest=160)


def task_of(row: Row) -> str | None:
    """Return the full path of a row's task, None for a hole."""
    return words.task_path(row["dataset"], row["prototask"], row["task"]) if row["task"] else None


def grid_of(array: TaskArray, most_columns: int = MOST_COLUMNS) -> PanelGrid:
    """Return the panels of an array, at most so many beside each other where it has two factors or more."""
    factors = [
        [(level.name, level_words(array, number, level.name)) for level in factor.levels]
        for number, factor in enumerate(array.shown)
    ]
    return panel_grid(factors, frozenset(member.levels for member in array.members), most_columns)


def looks_of(methods: Sequence[str], *, known: Iterable[str], coloured: Collection[str]) -> dict[str, Look]:
    """Return how methods look beside all that are known; those that are not coloured are grey."""
    styles, found = theme.method_styles(known), {}
    for name in methods:
        colour, symbol = styles[name].colour, styles[name].symbol
        # Lines of methods that share a colour differ: the markers tell which of them came first.
        turn = (theme.SYMBOLS.index(symbol) - theme.COLOURS.index(colour)) % len(theme.SYMBOLS)
        dash = DASHES[turn % len(DASHES)] if turn else "solid"
        found[name] = Look(colour, symbol, dash, name not in coloured)
    return found


def loss_title(loss: str, arrow: str = "↓ better   ") -> str:
    """Return what stands above figures whose vertical axis is the loss; an arrow points to the better end."""
    return words.loss_axis(loss, standardized=True).replace("← better   ", arrow)


def number(value: float | None) -> float:
    """Return a value of a table, not a number where there is none."""
    return nan if value is None else value


def html_p(p: float | None) -> str:
    """Return a p-value in words for a hover text."""
    return words.p_value(p).replace("<", "&lt;")


def against_words(row: Row) -> str:
    """`0.12 ± 0.01 less than lin-1, p = 0.003`."""
    if row["method"] == row["reference"]:
        return "the reference"
    if row["difference"] is None:
        return f"not comparable with {words.plot_text(row['reference'])}"
    direction = "less" if row["difference"] < 0 else "more"
    size = words.with_error(abs(row["difference"]), row["difference_error"])
    return f"{size} {direction} than {words.plot_text(row['reference'])}, {html_p(row['p_adjusted'])}"


def _curve_hover(array: TaskArray, row: Row) -> str:
    where, name = place_words(array, row), words.plot_text(row["method"])
    if row["standardized_mean"] is None:
        return f"<b>{name}</b>: {row['missing']}<br>{where}"
    shown = words.with_error(row["standardized_mean"], row["standardized_error"])
    instances = words.count(row["instances"], "training set")
    return f"<b>{name}</b> {shown}, {instances}<br>{against_words(row)}<br>{where}"


def _published_point(array: TaskArray, grid: PanelGrid, row: Row, value: PublishedValue) -> CurvePoint:
    name, spread = words.plot_text(f"{value.method}{PUBLISHED_SIGN}"), value.deviation
    shown = words.number(value.mean) + (f" (SD {words.number(spread)})" if spread else "")
    origin = words.lines(f"published, not tested: {value.origin}", longest=60)
    hover = f"<b>{name}</b> {shown}<br>{origin}<br>{place_words(array, row)}"
    panel, size = grid.place(row["levels"]), row["training_size"]
    return CurvePoint(panel, size, value.mean, number(spread), hover=hover, task=task_of(row))


def curves_of(
    array: TaskArray,
    estimates: Iterable[Row],
    looks: Mapping[str, Look],
    *,
    loss: str,
    is_log: bool = False,
    hint: str = "",
    published: Sequence[tuple[Row, PublishedValue]] = (),
    crossings: Sequence[Crossing] = (),
    most_columns: int = MOST_COLUMNS,
) -> CurvesFigure:
    """Return the curves of the methods with a look on every task of the array.

    estimates: rows of `ARRAY_ESTIMATES`, against a reference; hint: said last where the mouse is; published:
    elsewhere, on the cell of a row, in the unit of the estimates; crossings: that get a dot; most_columns: of
    panels."""
    grid = grid_of(array, most_columns)
    points: dict[str, list[CurvePoint]] = {name: [] for name in looks}
    for row in estimates:
        if row["method"] in points and row["missing"] not in LEFT_OUT:
            loss_value, error = number(row["standardized_mean"]), number(row["standardized_error"])
            panel, task, hover = grid.place(row["levels"]), task_of(row), _curve_hover(array, row) + hint
            point = CurvePoint(panel, row["training_size"], loss_value, error, hover=hover, task=task)
            points[row["method"]].append(point)
    return CurvesFigure(
        curves=tuple(Curve(name, look, tuple(points[name])) for name, look in looks.items()),
        published=tuple(_published_point(array, grid, *one) for one in published),
        grid=grid,
        sizes=tuple(sorted({point.size for found in points.values() for point in found})),
        is_log=is_log,
        title=loss_title(loss),
        baseline=words.loss_baseline(loss),
        crossings=tuple(_crossing_dot(grid, one) for one in crossings),
    )


def _crossing_dot(grid: PanelGrid, one: Crossing) -> CrossingDot:
    ends = one.before.training_size, one.after.training_size
    low, high = (log2(max(size, 1)) for size in ends)
    name, other = words.plot_text(one.ahead), words.plot_text(one.behind)
    hover = f"<b>{name}</b> overtakes {other}<br>between {ends[0]:,} and {ends[1]:,} training cases"
    return CrossingDot(grid.place(one.before.levels), 2 ** (low + one.share * (high - low)), one.loss, hover)
