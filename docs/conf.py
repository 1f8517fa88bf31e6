"""The documentation as a site, `sphinx-build -W docs site`: the texts in this folder and the docstrings."""

import delvecore

project = "DELVE for the browser"
copyright = "The DELVE for the browser authors"
version = release = delvecore.__version__
extensions = ["myst_nb", "sphinx.ext.autodoc"]
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
