"""The words that a newcomer types into the search of the documentation lead to the page with the answer."""

import subprocess
import sys

import pytest

from tests.browser.conftest import ROOT

pytest.importorskip("myst_nb", reason="the documentation needs pip install -e '.[docs]'")

SEARCHES = {
    "FAQ": "faq",
    "rliable": "coming-from-python",
    "critdd": "coming-from-python",
    "macOS": "faq",
    "conda": "faq",
    "uninstall": "faq",
    "Colab": "faq",
    "Matplotlib": "faq",
    "PyTorch": "other-libraries",
    "hyperparameter tuning": "faq",
    "troubleshooting": "faq",
    "telemetry": "faq",
    "how many datasets": "faq",
    "which test": "faq",
    "reviewers": "faq",
    "family": "faq",
    "XGBoost": "other-libraries",
    "Windows": "faq",
    "Nemenyi": "statistics",
    "critical difference diagram": "gallery",
    "LaTeX table": "tables-for-papers",
    "cross-validation": "experiments",
    "missing results": "statistics",
    "Bayesian": "statistics",
}
IS_DONE = "document.querySelector('.search-summary')?.textContent.match(/found|did not match/i)"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    place = tmp_path_factory.mktemp("site")
    subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-d", place / "doctrees", ROOT / "docs", place / "html"],
        check=True,
        cwd=ROOT,
    )
    return place / "html"


def test_a_search_finds_the_page_with_the_answer_first_or_second(browser, site):
    page = browser.new_page()
    ranks = {}
    for words, expected in SEARCHES.items():
        page.goto(f"{(site / 'search.html').as_uri()}?q={words.replace(' ', '+')}")
        page.wait_for_function(IS_DONE)
        links = page.locator("#search-results li > a")
        addresses = links.evaluate_all("links => links.map(link => link.getAttribute('href'))")
        pages = list(dict.fromkeys(address.partition(".html")[0] for address in addresses))
        ranks[words] = pages.index(expected) + 1 if expected in pages else None
    page.close()
    assert {words: rank for words, rank in ranks.items() if rank not in (1, 2)} == {}
