"""The visitor's choices: a frozen Selection that is stored in the address and kept between pages.

`resolve` and the functions at the end are pure: they map requests to available options and notices. The other
functions connect a Selection to a session."""

import contextlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dashboard.server.pages import ASKED, streamlit_page
from dashboard.ui.choices import Choices
from delvecore import names
from delvecore.archive.metrics import ranked_measure
from delvecore.errors import DelveError
from delvecore.losses.spec import NO_MEASURES, parse_loss
from delvecore.measures import Measures
from delvecore.metrics.registry import find_metric
from delvecore.render.numbers import parameter
from delvecore.report import words
from delvecore.stats.choose import ADJUSTMENTS, DEFAULT_SETTING, UNITS, Setting

MOST_VALUES = 50
"""Largest number of values of one parameter; further ones are ignored."""


def understand(
    text: str, known: Collection[str], *, methods: Collection[str] = ()
) -> tuple[str | None, bool]:
    """Return (name or path, True) if a text in an address is known, otherwise (the nearest or None, False).

    A path may lack its leading slash, or follow a method's name. A name may have slashes around it. known:
    names, or paths that begin with a slash."""
    if text in known:
        return text, True
    if any(name.startswith("/") for name in known):
        if (place := names.named_path(text, known, methods)) is not None:
            return place, True
        return names.nearest_path(text, known, methods), False
    if (name := text.strip().strip("/")) in known:
        return name, True
    return names.nearest(name, known), False


def asked_of(
    name: str, known: Collection[str], *, methods: Collection[str] = ()
) -> tuple[list[str], dict[str, str | None]]:
    """Return the requested names, with unknown ones replaced by the nearest, and {unknown: nearest}."""
    texts = list(dict.fromkeys(text for text in st.query_params.get_all(name) if text))[:MOST_VALUES]
    meant = {text: understand(text, known, methods=methods) for text in texts}
    strange = {text: near for text, (near, is_exact) in meant.items() if not is_exact}
    return list(dict.fromkeys(name for name, _ in meant.values() if name is not None)), strange


LEVELS = (0.9, 0.95, 0.99)
STORED, FILTERED = "selection", "task-filter"
FACTOR = "factor-"
FILTERS = ("task-origin", "task-usage", "task-type", "family", "training-size", "data")
"""Parameters of the task filter, which is kept between pages; those of factors begin with FACTOR."""


@dataclass(frozen=True)
class Selection:
    """The choices of a visitor.

    None means no choice, so that a page uses its default. () is an empty choice of methods.

    Attributes
    ----------
    loss : str or None
        Key of the loss.
    methods : tuple of str or None
        Compared methods.
    reference : str or None
        Method that others are compared with.
    task : str or None
        Full path.
    level : float or None
        Confidence level.
    adjust : str or None
        Adjustment of p for the number of pairs.
    unit : str or None
        Unit that counts once over many tasks.
    mine : str or None
        The visitor's own method.

    dataset, prototask (full path), method and array (of tasks) are the items that a page shows in full.
    """

    loss: str | None = None
    methods: tuple[str, ...] | None = None
    reference: str | None = None
    task: str | None = None
    level: float | None = None
    adjust: str | None = None
    unit: str | None = None
    mine: str | None = None
    dataset: str | None = None
    prototask: str | None = None
    method: str | None = None
    array: str | None = None


OLDER_REFERENCE = "control"
"""Name of the reference in older addresses."""
FIELDS = tuple(field.name for field in fields(Selection))
NOUNS = {
    "methods": "method",
    "reference": "reference method",
    "level": "confidence level",
    "adjust": "adjustment",
    "unit": "unit of replication",
    "mine": "method marked as yours,",
    "array": "task-array",
}
SUBJECTS = ("task", "dataset", "prototask", "method", "array")
"""The fields that a page shows in full."""
ALIKE = (*SUBJECTS, "methods", "reference", "loss")
"""The fields in which the nearest name replaces an unknown one."""


