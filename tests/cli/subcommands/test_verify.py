"""`delve verify`: a paper that agrees is verified, and what differs is named with its place."""

import json
import os
import time

import pytest

from delvecore import __version__
from delvecore.cli import delve
from delvecore.plots import pictures
from delvecore.plots.pictures import with_provenance
from delvecore.render.provenance import provenance_lines

SCORES = """task,tree,forest,linear
a,0.613,0.694,0.551
b,0.712,0.753,0.648
c,0.827,0.859,0.732
d,0.531,0.622,0.548
e,0.655,0.717,0.583
f,0.745,0.806,0.611
g,0.814,0.883,0.697
h,0.689,0.741,0.576
"""
BETTER = "--higher-is-better"
FORMATS = {
    "latex": "tex",
    "latex-siunitx": "tex",
    "markdown": "md",
    "html": "html",
    "typst": "typ",
    "csv": "csv",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A directory with scores, in which commands run."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_text(SCORES, encoding="utf-8")
    return tmp_path


def table(path, form="latex", *words):
    assert delve.main(["table", "scores.csv", BETTER, "--format", form, "--output", str(path), *words]) == 0
    return path.read_text(encoding="utf-8")


def verify(capsys, *words):
    """Return the exit code of `delve verify` and the lines that it prints."""
    capsys.readouterr()
    code = delve.main(["verify", *map(str, words)])
    captured = capsys.readouterr()
    assert captured.err == ""
    return code, captured.out.splitlines()


def changed(folder, capsys, old, new, *, form="latex"):
    """Return what is said of a table with a text in place of another."""
    path = folder / f"paper.{FORMATS[form]}"
    text = table(path, form)
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    return verify(capsys, path)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("words", [(), ("--methods-in", "rows"), ("--reference", "linear")])
def test_a_table_as_it_was_written_is_unchanged(folder, capsys, form, words):
    path = folder / f"paper.{FORMATS[form]}"
    table(path, form, *words)
    code, lines = verify(capsys, path)
    assert code == 0
    assert "table unchanged" in lines[0]
    assert "the data are the same" in lines[0]
    assert lines[-1] == "1 table: 1 unchanged; no changes, no verdicts changed"


@pytest.mark.parametrize(
    ("form", "old", "new"),
    [
        ("latex", "$0.655$", "$0.695$"),
        ("latex-siunitx", " 0.655 ", " 0.695 "),
        ("markdown", "| 0.655 |", "| 0.695 |"),
        ("html", ">0.655<", ">0.695<"),
        ("typst", r"[0\.655]", r"[0\.695]"),
        ("csv", ",0.655,", ",0.695,"),
    ],
)
def test_a_cell_edited_by_hand_is_named_with_its_line(folder, capsys, form, old, new):
    code, lines = changed(folder, capsys, old, new, form=form)
    text = (folder / f"paper.{FORMATS[form]}").read_text(encoding="utf-8")
    line = text[: text.index(new)].count("\n") + 1
    assert code == 1
    named_lines = next(one for one in lines if "0.695" in one)
    assert f"paper.{FORMATS[form]}:{line}: " in named_lines
    assert named_lines.endswith("the paper has 0.695; recomputed: 0.655")
    assert "e" in named_lines.split(": ")[1].split(" × ")[0]
    assert lines[-1] == "1 table: 1 changed; 1 change, no verdicts changed"


def test_a_verdict_mark_that_moved_is_a_changed_verdict(folder, capsys):
    code, lines = changed(folder, capsys, r"$\mathbf{0.717}$", "$0.717$")
    assert code == 1
    assert "table changed, a verdict changed" in lines[0]
    assert lines[1].endswith("e × forest: the paper has 0.717; recomputed: 0.717 (bold); the verdict changed")


def test_a_removed_row_is_named(folder, capsys):
    path = folder / "paper.md"
    lines = table(path, "markdown").split("\n")
    path.write_text("\n".join(one for one in lines if not one.startswith("| c |")), encoding="utf-8")
    code, said = verify(capsys, path)
    assert code == 1
    assert said[1].endswith("row c is not in the paper")


def test_headings_that_are_swapped_change_every_cell_below(folder, capsys):
    code, lines = changed(
        folder, capsys, "| Task | tree | forest |", "| Task | forest | tree |", form="markdown"
    )
    assert code == 1
    assert any("columns are in another order" in one for one in lines)
    assert any("a × tree: the paper has 0.694 (bold); recomputed: 0.613" in one for one in lines)


def test_columns_that_are_swapped_as_a_whole_are_one_change(folder, capsys):
    path = folder / "paper.md"
    rows = [one.split("|") for one in table(path, "markdown").split("\n")]
    swapped = [[*one[:2], one[3], one[2], *one[4:]] if len(one) > 4 else one for one in rows]
    path.write_text("\n".join(map("|".join, swapped)), encoding="utf-8")
    code, lines = verify(capsys, path)
    assert code == 1
    assert lines[1].endswith(
        "columns are in another order: the paper has forest, tree, linear; recomputed: tree, forest, linear"
    )
    assert lines[-1] == "1 table: 1 changed; 1 change, no verdicts changed"


def test_a_command_without_a_format_is_run_in_that_of_the_file(folder, capsys):
    path = folder / "paper.tex"
    path.write_text(table(path).replace("table --format latex", "table"), encoding="utf-8")
    assert verify(capsys, path)[0] == 0


def test_what_changed_decides_the_status_where_something_else_is_not_verified(folder, capsys):
    first, second = folder / "paper.tex", folder / "other.tex"
    first.write_text(table(first).replace("$0.655$", "$0.695$"), encoding="utf-8")
    second.write_text("no table", encoding="utf-8")
    assert verify(capsys, first, folder / "gone.tex")[0] == 1
    assert verify(capsys, second, folder / "gone.tex")[0] == 2


def test_a_renamed_column_is_named_and_its_cells_are_compared(folder, capsys):
    code, lines = changed(folder, capsys, "| Task | tree |", "| Task | CART |", form="markdown")
    assert code == 1
    assert lines[1].endswith("the name of a column differs: the paper has CART; recomputed: tree")
    assert lines[-1].startswith("1 table: 1 changed; 1 change,")


def test_a_number_rounded_by_hand_is_named_and_is_no_change(folder, capsys):
    code, lines = changed(folder, capsys, "$0.613$", "$0.61$")
    assert code == 0
    assert lines[1].endswith("a × tree: rounded by hand: the paper has 0.61; recomputed: 0.613")
    assert lines[-1].endswith("; no changes, no verdicts changed; 1 number rounded by hand")


def test_a_number_rounded_wrongly_is_a_change(folder, capsys):
    code, lines = changed(folder, capsys, "$0.613$", "$0.62$")
    assert code == 1
    assert lines[1].endswith("a × tree: the paper has 0.62; recomputed: 0.613")


@pytest.mark.parametrize(("delimiter", "point"), [(";", ","), (";", "."), ("\t", ",")])
def test_a_table_that_a_spreadsheet_saved_again_is_unchanged(folder, capsys, delimiter, point):
    path = folder / "paper.csv"
    lines = table(path, "csv").split("\n")
    saved = [one if one.startswith("#") else one.replace(",", delimiter).replace(".", point) for one in lines]
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(saved).encode())
    assert verify(capsys, path)[0] == 0
    path.write_text(path.read_text("utf-8").replace(f"0{point}655", f"0{point}695"), "utf-8")
    code, said = verify(capsys, path)
    assert (code, sum("the paper has 0.695; recomputed: 0.655" in one for one in said)) == (1, 1)


