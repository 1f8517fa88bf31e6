"""The variants of a workflow: which settings mattered, and how each variant ranks among them."""

import math

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dashboard.methods.choice import Request, value_column
from dashboard.server import archive as opened
from dashboard.server.archive import Row
from dashboard.ui import page, selection
from dashboard.ui.commands import command_text
from dashboard.ui.glossary import help_for
from dashboard.ui.page import View
from delvecore.archive import Archive
from delvecore.errors import DelveError
from delvecore.library.variants import Variants, has_settings, variants_of
from delvecore.losses.spec import shown_value
from delvecore.plots import theme, words
from delvecore.plots.rows import Interval, Intervals, intervals_figure
from delvecore.stats.choose import is_significant, percent, significance
from delvecore.stats.ranking.main_effects import MainEffects, Mean, SettingEffect

COLUMNS = {
    "setting": st.column_config.TextColumn("Setting", pinned=True),
    "value": st.column_config.TextColumn("Value"),
    "variant": st.column_config.TextColumn("Variant", pinned=True),
    "variants": st.column_config.NumberColumn("Variants"),
    "mean_rank": st.column_config.NumberColumn("Mean rank", format="%.2f", help=help_for("mean rank")),
    "lower": st.column_config.NumberColumn("from", format="%.2f"),
    "upper": st.column_config.NumberColumn("to", format="%.2f"),
    "p": st.column_config.NumberColumn("p", format="%.4f", help="Friedman's test, Holm's over the settings"),
}

NUMBERS = ("mean_rank", "lower", "upper", "loss")


@opened.cached
def tells_settings(archive: Archive, method: str) -> bool:
    """Does the method say with which settings it was run?"""
    return has_settings(archive, method)


@opened.cached
def variants(request: Request, level: float) -> Variants:
    return variants_of(request.archive, request.method, loss=request.loss, level=level)


def label(setting: str) -> str:
    """`C` of `learner.C`, `impute by` of `pre.impute.by`, `window kind` of `window.kind`."""
    part, _, own = setting.partition(".")
    return setting.replace(".", " ") if part == "window" else own.replace(".", " ") or part


@opened.cached
def effect_intervals(request: Request, level: float) -> Intervals:
    """The values of each setting, by mean rank; a line at the middle of the ranks."""
    effects = variants(request, level).effects
    if effects is None:
        return Intervals((), "")
    rows = [
        Interval(f"{label(one.setting)} = {mean.name or 'none'}", mean.rank, mean.lower, mean.upper, colour)
        for number, one in enumerate(effects.settings)
        for colour in [theme.COLOURS[number % len(theme.COLOURS)]]
        for mean in one.values
    ]
    count = len(effects.variants)
    return Intervals(tuple(rows), f"← better   mean rank among {count} variants", ((count + 1) / 2,))


def main_effects_figure(found: Intervals) -> go.Figure:
    """Draw a panel for each setting below the other, a row for each of its values, on one axis."""
    figure = intervals_figure(found)
    for place, (one, other) in enumerate(zip(found.rows, found.rows[1:], strict=False)):
        if one.colour != other.colour:
            figure.add_hline(y=place + 0.5, line={"color": theme.LINE_GREY, "width": 1})
    return figure


def show_variants(view: View, row: Row, loss: str) -> None:
    """Show the family of a method: what mattered, a row a value, then a row a variant."""
    level = selection.wanted_setting(view.selection).level
    request = Request(view.archive, row["method"], loss)
    try:
        found = variants(request, level)
    except DelveError as error:
        st.markdown(words.escape(str(error)))
        return
    if found.effects is None:
        how = "A list of values in its file makes variants; at least two must have done the same tasks:"
        command = command_text("delve", "run", "--workflow", f"{found.family}.toml")
        page.empty_state("Nothing to compare.", how, command)
        return
    columns = COLUMNS | {"loss": value_column(loss, "mean")}
    st.markdown(f"{sentence(found.effects)} {best_sentence(found, found.effects)}")
    if found.effects.settings:
        page.figure_block(
            opened.figure(main_effects_figure, effect_intervals, request, level),
            effect_table(found.effects, loss),
            name=f"{found.family}-{loss}-settings",
            key="settings",
            alt=f"Mean ranks of the values of each setting of {found.family}. {plain(found.effects)}",
            command=command_text("minfo", f"/{row['method']}"),
            column_config=columns,
        )
    st.subheader("The variants", anchor=False)
    name, alt = f"{found.family}-{loss}-variants", f"Variants of {found.family}, best mean rank first"
    page.table_block(variant_table(found, loss), name=name, alt=alt, column_config=columns)
    st.caption(_note(found))


