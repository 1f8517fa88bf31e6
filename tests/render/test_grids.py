"""Tables as text, CSV, HTML, Markdown and LaTeX: layout, and what comes from files stays text."""

import csv
import io
import math

import pyarrow as pa
import pytest

import delvecore
from delvecore.render.csv import METHOD, csv_of_table, csv_text, template_text
from delvecore.render.grid import Cell, Column, Grid, Row, grid_of_texts
from delvecore.render.latex import latex_escape, latex_grid
from delvecore.render.markup import html_grid, markdown_escape
from delvecore.render.text import aligned, columns_text, fold


def test_columns_read_downwards_and_share_the_width() -> None:
    # Longest name 12: 80 // 13 = 6 columns of 13; 9 names in 9 // 6 + 1 = 2 rows.
    names = [
        "Dataset.data",
        "Dataset.spec",
        "Source",
        "Summary",
        "age",
        "colour",
        "income",
        "sex",
        "siblings",
    ]
    first, second = columns_text(names).split("\n")
    assert first.split() == ["Dataset.data", "Source", "age", "income", "siblings"]
    assert second == "Dataset.spec Summary      colour       sex"
    assert len(first) == 78


def test_lines_are_filled_and_long_words_stay_whole() -> None:
    assert fold("one two three", "  ", width=9) == ["  one two", "  three"]
    assert fold("a " + "b" * 20 + " c", "", width=5) == ["a", "b" * 20, "c"]


def test_first_columns_stand_to_the_left_and_others_to_the_right() -> None:
    rows = [["a", "b", "c"], ["one", "two", "13"]]
    assert aligned(rows) == ["a      b   c", "one  two  13"]
    assert aligned(rows, indent="> ", left=2) == ["> a    b     c", "> one  two  13"]


def test_reading_a_number_gives_the_same_double():
    values = [0.1, 1 / 3, 1e-300, -2.5, 123456789.123456789, 7]
    rows = list(csv.reader(io.StringIO(csv_text(["x"], [[value] for value in values]))))
    assert [float(row[0]) for row in rows[1:]] == values


def test_what_is_not_there_is_an_empty_field_and_an_infinity_is_not():
    assert csv_text(["a", "b", "c"], [[None, math.nan, math.inf]]) == "a,b,c\n,,inf\n"


def test_an_arrow_table_is_written_by_rows():
    table = pa.table({"name": ["one", "two"], "sizes": [[1, 2], []], "x": [0.5, None]})
    assert csv_of_table(table) == "name,sizes,x\none,1 2,0.5\ntwo,,\n"


SCORES = "dataset,method,accuracy\n" + "".join(
    f"{dataset},{method},0.{dataset}{place}\n" for dataset in (5, 6, 7) for place, method in enumerate("ab")
)


def test_tasks_of_scores_are_filled_in_by_the_names_of_their_datasets(tmp_path):
    scores, filled = tmp_path / "scores.csv", tmp_path / "filled.csv"
    scores.write_text(SCORES.replace("5,", "five/one,").replace("6,", "six/two,"))
    archive = delvecore.open(scores, cache=False)
    rows = list(csv.DictReader(io.StringIO(template_text(archive.tasks, "accuracy"))))
    assert {row["dataset"] for row in rows} == {"7", "five/one", "six/two"}
    with filled.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows({**row, "value": 0.9} for row in rows)
    both = delvecore.open([scores, filled], cache=False)
    assert both.tasks.num_rows == archive.tasks.num_rows
    assert set(both.results["method"].to_pylist()) == {"a", "b", METHOD}


def grid(title, label, cell, **details):
    """A table of one cell, below a title and behind a label."""
    return Grid(columns=(Column(title, "r"),), rows=(Row((cell,), (label,)),), stubs=("Task",), **details)


def test_html_is_ascii_and_has_headings_for_columns_and_rows():
    text = html_grid(grid("ä", "x", Cell("1 ± 2", bold=True), caption="Losses"))
    assert text.isascii()
    assert text.count('scope="col"') == 2
    assert text.count('scope="row"') == 1
    assert "<strong>1 &#177; 2</strong>" in text


