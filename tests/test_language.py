"""The language check finds each kind of fault, and the project has no more of them than its list of exceptions says."""

import tomllib
from pathlib import Path

import pytest

from docs.check_language import ROOT, Fault, check, main, surplus

LONG = "This sentence " + "goes on and on " * 8 + "to its end."
PASSIVES = "The file is read, what it holds is checked, and the results are written."


def faults_in(path: Path, text: str) -> list[tuple[int, str]]:
    path.write_text(text, encoding="utf-8")
    return [(fault.line, fault.kind) for fault in check([path])]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (LONG, "length"),
        ("The two methods are told apart.", "phrase"),
        (PASSIVES, "passives"),
        ("The behaviour of a method.", "spelling"),
        ("Where a column is empty, it is left out.", "clause"),
        ("A sentence. Of two methods one is better.", "clause"),
        ("Two methods, of which one is better.", "relative"),
        ("The verdict stands below it.", "stands"),
    ],
)
def test_a_planted_fault_of_each_kind_is_reported_with_its_line(text, kind, tmp_path, capsys):
    assert faults_in(tmp_path / "page.md", f"# Title\n\nA short sentence.\n{text}\n") == [(4, kind)]
    assert faults_in(tmp_path / "page.py", f"# a comment\nraise ValueError({text!r})\n") == [(2, kind)]
    assert main([str(tmp_path / "page.md")]) == 1
    assert f"page.md:4: {kind}: " in capsys.readouterr().out


@pytest.mark.parametrize(
    "text",
    [
        f"```\n{LONG} behaviour\n```\n",
        f"    {LONG} behaviour\n",
        f"> {LONG} behaviour\n",
        f"| head |\n|---|\n| {LONG} |\n",
        "A name such as `behaviour` stays, and so does a [link](centre.md).\n",
    ],
)
def test_tables_code_and_quotations_are_left_out(text, tmp_path):
    assert faults_in(tmp_path / "page.md", text) == []


def test_docstrings_and_strings_of_markup_are_no_messages(tmp_path):
    text = f'"""{LONG}"""\nSTYLE = "a {{ color: red; border: 0; }}"\n'
    assert faults_in(tmp_path / "page.py", text) == []


def test_docstrings_are_checked_for_voice_and_spelling(tmp_path):
    text = '"""Rank methods.\n\nWhere a colour is missing, it stands below."""\n'
    assert sorted(faults_in(tmp_path / "page.py", text)) == [(3, "clause"), (3, "spelling"), (3, "stands")]


def test_variables_whose_names_tell_nothing_are_counted_where_they_are_bound(tmp_path):
    text = "def rank(found, *, rows=()):\n    said = sorted(found)\n    return [told for told in said]\n"
    kinds = [(1, "variable found"), (2, "variable said"), (3, "variable told")]
    assert faults_in(tmp_path / "page.py", text) == kinds
    assert faults_in(tmp_path / "page.md", "Nothing was found, said or told.\n") == []
    assert faults_in(tmp_path / "page.py", 'print(error.found, "found")\n') == []


@pytest.mark.parametrize("kind", ["stands", "variable found"])
def test_faults_of_a_rule_may_not_rise(kind, tmp_path):
    allowed = tomllib.loads((ROOT / "docs/language.toml").read_text(encoding="utf-8"))["counts"][kind]
    faults = [Fault("page.md", line, kind, "", "") for line in range(allowed + 1)]
    assert surplus(faults[:-1]) == []
    assert surplus(faults) == faults


@pytest.mark.parametrize("name", ["index", "scores", "library", "experiments", "statistics"])
def test_the_main_pages_have_no_faults(name):
    assert [str(fault) for fault in check([ROOT / f"docs/{name}.md"])] == []


@pytest.mark.slow
def test_documents_messages_and_help_texts_have_no_new_faults():
    assert [str(fault) for fault in surplus(check())] == []
