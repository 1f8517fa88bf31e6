"""Cells of scores: type and marks around a number do not count, whichever language they are written in."""

import math
import time

import pytest

from delvecore.score_tables.cells import parse_texts, rounding
from delvecore.score_tables.options import Question
from tests.score_tables.tables import cells, scores

MARKED = [
    "<b>{}</b>",
    "<STRONG>{}</STRONG>",
    '<span style="color:red">{}</span>',
    "{}<sup>*</sup>",
    "{}<sup>1</sup>",
    "&nbsp;{}",
    "**{}**",
    "***{}***",
    "*{}*",
    "_{}_",
    "`{}`",
    r"\textbf{{{}}}",
    r"\underline{{\textbf{{{}}}}}",
    r"{{\bf {}}}",
    r"\bfseries {}",
    r"$\mathbf{{{}}}$",
    r"\cellcolor[gray]{{0.9}}{}",
    r"\textcolor{{red}}{{{}}}",
    r"${}^{{*}}$",
    r"{}$^{{\dagger}}$",
    r"{} $\bullet$",
    "{}*",
    "{}**",
    "{} †",
    "{}‡",
    "{}§",
    "{} •",
    "{}★",
    "{}²",
    "🥇 {}",
    "{} v",
    "{} [1]",
    "{} [0.95, 0.99]",
    "{} (0.95–0.99)",
]


@pytest.mark.parametrize("form", MARKED)
def test_marks_around_a_number_do_not_count(form):
    for number in ("0.987", "98.7", "-1.25"):
        cell = parse_texts([form.format(number)])
        assert (*cell.value, *cell.bad, cell.spread) == (float(number), False, None)
        assert rounding(form.format(number)) == pytest.approx(0.5 * 10.0 ** -len(number.partition(".")[2]))


@pytest.mark.parametrize("form", ["**{} ± 0.01**", "<b>{}</b> (0.01)", r"${}_{{\pm 0.01}}$", "{} (+/- 0.01)"])
def test_a_spread_stays_beside_a_marked_number(form):
    cell = parse_texts([form.format("0.95")])
    assert (*cell.value, *cell.spread) == (0.95, 0.01)


def test_the_rounding_of_a_number_beyond_all_others_is_infinite():
    assert rounding("1e400") == math.inf


@pytest.mark.parametrize("text", ["<b>-</b>", "**NA**", r"\textbf{--}"])
def test_a_marked_missing_value_is_missing(text):
    cell = parse_texts([text])
    assert math.isnan(cell.value[0])
    assert not cell.bad[0]


@pytest.mark.parametrize(
    "text",
    [
        "10<sup>5</sup>",
        "~~0.9~~",
        "<s>0.9</s>",
        "<0.01",
        "0.9a",
        "0.9 (n=5)",
        "1.2k",
        "*",
        "2020-01-02",
        "0.6$71",
        "0.6{71",
        "{0.67}",
        "69.3$",
        "$0.9",
    ],
)
def test_what_may_mean_something_else_is_no_number(text):
    assert parse_texts([text]).bad[0]


def test_a_long_text_of_marks_is_refused_at_once():
    before = time.perf_counter()
    assert parse_texts([mark * 50_000 for mark in ("*", "<", "\\", "$", r"\color{", "<sup>")]).bad.all()
    assert time.perf_counter() - before < 1


def marked_table(form):
    rows = [
        f"{name}|0.{place}1|0.{place}3|{form.format(f'0.9{place}')}" for place, name in enumerate("abcd", 2)
    ]
    return "\n".join(["dataset|A|B|Ours", *rows]) + "\n"


@pytest.mark.parametrize("form", ["<b>{}</b>", "**{}**", r"\textbf{{{}}}", "{}*", "{} [0.9, 0.99]"])
def test_a_column_of_marked_numbers_is_a_method(form):
    cell_texts = cells(scores(marked_table(form), higher_is_better=True))
    assert cell_texts["c", "Ours", "", "score"] == 0.94
    assert {method for _, method, *_ in cell_texts} == {"A", "B", "Ours"}


@pytest.mark.parametrize("form", ["{} (n=5)", "{}a", "~~{}~~", r"\mybest{{{}}}"])
def test_a_column_that_begins_with_numbers_is_asked_about(form):
    with pytest.raises(
        Question, match=r"table.csv:2: expected plain numbers in the column 'Ours', found .*--drop"
    ):
        scores(marked_table(form), higher_is_better=True)
    score_file = scores(marked_table(form), higher_is_better=True, drop=("Ours",))
    assert {method for _, method, *_ in cells(score_file)} == {"A", "B"}
    text = "dataset,method,accuracy,f1\na,x,0.9b,.1\na,y,0.8b,.2\nb,x,0.7b,.1\nb,y,0.6b,.3\n"
    with pytest.raises(
        Question, match=r"plain numbers in the column 'accuracy', found '0.9b'; say --drop accuracy"
    ):
        scores(text)


def test_dates_beside_scores_are_no_scores():
    score_file = scores(marked_table("2020-01-{}").replace("0.9", "1"), higher_is_better=True)
    assert {method for _, method, *_ in cells(score_file)} == {"A", "B"}
