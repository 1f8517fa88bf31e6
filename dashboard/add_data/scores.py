"""Cards of files of scores: how each was read, what could be meant otherwise, and what was left out."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from dashboard.add_data.kind import ask_kind
from dashboard.server.own_scores import OwnScores
from dashboard.server.uploads import Own
from dashboard.ui import readings, selection
from delvecore.plots import words
from delvecore.score_tables.options import Answer, ScoreOptions
from delvecore.score_tables.score_file import ScoreFile

__all__ = ["show_scores"]

SIDES = {True: "higher is better", False: "lower is better"}


def show_scores(mine: Own, number: int, own: OwnScores) -> None:
    """A card: what it is, what has to be said first, what else it could be, and how it goes away."""

    def change(answer: Answer) -> None:
        mine.read_again(number, own.options.with_answer(answer))

    with st.container(border=True, key=f"own-scores-{number}"):
        st.subheader(f":material/table_chart: {words.escape(own.name)}", anchor=False)
        st.caption(words.escape(_facts(own)))
        if own.may_be_cases:
            ask_kind(mine, number, is_scores=True)
        if own.question is not None:
            readings.show_question(own.question, change, key=f"own-question-{number}")
        if own.file is not None:
            _show_direction(mine, number, own)
            readings.show_alternatives(own.file.reading, change, key=f"own-read-{number}")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            _show_ways(mine, number, own, change)


def _facts(own: OwnScores) -> str:
    if own.file is None:
        return "A table of scores, not shown yet."
    rows = own.file.rows
    datasets = words.count(len(rows["dataset"].unique()), "dataset")
    measured = words.and_list([_metric_words(own.file, place) for place in range(len(own.file.metrics))])
    instances = len(rows["instance"].unique())
    folds = f", {instances} folds or seeds" if instances > 1 else ""
    return f"Scores of {words.count(len(own.methods), 'method')} on {datasets}{folds}: {measured}."


def _metric_words(file: ScoreFile, place: int) -> str:
    return words.metric_words(file.metrics[place])


def _control(
    label: str, key: str, options: list[Any], value: Any, *, change: Callable[[Any], None], **more: Any
) -> None:
    """Show a choice whose change reads the file anew."""
    st.session_state[key] = value
    st.selectbox(label, options, key=key, on_change=lambda: change(st.session_state[key]), width=230, **more)


def _show_direction(mine: Own, number: int, own: OwnScores) -> None:
    """Show whether higher or lower is better, where there is one metric."""
    if own.file is None or len(own.file.metrics) != 1:
        return

    def change(new: bool | None) -> None:
        mine.read_again(number, replace(own.options, higher_is_better=new))

    value = own.file.metrics[0].higher_is_better
    more: dict[str, Any] = {"format_func": SIDES.__getitem__}
    _control("Direction", f"own-direction-{number}", [True, False], value, change=change, **more)


def _show_ways(mine: Own, number: int, own: OwnScores, change: Callable[[Answer], None]) -> None:
    """Show which of the methods is the visitor's own, what can be left out, and how the file goes away."""
    if own.methods:
        marked = selection.mine()
        key = f"own-mine-{number}"
        st.session_state[key] = marked if marked in own.methods else None

        def mark() -> None:
            selection.choose(mine=st.session_state[key])

        about: dict[str, Any] = {"index": None, "placeholder": "none", "width": 230}
        st.selectbox("Which is yours?", list(own.methods), key=key, on_change=mark, **about)
        _show_drop(number, own, change)
    if own.options != ScoreOptions():
        st.button(
            "Forget my answers",
            icon=":material/undo:",
            key=f"forget-scores-{number}",
            on_click=mine.read_again,
            args=(number, ScoreOptions()),
        )
    st.button(
        "Remove",
        icon=":material/delete:",
        key=f"remove-scores-{number}",
        on_click=mine.remove_scores,
        args=(number,),
    )


def _show_drop(number: int, own: OwnScores, change: Callable[[Answer], None]) -> None:
    """Offer to leave a method out."""
    key = f"own-drop-{number}"
    st.session_state[key] = None

    def drop() -> None:
        name = st.session_state[key]
        change(Answer(f"Leave {name} out", "drop", (name,)))

    about: dict[str, Any] = {"index": None, "placeholder": "nothing", "width": 230}
    st.selectbox("Leave out", list(own.methods), key=key, on_change=drop, **about)
