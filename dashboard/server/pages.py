"""The dashboard's pages, each at the address of its folder, and redirects for unknown addresses."""

from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import urlencode

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from delvecore import names

ASKED = "page"
"""The parameter that names a requested page if it does not exist."""
FIRST = "leaderboard"
"""The page at the bare address."""


class Page(NamedTuple):
    """A page, which the function `show_page` in `page.py` of its folder shows.

    Attributes
    ----------
    name : str
        Folder and address.
    subject : str or None
        Field of the selection with the item that the page shows in full.
    """

    group: str
    name: str
    title: str
    icon: str
    subject: str | None = None


PAGES = (
    Page("Explore", "leaderboard", "Leaderboard", ":material/trophy:"),
    Page("Explore", "datasets", "Datasets", ":material/dataset:", "dataset"),
    Page("Explore", "methods", "Methods", ":material/model_training:", "method"),
    Page("Compare", "compare", "Compare", ":material/balance:", "task"),
    Page("Compare", "task_arrays", "Task-arrays", ":material/grid_view:", "array"),
    Page("Compare", "ranking", "Ranking", ":material/leaderboard:"),
    Page("Share", "tables", "Tables", ":material/table_chart:"),
    Page("Share", "add_data", "Add data", ":material/upload_file:"),
    Page("Share", "file_check", "File check", ":material/fact_check:"),
)
"""The pages in their order."""
RENAMED = {"archive": "leaderboard", "problems": "file_check"}
"""Former addresses, and the current addresses of those pages."""
BY_NAME = {page.name: page for page in PAGES}
ADDRESSES = tuple(BY_NAME)


def streamlit_page(name: str, run: Callable[[], None] = lambda: None) -> StreamlitPage:
    """Return a page as Streamlit knows it, for the page list, links and switches. run: shows it."""
    page = BY_NAME[name]
    return st.Page(run, title=page.title, icon=page.icon, url_path=name, default=name == FIRST)


def is_page(path: str) -> bool:
    """Is there a page at this path of the server? The first page has the empty path."""
    return path.strip("/") in {"", *ADDRESSES} - {FIRST}


def nearest_page(path: str) -> str:
    """Return the page whose name is most similar to the request, otherwise the first page."""
    name = path.strip("/").rsplit("/", 1)[-1]
    return RENAMED.get(name) or names.nearest(name, ADDRESSES) or FIRST


def guiding_address(path: str, query: str) -> str:
    """Return the address of the nearest page with the parameters. The first page has the empty path."""
    nearest, name = nearest_page(path), path.strip("/")
    is_former = name == FIRST or name in RENAMED
    both = "&".join(filter(None, [query, "" if is_former else urlencode({ASKED: name})]))
    return ("/" if nearest == FIRST else f"/{nearest}") + (f"?{both}" if both else "")
