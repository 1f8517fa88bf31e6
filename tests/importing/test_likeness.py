"""Is a table one of scores or of cases?"""

import random

import pytest

from delvecore.importing.likeness import Likeness, likeness_of
from delvecore.importing.plan import ImportOptions, plan_import
from delvecore.importing.sources import open_source


def likeness(tmp_path, text: str) -> Likeness:
    path = tmp_path / "table.csv"
    path.write_text(text)
    return likeness_of(plan_import(open_source(str(path)), ImportOptions(guess_target=True)))


def rows(count: int, make) -> str:
    drawn = random.Random(1)
    return "".join(f"{make(number, drawn.random)}\n" for number in range(count))


TABLES = {
    "a long table of scores": "dataset,method,accuracy\niris,svm,0.9\niris,knn,0.8\n",
    "methods and folds": "classifier,fold,auc\nsvm,0,0.9\nsvm,1,0.8\n",
    "a wide table of scores with a dataset column": "dataset,svm,knn\niris,0.9,0.8\nwine,90,0.7\n",
}
LIKELY = {
    "a wide table of scores whose first column has no name": ",svm,knn\niris,0.9,0.8\nwine,0.7,0.7\n",
    "a long table with a header of its own": "what,who,how good\n"
    + "".join(f"d{d},m{m},0.{d}{m}\n" for d in range(5) for m in range(3)),
}
CASES = {
    "flowers": "length,width,species\n"
    + rows(60, lambda n, draw: f"{5 + draw():.1f},{3 + draw():.1f},{('a', 'b', 'c')[n % 3]}"),
    "houses": "rooms,area,price\n" + rows(40, lambda n, draw: f"{n % 7},{50 + n},{90000 + 10 * n}"),
    "patients with names": "name,age,income,pressure\n"
    + rows(30, lambda n, draw: f"p{n},{n + 20},{n * 999},{draw()}"),
    "cars with a column model": "model,mpg,weight\n"
    + rows(30, lambda n, draw: f"car{n},{20 + draw()},{2000 + n}"),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_header_of_scores_leaves_no_doubt(tmp_path, name):
    assert likeness(tmp_path, TABLES[name]) is Likeness.SCORES


@pytest.mark.parametrize("name", LIKELY)
def test_lines_that_are_named_and_numbers_of_one_scale_are_likely_scores(tmp_path, name):
    assert likeness(tmp_path, LIKELY[name]) is Likeness.LIKELY_SCORES


@pytest.mark.parametrize("name", CASES)
def test_what_has_columns_of_different_scales_or_no_names_is_likely_cases(tmp_path, name):
    assert likeness(tmp_path, CASES[name]) is Likeness.LIKELY_CASES