def resolve(raw: Mapping[str, Sequence[str]], choices: Choices) -> tuple[Selection, list[str]]:
    """Return the Selection in an address, and a notice for everything that is unavailable.

    raw: all texts of each parameter; parameters without a field are left to the pages. A similar name
    replaces an unknown one, except for the visitor's own method. `asked_in_vain` returns the names that
    resemble nothing. Notices are Markdown with escaped values."""
    chosen: dict[str, Any] = {}
    notices: list[str] = []
    for name in FIELDS:
        allowed = _allowed(name, choices)
        allowed |= (
            _ranked_metrics(raw.get(name, ())[:MOST_VALUES]) if name == "loss" and choices.tasks else {}
        )
        texts = list(dict.fromkeys(text for text in raw.get(name, ()) if text))[:MOST_VALUES]
        meant = {text: understand(text, allowed, methods=choices.methods) for text in texts}
        known = [allowed[one] for one, is_exact in meant.values() if one and is_exact]
        for text, (one, is_exact) in meant.items():
            if not is_exact:
                is_alone = name == "methods" or not known
                near = allowed[one] if one and name in ALIKE and is_alone else None
                notices.append(notice(name, text, instead=near))
                known += [near] if near is not None else []
        if name == "methods":
            chosen[name] = tuple(dict.fromkeys(known)) if raw.get(name) else None
        else:
            chosen[name] = next(iter(known), None)
    return Selection(**chosen), notices


def asked_in_vain(raw: Mapping[str, Sequence[str]], selection: Selection) -> dict[str, str]:
    """Return requested names that resemble nothing, by field, for items that pages show in full."""
    asked = {name: next(filter(None, raw.get(name, ())), None) for name in SUBJECTS}
    return {name: text for name, text in asked.items() if text and getattr(selection, name) is None}


def page_notices(raw: Mapping[str, Sequence[str]]) -> list[str]:
    """Return a notice about a requested page that does not exist."""
    asked = raw.get(ASKED, ())[:1]
    return [f"There is no page “{words.escape(name)}”; this is the most similar one." for name in asked]


def _allowed(name: str, choices: Choices) -> dict[str, Any]:
    if name == "level":
        return {parameter(level): level for level in LEVELS}
    if name in ("adjust", "unit"):
        return {word: word for word in (ADJUSTMENTS if name == "adjust" else UNITS)}
    if name == "dataset":  # as a path, like prototasks and tasks
        return {f"/{value}": value for value in choices.datasets} | {
            value: value for value in choices.datasets
        }
    lists = {"loss": "losses", **dict.fromkeys(("reference", "method", "methods", "mine"), "methods")}
    return {value: value for value in getattr(choices, lists.get(name, name + "s"))}


def notice(name: str, text: str, *, instead: str | None = None) -> str:
    """Return the notice that this archive lacks an item in the address. instead: the shown item."""
    wanted = f"{NOUNS.get(name, name)} “{words.escape(text)}”"
    then = f"this is {words.escape(instead)}, the nearest name" if instead else "it is left out"
    return f"The address asks for the {wanted}, which this archive does not have; {then}."


def to_parameters(selection: Selection) -> dict[str, list[str]]:
    """Return the address's parameters for a Selection. Fields without a choice are absent.

    An empty choice is a parameter without a value, such as `methods=`, since no method has an empty name."""
    parameters = {}
    for name in FIELDS:
        value = getattr(selection, name)
        if value is not None:
            values = (value or ("",)) if isinstance(value, tuple) else (value,)
            parameters[name] = [parameter(item) if isinstance(item, float) else item for item in values]
    return parameters


