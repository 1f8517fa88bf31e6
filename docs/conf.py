"""The documentation as a site, `sphinx-build -W docs site`: the texts in this folder and the docstrings."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import delvecore
from docs.command_pages import command_pages

project = "DELVE for the browser"
copyright = "The DELVE for the browser authors"
version = release = delvecore.__version__
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["site", "hosting"]

html_theme = "furo"
html_title = "DELVE for the browser"
html_logo = "../dashboard/static/wordmark.svg"
html_favicon = "../dashboard/static/mark.svg"
html_static_path: list[str] = []
html_theme_options = {"sidebar_hide_name": True}
html_show_sphinx = False

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
# Docstrings are prose with code in single backquotes.
default_role = "code"
autodoc_typehints = "description"
autodoc_member_order = "bysource"
# The tests run the notebook.
nb_execution_mode = "off"
# Plotly figures stand beside their words; a diagram in the text is read as it is written.
suppress_warnings = ["mystnb.unknown_mime_type", "misc.highlighting_failure"]


# Words that people search for, as main entries of the index: page = {heading: words}.
SEARCH_WORDS = {
    "faq": {
        "# Frequently asked questions": "FAQ",
        "## How many datasets do I need?": "how many datasets",
        "## Which test will reviewers accept?": "which test",
    },
    "statistics": {"## Methods over many tasks": "Nemenyi"},
    "gallery": {"# Gallery": "critical difference diagram"},
    "tables-for-papers": {"# Make tables and figures for a paper": "LaTeX table"},
    "experiments": {"## Design": "cross-validation"},
}


def _add_search_words(app, name, source):
    """Put an entry of the index above each heading of SEARCH_WORDS."""
    for heading, words in SEARCH_WORDS.get(name, {}).items():
        before, partition, after = f"\n{source[0]}".partition(f"\n{heading}\n")
        if not partition:
            raise ValueError(f"docs/{name}.md: expected the heading {heading!r} of SEARCH_WORDS, found none")
        source[0] = f"{before}\n```{{index}} ! {words}\n```\n\n{heading}\n{after}"


def _add_command_pages(app, name, source):
    """Put the reference of the commands below their table."""
    if name == "commands":
        source[0] += "\n" + command_pages()


def setup(app):
    app.connect("source-read", _add_command_pages)
    app.connect("source-read", _add_search_words)
