"""The settings of the metric that is chosen: beta, positive class, rule of acceptance, cost-benefit matrix.

They are part of its name, `F:beta=2`, which stands in the address, in links and in commands."""

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.ui import selection
from delvecore.archive.metrics.metric_columns import measure_of, metric_name
from delvecore.errors import DelveError
from delvecore.metrics.metric import Measure
from delvecore.metrics.metric_inputs import matrix_text, parse_matrix
from delvecore.metrics.registry import with_setting

__all__ = ["settings_control"]

ACCEPT = ("wta", "402040", "0.5", "0.3-0.7")
ACCEPT_HELP = "Winner takes all, 402040, a threshold such as 0.5, or two such as 0.3-0.7"
BETA_HELP = "How much more recall counts than precision: 1 for as much"
MOST_BETA = 100.0


def settings_control(loss: str | None, classes: Sequence[str]) -> None:
    """Show the settings of the metric that a loss is kept of, if it has any. classes: of the targets, none
    where they differ from task to task."""
    try:
        measure = measure_of(loss) if loss else None
    except DelveError:
        return
    if measure is None or not measure.spec.options:
        return
    said = ", ".join(f"{key} {value}" for key, value in measure.options if key != "matrix")
    with st.popover(
        "Settings of the metric", icon=":material/tune:", key="metric-settings", help=said or None
    ):
        st.caption(f"{measure.spec.title.capitalize()}: {measure.spec.formula}.")
        for option in measure.spec.options:
            if option in _CONTROLS:
                _CONTROLS[option](measure, classes)
            elif option != "benefits":
                _text(measure, option)


def _choose(measure: Measure, key: str, value: str) -> None:
    selection.choose(loss=metric_name(with_setting(measure, key, value)))


def _widget(
    widget: Callable[..., Any], label: str, measure: Measure, key: str, value: Any, **about: Any
) -> None:
    """Show a widget for one setting, which stands in the address as soon as it is changed."""
    name = f"metric-{key}"
    st.session_state[name] = value

    def changed() -> None:
        new = st.session_state[name]
        _choose(measure, key, f"{new:g}" if isinstance(new, float) else str(new or "").strip())

    widget(label, key=name, on_change=changed, **about)


def _beta(measure: Measure, _classes: Sequence[str]) -> None:
    value = float(dict(measure.options).get("beta", "1"))
    about = {"min_value": 0.01, "max_value": MOST_BETA, "step": 0.5, "help": BETA_HELP}
    _widget(st.number_input, "beta", measure, "beta", min(max(value, 0.01), MOST_BETA), **about)


def _positive(measure: Measure, classes: Sequence[str]) -> None:
    value = dict(measure.options).get("positive")
    if not classes:
        _text(measure, "positive", label="Positive class", help="The first of two classes unless it is named")
        return
    options = list(dict.fromkeys([*classes, *([value] if value else [])]))
    _widget(st.selectbox, "Positive class", measure, "positive", value or options[0], options=options)


def _accept(measure: Measure, _classes: Sequence[str]) -> None:
    usual = "402040" if measure.spec.name == "reject" else "wta"
    value = dict(measure.options).get("accept", usual)
    options = list(dict.fromkeys([*ACCEPT, value]))
    about = {"options": options, "accept_new_options": True, "help": ACCEPT_HELP}
    _widget(st.selectbox, "A case is accepted by", measure, "accept", value, **about)


def _text(measure: Measure, key: str, *, label: str | None = None, help: str | None = None) -> None:
    value = dict(measure.options).get(key, "")
    _widget(st.text_input, label or key, measure, key, value, help=help)


def _matrix(measure: Measure, classes: Sequence[str]) -> None:
    """Show what predicting each class is worth for each true class, a row a predicted one."""
    text = dict(measure.options).get("matrix")
    if text is None or not classes:
        return
    rows = parse_matrix(text)
    if len(rows) != len(classes):
        return
    st.caption("What it is worth to predict the class of the row where that of the column is true.")
    shown = pd.DataFrame(rows, index=pd.Index(classes, name="predicted"), columns=list(classes))
    edited = st.data_editor(shown, key=f"metric-matrix-{text}")
    new = matrix_text(edited.fillna(0.0).to_numpy().tolist())
    if new != text:
        _choose(measure, "matrix", new)
        st.rerun()


_CONTROLS = {"beta": _beta, "positive": _positive, "accept": _accept, "matrix": _matrix}
"""What shows a setting, by its name."""
