"""Abbreviations on the pages are explained where they stand."""

import json
import re
from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.server.pages import ADDRESSES
from dashboard.ui.glossary import GLOSSARY

VISITS = (
    *((page, {}) for page in ADDRESSES),
    *(("compare", {"compare-part": part}) for part in ("All pairs", "Training sets")),
    *(("task_arrays", {"array-part": part}) for part in ("Curves", "What drives it", "Cost")),
    ("methods", {"method": "apple"}),
    ("datasets", {"dataset": "plot-1s", "part": "Results"}),
)
KNOWN = {
    *("CSV", "TSV", "HTML", "JSON", "PDF", "PNG", "SVG", "TXT", "ARFF", "YAML", "MB", "GB", "BY"),
    *("DELVE", "METHOD", "DATASET", "SHA"),
}
"""Files, units and names that stand for themselves."""
SHORT = re.compile(r"\b[A-Z]{2,5}\b")


def shown(app: AppTest) -> Iterator[str]:
    """All that a visitor reads on the page, figures and heads of tables that have no help included."""
    kinds = ("title", "markdown", "subheader", "caption", "text", "info", "warning", "error", "metric")
    for kind in kinds:
        yield from (str(one.value) for one in app.main.get(kind) if hasattr(one, "value"))
    for kind in ("button", "selectbox", "multiselect", "segmented_control", "pills", "slider", "checkbox"):
        yield from (f"{one.label} {getattr(one, 'help', '')}" for one in getattr(app, kind))
    for table in app.dataframe:
        looks = json.loads(table.proto.columns or "{}")
        for name in table.value.columns:
            look = looks.get(name, {})
            if not look.get("help"):
                yield look.get("label") or name
    for figure in app.get("plotly_chart"):
        yield from re.findall(r'"(?:text|name|title)":\s*"([^"]*)"', figure.proto.spec)


def is_explained(short: str, text: str) -> bool:
    """Is it told what it stands for: `SE: standard error`, `critical difference (CD)`, or in the glossary?"""
    return re.search(rf"\b{short}: \w|\w \({short}\b", text) is not None or short in GLOSSARY


@pytest.mark.parametrize(("page", "address"), VISITS)
def test_abbreviations_are_explained_on_the_page_where_they_stand(array_page, page, address):
    text = "\n".join(shown(array_page(page, **address)))
    assert len(text) > 100
    short = set(SHORT.findall(text)) - KNOWN
    assert {one for one in short if not is_explained(one, text)} == set()
