"""Pages: numbers, differences, verdicts, winners and names are those of the file, too."""

import re

import pytest

from tests.one_sign import pages
from tests.one_sign.claims import check_differences, check_means, check_verdicts, wrong_keys, wrong_names
from tests.one_sign.pages import Shown, run
from tests.one_sign.surfaces import table_text_means
from tests.one_sign.tables import NAMES

pytestmark = pytest.mark.slow

LOWER = ("accuracy", "1-AUC", "-LL", "log_likelihood")
DIRECTIONS = [(name, name not in LOWER) for name in NAMES]
"""Each name in one direction: a page takes ten times as long as a command."""
VIEWS = {
    "leaderboard": ("leaderboard", {}),
    "ranking": ("ranking", {"more": "true", "question": "equivalence"}),
    "one pair": ("ranking", {"ranking-part": "One pair", "first": "ant", "second": "bee"}),
    "robustness": ("ranking", {"ranking-part": "Robustness"}),
    "compare": ("compare", {"compare-part": "All pairs"}),
    "numbers": ("compare", {"compare-part": "Losses in numbers"}),
    "training sets": ("compare", {"compare-part": "Training sets"}),
    "tables": ("tables", {}),
    "curves": ("task_arrays", {}),
    "winners": ("task_arrays", {"array-part": "Winners"}),
    "differences": ("task_arrays", {"array-part": "Differences"}),
    "drivers": ("task_arrays", {"array-part": "What drives it"}),
    "cost": ("task_arrays", {"array-part": "Cost"}),
    "dataset": ("datasets", {}),
    "method": ("methods", {"method": "bee"}),
    "losses of a method": ("methods", {"method": "bee", "method-part": "Losses"}),
}
MEANS = {
    "leaderboard": lambda shown, case: pages.cost_means(shown, case, "costs"),
    "robustness": pages.values_means,
    "compare": pages.estimates_means,
    "numbers": pages.estimates_file_means,
    "tables": lambda shown, case: table_text_means(case, shown.file(".tex")),
    "training sets": pages.training_set_means,
    "curves": lambda shown, case: pages.array_means(shown, case, "-curves"),
    "winners": lambda shown, case: pages.array_means(shown, case, "-winners"),
    "cost": lambda shown, case: pages.cost_means(shown, case, "-total-costs"),
    "losses of a method": pages.method_means,
}
PAIRS = {
    "ranking": lambda shown, case: pages.ranking_pairs(shown),
    "one pair": lambda shown, case: pages.pair_numbers(shown),
    "robustness": lambda shown, case: pages.combined_pairs(shown),
    "compare": lambda shown, case: (*pages.difference_pairs(shown, case), *pages.file_pairs(shown, case)),
    "differences": lambda shown, case: pages.array_pairs(shown, "-differences"),
}
BEST = {
    "leaderboard": r"(\w+) (?:is best|ranks first) of \d",
    "ranking": r"(\w+) (?:has the best mean rank of|is the best of) \d",
    "tables": r"(\w+) has the best average rank",
    "curves": r"(\w+) has the (?:lowest|highest)",
}
"""Headlines that name the winner."""


@pytest.fixture(
    scope="session", params=DIRECTIONS, ids=lambda one: f"{one[0]}, {'higher' if one[1] else 'lower'}"
)
def page_case(request, cases):
    return cases(*request.param)


@pytest.fixture(scope="session")
def view(run_page):
    """Return a view of a case, which is run once."""
    shown: dict[tuple[object, str], Shown] = {}

    def open_view(case, name):
        if (case, name) not in shown:
            page, parameters = VIEWS[name]
            path = pages.path_of(case)
            place = {"compare": {"task": path}, "datasets": {"dataset": path.split("/")[1]}}.get(page, {})
            shown[case, name] = run(case, run_page, page, **parameters, **place)
        return shown[case, name]

    return open_view


@pytest.mark.parametrize("name", MEANS)
def test_means_of_pages_are_those_of_the_file(page_case, view, name):
    check_means(page_case, MEANS[name](view(page_case, name), page_case))


@pytest.mark.parametrize("name", PAIRS)
def test_differences_and_verdicts_of_pages_are_those_of_the_file(page_case, view, name):
    pairs = list(PAIRS[name](view(page_case, name), page_case))
    assert pairs
    check_differences(page_case, pairs)
    check_verdicts(page_case, pairs)


@pytest.mark.parametrize("name", BEST)
def test_headlines_name_the_winner(page_case, view, name):
    match = re.search(BEST[name], view(page_case, name).text)
    assert match is not None
    assert match[1] == page_case.expected.best


def test_the_heading_of_a_task_has_its_winner(page_case, view):
    best = page_case.expected.best_on(pages.path_of(page_case))
    side = "highest" if page_case.higher_is_better else "lowest"
    assert f"{best} has the {side} {page_case.name} on " in view(page_case, "compare").text.replace("\\", "")


@pytest.mark.parametrize("name", VIEWS)
def test_pages_call_the_column_by_its_name(page_case, view, name):
    shown = view(page_case, name)
    rows = [row for rows in shown.tables.values() for row in rows]
    assert not wrong_names(page_case, shown.text)
    assert not [wrong_name for text in shown.files.values() for wrong_name in wrong_names(page_case, text)]
    assert {row["loss"] for row in rows if isinstance(row.get("loss"), str)} <= {page_case.name}
    numbers = {key for row in rows for key, value in row.items() if isinstance(value, float)}
    assert not wrong_keys(page_case, numbers)


LOSS_VIEWS = ("ranking", "compare", "losses of a method")


@pytest.mark.parametrize("name", LOSS_VIEWS)
def test_pages_show_losses_as_they_are(loss, view, name):
    shown = view(loss, name)
    if name in MEANS:
        check_means(loss, MEANS[name](shown, loss))
    if name in PAIRS:
        pairs = list(PAIRS[name](shown, loss))
        check_differences(loss, pairs)
        check_verdicts(loss, pairs)
