"""What the figures of the Task-arrays page draw: numbers, looks and words, row by row."""

import textwrap
from collections.abc import Sequence

import pandas as pd

from dashboard.frame import theme, words
from dashboard.server import archive as opened
from dashboard.task_arrays import data as array_data
from dashboard.task_arrays.choice import MOST_COLOURED
from dashboard.task_arrays.figures.panels import ABSENT, EMPTY, PanelGrid, panel_grid
from delvecore.statistics.arrays.estimates import HIGHER, LOWER
from delvecore.statistics.arrays.results import LEFT_OUT, NO_MEMBER, NO_SIZE, NO_TASK

__all__ = ["curve_table", "difference_table", "grid_of", "looks", "loss_title", "row_names", "winner_table"]

HOLES = {NO_MEMBER: ABSENT, NO_TASK: "no such task here", NO_SIZE: "no such size"}
"""Why a cell of the grid is no task, in a few words."""
DASHES = ("6px,2px", "3px,2px", "8px,2px,2px,2px")


def grid_of(state: str, array: str) -> PanelGrid:
    """The panels of an array."""
    found = array_data.array_of(state, array)
    factors = [
        [(level.name, array_data.level_words(found, number, level.name)) for level in factor.levels]
        for number, factor in enumerate(found.factors)
    ]
    return panel_grid(factors, frozenset(member.levels for member in found.members))


def looks(state: str, methods: Sequence[str], *, every: bool = False) -> dict[str, dict[str, str]]:
    """Return colour, symbol, dash and drawn (`colour` or `grey`: beyond eight) of methods, best first.

    every: colour all of them, where each stands for itself and nothing is lost in a crowd.
    """
    styles = opened.method_styles(state)
    return {
        name: {
            "colour": styles[name].colour,
            "symbol": styles[name].symbol,
            "dash": _dash(styles[name]),
            "drawn": "colour" if every or number < MOST_COLOURED else "grey",
        }
        for number, name in enumerate(methods)
    }


def _dash(style):
    """Lines of methods that share a colour differ: the markers tell which of them came first."""
    turn = (theme.SYMBOLS.index(style.symbol) - theme.COLOURS.index(style.colour)) % len(theme.SYMBOLS)
    return "solid" if turn == 0 else DASHES[turn % len(DASHES)]


def loss_title(loss: str) -> str:
    """Return what stands above figures whose vertical axis is the loss; an arrow points to the better end."""
    return words.loss_axis(loss, standardized=True).replace("← better   ", "↓ better   ")


def _against(row):
    """`0.12 ± 0.01 less than lin-1, p = 0.003`."""
    if row["method"] == row["reference"]:
        return "the reference"
    if row["difference"] is None:
        return f"not comparable with {words.plot_text(row['reference'])}"
    direction = "less" if row["difference"] < 0 else "more"
    size = words.with_error(abs(row["difference"]), row["difference_error"])
    p = words.p_value(row["p"]).replace("<", "&lt;")
    return f"{size} {direction} than {words.plot_text(row['reference'])}, {p}"


def _hover(array, row):
    where = words.plot_text(array_data.cell_words(array, row), longest=160)
    name = words.plot_text(row["method"])
    if row["standardized_mean"] is None:
        return f"<b>{name}</b>: {row['missing']}<br>{where}"
    shown = words.with_error(row["standardized_mean"], row["standardized_error"])
    instances = words.count(row["instances"], "training set")
    return f"<b>{name}</b> {shown}, {instances}<br>{_against(row)}<br>{where}<br>Click to compare"


@opened.cached
def curve_table(
    state: str, array: str, loss: str, methods: tuple[str, ...], reference: str, scale: str
) -> pd.DataFrame:
    """Every method on every task of an array, as `curves_figure` wants it."""
    found, shown = array_data.array_of(state, array), looks(state, methods)
    rows = []
    for row in array_data.estimates(state, array, loss, methods, reference).to_pylist():
        if row["method"] in shown and row["missing"] not in LEFT_OUT:
            rows.append(
                {
                    "levels": tuple(row["levels"]),
                    "training_size": row["training_size"],
                    "method": row["method"],
                    "loss": row["standardized_mean"],
                    "error": row["standardized_error"],
                    "task": array_data.task_of(row),
                    "hover": _hover(found, row),
                    **shown[row["method"]],
                }
            )
    table = pd.DataFrame(rows)
    for name in ("loss", "error"):
        table[name] = table[name].astype(float)
    known = words.loss_words(loss)
    table.attrs.update(
        grid=grid_of(state, array),
        sizes=tuple(sorted({row["training_size"] for row in rows})),
        scale=scale,
        axis=loss_title(loss),
        baseline=known.baseline_value if known else None,
        baseline_text=known.baseline if known else None,
    )
    return table