def sentence(effects: MainEffects) -> str:
    """Say which setting mattered most, and which others did."""
    settings, count = effects.settings, len(effects.variants)
    scale = f"ranks from 1 to {count}, {words.count(effects.units, effects.unit)}"
    if not settings:
        return f"These {count} variants have the same settings ({scale})."
    first, *others = settings
    alpha = significance(effects.level)
    matters = [one for one in others if is_significant(one.p, alpha)]
    rest = [one for one in others if one not in matters]
    best, worst = first.best, max(first.values, key=lambda mean: mean.rank)
    name = words.escape(label(first.setting))
    if is_significant(first.p, alpha):
        start = f"**{name}** matters most"
    elif math.isnan(first.p):
        start = f"**{name}** makes the largest difference, which is not tested on a single {effects.unit}"
    else:
        start = f"No setting has a significant effect; **{name}** makes the largest difference"
    said = (
        f"{start}: with **{_value(best)}** mean rank {_rank(best)}, with **{_value(worst)}** {_rank(worst)}"
    )
    said += f" ({scale}{'' if math.isnan(first.p) else f'; {words.p_value(first.p)}'})."
    if matters:
        said += f" {_names(matters)} matter{'s' * (len(matters) == 1)}, too."
    if rest and is_significant(first.p, alpha):
        said += f" The effect of {_names(rest)} is not significant."
    return said


def best_sentence(found: Variants, effects: MainEffects) -> str:
    """`Of the variants **svm.v3** (C = 1, gamma = 0.5) ranks best, mean rank 1.6 [1.14, 2.06].`"""
    best = min(effects.variants, key=lambda mean: mean.rank)
    told = [
        f"{label(one.setting)} = {found.settings[best.name].get(one.setting, 'none')}"
        for one in effects.settings
    ]
    has = f" ({words.escape(', '.join(told))})" if told else ""
    return f"Of the variants **{words.escape(best.name)}**{has} ranks best, mean rank {_rank(best)}."


def plain(effects: MainEffects) -> str:
    return sentence(effects).replace("**", "").replace("\\", "")


def _value(mean: Mean) -> str:
    return words.escape(mean.name or "none")


def _rank(mean: Mean) -> str:
    middle = words.number(mean.rank, digits=3)
    if math.isnan(mean.lower):
        return middle
    return f"{middle} [{words.number(mean.lower, digits=3)}, {words.number(mean.upper, digits=3)}]"


def _names(settings: list[SettingEffect]) -> str:
    names = [words.escape(label(one.setting)) for one in settings]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def effect_table(effects: MainEffects, loss: str) -> pd.DataFrame:
    """A row a value of a setting: setting, value, variants, mean_rank, lower, upper, loss, p."""
    rows = [
        (label(one.setting), mean.name, mean.variants, *_numbers(mean, loss), one.p)
        for one in effects.settings
        for mean in one.values
    ]
    return pd.DataFrame(rows, columns=["setting", "value", "variants", *NUMBERS, "p"])


def _numbers(mean: Mean, loss: str) -> tuple[float, float, float, float]:
    return mean.rank, mean.lower, mean.upper, shown_value(loss, mean.loss)


def variant_table(found: Variants, loss: str) -> pd.DataFrame:
    """A row a variant, best mean rank first: variant, what differs, mean_rank, lower, upper, loss."""
    effects = found.effects
    if effects is None:
        return pd.DataFrame({"variant": list(found.settings)})
    keys = [one.setting for one in effects.settings]
    rows = [
        {"variant": mean.name}
        | {label(key): found.settings[mean.name].get(key, "") for key in keys}
        | dict(zip(NUMBERS, _numbers(mean, loss), strict=True))
        for mean in sorted(effects.variants, key=lambda mean: mean.rank)
    ]
    return pd.DataFrame(rows).dropna(axis="columns", how="all")


def _note(found: Variants) -> str:
    effects = found.effects
    if effects is None:
        return ""
    said = f"Ranks are among these variants, on {words.count(effects.tasks, 'task')} that all have done"
    said += "; a value's rank is the mean of the variants with it."
    if not math.isnan(effects.variants[0].lower):
        said += f" Intervals are of {percent(effects.level)}."
    if effects.unit == "task" and effects.units > 1:
        said += " Each task counts once; where all are of one dataset, that holds for tasks of it."
    if found.dropped:
        said += f" Left out: {words.count(found.dropped, 'task')} that not all have done."
    if found.left_out:
        said += f" Without results under this loss: {', '.join(map(words.escape, found.left_out))}."
    return said