def test_markdown_escapes_what_would_be_markup():
    assert markdown_escape("a_b *c* `d` <e> [f]") == r"a\_b \*c\* \`d\` \<e\> \[f\]"


COLUMNS = (Column("Method"), Column("Loss", "r", ("Raw",)), Column("SE", "r", ("Raw",)), Column("p", "r"))


def latex_table(columns, rows, **details):
    return latex_grid(grid_of_texts(columns, rows, **details))


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("ä", r"\"{a}"),
        ("α", r"\ensuremath{\alpha}"),
        ("--", "-{}-"),
        ("中", "[U+4E2D]"),
        ("a\nb\x00", "a b "),
    ],
)
def test_other_characters_become_ascii_that_looks_like_them(text, escaped):
    assert latex_escape(text) == escaped


def test_a_table_has_booktabs_rules_groups_numbers_as_mathematics_and_bold_cells():
    table = latex_table(
        COLUMNS,
        [("lin-1", "-0.33", "0.12", "< 0.05")],
        caption="Losses.",
        label="tab:x",
        notes=("Of 8.",),
        bold={(0, 1), (0, 0)},
    )
    head, _, body = table.partition("\\toprule\n")
    assert head.splitlines()[-3:] == [r"\caption{Losses.}", r"\label{tab:x}", r"\begin{tabular}{lrrr}"]
    assert body.splitlines()[:2] == [r" & \multicolumn{2}{c}{Raw} &  \\", r"\cmidrule(lr){2-3}"]
    row, rule = body.splitlines()[4:6]
    assert (row, rule) == (r"\textbf{lin-1} & $\mathbf{-0.33}$ & $0.12$ & $< 0.05$ \\", r"\bottomrule")
    assert r"{\footnotesize Of 8.}" in body


def test_exponents_are_powers_of_ten():
    table = latex_table([Column("x", "r")], [("-1.5e-05",), ("2e3",)], caption="", label="")
    assert r"$-1.5 \times 10^{-5}$" in table
    assert r"$2 \times 10^{3}$" in table


def test_a_row_of_the_wrong_length_is_refused():
    with pytest.raises(ValueError, match="expected 4 cells, one per column, found 1"):
        latex_table(COLUMNS, [("x",)], caption="", label="")


@pytest.mark.parametrize("blanks", [" ", "   "])
@pytest.mark.parametrize("sign", "=+-@\uff1d")
def test_a_formula_behind_blanks_is_text(blanks, sign):
    # Spreadsheets leave out blanks before they look for a formula.
    (_, (cell,)) = csv.reader(io.StringIO(csv_text(["x"], [[f"{blanks}{sign}1+1"]])))
    assert cell.startswith("'")
    assert cell.endswith(f"{sign}1+1")


@pytest.mark.parametrize("text", ["a;b", ";", "a,b", 'a"b', " a", "a "])
def test_what_ends_a_field_anywhere_is_quoted(text):
    quoted = text.replace('"', '""')
    assert csv_text(["x"], [[text]]) == f'x\n"{quoted}"\n'


def test_a_table_of_texts_too_wide_for_a_line_is_divided_and_repeats_its_names():
    # The heading of the difference alone takes half of the line.
    columns = [Column("method", "l"), *(Column(f"{letter} " + "difference " * 4, "r") for letter in "abc")]
    rows = [[f"method-{number}", "1.00", "2.00", "3.00"] for number in range(3)]
    text = latex_grid(grid_of_texts(columns, rows, caption="Made.", label="tab:made"))
    assert text.count(r"\begin{tabular}") == text.count("method & ") > 1
    assert text.count(r"\label") == 1
    narrow = grid_of_texts(
        [*columns[:1], Column("b", "r"), Column("c", "r")], [one[:3] for one in rows], caption="Made."
    )
    assert latex_grid(narrow).count(r"\begin{tabular}") == 1


def test_a_table_of_names_alone_stays_one():
    grid = grid_of_texts([Column("a", "l"), Column("b", "l")], [["x " * 80, "y " * 80]], caption="Made.")
    assert latex_grid(grid).count(r"\begin{tabular}") == 1
