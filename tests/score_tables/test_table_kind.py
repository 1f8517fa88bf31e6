"""Scores or cases? One rule for tables, files, commands and the page."""

import random

import pandas as pd
import pytest
from sklearn.datasets import load_iris

import delvecore as dv
from delvecore.cli import delve
from delvecore.score_tables.table_kind import BEGINNING, file_kind, table_kind


def rows(count, make):
    drawn = random.Random(1)
    return "".join(f"{make(number, drawn.random)}\n" for number in range(count))


def hard(count, make):
    """Rows whose numbers share what makes a dataset hard, as the scores of methods do."""
    drawn = random.Random(2)

    def row(number):
        level = drawn.random()
        return make(number, lambda: f"{0.5 * level + 0.1 * drawn.random():.3f}")

    return "".join(f"{row(number)}\n" for number in range(count))


SCORES = {
    "a long table": "dataset,method,accuracy\niris,svm,0.9\niris,knn,0.8\n",
    "methods and folds": "classifier,fold,auc\nsvm,0,0.9\nsvm,1,0.8\n",
    "a wide table": "dataset,svm,knn\niris,0.9,0.8\nwine,90,0.7\n",
    "methods on datasets of unknown metric": "task,algorithm,x\n"
    + rows(6, lambda n, draw: f"t{n // 2},a{n % 2},{n}"),
    "methods and metrics": "model,accuracy,f1,auc\nsvm,0.9,0.8,0.9\nknn,0.8,0.7,0.8\n",
    "a known program": "id,task,framework,constraint,fold,type,result,metric\no/1,iris,RF,1h,0,b,0.9,auc\n",
}
CASES = {
    "flowers": "length,width,species\n"
    + rows(60, lambda n, draw: f"{5 + draw():.1f},{3 + draw():.1f},{('a', 'b', 'c')[n % 3]}"),
    "houses": "rooms,area,price\n" + rows(40, lambda n, draw: f"{n % 7},{50 + n},{90000 + 10 * n}"),
    "a series": "date,price,sold\n" + rows(40, lambda n, draw: f"2020-01-{1 + n % 28:02},{n % 13}.5,{n % 7}"),
    "numbers that do not rise together": "a,b,c\n" + rows(50, lambda n, draw: f"{draw()},{draw()},{draw()}"),
    "numbers of two signs": "name,a,b\n" + rows(9, lambda n, draw: f"n{n},{draw()},{-draw()}"),
}
UNCLEAR = {
    "a wide table whose first column has no name": ",svm,knn\niris,0.9,0.8\nwine,0.7,0.7\n",
    "a wide table of other names": "name,alpha,beta,gamma\n"
    + hard(40, lambda n, one: f"d{n},{one()},{one()},{one()}"),
    "a wide table of identifiers": ",rf,svm,nb\n"
    + hard(30, lambda n, one: f"{n + 3},{one()},{one()},{one()}"),
    "a long table with a header of its own": "what,who,how good\n"
    + "".join(f"d{d},m{m},0.{d}{m}\n" for d in range(5) for m in range(3)),
    "a model and an error beside a class": "model,error,class\nfast,0.1,a\nslow,0.2,b\n",
}
TABLES = [
    (kind, name, text)
    for kind, tables in (("scores", SCORES), ("cases", CASES), ("unclear", UNCLEAR))
    for name, text in tables.items()
]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "table.csv"


@pytest.mark.parametrize(("kind", "name", "text"), TABLES, ids=[one[1] for one in TABLES])
def test_a_table_holds_scores_or_cases_or_is_unclear(kind, name, text, path):
    path.write_text(text)
    judgment = file_kind(path)
    assert judgment[0] == kind, judgment[1]
    assert judgment[1]
    frames = [pd.read_csv(path), pd.read_csv(path, dtype=str, keep_default_na=False)]
    assert {table_kind(frame.rename(columns={"Unnamed: 0": ""})) for frame in frames} == {judgment}


def test_measures_of_flowers_alone_are_asked_about():
    # The four measures are of one scale and rise together, as scores do.
    assert table_kind(load_iris(as_frame=True).data)[0] == "unclear"
    assert table_kind(load_iris(as_frame=True).frame)[0] == "cases"


def test_numbers_without_names_above_are_cases(path):
    path.write_text("1,2.5,3\n4,5.5,6\n")
    assert file_kind(path)[1] == "its first line has numbers instead of names of columns"


def test_the_beginning_of_a_large_file_tells_what_it_holds(path):
    line = "a long name of a dataset,0.5,0.25\n"
    path.write_text("dataset,svm,knn\n" + line * (2 * BEGINNING // len(line)) + "the end,is,cut")
    assert file_kind(path)[0] == "scores"


def test_an_arff_file_holds_cases(tmp_path):
    path = tmp_path / "a.arff"
    path.write_text("@relation a\n@attribute x numeric\n@data\n1\n")
    assert file_kind(path)[0] == "cases"


def said(capsys, *arguments):
    code = delve.main(arguments)
    return code, capsys.readouterr()


@pytest.mark.parametrize("name", ["flowers", "a wide table whose first column has no name"])
def test_a_question_about_what_may_be_cases_names_both_commands(name, path, capsys):
    path.write_text((CASES | UNCLEAR)[name])
    code, output = said(capsys, "rank", str(path))
    assert (code, output.out) == (1, "")
    assert len(output.err.splitlines()) == 1
    assert f"if its lines are cases: delve import {path} --target COLUMN" in output.err
    assert "--higher-is-better" in output.err or "--keep" in output.err


def test_a_question_about_scores_does_not_speak_of_cases(path, capsys):
    path.write_text(SCORES["methods on datasets of unknown metric"])
    code, output = said(capsys, "rank", str(path))
    assert (code, "delve import" in output.err) == (1, False)


def test_in_python_a_question_names_the_function_for_cases():
    frame = pd.DataFrame({"": ["iris", "wine"], "svm": [0.9, 0.7], "knn": [0.8, 0.7]})
    with pytest.raises(dv.DelveError, match=r"if its rows are cases: delvecore\.datasets\.from_frame$"):
        dv.rank(frame)


def test_an_import_says_where_lines_look_like_scores(path, capsys):
    path.write_text("dataset,method,accuracy\n" + rows(20, lambda n, draw: f"d{n},m{n % 3},{draw()}"))
    _, output = said(capsys, "import", str(path), "--dry-run")
    assert "its lines look like scores: 'method' is a name for methods and" in output.out
    assert f"(delve rank {path} ranks scores)" in output.out
    path.write_text(CASES["flowers"])
    assert "look like scores" not in said(capsys, "import", str(path), "--dry-run")[1].out


@pytest.mark.parametrize("name", ["unique_id", "ds"])
def test_an_import_of_scores_of_time_series_points_to_the_option_dataset(path, capsys, name):
    path.write_text(f"{name},model,mae\n" + rows(20, lambda n, draw: f"T{n // 2},m{n % 2},{draw()}"))
    _, output = said(capsys, "import", str(path), "--dry-run", "--target", "mae")
    assert f"(delve rank {path} --dataset {name} ranks scores)" in output.out


def test_an_import_asks_where_it_is_unclear_and_nothing_is_said(path, capsys):
    path.write_text(UNCLEAR["a wide table of other names"])
    _, output = said(capsys, "import", str(path), "--dry-run")
    assert "its lines may be scores or cases: each row has a name in 'name'" in output.out
    _, output = said(capsys, "import", str(path), "--dry-run", "--target", "gamma")
    assert "scores or cases" not in output.out