def row_names(state: str, array: str) -> dict[tuple[str, ...], str]:
    """Return the combinations of levels of an array's grid, in words, in their order. Not escaped."""
    found = array_data.array_of(state, array)
    return {
        cell.levels: ", ".join(
            array_data.level_words(found, number, level) for number, level in enumerate(cell.levels)
        )
        for cell in array_data.cells(state, array)
    }


def _sizes(state, array):
    return tuple(sorted({cell.training_size for cell in array_data.cells(state, array)}))


def _p_list(names, p_values):
    shown = [
        f"{words.plot_text(name)} ({words.p_value(p).replace('<', '&lt;')})"
        for name, p in zip(names, p_values, strict=True)
    ]
    return ", ".join(shown)


def _winner_hover(array, row):
    where = words.plot_text(array_data.cell_words(array, row), longest=160)
    shown = words.with_error(row["standardized_mean"], row["standardized_error"])
    lines = [where, f"<b>{words.plot_text(row['best'])}</b> is best: {shown}"]
    if row["not_worse"]:
        lines.append(f"not significantly worse: {_p_list(row['not_worse'], row['not_worse_p'])}")
    if row["worse"]:
        lines.append(f"significantly worse: {_p_list(row['worse'], row['worse_p'])}")
    if row["untested"]:
        lines.append(f"not tested: {', '.join(map(words.plot_text, row['untested']))}")
    return "<br>".join(textwrap.fill(line, 90).replace("\n", "<br>") for line in [*lines, "Click to compare"])


@opened.cached
def winner_table(
    state: str, array: str, loss: str, methods: tuple[str, ...], level: float, adjust: bool
) -> pd.DataFrame:
    """The best method on every cell of an array's grid, as `winners_figure` wants it."""
    found, names, sizes = array_data.array_of(state, array), row_names(state, array), _sizes(state, array)
    places = {levels: number for number, levels in enumerate(names)}
    rows = [
        {
            "best": row["best"],
            "task": array_data.task_of(row),
            "missing": None if row["best"] else HOLES.get(row["note"], EMPTY),
            "row": places[tuple(row["levels"])],
            "column": sizes.index(row["training_size"]),
            "others": tuple(row["not_worse"]),
            "hover": _winner_hover(found, row) if row["best"] else "",
        }
        for row in array_data.winners(state, array, loss, methods, level, adjust).to_pylist()
    ]
    table = pd.DataFrame(rows)
    table["best"] = table["best"].astype(object).where(table["best"].notna(), None)
    table.attrs.update(rows=tuple(names.values()), sizes=sizes, looks=looks(state, methods, every=True))
    return table


def _verdict(row):
    if row["standing"] == LOWER:
        return "better"
    return "worse" if row["standing"] == HIGHER else row["standing"]


def _difference_hover(array, row):
    where = words.plot_text(array_data.cell_words(array, row), longest=160)
    name = words.plot_text(row["method"])
    if row["difference"] is None:
        return f"<b>{name}</b><br>{words.plot_text(row['note'] or EMPTY)}<br>{where}"
    adjusted = "" if row["p_adjusted"] is None else f", after Holm {words.p_value(row['p_adjusted'])}"
    test = f"{row['standing']}{adjusted}".replace("<", "&lt;")
    return f"<b>{name}</b> loses {_against(row)}<br>{test}<br>{where}<br>Click to compare"


@opened.cached
def difference_table(
    state: str,
    array: str,
    loss: str,
    methods: tuple[str, ...],
    reference: str,
    level: float,
    adjust: bool,
) -> pd.DataFrame:
    """Each method less the reference on every task of an array, as `differences_map_figure` wants it."""
    found = array_data.array_of(state, array)
    rows = [
        {
            "levels": tuple(row["levels"]),
            "training_size": row["training_size"],
            "method": row["method"],
            "difference": row["difference"],
            "verdict": _verdict(row),
            "task": array_data.task_of(row),
            "hover": _difference_hover(found, row),
        }
        for row in array_data.differences(state, array, loss, methods, reference, level, adjust).to_pylist()
        if row["note"] not in HOLES and row["method"] != reference
    ]
    columns = ("levels", "training_size", "method", "difference", "verdict", "task", "hover")
    table = pd.DataFrame(rows, columns=columns).astype({"difference": float})
    name = words.loss_axis(loss, standardized=True).removeprefix("← better   ")
    table.attrs.update(
        grid=grid_of(state, array),
        sizes=_sizes(state, array),
        methods=tuple(method for method in methods if method != reference),
        title=f"{name} less that of {words.plot_text(reference, longest=20)}",
    )
    return table
