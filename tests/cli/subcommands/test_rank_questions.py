"""`delve rank --show`: one question, one sentence, one table, in each format."""

import json

import numpy as np
import pytest

from delvecore.answers.questions import QUESTIONS
from delvecore.cli import delve
from delvecore.stats.ranking.analysis import analyze
from tests.dashboard.array_archive import METHODS, array_archive
from tests.questions import DataOf, ask
from tests.score_texts import csv_rows
from tests.stats.tables import score_table

pytestmark = pytest.mark.slow

OF_AN_ARCHIVE = [word for word, question in QUESTIONS.items() if question.needs]
TABLE = (
    "task,a,b,c,d\nd1/t1,1.0,1.1,2.0,1.0\nd1/t2,1.0,1.2,2.1,1.001\nd2/t1,0.5,0.6,0.9,0.502\n"
    "d2/t2,0.4,0.55,0.8,0.401\nd3/t1,0.3,0.25,0.7,0.3\nd4/t1,0.3,0.45,0.7,0.299\nd5/t1,0.8,0.85,0.9,0.8\n"
)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(TABLE)
    return str(path)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Eight tasks of four datasets; the costs of the last method are not known, unless written here."""
    place = array_archive(tmp_path_factory.mktemp("made"))
    for known in sorted(place.glob(f"methods/{METHODS[0]}/**/Costs")):
        here = place / "methods" / METHODS[-1] / known.relative_to(place / "methods" / METHODS[0])
        if here.parent.exists():
            here.write_text(known.read_text())
    return place


@pytest.fixture
def archive(made, monkeypatch, tmp_path):
    monkeypatch.setenv("DELVE_PATH", str(made))
    monkeypatch.setenv("XDG_CACHE_HOME", str(made.parent / "cache"))
    monkeypatch.chdir(tmp_path)


def show(run_command, question, *arguments, form="text"):
    of_table = any(argument.endswith(".csv") for argument in arguments)
    more = ["--lower-is-better"] if of_table and "--higher-is-better" not in arguments else []
    return run_command(delve.main, "rank", *arguments, *more, "--show", question, "--format", form)


def answer(run_command, question, *arguments):
    return json.loads(show(run_command, question, *arguments, form="json").out)


@pytest.mark.parametrize("question", [one for one in QUESTIONS if one not in OF_AN_ARCHIVE])
def test_every_format_says_the_same(table, run_command, question):
    reply = answer(run_command, question, table)
    text = " ".join(show(run_command, question, table).out.split())
    rows = list(csv_rows(show(run_command, question, table, form="csv").out))
    assert reply["answer"] in text
    assert [list(row) for row in rows] == [list(row) for row in reply["rows"]]
    assert r"\begin{table" in show(run_command, question, table, form="latex").out


def test_pairs_of_more_than_nine_methods_have_no_bergmann_hommel(tmp_path, run_command):
    path = tmp_path / "wide.csv"
    names = [f"m{number}" for number in range(10)]
    lines = [f"t{row}," + ",".join(str(row + 3 * place) for place in range(10)) for row in range(4)]
    path.write_text("\n".join(["task," + ",".join(names), *lines]))
    reply = answer(run_command, "pairs", str(path))
    assert "p_bergmann_hommel" not in reply["rows"][0]
    assert "up to 9 methods" in reply["notes"][1]


@pytest.mark.parametrize("question", OF_AN_ARCHIVE[:2])
def test_what_needs_training_sets_is_refused_for_a_table(table, run_command, question):
    outcome = show(run_command, question, table)
    assert outcome.code == 1
    assert outcome.err == (
        f"delve rank: --show {question}: expected tasks of an archive, with their training sets, found a table\n"
    )


def test_a_region_of_nothing_cannot_show_equivalence(table, run_command):
    outcome = show(run_command, "equivalence", table, "--rope", "0")
    assert outcome.err == "delve rank: --rope: expected a width above 0 for --show equivalence, found 0\n"


@pytest.mark.parametrize("question", OF_AN_ARCHIVE)
def test_an_archive_answers_every_question(archive, run_command, question):
    reply = answer(run_command, question, "--loss", "S")
    assert reply["rows"]
    assert reply["answer"]


def test_only_the_test_of_equivalence_calls_methods_as_good_as_each_other():
    # Losses that differ by a thousandth of the region on 25 units, with small errors.
    differences = np.random.default_rng(2).normal(0, 1e-5, (1, 25))
    pairs = differences, np.full((1, 25), 1e-5), np.full((1, 25), 7.0)
    ranking = analyze(score_table(np.arange(50).reshape(25, 2)))
    answer = ask("hierarchy", ranking, data=DataOf(differences=pairs))
    (row,) = [
        dict(zip([field.key for field in answer.table.columns], row, strict=True))
        for row in answer.table.rows
    ]
    assert row["equivalent"] > 0.99
    assert row["verdict"] == "not significant"
    assert (
        "For 0 of 1 pair of methods on 25 tasks one method is most likely the better one" in answer.headline
    )
    assert "same" not in answer.headline
