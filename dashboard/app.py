"""The dashboard's frame: word mark, name of the archive, page list, and the requested page."""

import functools
import importlib
import os
import sys

# Streamlit puts this folder first at every run; `tables` or `datasets` in it must not shadow a library.
if os.path.dirname(os.path.abspath(__file__)) in sys.path:
    sys.path.remove(os.path.dirname(os.path.abspath(__file__)))

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from dashboard.server.archive import Opened
from dashboard.server.configuration import PACKAGE
from dashboard.server.pages import PAGES, streamlit_page
from dashboard.ui import archive_status, page
from dashboard.ui.selection import Selection
from delvecore.locations import with_addresses
from delvecore.report import words

SIDEBAR_WIDTH = 220


def page_list() -> dict[str, list[StreamlitPage]]:
    """Return the pages by group, as Streamlit shows them."""
    groups: dict[str, list[StreamlitPage]] = {}
    for one in PAGES:
        shown = streamlit_page(one.name, functools.partial(show_page, one.name))
        groups.setdefault(one.group, []).append(shown)
    return groups


def show_page(name: str) -> None:
    """Pass the archive and the visitor's choices to a page."""
    importlib.import_module(f"dashboard.{name}.page").show_page(prepared)


def show_archive_name(shown: Opened) -> None:
    """Show the names of the open delve directories in the sidebar."""
    paths = shown.archive.sources if shown.archive else ()
    none = "being read" if shown.opening is not None else "no archive"
    names = words.and_list([words.short_line(os.path.basename(path)) for path in paths]) or none
    st.sidebar.caption("Archive", help=words.escape(with_addresses(os.pathsep.join(paths))) or None)
    st.sidebar.text(names)


def window_title(title: str, chosen: Selection) -> str:
    """Return the page's item and title for the browser's tabs, history and bookmarks."""
    subject = next((one.subject for one in PAGES if one.title == title), None)
    return " · ".join(filter(None, [getattr(chosen, subject) if subject else None, title, "DELVE"]))


st.set_page_config(
    page_icon=str(PACKAGE / "static" / "mark.svg"), layout="wide", initial_sidebar_state=SIDEBAR_WIDTH
)
st.html(PACKAGE / "static" / "page.css")
st.html('<script src="./app/static/page.js"></script>', unsafe_allow_javascript=True)
st.logo(
    str(PACKAGE / "static" / "wordmark.svg"), size="large", icon_image=str(PACKAGE / "static" / "mark.svg")
)
chosen_page = st.navigation(page_list(), expanded=True)
with archive_status.told():
    prepared = page.prepare()
    st.set_page_config(page_title=window_title(chosen_page.title, prepared.selection))
    show_archive_name(prepared.shown)
    with st.sidebar:
        page.show_glossary()
    chosen_page.run()
