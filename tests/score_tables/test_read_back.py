"""Every guess and every omission stands in every output of a ranking: text, JSON, CSV, HTML, Python and the page."""

import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import delvecore
from dashboard.server import archive as opened
from delvecore.cli import delve
from delvecore.errors import ParseError
from delvecore.score_tables.options import ScoreOptions
from delvecore.score_tables.score_file import Reading
from tests.dashboard.reading import texts
from tests.score_tables.tables import scores

pytestmark = pytest.mark.slow


def workbook() -> bytes:
    """Two sheets of scores, of which the first is read."""
    buffer = io.BytesIO()
    with pd.ExcelWriter(buffer) as writer:
        for sheet, shift in (("first", 0.0), ("second", 0.01)):
            frame = pd.DataFrame({"dataset": ["a", "b", "c"], "svm": [0.5, 0.6, 0.7], "rf": [0.6, 0.7, 0.9]})
            frame[["svm", "rf"]] += shift
            frame.to_excel(writer, sheet_name=sheet, index=False)
    return buffer.getvalue()


def folds(**gone: tuple[str, ...]) -> str:
    """Accuracies of three methods on three datasets in four folds, without a value where dataset and fold are
    among those that are gone of a method."""
    lines = ["dataset,method,fold,accuracy"]
    for d, dataset in enumerate("abc"):
        for m, method in enumerate(("svm", "forest", "knn")):
            for fold in range(4):
                is_gone = f"{dataset}{fold}" in gone.get(method, ())
                value = "NA" if is_gone else f"{0.7 + 0.01 * d + 0.03 * m + 0.001 * fold:.3f}"
                lines.append(f"{dataset},{method},{fold},{value}")
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Case:
    """A table, what is said of it, and the words that every output has to have of its reading. page: the words of
    the page where they are others."""

    content: str | bytes
    words: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    name: str = "scores.csv"
    page: tuple[str, ...] = ()


WIDE = "dataset,svm,rf,mlp\na,0.81,0.92,0.83\nb,0.64,0.75,0.76\nc,0.87,0.98,0.79\n"
MOSTLY = tuple(f"{dataset}{fold}" for dataset in "abc" for fold in (1, 2, 3))
HIGHER = {"higher_is_better": True}

CASES = {
    "a summary row": Case(WIDE + "Average,0.7733,0.8833,0.7933\n", ("Not used: 1 row (Average)",), HIGHER),
    "failed runs": Case(folds(svm=("a0", "b2")), ("2 of 36 runs have no value",)),
    "a method with under half of its runs": Case(
        folds(svm=MOSTLY),
        ("9 of 36 runs have no value", "1 method (svm): under half of their runs have a value"),
        page=("9 of 36 runs have no value", "svm has 3 of 12 runs and is not ranked"),
    ),
    "what is dropped": Case(WIDE, ("svm", "your answer"), {**HIGHER, "drop": ("svm",)}),
    "further sheets": Case(workbook(), ("1 sheet (second)",), HIGHER, "scores.xlsx"),
    "which way round": Case(
        "method,a,b,c\nsvm,0.8,0.7,0.6\nrf,0.9,0.6,0.7\nmlp,0.7,0.9,0.9\n", ("rows are methods",), HIGHER
    ),
    "a direction that is said": Case(WIDE, ("higher is better (your answer)",), HIGHER),
    "spreads": Case(
        "dataset,svm_mean,svm_std,rf_mean,rf_std\na,0.8,0.01,0.9,0.02\nb,0.7,0.03,0.6,0.01\nc,0.5,0.02,0.6,0.04\n",
        ("2 methods", "spread"),
        HIGHER,
    ),
    "per cent signs": Case(
        "dataset,svm,rf\na,93%,0.95\nb,0.81,0.82\nc,0.7,0.75\n",
        ("2 methods (svm, rf) × 3 datasets (a, b, c)", "values with % are divided by 100"),
        HIGHER,
    ),
    "nothing": Case(folds(), ("Not used: nothing.",)),
}


@pytest.fixture(params=CASES)
def case(request, tmp_path, monkeypatch):
    """A case and the path of its file."""
    monkeypatch.chdir(tmp_path)
    mutation = CASES[request.param]
    content = mutation.content if isinstance(mutation.content, bytes) else mutation.content.encode()
    Path(mutation.name).write_bytes(content)
    return mutation


