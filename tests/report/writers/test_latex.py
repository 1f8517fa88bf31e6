"""Tables for papers: escaping, layout, and whether LaTeX takes them."""

import pytest

from delvecore.report.grid import Column, grid_of_texts
from delvecore.report.writers.latex import latex_escape, latex_grid

HOSTILE = r"a_b & 5% #2 $x$ {} \ ~ ^"
COLUMNS = (Column("Method"), Column("Loss", "r", ("Raw",)), Column("SE", "r", ("Raw",)), Column("p", "r"))
ROWS = (
    ("lin-1", "-0.33", "0.12", "< 0.0001"),
    (HOSTILE, "inf", "", "0.053"),
    ("[x] --- ``q'' ?` <b>|", "1.0e-05", "2", ""),
    ("αβ Łódź naïve 中文 ±∞", "0.1", "0.2", "0.3"),
    ("*star", "1", "2", "3"),
)


def latex_table(columns, rows, **details):
    return latex_grid(grid_of_texts(columns, rows, **details))


def small_table(**details):
    return latex_table(COLUMNS, ROWS, caption=f"Losses of {HOSTILE}.", label=f"tab:{HOSTILE}", **details)


def test_hostile_names_are_escaped():
    assert latex_escape(HOSTILE) == (
        r"a\_b \& 5\% \#2 \$x\$ \{\} \textbackslash{} \textasciitilde{} \textasciicircum{}"
    )


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("ä", r"\"{a}"),
        ("Å", r"\r{A}"),
        ("α", r"\ensuremath{\alpha}"),
        ("λ", r"\ensuremath{\lambda}"),
        ("±", r"\ensuremath{\pm}"),
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
    assert table == "\n".join(
        [
            r"% \usepackage{booktabs}",
            r"\begin{table}[htbp]",
            r"\centering",
            r"\caption{Losses.}",
            r"\label{tab:x}",
            r"\begin{tabular}{lrrr}",
            r"\toprule",
            r" & \multicolumn{2}{c}{Raw} &  \\",
            r"\cmidrule(lr){2-3}",
            r"Method & \multicolumn{1}{c}{Loss} & \multicolumn{1}{c}{SE} & \multicolumn{1}{c}{p} \\",
            r"\midrule",
            r"\textbf{lin-1} & $\mathbf{-0.33}$ & $0.12$ & $< 0.05$ \\",
            r"\bottomrule",
            r"\end{tabular}",
            r"\par\smallskip",
            r"{\footnotesize Of 8.}",
            r"\end{table}",
            "",
        ]
    )


def test_exponents_are_powers_of_ten():
    table = latex_table([Column("x", "r")], [("-1.5e-05",), ("2e3",)], caption="", label="")
    assert r"$-1.5 \times 10^{-5}$" in table
    assert r"$2 \times 10^{3}$" in table


def test_a_row_of_the_wrong_length_is_refused():
    with pytest.raises(ValueError, match="expected 4 cells, one a column, found 1"):
        latex_table(COLUMNS, [("x",)], caption="", label="")


def test_all_text_is_ascii():
    assert small_table().isascii()


def test_a_row_does_not_begin_like_an_option_of_the_line_before():
    lines = small_table().splitlines()
    assert not [line for line in lines if line.startswith(("[", "*"))]
