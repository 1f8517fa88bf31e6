"""The words that a newcomer types into the search of the documentation lead to the page with the answer."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGES = {path.stem: path.read_text(encoding="utf-8").lower() for path in DOCS.glob("*.md")}
SEARCHES = {
    "how many datasets": "faq",
    "reviewers test": "faq",
    "pytorch": "other-libraries",
    "xgboost": "other-libraries",
    "hyperparameter tuning": "faq",
    "colab": "faq",
    "macos": "faq",
    "windows wsl": "faq",
    "conda": "faq",
    "uninstall": "faq",
    "telemetry": "faq",
    "why no p-value": "faq",
    "family": "faq",
    "troubleshooting": "faq",
    "matplotlib": "faq",
    "rliable": "coming-from-python",
    "critdd": "coming-from-python",
    "autorank": "coming-from-python",
    "nemenyi": "coming-from-python",
    "critical-difference diagram": "gallery",
    "latex table": "tables-for-papers",
    "import csv": "importing",
    "cross-validation folds": "statistics",
    "sign in token": "hosting",
}


def score(words: list[str], page: str) -> tuple[int, int]:
    """How many of the words a page has, and how many of these in its headings."""
    headings = " ".join(re.findall(r"^#+ (.*)$", page, re.MULTILINE))
    return sum(word in page for word in words), sum(word in headings for word in words)


@pytest.mark.parametrize(("search", "expected"), SEARCHES.items())
def test_a_search_finds_the_page_with_the_answer(search, expected):
    words = search.split()
    assert [word for word in words if word not in PAGES[expected]] == []
    best = sorted(PAGES, key=lambda name: score(words, PAGES[name]), reverse=True)
    rank = sum(score(words, PAGES[name]) > score(words, PAGES[expected]) for name in best)
    assert rank < 5, best[:6]
