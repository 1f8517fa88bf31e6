"""Controls of several pages: losses, metrics, methods, confidence, long tables, and filters."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.server import uploads
from dashboard.ui import selection
from dashboard.ui.glossary import help_for
from dashboard.ui.selection import asked_of
from delvecore.archive.metrics import ranked_measure
from delvecore.errors import DelveError
from delvecore.measures import Measures
from delvecore.metrics.metric import ComputedMetric
from delvecore.metrics.metric_inputs import matrix_text, parse_matrix
from delvecore.metrics.registry import find_metric, with_setting
from delvecore.render.numbers import integer, parameter
from delvecore.report import words
from delvecore.stats.choose import ADJUSTMENTS, UNITS, Setting

Item = TypeVar("Item")
Chosen = Mapping[str, Collection[str]]
"""Options by facet name. An item must have one chosen option of each facet that has chosen options."""
MOST_PILLS = 14
FEW_BOXES = 8
"""Largest number of boxes that are shown without a search field."""


@dataclass(frozen=True)
class Facet(Generic[Item]):
    """A property that divides items into groups, for a filter.

    Attributes
    ----------
    options : tuple of str
        All groups, in their order.
    """

    name: str
    title: str
    term: str | None
    options: tuple[str, ...]
    groups: Callable[[Item], Collection[str]]

    @property
    def is_long(self) -> bool:
        """Are there too many options to show them all at once?"""
        return len(self.options) > MOST_PILLS

    def options_of(self, items: Iterable[Item]) -> list[str]:
        """Return the options that some item has, or all options if no item has any."""
        groups = {group for item in items for group in self.groups(item)}
        return [option for option in self.options if option in groups] or list(self.options)


def matching(
    items: Iterable[Item], facets: Iterable[Facet[Item]], chosen: Chosen, *, without: str = ""
) -> list[Item]:
    """Return the items that match all filters. without: name of a facet to ignore."""
    active = [
        (facet.groups, set(chosen[facet.name]))
        for facet in facets
        if chosen.get(facet.name) and facet.name != without
    ]
    return [item for item in items if all(wanted.intersection(groups(item)) for groups, wanted in active)]


def counts_of(
    facet: Facet[Item], items: Iterable[Item], facets: Iterable[Facet[Item]], chosen: Chosen
) -> dict[str, int]:
    """Count the items with each option of a facet, given all other filters."""
    fitting = matching(items, facets, chosen, without=facet.name)
    groups = Counter(group for item in fitting for group in facet.groups(item))
    return {option: groups[option] for option in facet.options}


def facet_control(facet: Facet[Item], options: Sequence[str], counts: Mapping[str, int]) -> list[str]:
    """Show a facet's options with the number of matching items; return the chosen options."""
    shown: dict[str, Any] = {} if facet.is_long else {"selection_mode": "multi", "wrap": True}

    def words_of(option: str) -> str:
        text = words.short_line(option, longest=40)
        # Pills show Markdown, a list does not.
        return f"{text if facet.is_long else words.escape(text)} · {counts.get(option, 0)}"

    chosen: list[str] = selection.local(
        st.multiselect if facet.is_long else st.pills,
        words.escape(facet.title),
        facet.name,
        options,
        several=True,
        format_func=words_of,
        help=help_for(facet.term) if facet.term else None,
        **shown,
    )
    return chosen


def show_tabs(
    shown: Mapping[str, Callable[..., None]],
    key: str,
    *arguments: Any,
    joined: Mapping[str, str] | None = None,
) -> None:
    """Show a tab for each title, and the content of the open tab. joined: earlier titles in old addresses."""
    asked, strange = asked_of(key, shown)
    known = [title for text in strange if (title := (joined or {}).get(text)) in shown]
    for text, near in () if known else strange.items():
        st.info(selection.notice("tab", text, instead=near), icon=":material/info:")
    usual = known[0] if known else asked[0] if strange and asked else None
    tabs = st.tabs(list(shown), default=usual, key=key, bind="query-params", on_change="rerun")
    for tab, show in zip(tabs, shown.values(), strict=True):
        if tab.open:
            with tab:
                show(*arguments)


def setting_control(chosen: Setting, unit: str | None, *, adjusts: bool = True) -> None:
    """Show the settings that all pages share. unit: what counts once; adjusts: does the adjustment matter?"""
    about: dict[str, Any] = {"required": True, "format_func": words.level, "label_visibility": "collapsed"}
    selection.control(
        st.segmented_control, "Confidence", "level", selection.LEVELS, value=chosen.level, **about
    )
    parts = ["Confidence", *(["adjustment of p"] if adjusts else []), "what counts once"]
    all_pages = f"{words.and_list(parts)}: the same for all pages"
    with st.popover("Setting", icon=":material/tune:", key="setting", help=all_pages):
        _show_further_setting(chosen, unit, adjusts=adjusts)


