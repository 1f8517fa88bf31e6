"""Cards of files of scores: how each was read, what could be meant otherwise, and what was left out."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from dashboard.add_data.kind import ask_kind
from dashboard.frame import selection
from dashboard.server.own_scores import OwnScores
from dashboard.server.uploads import Own
from delvecore.figures import words
from delvecore.readers.scores.records import Guess, ScoreFile, ScoreOptions

__all__ = ["page_words", "show_scores"]

SIDES = {True: "higher is better", False: "lower is better"}
FIELDS = {"--dataset": "dataset", "--method": "method", "--metric": "metric", "--fold": "fold"}
FIELDS |= {"--value": "value", "--failed": "failed"}
"""What an option says, by its name in commands."""
PAGE_WORDS = {
    "say --dataset and --method-column": "call its columns dataset and method",
    "say --higher-is-better or --lower-is-better": "say it as Direction",
    "choose them with --value and say --higher-is-better or --lower-is-better": "send them in a file by "
    "themselves, and say it as Direction",
    "choose one with --value": "leave one of them in the file",
    "say with --fold which column tells them apart": "call the column that tells them apart fold",
    "--fold COLUMN takes it": "call it fold to have it taken",
    "choose other columns with --value": "choose another one as Value",
    "say --value COLUMN": "call the column of scores value",
    "say which columns are what: --dataset, --method-column, --value": "call the columns dataset, method and "
    "value",
}
"""What the page has in place of the options of commands that messages name."""
SEVERAL = ("fold", "value")
MOST_TOLD = 5
AS_READ = "As it was read; another choice reads the file anew"


def page_words(message: str) -> str:
    """Return a message on a file of scores with what can be done on the page in place of options."""
    for option in sorted(PAGE_WORDS, key=len, reverse=True):
        message = message.replace(option, PAGE_WORDS[option])
    return message


def show_scores(mine: Own, number: int, own: OwnScores) -> None:
    """A card: what it is, what was guessed with controls that change it, what was left out."""
    with st.container(border=True, key=f"own-scores-{number}"):
        st.subheader(f":material/table_chart: {words.escape(own.name)}", anchor=False)
        st.caption(words.escape(_facts(own)))
        if own.may_be_cases:
            ask_kind(mine, number, is_scores=True)
        if own.unknown:
            names = words.and_list([words.escape(name) for name in own.unknown])
            st.warning(f"Nothing says whether **{names}** is better the higher or the lower. Please say it.")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            _show_direction(mine, number, own)
            for guess in own.file.guesses if own.file else ():
                _show_guess(mine, number, guess, own=own)
        for notice in (own.file.notices if own.file else ())[:MOST_TOLD]:
            st.caption(words.escape(f"{page_words(notice.text)}."))
        with st.container(horizontal=True, vertical_alignment="bottom"):
            _show_ways(mine, number, own)


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
    if own.file is not None and len(own.file.metrics) != 1:
        return
    value = own.file.metrics[0].higher_is_better if own.file else None

    def change(new: bool | None) -> None:
        mine.read_again(number, replace(own.options, higher_is_better=new))

    more: dict[str, Any] = {"format_func": SIDES.__getitem__, "index": None, "placeholder": "choose"}
    _control("Direction", f"own-direction-{number}", [True, False], value, change=change, **more)


def _show_guess(mine: Own, number: int, guess: Guess, *, own: OwnScores) -> None:
    """Show what was taken for what, and what else it could be."""
    field = FIELDS.get(guess.option.removesuffix("-column"))
    if field is None or not guess.others:
        return

    def change(new: str) -> None:
        mine.read_again(number, _with(own.options, field, new))

    options = [guess.taken, *guess.others]
    _control(
        guess.role.capitalize(),
        f"own-{field}-{number}",
        options,
        guess.taken,
        change=change,
        help=AS_READ,
    )


def _with(options: ScoreOptions, field: str, value: str) -> ScoreOptions:
    said: dict[str, Any] = {field: (value,) if field in SEVERAL else value}
    return replace(options, **said)


def _show_ways(mine: Own, number: int, own: OwnScores) -> None:
    """Show which of the methods is the visitor's own, and how the file goes away again."""
    if own.methods:
        marked = selection.mine()
        key = f"own-mine-{number}"
        st.session_state[key] = marked if marked in own.methods else None

        def mark() -> None:
            selection.choose(mine=st.session_state[key])

        about: dict[str, Any] = {"index": None, "placeholder": "none", "width": 230}
        st.selectbox("Which is yours?", list(own.methods), key=key, on_change=mark, **about)
    st.button(
        "Remove",
        icon=":material/delete:",
        key=f"remove-scores-{number}",
        on_click=mine.remove_scores,
        args=(number,),
    )
