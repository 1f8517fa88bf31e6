"""While a large archive is read for the first time: pages show what is there and say what is still coming."""

from collections.abc import Callable, Collection

import streamlit as st

from dashboard.server import archive as opened
from dashboard.ui.defaults import largest_array, typical_task
from dashboard.ui.selection import Selection
from delvecore.archive import Archive
from delvecore.plots import words

__all__ = ["Needs", "nothing", "of_the_array", "of_the_task", "show"]

Opening = opened.Opening[opened.Opened]
Needs = Callable[[Selection, str], Collection[str] | None]
"""Which datasets have to be read, with all results on them, for a page to be shown? By what is chosen and the
state of an edition; None: all."""
GROWTH = 1.5
"""A page that shows whatever is there is made anew when it has so many times as many datasets."""


def nothing(_chosen: Selection, _state: str) -> Collection[str]:
    """A page that shows whatever is there."""
    return ()


def of_the_task(chosen: Selection, state: str) -> Collection[str] | None:
    """A page about the task, prototask or dataset that the address names, else about a typical task."""
    place = chosen.task or chosen.prototask or chosen.dataset or typical_task(state)
    return [place.strip("/").partition("/")[0]] if place else None


def of_the_array(chosen: Selection, state: str) -> Collection[str] | None:
    """A page about the task-array that the address names, else about the largest one."""
    arrays = {array.name: array for array in opened.archive_of(state).arrays}
    if not arrays:
        return None
    array = arrays.get(chosen.array or "") or arrays[largest_array(state, arrays)]
    return {one.dataset for one in array.members}.intersection(opened.choices(state).datasets)


def show(opening: Opening, archive: Archive | None, needed: Collection[str] | None) -> None:
    """Say what is still being read, on a page that goes on with this edition of the archive. Without one, or
    where a dataset that the page needs is not there yet, say how far it is, and stop the page."""
    if archive is None or needed is None or not _is_there(archive, needed):
        for name in needed or ():
            opened.want(name)
        _wait(opening, needed)
        st.stop()
    _tell(opening, archive, follows=not needed)


def _is_there(archive: Archive, needed: Collection[str]) -> bool:
    return set(needed).isdisjoint(archive.pending)


@st.fragment(run_every=0.5)
def _wait(opening: Opening, needed: Collection[str] | None) -> None:
    """Say how far the reading of the archive is; the page comes by itself when it is done."""
    edition = opening.edition and opening.edition.archive
    if opening.is_done(0.0) or (edition and needed is not None and _is_there(edition, needed)):
        st.rerun()
    progress = opening.progress
    with st.container(key="opening"):
        share = f"{100 * progress.share:.0f} %"
        if edition and (total := len(needed if needed is not None else edition.datasets)):
            left = len(set(edition.pending).intersection(needed) if needed is not None else edition.pending)
            of = words.count(total, "dataset")
            st.markdown(f"This page compares results on **{of}**, of which **{total - left} are read**.")
        st.progress(progress.share, f"Reading the archive: {words.escape(progress.subject)} ({share})")
        st.caption(
            "The first time, cases are simulated and losses computed from the predictions; what comes of it "
            "is kept, so that the next start takes a moment. This page goes on by itself."
        )


@st.fragment(run_every=1.0)
def _tell(opening: Opening, shown: Archive, *, follows: bool) -> None:
    """Say in a corner how much is there. follows: does the page show more as it comes?"""
    edition = opening.edition and opening.edition.archive
    total = len(shown.datasets)
    there, before = (total - len(one.pending) for one in (edition or shown, shown))
    if opening.is_done(0.0) or (follows and there > before and there >= GROWTH * before):
        st.rerun()
    with st.container(key="coming", border=True):
        st.markdown(f"Results on **{there} of {words.count(total, 'dataset')}** are read; the others follow.")