def _show_further_setting(chosen: Setting, unit: str | None, *, adjusts: bool) -> None:
    st.caption(
        f"Intervals have a confidence level of {words.level(chosen.level)}. A difference is "
        f"significant if the adjusted p is below {parameter(1 - chosen.level)}."
    )
    if adjusts:
        selection.control(
            st.selectbox,
            "Adjust p for the number of pairs",
            "adjust",
            list(ADJUSTMENTS),
            value=chosen.adjust,
            format_func=ADJUSTMENTS.__getitem__,
            help=help_for("adjustment"),
        )
    selection.control(
        st.selectbox,
        "Unit of replication over many tasks",
        "unit",
        list(UNITS),
        value=unit,
        index=None,
        placeholder="the dataset if it has several tasks",
        format_func=UNITS.__getitem__,
        help=help_for("unit of replication"),
    )


def loss_control(
    losses: Sequence[str],
    loss: str | None,
    measures: Measures,
    *,
    metrics: Sequence[str] = (),
    classes: Sequence[str] = (),
) -> None:
    """Let the visitor choose a loss. measures: of the archive; metrics: further ones; classes: of the
    targets."""
    offered = {name: ranked_measure(measure) for name in metrics if (measure := find_metric(name))}
    known = {**offered, **measures}
    selection.control(
        st.selectbox,
        "Loss",
        "loss",
        list(dict.fromkeys([*losses, *metrics])),
        value=loss,
        format_func=lambda key: words.measure_option(known[key]),
        help=words.escape(words.about_measure(known[loss])) if loss else help_for("loss"),
    )
    settings_control(loss, classes)


TOP = 5


def methods_control(available: Sequence[str], methods: Sequence[str], *, help: str = "") -> None:
    """Let the visitor choose methods in boxes behind a button, with All, None, Top 5, and a search field."""
    label = words.some_of(len(methods), len(available), "method").capitalize()
    with chip("Methods", label, icon=":material/checklist:", key="methods", help=help):
        method_choice(available, methods)


def method_choice(available: Sequence[str], methods: Sequence[str]) -> None:
    """Show a toggle for each method, below All, None, Top 5, and a search field if there are many methods."""
    if len(available) > FEW_BOXES:
        _find_method(available, methods)
    method_shortcuts(available)
    method_boxes(available, methods, label_visibility="collapsed")


def chip(title: str, label: str, *, icon: str, key: str, help: str = "") -> DeltaGenerator:
    """Show a button as tall as a list, with its title above; return the container that it opens."""
    with st.container(gap="xxsmall"):
        st.markdown(f":small[{title}]", help=help or None)
        return st.popover(label, icon=icon, key=key, width="stretch")


def method_boxes(available: Sequence[str], methods: Sequence[str], **details: Any) -> None:
    """Show a toggle for each method, which is on for displayed methods."""
    details = {"selection_mode": "multi", "format_func": words.escape, **details}
    selection.control(st.pills, "Methods", "methods", available, value=tuple(methods), **details)


def method_shortcuts(available: Sequence[str]) -> None:
    """Offer buttons to select all methods, none, or the first five."""
    choices = {"All": None, "None": (), f"Top {TOP}": tuple(available[:TOP])}
    with st.container(horizontal=True, gap="small"):
        for title, chosen in choices.items():
            if title.startswith("Top") and len(available) <= TOP:
                continue
            if st.button(title, key=f"methods-{title}", type="tertiary"):
                selection.choose(methods=chosen)
                st.rerun()


def _find_method(available: Sequence[str], methods: Sequence[str]) -> None:
    def press() -> None:
        asked = st.session_state["find-method"].strip().casefold()
        matches = [name for name in available if name.casefold().startswith(asked)]
        matches += [name for name in available if asked in name.casefold()]
        if asked and matches:
            selection.choose(methods=tuple(dict.fromkeys((*methods, matches[0]))))
        st.session_state["find-method"] = ""

    st.text_input(
        "Find",
        key="find-method",
        placeholder="name, then Enter",
        on_change=press,
        label_visibility="collapsed",
    )


def added_of_mine() -> str | None:
    """Return the visitor's own method if it was added in this session, so that it is always displayed."""
    name = selection.mine()
    return name if name in uploads.own().methods else None


def mine_control(methods: Sequence[str]) -> None:
    """Let the visitor mark one method as their own on all pages."""
    own = selection.mine()
    options = [*methods, *([own] if own and own not in methods else [])]
    about = "Your method is bold and drawn on top on all pages, and the first line of each page reports it"
    more: dict[str, Any] = {"index": None, "placeholder": "none", "help": about}
    selection.control(st.selectbox, "Mine", "mine", options, value=own, **more)