def current(choices: Choices) -> tuple[Selection, list[str], dict[str, str]]:
    """Return this run's Selection, notices and unavailable requests.

    The address has priority over earlier choices. Requests for missing places remain in the address until the
    visitor makes a choice."""
    if older := st.query_params.pop(OLDER_REFERENCE, None):
        st.query_params.setdefault("reference", older)
    raw = {name: st.query_params.get_all(name) for name in st.query_params}
    context = get_script_run_ctx()
    went_back = context is not None and context.is_history_navigation  # to an address with all choices
    before = {} if went_back else to_parameters(stored())
    asked = {**before, **raw}
    selection, notices = resolve(asked, choices)
    st.session_state[STORED] = selection
    _keep_filters(raw, is_whole=went_back)
    for name, values in to_parameters(selection).items():
        if name not in raw:
            st.query_params[name] = values
    return selection, [*page_notices(raw), *notices], asked_in_vain(asked, selection)


def _keep_filters(raw: Mapping[str, Sequence[str]], *, is_whole: bool) -> None:
    """Keep the task filter of an address, or write the earlier filter into it.

    is_whole: does the address have all choices?"""
    asked = {name: list(texts) for name, texts in raw.items() if is_filter(name)}
    if asked or is_whole:
        st.session_state[FILTERED] = asked
    for name, texts in filters().items():
        if name not in raw:
            st.query_params[name] = texts


def is_filter(name: str) -> bool:
    """Is this a parameter of the task filter?"""
    return name in FILTERS or name.startswith(FACTOR)


def filters() -> dict[str, list[str]]:
    """Return the parameters of the task filter."""
    kept: dict[str, list[str]] = st.session_state.get(FILTERED, {})
    return kept


def choose_local(name: str, texts: Sequence[str]) -> None:
    """Write a parameter that is not a field of the Selection into the address; without texts, remove it."""
    if texts:
        st.query_params[name] = list(texts)
    else:
        st.query_params.pop(name, None)
    if is_filter(name):
        others = {one: of for one, of in filters().items() if one != name}
        st.session_state[FILTERED] = {**others, name: list(texts)} if texts else others


def choose(**changes: Any) -> Selection:
    """Change fields of the Selection, in the session and in the address."""
    selection = replace(stored(), **changes)
    st.session_state[STORED] = selection
    parameters = to_parameters(selection)
    for name in (*FIELDS, ASKED):
        if name in parameters:
            if st.query_params.get_all(name) != parameters[name]:
                st.query_params[name] = parameters[name]
        elif name in st.query_params:
            del st.query_params[name]
    return selection


def open_page(name: str, *, others: Mapping[str, Sequence[str]] | None = None, **changes: Any) -> None:
    """Change fields of the Selection and open a page. others: parameters of only that page."""
    parameters: dict[str, Sequence[str]] = {**to_parameters(choose(**changes)), **(others or {})}
    st.switch_page(streamlit_page(name), query_params=parameters)


def stored() -> Selection:
    known: Selection = st.session_state.get(STORED, Selection())
    return known


def mine() -> str | None:
    return stored().mine


def control(
    widget: Callable[..., Any],
    label: str,
    field: str,
    options: Sequence[Any],
    *,
    value: Any,
    then: Callable[[Any], object] = lambda new: None,
    **details: Any,
) -> Any:
    """Show a widget for one field of the Selection. value: one of the options, or a tuple of several."""
    options, several = list(options), isinstance(value, tuple)
    shown = [item for item in value if item in options] if several else value

    def take(new: Any) -> None:
        choose(**{field: tuple(new) if several else new})
        then(new)

    result = kept(widget, label, options, key=f"control-{field}", value=shown, then=take, **details)
    return tuple(result) if several else result


def kept(
    widget: Callable[..., Any],
    label: str,
    *options: Any,
    key: str,
    value: Any,
    then: Callable[[Any], object],
    **details: Any,
) -> Any:
    """Show a widget whose value is stored elsewhere. then: called with the visitor's choice."""
    st.session_state[key] = value
    return widget(label, *options, key=key, on_change=lambda: then(st.session_state[key]), **details)


