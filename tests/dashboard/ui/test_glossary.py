"""Help texts."""

import re

import pytest

from dashboard.ui.glossary import GLOSSARY, help_for, terms_with
from tests.shared import shared_path

TERMS = """absolute-error loss, angular attribute, artificial dataset/prototask, assessment dataset, attribute,
binary attribute, categorical attribute, case, censored value, classification prototask/task,
controlled attribute, common testing scheme, commonality index, cultivated dataset/prototask, dataset,
default encoding, dependency (between cases), development dataset, encoding (of an attribute),
estimated expected loss, expected loss, guess (for a test case), hierarchical testing scheme,
historical dataset, input attribute, informative ordering, integer attribute, learning experiment,
learning method, log-probability loss, loss function, loss matrix, missing value, natural dataset/prototask,
no-guess penalty, nominal attribute, non-standard task instance, noise level (for a target),
order (of a dataset), ordinal attribute, p-value (for a comparison), passive value, performance (of method),
prediction (for a test case), predictive distribution, prior information, prototask, range (of attribute),
real attribute, relevance (of an input), regression prototask/task, sequential prototask,
simulated dataset/prototask, squared-error loss, squared-probability loss, standard error (of estimate),
standard task instance, stratified training set, supervised learning, target attribute, task, task instance,
test case, test set, training case, training set, uncontrolled attribute, uninformative ordering,
unsupervised learning, value (of an attribute), 0-1 loss"""
MANUAL = [" ".join(term.split()) for term in TERMS.split(",")]
"""The terms of the DELVE manual, appendix D, as it writes them."""
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


def test_every_term_of_the_manual_has_a_sentence():
    assert [term for term in MANUAL if not help_for(named(term)).endswith(".")] == []


@pytest.mark.shared
def test_the_terms_are_those_of_the_manual():
    text = shared_path("seeds/delve-manual-1.1.txt").read_text(encoding="utf-8")
    glossary = text[text.index("## D GLOSSARY OF DELVE") :]
    assert re.findall(r"^<b>([^<]*)</b>\s", glossary, flags=re.MULTILINE) == MANUAL


def test_terms_are_found_by_their_name_before_their_meaning():
    found = terms_with("standard error")
    assert found[0] == "standard error"
    assert "estimated expected loss" in found
    assert terms_with("no such word") == []
    assert len(terms_with("")) == len(GLOSSARY)