def open_control(key: str, places: Mapping[str, str], what: str) -> None:
    """Show a list of the places that a click on a figure opens, for keyboard users. what: such as `task of
    the figure`."""
    name, opened = f"open-{key}", f"opened-{key}"

    def chosen() -> None:
        st.session_state[opened], st.session_state[name] = st.session_state[name], None

    st.selectbox(
        f"Open a {what}",
        list(places),
        index=None,
        format_func=lambda place: words.short_line(places.get(place, place)),
        key=name,
        on_change=chosen,
        placeholder=f"Open a {what.split()[0]} …",
        label_visibility="collapsed",
        width=190,
    )
    if st.session_state.get(opened) is not None:
        st.rerun()


def reference_control(methods: Sequence[str], reference: str | None, **details: Any) -> None:
    """Let the visitor choose the reference. details: see `selection.control`."""
    selection.control(st.selectbox, "Reference", "reference", methods, value=reference, **details)


ACCEPT = ("wta", "402040", "0.5", "0.3-0.7")
ACCEPT_HELP = "Winner takes all, 402040, a threshold such as 0.5, or two such as 0.3-0.7"
POSITIVE_HELP = "The first of two classes unless it is named"
BETA_HELP = "Weight of recall relative to precision; 1 for equal weights"
MOST_BETA = 100.0


def settings_control(loss: str | None, classes: Sequence[str]) -> None:
    """Show the settings of a metric. classes: of the targets, if all tasks have the same."""
    try:
        measure = find_metric(loss) if loss else None
    except DelveError:
        return
    if measure is None or not measure.spec.options:
        return
    settings = ", ".join(f"{key} {value}" for key, value in measure.options if key != "matrix")
    with st.popover(
        "Settings of the metric", icon=":material/tune:", key="metric-settings", help=settings or None
    ):
        st.caption(f"{measure.spec.title.capitalize()}: {measure.spec.formula}.")
        for option in measure.spec.options:
            _show_setting(measure, option, classes)


def _show_setting(measure: ComputedMetric, key: str, classes: Sequence[str]) -> None:
    """Show a widget for one setting. The address contains the setting as soon as it changes."""
    value = dict(measure.options).get(key)

    def show(widget: Callable[..., Any], label: str, value: Any, **about: Any) -> None:
        selection.kept(widget, label, key=f"metric-{key}", value=value, then=take, **about)

    def take(new: Any) -> None:
        _choose_setting(measure, key, parameter(new) if isinstance(new, float) else str(new or "").strip())

    if key == "beta":
        about = {"min_value": 0.01, "max_value": MOST_BETA, "step": 0.5, "help": BETA_HELP}
        show(st.number_input, "beta", min(max(float(value or 1), 0.01), MOST_BETA), **about)
    elif key == "positive" and classes:
        options = list(dict.fromkeys([*classes, *([value] if value else [])]))
        show(st.selectbox, "Positive class", value or options[0], options=options)
    elif key == "positive":
        show(st.text_input, "Positive class", value or "", help=POSITIVE_HELP)
    elif key == "accept":
        value = value or ("402040" if measure.spec.name == "reject" else "wta")
        about = {"accept_new_options": True, "help": ACCEPT_HELP}
        show(
            st.selectbox,
            "A case is accepted by",
            value,
            options=list(dict.fromkeys([*ACCEPT, value])),
            **about,
        )
    elif key == "matrix":
        _edit_matrix(measure, value, classes)
    elif key != "benefits":
        show(st.text_input, key, value or "")


def _choose_setting(measure: ComputedMetric, key: str, value: str) -> None:
    selection.choose(loss=with_setting(measure, key, value).name)


def _edit_matrix(measure: ComputedMetric, text: str | None, classes: Sequence[str]) -> None:
    """Let the visitor edit the value of each prediction for each true class. Rows are predicted classes."""
    rows = parse_matrix(text) if text and classes else ()
    if len(rows) != len(classes) or not rows or text is None:
        return
    st.caption("The value of predicting the class of the row if the class of the column is true.")
    shown = pd.DataFrame(rows, index=pd.Index(classes, name="predicted"), columns=list(classes))
    edited = st.data_editor(shown, key=f"metric-matrix-{text}")
    new = matrix_text(edited.fillna(0.0).to_numpy().tolist())
    if new != text:
        _choose_setting(measure, "matrix", new)
        st.rerun()


MOST_ROWS = 50
"""Largest number of rows of a part."""


def part_control(
    count: int, label: str, name: str, *, whole: int = 2 * MOST_ROWS, rows: int = MOST_ROWS
) -> slice:
    """Let the visitor choose which part of many rows to show.

    name: parameter in the address; whole: largest number of rows that are shown without a choice; rows:
    number of rows in a part."""
    if count <= whole:
        return slice(0, count)
    starts = range(0, count, rows)
    parts = {
        f"{integer(start + 1)} to {integer(min(start + rows, count))} of {integer(count)}": start
        for start in starts
    }
    start = parts[selection.local(st.selectbox, label, name, list(parts), width=240)]
    return slice(start, min(start + rows, count))