def local(
    widget: Callable[..., Any],
    label: str,
    name: str,
    options: Sequence[Any],
    *,
    several: bool = False,
    methods: Collection[str] = (),
    **details: Any,
) -> Any:
    """Show a widget for a parameter of one page that only the address keeps. The first option is the default.

    If no option resembles a path, nothing is chosen and the value is None. methods: names that may precede a
    path."""
    by_text = {str(option): option for option in options}
    texts, strange = asked_of(name, by_text, methods=methods)
    known = [by_text[text] for text in texts]

    def take(new: Any) -> None:
        is_usual = not several and new == options[0]
        choose_local(name, [] if is_usual else [str(item) for item in (new if several else [new])])

    shown = known if several else (known or list(options))[0]
    if not several and strange and not known and str(options[0]).startswith("/"):
        shown, details = None, {"index": None, **details}
    value = kept(widget, label, options, key=f"local-{name}", value=shown, then=take, **details)
    for text, near in strange.items():
        st.info(notice(name, text, instead=near), icon=":material/info:")
    return value


def one_of(label: str, name: str, options: Sequence[Any], **details: Any) -> Any:
    """Show a few options next to each other, with one chosen: see `local`."""
    return local(st.segmented_control, label, name, options, required=True, **details)


def link(selection: Selection, *, address: str, others: Mapping[str, Sequence[str]] | None = None) -> str:
    """Return the full address that shows exactly this view."""
    base = address.split("?", 1)[0].split("#", 1)[0]
    query = urlencode({**to_parameters(selection), **(others or {})}, doseq=True)
    return f"{base}?{query}" if query else base


def wanted_setting(selection: Selection) -> Setting:
    """Return the chosen setting: the rule by which differences are significant on all pages."""
    usual = DEFAULT_SETTING
    return Setting(selection.level or usual.level, selection.adjust or usual.adjust)


def wanted_loss(
    known: Collection[str],
    usual: str,
    selection: Selection,
    notices: list[str],
    *,
    where: str,
    measures: Measures = NO_MEASURES,
) -> str:
    """Return the requested loss if it is known, otherwise the default one with a notice.

    where: such as "here"; measures: of the archive."""
    if selection.loss and selection.loss in known:
        return selection.loss
    if selection.loss:
        # A metric that was not computed has its key as the name.
        known_measures = ((key, measures.get(key) or parse_loss(key)) for key in (selection.loss, usual))
        named = (words.measure_name(one) if one else key for key, one in known_measures)
        missing, shown = map(words.escape, named)
        notices.append(f"{missing} is not known {where}; this is {shown}.")
    return usual


def note_missing_methods(
    available: Collection[str],
    selection: Selection,
    notices: list[str],
    *,
    where: str = "here",
    shown: str = "shown",
) -> None:
    """Report which requested methods have no results. shown: what cannot be done with them, such as
    `ranked`."""
    missing = [words.escape(name) for name in selection.methods or () if name not in available]
    if missing:
        have = "has" if len(missing) == 1 else "have"
        notices.append(f"{words.and_list(missing)} {have} no results {where} and cannot be {shown}.")


def wanted_methods(
    available: Sequence[str], selection: Selection, notices: list[str], *, where: str = "here"
) -> tuple[tuple[str, ...] | None, str]:
    """Return the requested methods and the reference. notices: receives unavailable requests.

    The methods are in the order of the available ones, None without a choice. The default reference is the
    first available method."""
    reference = selection.reference or available[0]
    if reference not in available:
        name, reference = words.escape(reference), available[0]
        notices.append(
            f"The reference {name} has no results {where}; the best method is the reference instead."
        )
    note_missing_methods(available, selection, notices, where=where)
    return chosen_methods(available, selection), reference


def chosen_methods(available: Sequence[str], selection: Selection) -> tuple[str, ...] | None:
    """Return the chosen methods that are available, in this order; None without a choice."""
    if selection.methods is None:
        return None
    return tuple(name for name in available if name in selection.methods)


def _ranked_metrics(texts: Sequence[str]) -> dict[str, str]:
    """Return the metrics that can be ranked: {name in the address: metric}."""
    keys = {}
    for text in texts:
        with contextlib.suppress(DelveError):
            if measure := find_metric(text):
                keys[text] = ranked_measure(measure).key
    return keys