def test_a_command_names_a_file_as_it_was_typed(folder):
    # A paper shows no directory of the machine.
    assert str(folder) not in table(folder / "paper.tex")


def test_other_white_space_and_rules_do_not_count(folder, capsys):
    path = folder / "paper.tex"
    text = table(path).replace(r"\toprule", r"\hline").replace(r"\bottomrule", r"\hline")
    text = text.replace(r"\midrule", r"\hline").replace(" & ", "\n   &   ").replace("$0.655$", "0.655 % x\n")
    path.write_text("\\documentclass{article}\nText of 0.1 \\% here.\n" + text, encoding="utf-8")
    assert verify(capsys, path)[0] == 0


def test_tables_and_figures_that_a_paper_includes_are_verified(folder, capsys):
    (folder / "parts").mkdir()
    table(folder / "parts" / "first.tex")
    paper = folder / "paper.tex"
    paper.write_text("\\input{parts/first}\n% \\input{gone}\n" + table(folder / "x.tex"), encoding="utf-8")
    code, lines = verify(capsys, paper)
    assert code == 0
    assert lines[-1].startswith("2 tables: 2 unchanged")


def test_data_that_changed_are_told_with_the_cells(folder, capsys):
    path = folder / "paper.tex"
    table(path)
    changed_scores = SCORES.replace("e,0.655,0.717", "e,0.855,0.717")
    (folder / "scores.csv").write_text(changed_scores, encoding="utf-8")
    code, lines = verify(capsys, path)
    assert code == 1
    assert "a verdict changed" in lines[0]
    assert "the data changed" in lines[0]
    assert any(
        one.endswith("the paper has 0.655; recomputed: 0.855 (bold); the verdict changed") for one in lines
    )


def test_another_version_is_told(folder, capsys):
    code, lines = changed(folder, capsys, f"browser {__version__}", "browser 0.0.1")
    assert code == 0
    assert f"made by version 0.0.1, this is {__version__}" in lines[0]


