"""Datasets: which data could my method be tried on?"""

from dashboard.datasets import tabs as dataset_parts
from dashboard.datasets.data import title_of
from dashboard.datasets.list_view import show_list
from dashboard.server import archive as opened
from dashboard.ui import page
from dashboard.ui.commands import command_text
from dashboard.ui.page import Prepared
from delvecore.report import words

QUESTION = "Which data could my method be tried on?"


def show_page(prepared: Prepared) -> None:
    archive, chosen = prepared.shown.archive, prepared.selection.dataset
    title = words.escape(title_of(archive, chosen)) if archive and chosen else QUESTION
    view = page.begin(prepared, title)
    if not opened.rows(view.archive, "datasets"):
        page.answer("No data yet.", view)
        how = "A dataset is a directory in `data` with a `Dataset.spec` in it; to make one of a table:"
        page.empty_state("No datasets here.", how, command_text("delve", "import", "FILE.csv"))
    elif view.selection.dataset:
        dataset_parts.show_dataset(view)
    else:
        show_list(view)
