"""Controls that several pages have: loss, methods, reference, confidence, and filters by what things are.

A filter says how many things would fit with one option more."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import streamlit as st

from dashboard.ui import selection
from dashboard.ui.address_state import asked_of
from dashboard.ui.glossary import help_for
from dashboard.ui.metric_settings import settings_control
from delvecore.plots import words
from delvecore.stats.choose import ADJUSTMENTS, UNITS, Setting

__all__ = ["Facet", "asked_options", "counts_of", "facet_control", "loss_control"]
__all__ += [
    "matching",
    "methods_control",
    "mine_control",
    "open_control",
    "reference_control",
    "setting_control",
]
__all__ += ["tabs", "unknown_options"]

Item = TypeVar("Item")
Chosen = Mapping[str, Collection[str]]
"""Options by the name of their facet, of which an item needs one; none chosen: all fit."""
MOST_PILLS = 14


@dataclass(frozen=True)
class Facet(Generic[Item]):
    """A property that divides items into groups.

    name: in the address; term: of the glossary, or None; options: all groups, in their order; groups: those
    that an item belongs to."""

    name: str
    title: str
    term: str | None
    options: tuple[str, ...]
    groups: Callable[[Item], Collection[str]]

    @property
    def is_long(self) -> bool:
        """Are there more options than can be shown at once?"""
        return len(self.options) > MOST_PILLS

    def options_of(self, items: Iterable[Item]) -> list[str]:
        """Which options does any item have? All of them where none has any."""
        groups = {group for item in items for group in self.groups(item)}
        return [option for option in self.options if option in groups] or list(self.options)


def matching(
    items: Iterable[Item], facets: Iterable[Facet[Item]], chosen: Chosen, *, without: str = ""
) -> list[Item]:
    """Return the items that fit every filter. without: the name of a facet to leave out."""
    active = [
        (facet.groups, set(chosen[facet.name]))
        for facet in facets
        if chosen.get(facet.name) and facet.name != without
    ]
    return [item for item in items if all(wanted.intersection(groups(item)) for groups, wanted in active)]


def counts_of(
    facet: Facet[Item], items: Iterable[Item], facets: Iterable[Facet[Item]], chosen: Chosen
) -> dict[str, int]:
    """How many items has each option of a facet, given all other filters?"""
    fitting = matching(items, facets, chosen, without=facet.name)
    groups = Counter(group for item in fitting for group in facet.groups(item))
    return {option: groups[option] for option in facet.options}


def asked_options(facets: Iterable[Facet[Item]]) -> dict[str, list[str]]:
    """Return the options that the address asks for, by facet."""
    return {facet.name: asked_of(facet.name, facet.options)[0] for facet in facets}


def unknown_options(facets: Iterable[Facet[Item]]) -> list[tuple[str, str, str | None]]:
    """Return (title of a facet, option, the nearest) for each option that the address asks for and no item
    has."""
    return [
        (facet.title, text, near)
        for facet in facets
        for text, near in asked_of(facet.name, facet.options)[1].items()
    ]


def facet_control(facet: Facet[Item], options: Sequence[str], counts: Mapping[str, int]) -> list[str]:
    """Show a facet's options, each with the number of items it would give; return those chosen."""
    shown = {} if facet.is_long else {"selection_mode": "multi", "wrap": True}

    def words_of(option: str) -> str:
        text = words.plain(option, longest=40)
        # Pills show Markdown, a list does not.
        return f"{text if facet.is_long else words.escape(text)} · {counts.get(option, 0)}"

    return selection.local(
        st.multiselect if facet.is_long else st.pills,
        words.escape(facet.title),
        facet.name,
        options,
        several=True,
        format_func=words_of,
        help=help_for(facet.term) if facet.term else None,
        **shown,
    )


def tabs(titles: Sequence[str], key: str) -> Sequence[Any]:
    """Show tabs of which the address knows the open one; in place of one that there is not opens the nearest.

    key: of the widget, and in the address."""
    asked, strange = asked_of(key, titles)
    for text, near in strange.items():
        st.info(selection.notice("tab", text, instead=near), icon=":material/info:")
    usual = asked[0] if strange and asked else None
    return st.tabs(list(titles), default=usual, key=key, bind="query-params", on_change="rerun")


