"""A table of scores is told from one of cases by its names of columns and its shape, and it is said why."""

import io

import numpy as np
import pytest

from delvecore.errors import ParseError
from delvecore.readers.scores.likely import likely_content
from delvecore.readers.scores.records import UnknownDirection
from tests.readers.scores.tables import scores

DRAWN = np.random.default_rng(1).random((40, 3)).round(3)


def table(head, *, shift=0.0, scale=(1.0, 1.0, 1.0)):
    rows = DRAWN * scale + shift * np.arange(len(DRAWN))[:, None]
    return "\n".join([head, *(f"row {k}," + ",".join(map(str, row)) for k, row in enumerate(rows.tolist()))])


SCORES = {
    "a known program": (
        "id,task,framework,fold,result\nt/1,kc1,RF,0,0.8\n",
        "it has the columns of AutoML benchmark",
    ),
    "methods and a metric": (
        "model,acc\na,0.9\nb,0.8\n",
        "'model' is a name for methods and 'acc' is a name for metrics",
    ),
    "datasets and methods": (
        "dataset,learner,grade\nx,a,1\nx,b,2\n",
        "'learner' is a name for methods and 'dataset' is a name for datasets",
    ),
    "methods that find the same datasets hard": (
        table("problem,A,B,C", shift=1.0),
        "each line has a name in 'problem', and its numbers are of one scale",
    ),
    "few lines": (
        "data,A,B\nx,0.9,0.8\ny,0.7,0.6\n",
        "each line has a name in 'data', and its numbers are of one scale",
    ),
}
CASES = {
    "flowers": (
        "length,width,species\n5.1,3.5,setosa\n4.9,3.0,setosa\n6.2,2.2,virginica\n6.0,2.2,virginica\n",
        "none of its 3",
    ),
    "inputs of several scales": (
        table("model,mpg,weight,power", scale=(10, 3000, 100)),
        "none of its 4 columns (3 of",
    ),
    "inputs that do not rise together": (
        table("country,gdp,life,births"),
        "none of its 4 columns (3 of numbers)",
    ),
    "lines without names above": ("5.1,3.5\n4.9,3.0\n", "its first line holds numbers where names"),
}


@pytest.mark.parametrize("name", SCORES)
def test_scores_are_known_and_it_is_said_by_what(name):
    text, why = SCORES[name]
    assert likely_content(io.BytesIO(text.encode())) == ("scores", why)


@pytest.mark.parametrize("name", CASES)
def test_cases_are_known_and_it_is_said_by_what(name):
    text, why = CASES[name]
    kind, told = likely_content(io.BytesIO(text.encode()))
    assert (kind, told[: len(why)]) == ("cases", why)


def test_a_long_file_is_judged_by_its_beginning():
    text = "dataset,method,accuracy\n" + "".join(f"d{k},a,0.{k % 10}\n" for k in range(20_000)) + "not,read\n"
    assert likely_content(io.BytesIO(text.encode())).kind == "scores"


def test_what_is_no_table_is_refused():
    with pytest.raises(ParseError, match="a PDF"):
        likely_content(io.BytesIO(b"%PDF-1.4"))


def test_a_table_of_cases_whose_direction_is_asked_for_may_be_imported():
    with pytest.raises(
        UnknownDirection, match=r"or --lower-is-better, or delve import if its lines are cases$"
    ):
        scores(CASES["flowers"][0])
    with pytest.raises(UnknownDirection, match=r"or --lower-is-better$"):
        scores(SCORES["few lines"][0])
