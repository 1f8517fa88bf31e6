"""Help texts."""

import re

import pytest

from dashboard.ui.glossary import GLOSSARY, help_for, terms_with
from tests.shared import shared_path

ENDINGS = (
    r" (attribute|dataset|dataset/prototask|prototask|prototask/task|scheme|function|training set|loss)$"
)
OURS = {
    "absolute-error loss": "absolute error",
    "default encoding": "default coding",
    "informative ordering": "informative order",
    "log-probability loss": "log probability",
    "non-standard task instance": "non-standard instance",
    "squared-error loss": "squared error",
    "squared-probability loss": "squared probability",
    "uninformative ordering": "uninformative order",
}
"""What the glossary calls them, where that is more than the manual's term without its last word."""


def named(term: str) -> str:
    """Return what the glossary calls a term of the manual."""
    plain = re.sub(r" \(.*\)$", "", term)
    return OURS.get(plain, plain if plain in GLOSSARY else re.sub(ENDINGS, "", plain))


@pytest.mark.shared
def test_every_term_of_the_manual_has_a_sentence():
    text = shared_path("seeds/delve-manual-1.1.txt").read_text(encoding="utf-8")
    glossary = text[text.index("## D GLOSSARY OF DELVE") :]
    terms = re.findall(r"^<b>([^<]*)</b>\s", glossary, flags=re.MULTILINE)
    assert len(terms) == 71
    assert [term for term in terms if not help_for(named(term)).endswith(".")] == []


def test_terms_are_found_by_their_name_before_their_meaning():
    terms = terms_with("standard error")
    assert terms[0] == "standard error"
    assert "estimated expected loss" in terms
    assert terms_with("no such word") == []
    assert len(terms_with("")) == len(GLOSSARY)
