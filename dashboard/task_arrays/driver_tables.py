"""What the figures of effects, slopes and costs of the Task-arrays page draw, row by row."""

from collections.abc import Mapping, Sequence
from math import exp, log

import pandas as pd

from dashboard.frame import words
from dashboard.server import archive as opened
from dashboard.task_arrays import data as array_data
from dashboard.task_arrays.tables import grid_of, looks, loss_title
from delvecore.model import TaskArray
from delvecore.statistics.arrays.effects import LEVEL, LINEAR, LOG, TERM, TRAINING_SIZE
from delvecore.statistics.choose import is_settled

__all__ = ["cost_table", "effect_map_table", "effect_notes", "effect_table", "slope_table"]

NOT_ESTIMABLE = "not estimable"

EFFECT_COLUMNS = ("label", "method", "value", "lower", "upper", "text", "settled", "hover", "size")
SLOPE_COLUMNS = ("levels", "method", "value", "lower", "upper", "settled", "hover", "colour", "symbol")
COST_COLUMNS = ("method", "training_size", "seconds", "loss", "hover", "colour", "symbol", "dash", "drawn")


def effect_label(array: TaskArray, row: Mapping) -> str:
    """`medium noise → high noise`, `training cases: 64 → 1024`, `inputs × noise`. Not escaped."""
    if len(row["factors"]) > 1:
        return " × ".join(row["factors"])
    name = row["factors"][0]
    if name == TRAINING_SIZE:
        first, last = (row["contrast"] or "").removeprefix("from ").split(" to ")
        return f"{first} → {last} training cases"
    number = [factor.name for factor in array.factors].index(name)
    if row["kind"] == LEVEL:
        level = row["contrast"].removesuffix(" less the average of all")
        return f"{array_data.level_words(array, number, level)}, against the average"
    first, last = (array.factors[number].levels[place].name for place in (0, -1))
    return " → ".join(array_data.level_words(array, number, level) for level in (first, last))


def _effect_rows(state, array, loss, methods, level):
    """Return the contrasts of these methods, as dictionaries, with shares of their terms."""
    found = array_data.array_of(state, array)
    rows, shares = array_data.effects(state, array, loss, methods, level).to_pylist(), {}
    for row in rows:
        if row["kind"] == TERM:
            shares[row["method"], row["term"]] = row["share"]
    contrasts = [row for row in rows if row["kind"] in (TERM, LINEAR, LEVEL) and row["effect"] is not None]
    return [_effect_row(found, row, shares.get((row["method"], row["term"])), level) for row in contrasts]


def _effect_row(array, row, share, level):
    is_log = row["scale"] == LOG
    value, lower, upper = (
        float("nan") if row[name] is None else exp(row[name]) if is_log else row[name]
        for name in ("effect", "lower", "upper")
    )
    settled = is_settled(row["p"], level=level)
    label = effect_label(array, row)
    times = "× " if is_log else ""
    interval = f"{times}{words.number(lower, digits=3)} to {times}{words.number(upper, digits=3)}"
    verdict = "significant" if settled else "not significant"
    p = words.p_value(row["p"]).replace("<", "&lt;")
    hover = (
        f"<b>{words.plot_text(row['method'])}</b>: {words.plot_text(label)}<br>"
        f"{times}{words.number(value, digits=3)}, {100 * level:g} % interval {interval}<br>{p}, {verdict}"
    )
    text = "" if share is None else f"{100 * share:.0f} %" if share >= 0.01 else "< 1 %"
    columns = (
        label,
        row["method"],
        value,
        lower,
        upper,
        text.replace("<", "&lt;"),
        settled,
        hover,
        abs(row["effect"]),
    )
    return dict(zip(EFFECT_COLUMNS, columns, strict=True))


def _about_effects(table, is_log):
    table.attrs.update(
        neutral=1 if is_log else 0,
        axis="← lowers the loss    what the loss is multiplied with    raises it →"
        if is_log
        else "← lowers the loss    difference of the standardized loss    raises it →",
    )
    return table


@opened.cached
def effect_table(state: str, array: str, loss: str, method: str, level: float) -> pd.DataFrame:
    """The effects on one method's loss, the largest first, as `effects_figure` wants them."""
    rows = _effect_rows(state, array, loss, (method,), level)
    table = pd.DataFrame(sorted(rows, key=lambda row: -row["size"]), columns=EFFECT_COLUMNS)
    look = looks(state, (method,))[method]
    table.attrs.update(colour=look["colour"], symbol=look["symbol"])
    return _about_effects(table, _is_log(state, array, loss, method, level))


def effect_notes(rows: Sequence[Mapping]) -> list[str]:
    """Say in sentences what the effects of a method lack; rows: of `ARRAY_EFFECTS`. Markdown."""
    notes, unknown = [], []
    for row in rows:
        if (row["note"] or "").startswith(NOT_ESTIMABLE):
            unknown += [" × ".join(row["factors"])] if row["kind"] == TERM else []
        elif row["note"]:
            notes.append(f"{words.escape(row['note'][0].upper() + row['note'][1:])}.")
    if unknown:
        listed = words.and_list([words.escape(term) for term in unknown])
        notes.append(f"Too few tasks have results to tell these effects from each other: {listed}.")
    return list(dict.fromkeys(notes))


def _is_log(state, array, loss, method, level):
    return array_data.effects(state, array, loss, (method,), level)["scale"][0].as_py() == LOG