def test_data_in_another_directory_are_found_where_they_are_named(folder, capsys):
    path = folder / "paper.tex"
    table(path)
    (folder / "data").mkdir()
    os.rename(folder / "scores.csv", folder / "data" / "scores.csv")
    code, lines = verify(capsys, path)
    assert code == 2
    assert "expected the file scores.csv in" in lines[0]
    assert "--data DIR" in lines[0]
    assert verify(capsys, path, "--data", folder / "data")[0] == 0


def test_json_has_every_change(folder, capsys):
    path = folder / "paper.tex"
    path.write_text(table(path).replace("$0.655$", "$0.695$"), encoding="utf-8")
    capsys.readouterr()
    assert delve.main(["verify", str(path), "--format", "json"]) == 1
    record = json.loads(capsys.readouterr().out)
    assert record["exit"] == 1
    (export,) = record["exports"]
    assert (export["status"], export["data_changed"], export["verdict_changed"]) == ("changed", False, False)
    (change,) = export["changes"]
    assert (change["row"], change["column"], change["paper"], change["computed"]) == (
        "e",
        "tree",
        "0.695",
        "0.655",
    )


def test_the_table_of_a_ranking_and_a_report_are_verified(folder, capsys):
    capsys.readouterr()
    assert delve.main(["rank", "scores.csv", BETTER, "--format", "latex"]) == 0
    text = capsys.readouterr().out
    (folder / "rank.tex").write_text(text, encoding="utf-8")
    assert verify(capsys, folder / "rank.tex")[0] == 0
    assert "$1.00$" in text
    (folder / "rank.tex").write_text(text.replace("$1.00$", "$1.20$"), encoding="utf-8")
    assert verify(capsys, folder / "rank.tex")[0] == 1
    for name in ("report.html", "report.md", "report.tex"):
        assert delve.main(["report", "scores.csv", BETTER, "-o", name]) == 0
        assert verify(capsys, folder / name)[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
def test_figures_are_verified_by_the_numbers_that_they_carry(folder, capsys, kind):
    if not pictures.can_draw():
        pytest.skip("no Chromium was found; install it with `apt-get install chromium`")
    path = folder / f"cd.{kind}"
    assert delve.main(["rank", "scores.csv", BETTER, "--figure", str(path)]) == 0
    code, lines = verify(capsys, path)
    assert code == 0
    assert lines[0].startswith(f"{path}: figure unchanged (")
    (folder / "paper.tex").write_text(r"\includegraphics[width=1cm]{cd}", encoding="utf-8")
    assert verify(capsys, folder / "paper.tex")[0] == 0
    changed_scores = SCORES.replace("e,0.655,0.717", "e,0.855,0.717")
    (folder / "scores.csv").write_text(changed_scores, encoding="utf-8")
    code, lines = verify(capsys, path)
    assert code == 1
    assert any("forest × Mean rank: the paper has 1.00; recomputed: 1.12" in one for one in lines)


@pytest.mark.parametrize("prefix", ["", "svg:"])
def test_an_svg_that_an_editor_saved_again_is_read_and_named(folder, capsys, prefix):
    path = folder / "cd.svg"
    lines = provenance_lines("delve rank --higher-is-better scores.csv", "scores.csv", version=__version__)
    assert delve.main(["rank", "scores.csv", BETTER, "--format", "latex"]) == 0
    svg = with_provenance(b"<svg><text>1</text></svg>", "svg", [*lines, capsys.readouterr().out])
    path.write_bytes(svg)
    assert verify(capsys, path)[0] == 0
    text = svg.decode().replace("<metadata>", f'<{prefix}metadata\n   id="metadata1">')
    text = text.replace("</metadata>", f"</{prefix}metadata>").replace("<svg>", '<svg id="svg1">')
    path.write_text('<?xml version="1.0"?>\n<!-- Created with Inkscape -->\n' + text)
    code, said = verify(capsys, path)
    assert code == 1
    assert said[1].endswith("or saved again by another program: it differs from its checksum")
    assert said[-1] == "1 figure: 1 changed; 1 change, no verdicts changed"


def test_a_picture_without_provenance_has_a_remedy(folder, capsys):
    (folder / "a.svg").write_text("<svg/>")
    code, said = verify(capsys, folder / "a.svg")
    assert (code, "name the file as it was downloaded" in said[0]) == (2, True)


HOSTILE = [
    "delve table scores.csv; touch {mark}",
    "delve table $(touch {mark}) scores.csv",
    "delve table scores.csv --output {mark}",
    "delve table scores.csv --outp={mark}",
    "delve rank scores.csv --figure={mark}.html",
    "delve rank scores.csv --fig {mark}.html",
    "delve report scores.csv --bundle {mark}",
    "delve publish {mark} scores.csv",
    "delve run lin-1 /demo --command 'touch {mark}'",
    "delve top scores.csv --summary evil.py:mark",
    "delve table scores.csv --scheduler tcp://localhost:1",
    'python -c \'open("{mark}", "w")\'',
    "delve table --template --output {mark}",
    "delve table https://localhost:9/scores.csv",
    "delve table -",
    "delve table --help",
    "delve table ../../secret.csv",
    "delve table /etc/passwd",
    "delve table 'scores.csv",
    "delve",
    "",
]


@pytest.mark.parametrize("command", HOSTILE)
def test_a_hostile_command_writes_and_runs_nothing(folder, capsys, command):
    mark = folder / "mark"
    (folder / "evil.py").write_text(f"open({str(mark)!r}, 'w')\n", encoding="utf-8")
    text = table(folder / "paper.tex")
    first = next(one for one in text.split("\n") if "browser" in one)
    line = f"% DELVE for the browser {__version__}: {command.format(mark=mark)}"
    (folder / "paper.tex").write_text(text.replace(first, line), encoding="utf-8")
    before = set(os.listdir(folder))
    code, lines = verify(capsys, folder / "paper.tex")
    assert set(os.listdir(folder)) == before
    assert code in ((0, 1, 2) if "--output" in command or "figure=" in command else (2,))
    assert "root:" not in "\n".join(lines)


def test_links_that_lead_out_of_the_paper_are_not_read(tmp_path, capsys, monkeypatch):
    inside = tmp_path / "paper"
    inside.mkdir()
    (tmp_path / "scores.csv").write_text(SCORES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    text = table(inside / "paper.tex")
    os.symlink(tmp_path / "scores.csv", inside / "scores.csv")
    assert verify(capsys, inside / "paper.tex")[0] == 2
    (tmp_path / "outside.tex").write_text(text, encoding="utf-8")
    (inside / "paper.tex").write_text(r"\input{../outside}", encoding="utf-8")
    code, lines = verify(capsys, inside / "paper.tex")
    assert code == 2
    assert any("is outside the paper's directory" in one for one in lines)


@pytest.mark.parametrize(
    "name", ["a.tex", "a.md", "a.html", "a.typ", "a.csv", "a.svg", "a.pdf", "a.png", "a.x"]
)
@pytest.mark.parametrize(
    "content", [b"", bytes(range(256)) * 40, b"\x89PNG\r\n\x1a\n\xff\xff\xff\xffiTXt", b"%PDF-"]
)
def test_bytes_without_provenance_are_not_verified(tmp_path, capsys, name, content):
    (tmp_path / name).write_bytes(content)
    assert verify(capsys, tmp_path / name)[0] == 2


def test_a_file_that_is_not_there_is_named(tmp_path, capsys):
    code, lines = verify(capsys, tmp_path / "gone.tex")
    assert code == 2
    assert "gone.tex: expected a paper, table or figure to read, found no such file" in lines[0]
    assert verify(capsys, tmp_path)[0] == 2


HUGE = {
    "tex": [
        "\\begin{tabular}{",
        "{",
        "\\\\[",
        "\\rowcolor[",
        "a & ",
        "\\caption{",
        "\\multicolumn{2}{",
        " ",
        "%",
    ],
    "md": ["|", "![", "- | ", "\\", "`"],
    "html": ["<table><tr>", "<", "<!--", "&#", "<td colspan=9>", "<img src="],
    "typ": ["[", "table(columns: 1, ", "(", "table.cell(colspan: 2)["],
    "csv": [",", '"', "a\n"],
}


@pytest.mark.slow
@pytest.mark.parametrize("size", [100_000, pytest.param(1_000_000, marks=pytest.mark.wide)])
@pytest.mark.parametrize(("ending", "part"), [(end, part) for end, parts in HUGE.items() for part in parts])
def test_a_large_hostile_file_is_read_in_seconds(folder, capsys, ending, part, size):
    form = next(form for form, end in FORMATS.items() if end == ending)
    text, path = table(folder / f"t.{ending}", form), folder / f"paper.{ending}"
    filling = part * (size // len(part))
    inside = text.replace("0.655", filling, 1).replace(r"0\.655", filling, 1)
    path.write_text(f"{inside}\n{filling}", encoding="utf-8")
    start = time.process_time()
    assert verify(capsys, path)[0] in (1, 2)
    assert time.process_time() - start < size / 30_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "filling",
    [
        b"<!-- ",
        *(pytest.param(one, marks=pytest.mark.wide) for one in (bytes(range(256)), b"word ", b"\n% x")),
    ],
)
def test_a_table_in_ten_megabytes_is_still_verified(folder, capsys, filling):
    path = folder / "paper.tex"
    text = table(path).encode()
    path.write_bytes(filling * (10_000_000 // len(filling)) + b"\n" + text)
    start = time.process_time()
    assert verify(capsys, path)[0] == 0
    assert time.process_time() - start < 30
