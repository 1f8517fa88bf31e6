"""Every command that a table shows runs as it stands, whatever methods and tasks are called."""

import contextlib
import csv
import io
import os
import shlex
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from delvecore.cli import delve
from delvecore.cli.subcommands.table import FORMATS
from delvecore.cli.support.places import ExactName, chosen_names
from delvecore.render.provenance import command_line, latex_comment, method_words
from delvecore.score_tables import names as known

PRINTED = st.characters(exclude_categories=("Cs",), exclude_characters="/").filter(str.isprintable)
NASTY = st.one_of(
    st.text(PRINTED, min_size=1, max_size=12),
    st.text(st.sampled_from("ab ,'\"-->!%\\$&`*~#{}[]\u03b1\u4e2d"), min_size=1, max_size=8),
).map(str.strip)
# No parser of options takes `--` for a value, and no directory of a method begins with a dot.
NAMES = st.lists(
    NASTY.filter(lambda name: name and name != "--" and not name.startswith(".")),
    min_size=2,
    max_size=3,
    unique=True,
)
FORMS = st.sampled_from([form for form in FORMATS if form != "parquet"])
FEW = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
HOSTILE = ["Random Forest", "a \"b\" 'c'", "x-->y--!>z"]


def has_a_role(name: str) -> bool:
    """Would a table of scores take a column of this name for something else than a method?"""
    lists = [words for words in vars(known).values() if isinstance(words, tuple)]
    listed = known.is_called(name, *lists)
    return listed or name.isdecimal() or known.is_metric(name)


def written(words: list[str], folder: Path) -> bytes:
    path = folder / "written"
    with contextlib.redirect_stderr(io.StringIO()) as said:
        code = delve.main([words[0], "--output", str(path), *words[1:]])
    assert code == 0, said.getvalue()
    return path.read_bytes()


def shown_command(content: bytes) -> list[str]:
    """Return the words of the command in an export."""
    (line,) = [one for one in content.decode().split("\n") if "DELVE for the browser" in one]
    return shlex.split(line.partition(": ")[2].removesuffix(" -->"))


def assert_runs_again(words: list[str], form: str, folder: Path) -> None:
    content = written([words[0], "--format", form, *words[1:]], folder)
    shown = shown_command(content)
    assert shown[:2] == ["delve", "table"]
    assert written(shown[1:], folder) == content


@pytest.mark.slow
@settings(FEW, derandomize=True)
@given(names=NAMES.filter(lambda names: not any(map(has_a_role, names))), form=FORMS)
@example(names=HOSTILE, form="html")
@example(names=["a", "b", "a b"], form="text")
@example(names=["-x", "--methods"], form="latex")
def test_the_command_of_a_table_of_scores_gives_the_same_bytes(names, form, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with open("-scores.csv", "w", encoding="utf-8", newline="") as file:
        # No column is the sum, mean or median of the others: such a one would be left out.
        lines = ([f"t{k}", *((7 + 5 * j * j) * (k + 1) % 23 for j in range(len(names)))] for k in range(4))
        csv.writer(file).writerows([["task", *names], *lines])
    for chosen in (names, names[-1:]):
        words = ["table", *method_words(chosen), f"--reference={chosen[-1]}"]
        words += ["--lower-is-better", "--", "-scores.csv"]
        assert_runs_again(words, form, tmp_path)


@pytest.mark.slow
@settings(max_examples=40)
@given(st.lists(st.text()))
def test_a_command_line_is_read_as_the_words_it_was_made_of(words):
    text = command_line(words)
    assert shlex.split(text) == words
    assert "-->" not in text
    assert "--!>" not in text


@settings(max_examples=20)
@given(NAMES)
def test_options_choose_the_methods_they_were_made_for(names):
    values = [
        ExactName(value) if option == "--method" else value for option, value in _pairs(method_words(names))
    ]
    assert chosen_names(values, names) == tuple(names)


def _pairs(words):
    rest = iter(words)
    for word in rest:
        option, equals, value = word.partition("=")
        yield option, value if equals else next(rest)


def test_a_list_is_taken_apart_where_every_word_names_a_method():
    known = ["a", "b", "a b", "Random Forest"]
    assert chosen_names(["b a"], known) == ("b", "a")
    assert chosen_names(["a b"], known) == ("a", "b")
    assert chosen_names([ExactName("a b")], known) == ("a b",)
    assert chosen_names(["Random Forest", "b,a"], known) == ("Random Forest", "b", "a")
    assert chosen_names(["a gone"], known) == ("a", "gone")


@pytest.mark.parametrize("end", ["\n", "\r", "\v", "\x1c", "\x85", "\u2028", "\u2029"])
def test_no_line_end_leaves_a_comment(end):
    text = latex_comment([f"a{end}\\input{{secret}}"])
    assert text == "% a \\input{secret}\n"


@pytest.mark.parametrize("end", ["\n", "\u2028", "\x1b", "\u202e", "\u00a0"])
def test_a_name_that_does_not_fit_a_line_is_refused(end, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("x.csv").write_text(f'task,"a{end}b",c\none,1,2\n', encoding="utf-8")
    assert delve.main(["table", "x.csv"]) == 1
    assert "printable characters, on one line, found" in capsys.readouterr().err
    assert set(os.listdir()) <= {"x.csv", "cache"}