def flags(options: Mapping[str, Any]) -> list[str]:
    """The options of Python as those of a command."""
    words: list[str] = []
    for name, value in options.items():
        if name == "higher_is_better":
            words.append("--higher-is-better" if value else "--lower-is-better")
        else:
            words += [f"--{name}={one}" for one in value]
    return words


def plain(text: str) -> str:
    """A text in one line, without marks of comments, of Markdown and of HTML."""
    lines = (line.removeprefix("# ") for line in text.splitlines())
    return " ".join(re.sub(r"<[^>]+>|\\", "", unescape(" ".join(lines))).split())


def missing(text: str, words: tuple[str, ...]) -> list[str]:
    return [word for word in words if word not in plain(text)]


def command(run_command, case: Case, *words: str) -> str:
    outcome = run_command(delve.main, "rank", case.name, *flags(case.options), *words)
    assert outcome.code == 0, outcome.err
    return outcome.out


def test_commands_print_it(case, run_command):
    for begins, words in (("Read: ", ()), ("# Read: ", ("--format", "csv"))):
        text = command(run_command, case, *words)
        assert text.startswith(begins)
        assert missing(text, case.words) == []
    record = json.loads(command(run_command, case, "--format", "json"))
    assert next(iter(record)) == "read"
    [reading] = record["read"]
    assert missing(reading["text"], case.words) == []
    left_out = {name for one in reading["omissions"] for name in one["names"]}
    assert all(one["why"] for one in reading["omissions"])
    assert all(name in left_out for name in re.findall(r"\((\w+)\)", " ".join(case.words)))


def test_python_reports_and_notebooks_have_it(case):
    ranking = delvecore.rank(case.name, **case.options)
    reports = [ranking.report(form) for form in ("text", "md", "html")]
    for text in (ranking.reading.text, repr(ranking), ranking._repr_html_(), *reports):
        assert missing(text, case.words) == []


def test_the_page_has_it(case, run_page):
    opened.choose_paths([case.name], scores=ScoreOptions(**case.options))
    app = run_page("ranking")
    assert not app.exception
    assert missing(texts(app), case.page or case.words) == []


def test_a_column_of_datasets_without_a_name_is_no_single_dataset():
    frame = pd.DataFrame(
        {"": ["x", "x", "y", "y"], "method": ["a", "b"] * 2, "accuracy": [0.1, 0.2, 0.3, 0.4]}
    )
    roles = {one.role: one.taken for one in delvecore.rank(frame).reading.roles}
    assert roles["dataset"] == "column without a name"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dataset,task,A,B\nd,t1,1,2\nd,t2,2,3\n", "2 tasks of one dataset (d/t1, d/t2), score"),
        (
            "task,A,B\nage/p0.128,1,2\nage/p1.128,2,3\n",
            "2 tasks of one dataset (age/p0.128, age/p1.128), score",
        ),
        ("dataset,task,A,B\nd,t1,1,2\nd,t2,2,3\ne,t,2,3\n", "3 tasks of 2 datasets (d/t1, d/t2, e/t), score"),
        ("dataset,A,B\nd,1,2\ne,2,3\n", "2 datasets (d, e), score"),
    ],
)
def test_tasks_of_one_dataset_are_not_called_datasets(text, expected):
    reading = scores(text, higher_is_better=True).reading
    assert reading.text.startswith(f"Read: 2 methods (A, B) × {expected}")
    assert Reading.from_dict(json.loads(json.dumps(reading.as_dict()))) == reading


def test_an_option_of_test_cases_for_a_wide_table_says_how_to_write_it():
    melt = re.escape("frame.melt(['dataset'], var_name='method', value_name='score') in pandas")
    with pytest.raises(ParseError, match=f"found a column for each method; convert it with {melt}"):
        scores("dataset,A,B\nd,1,2\ne,2,3\n", higher_is_better=True, case="dataset")
    with pytest.raises(ParseError, match="expected a column named 'foo'"):
        scores("dataset,A,B\nd,1,2\ne,2,3\n", higher_is_better=True, case="foo")