@opened.cached
def effect_map_table(
    state: str, array: str, loss: str, methods: tuple[str, ...], level: float
) -> pd.DataFrame:
    """The effects on several methods' losses, those that are largest on average first."""
    table = pd.DataFrame(_effect_rows(state, array, loss, methods, level), columns=EFFECT_COLUMNS)
    sizes = table.groupby("label", sort=False)["size"].mean().sort_values(ascending=False, kind="stable")
    table.attrs.update(labels=list(sizes.index), methods=list(methods))
    return _about_effects(table, _is_log(state, array, loss, methods[0], level))


@opened.cached
def slope_table(state: str, array: str, loss: str, methods: tuple[str, ...], level: float) -> pd.DataFrame:
    """The slopes of these methods' learning curves, as `slopes_figure` wants them."""
    found, shown = array_data.array_of(state, array), looks(state, methods, every=True)
    rows = array_data.slopes(state, array, loss, methods, level).to_pylist()
    is_log = any(row["scale"] == LOG for row in rows)
    lines = [_slope_row(found, row, is_log, level) | _look(shown[row["method"]]) for row in rows]
    table = pd.DataFrame(lines, columns=SLOPE_COLUMNS).astype(
        {"value": float, "lower": float, "upper": float}
    )
    name = loss_title(loss).removeprefix("↓ better   ")
    table.attrs.update(
        grid=grid_of(state, array),
        methods=methods,
        title=f"change of {name}",
        axis="← learns faster   change with each doubling of the training cases",
        suffix=" %" if is_log else "",
    )
    return table


def _look(look):
    return {name: look[name] for name in ("colour", "symbol")}


def _slope_row(array, row, is_log, level):
    """Return a slope; on the logarithmic scale as the change in percent."""

    def change(value):
        return float("nan") if value is None else 100 * (exp(value) - 1) if is_log else value

    suffix = " %" if is_log else ""
    value, lower, upper = (change(row[name]) for name in ("slope", "lower", "upper"))
    settled = is_settled(row["p"], level=level)
    where = ", ".join(array_data.level_words(array, n, name) for n, name in enumerate(row["levels"]))
    interval = f"{words.number(lower, digits=3)} to {words.number(upper, digits=3)}{suffix}"
    hover = (
        f"<b>{words.plot_text(row['method'])}</b>: {words.number(value, digits=3)}{suffix} a doubling<br>"
        f"{100 * level:g} % interval {interval}, {words.p_value(row['p']).replace('<', '&lt;')}<br>"
        f"{words.plot_text(where, longest=160)}"
    )
    return {
        "levels": tuple(row["levels"]),
        "method": row["method"],
        "value": value,
        "lower": lower,
        "upper": upper,
        "settled": settled,
        "hover": hover,
    }


@opened.cached
def cost_table(state: str, array: str, loss: str, methods: tuple[str, ...]) -> pd.DataFrame:
    """Seconds and mean losses of methods by size of training sets, as `costs_figure` wants them.

    Only tasks on which all the methods drawn have costs and a loss count, so that their means compare; attrs
    compared: how many those are; without: methods without costs; apart: methods not drawn, for they share too
    few tasks with the others. Seconds: the geometric mean over these tasks of the median instance's.
    """
    rows = array_data.costs(state, array, loss, methods).to_pylist()
    usable = [row for row in rows if row["median_seconds"] and row["standardized_mean"] is not None]
    with_costs = [name for name in methods if any(row["method"] == name for row in usable)]
    drawn, shared = _sharing(usable, with_costs)
    shown = looks(state, methods)
    lines = []
    for name in drawn:
        for size in sorted({size for _, size in shared}):
            own = [row for row in usable if row["method"] == name and _cell(row) in shared]
            lines.append(
                _cost_row(name, size, [row for row in own if row["training_size"] == size], shown[name])
            )
    table = pd.DataFrame(lines, columns=COST_COLUMNS)
    known = words.loss_words(loss)
    table.attrs.update(
        title=loss_title(loss),
        baseline=known.baseline_value if known else None,
        baseline_text=known.baseline if known else None,
        compared=len(shared),
        without=[name for name in methods if name not in with_costs],
        apart=[name for name in with_costs if name not in drawn],
    )
    return table


def _cell(row):
    return tuple(row["levels"]), row["training_size"]


def _sharing(rows: Sequence[Mapping], methods: Sequence[str]) -> tuple[list[str], set]:
    """Return the methods to draw, and the tasks that they have in common.

    A method on less than half of the tasks of another would take the other tasks from all means, and is left
    out; so are, where all have none in common, those with the fewest tasks.
    """
    done = {name: {_cell(row) for row in rows if row["method"] == name} for name in methods}
    most = max(map(len, done.values()), default=0)
    left = [name for name in methods if 2 * len(done[name]) >= most]
    while len(left) > 1 and not set.intersection(*(done[name] for name in left)):
        left.remove(min(reversed(left), key=lambda name: len(done[name])))
    return left, set.intersection(*(done[name] for name in left)) if left else set()


def _cost_row(method, size, rows, look):
    seconds = exp(sum(log(row["median_seconds"]) for row in rows) / len(rows))
    loss = sum(row["standardized_mean"] for row in rows) / len(rows)
    hover = (
        f"<b>{words.plot_text(method)}</b>, {words.count(size, 'training case')}<br>"
        f"{words.number(seconds, digits=3)} s an instance, mean loss {words.number(loss, digits=3)}<br>"
        f"over {words.count(len(rows), 'task')}"
    )
    place = {"method": method, "training_size": size, "seconds": seconds, "loss": loss, "hover": hover}
    return place | look
