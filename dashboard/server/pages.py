"""The dashboard's pages, each at the address of its folder, and which one an address means that none has."""

from pathlib import Path
from typing import NamedTuple

from dashboard.server.configuration import PACKAGE
from delvecore import names

__all__ = ["ADDRESSES", "ASKED", "FIRST", "PAGES", "Page", "file_of", "is_page", "nearest_page"]

ASKED = "page"
"""The parameter that says, on another page, which one the visitor asked for in vain."""
FIRST = "archive"
"""The page at the bare address."""


class Page(NamedTuple):
    """A page. name: its folder and address; subject: the field of the selection that it shows in full."""

    group: str
    name: str
    title: str
    icon: str
    subject: str | None = None


PAGES = (
    Page("Explore", "archive", "Archive", ":material/inventory_2:"),
    Page("Explore", "datasets", "Datasets", ":material/dataset:", "dataset"),
    Page("Explore", "methods", "Methods", ":material/model_training:", "method"),
    Page("Compare", "compare", "Compare", ":material/balance:", "task"),
    Page("Compare", "task_arrays", "Task-arrays", ":material/grid_view:", "array"),
    Page("Compare", "ranking", "Ranking", ":material/leaderboard:"),
    Page("Publish", "tables", "Tables", ":material/table_chart:"),
    Page("Publish", "add_data", "Add data", ":material/upload_file:"),
    Page("Publish", "problems", "Problems", ":material/report:"),
)
"""The pages in their order."""
ADDRESSES = tuple(page.name for page in PAGES)


def file_of(name: str) -> Path:
    """Where is the file of a page? Whole, for links and switches: the application may run from another copy
    of its file than its pages are taken from, as where a host serves a checkout and has installed it."""
    return PACKAGE / name / "page.py"


def is_page(path: str) -> bool:
    """Is there a page at this path of the server? The first one stands at the bare address only."""
    return path.strip("/") in {"", *ADDRESSES} - {FIRST}


def nearest_page(path: str) -> str:
    """Which page is most like what was asked for? The first one where none is."""
    return names.nearest(path.strip("/").rsplit("/", 1)[-1], ADDRESSES) or FIRST