def setting_control(chosen: Setting, unit: str | None, *, adjusts: bool = True) -> None:
    """Show the setting of the whole program, which drives verdicts, marks, intervals and diagrams: the
    confidence in one click, the rest behind a button. unit: what counts once over many tasks, None for the
    usual; adjusts: does the adjustment of p change anything on the page?"""
    about: dict[str, Any] = {"required": True, "format_func": words.level, "label_visibility": "collapsed"}
    selection.control(
        st.segmented_control, "Confidence", "level", selection.LEVELS, value=chosen.level, **about
    )
    name, said = words.adjustment(chosen.adjust), "Confidence and adjustment of p: the same for all pages"
    if not adjusts:
        name, said = "Setting", "Confidence, and what counts once: the same for all pages"
    with st.popover(name, icon=":material/tune:", key="setting", help=said):
        _show_further_setting(chosen, unit, adjusts=adjusts)


def _show_further_setting(chosen: Setting, unit: str | None, *, adjusts: bool) -> None:
    st.caption(
        f"{words.level(chosen.level)} confidence is that of intervals; a difference is significant where the "
        f"adjusted p is below {1 - chosen.level:g}."
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
        "Over many tasks, counts once",
        "unit",
        list(UNITS),
        value=unit,
        index=None,
        placeholder="the dataset where it has several tasks",
        format_func=UNITS.__getitem__,
        help=help_for("unit of replication"),
    )


def loss_control(
    losses: Sequence[str],
    loss: str | None,
    *,
    metrics: Sequence[str] = (),
    classes: Sequence[str] = (),
) -> None:
    """Show the losses to choose from, this one chosen, with what it is, and the settings of a metric.
    metrics: those that can be had, which stand behind the losses of which there are results; classes: of the
    targets, none where they differ."""
    known = words.loss_words(loss) if loss else None
    selection.control(
        st.selectbox,
        "Loss",
        "loss",
        list(dict.fromkeys([*losses, *metrics])),
        value=loss,
        format_func=words.loss_option,
        help=words.escape(known.explanation) if known else help_for("loss"),
    )
    settings_control(loss, classes)


def methods_control(available: Sequence[str], methods: tuple[str, ...], **details: Any) -> None:
    """Show the methods to choose from, these chosen. details: further arguments of the widget."""
    usual = {"placeholder": "Choose two or more methods", **details}
    selection.control(st.multiselect, "Methods", "methods", available, value=methods, **usual)


def mine_control(methods: Sequence[str]) -> None:
    """Show the methods of which one may be marked as one's own, on all pages."""
    own = selection.mine()
    options = [*methods, *([own] if own and own not in methods else [])]
    about = "Yours is bold and drawn over the others on all pages, and is in every first line"
    more: dict[str, Any] = {"index": None, "placeholder": "none", "help": about}
    selection.control(st.selectbox, "Mine", "mine", options, value=own, **more)


def open_control(key: str, places: Mapping[str, str], what: str) -> None:
    """Show what a click into a figure opens as a list, for the keyboard: what is chosen counts as the click.

    key: of the figure; places: {what is opened: words}; what: is it, such as a task?"""
    name, opened = f"open-{key}", f"opened-{key}"

    def chosen() -> None:
        st.session_state[opened], st.session_state[name] = st.session_state[name], None

    st.selectbox(
        f"Open a {what} of the figure",
        list(places),
        index=None,
        format_func=lambda place: words.plain(places.get(place, place)),
        key=name,
        on_change=chosen,
        placeholder=f"Open a {what} …",
        label_visibility="collapsed",
        width=190,
    )
    if st.session_state.get(opened) is not None:
        st.rerun()


def reference_control(
    methods: Sequence[str], reference: str | None, label: str = "Reference", **details: Any
) -> None:
    """Show the methods that others may be held against, this one chosen. details: see `selection.control`."""
    selection.control(st.selectbox, label, "reference", methods, value=reference, **details)
