"""The commands that the Task-arrays page shows run as they stand and print its numbers; its LaTeX is at its level."""

import csv
import io
import shlex
from dataclasses import replace

import pytest

from dashboard.task_arrays import data as array_data
from dashboard.ui.blocks import csv_text
from dashboard.ui.request import Request
from delvecore.answers.array_questions import ARRAY_QUESTIONS
from delvecore.cli.delve import main as delve
from delvecore.render.answers import answer_text
from delvecore.stats.choose import Setting
from tests.dashboard.array_archive import ARRAY, opened_array

pytestmark = pytest.mark.slow

NAMES = ("Random Forest SVM", 'it\'s "one"', "größe,x", "-p $HOME")


def numbers(question: str, request: Request) -> list[str]:
    """The lines of the numbers as CSV, in any order."""
    return _lines(csv_text(array_data.answer(question, request).table.frame()))


def _lines(text: str) -> list[str]:
    return sorted(" | ".join(row) for row in csv.reader(io.StringIO(text)))


def printed(monkeypatch, capsys, path, command: str) -> list[str]:
    """The lines that a command prints as CSV in the directory of the archive."""
    return _lines(output(monkeypatch, capsys, path, command))


def output(monkeypatch, capsys, path, command: str) -> str:
    program, *words = shlex.split(command)
    assert program == "delve"
    monkeypatch.chdir(path)
    monkeypatch.setenv("DELVE_PATH", str(path))
    assert delve([*words, "--format", "csv"]) == 0
    return capsys.readouterr().out


@pytest.fixture(scope="module")
def array(tmp_path_factory):
    """(path, archive)."""
    return opened_array(tmp_path_factory.mktemp("array"), NAMES)


def _request(archive, reference=NAMES[0], methods=NAMES, **more):
    return Request(archive, "S", array=ARRAY, methods=methods, available=NAMES, reference=reference, **more)


def test_a_command_shown_runs_as_it_stands_whatever_the_methods_are_called(array, monkeypatch, capsys):
    path, archive = array
    chosen = NAMES[:2] + NAMES[3:]
    for question in ARRAY_QUESTIONS:
        reference = NAMES[2] if question.endswith("costs") else NAMES[3]
        request = _request(archive, reference, methods=chosen)
        record = printed(monkeypatch, capsys, path, array_data.command(question, request))
        assert record == numbers(question, request), question


def test_latex_and_command_of_intervals_are_at_the_level_chosen(array, monkeypatch, capsys):
    path, archive = array
    request = _request(archive, setting=Setting(0.99))
    for question in ("effects", "slopes"):
        assert "99 \\% intervals" in answer_text(array_data.answer(question, request), "latex")
        wide = printed(monkeypatch, capsys, path, array_data.command(question, request))
        assert wide == numbers(question, request)
        assert wide != numbers(question, replace(request, setting=Setting(0.95)))


def test_the_critical_difference_diagram_is_of_the_ranking_that_its_command_prints(
    array, monkeypatch, capsys
):
    path, archive = array
    request = _request(archive)
    text = output(monkeypatch, capsys, path, array_data.rank_command(request))
    diagram = array_data.diagram(request)
    ranks = dict(zip(diagram.methods, diagram.ranks, strict=True))
    rows = list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))
    # A sign stands before what might be a formula.
    pairs = [(row["method_a"].lstrip("'"), row["method_b"].lstrip("'")) for row in rows]
    assert {name for pair in pairs for name in pair} == set(NAMES)
    for (a, b), row in zip(pairs, rows, strict=True):
        assert ranks[a] - ranks[b] == pytest.approx(float(row["rank_difference"]))
