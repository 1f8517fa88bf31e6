"""Compare by a metric: its own values and direction in figures, tables and files, as in the sentence."""

import pytest

from dashboard.compare import data
from dashboard.compare.choice import RAW, Request
from dashboard.server.archive import with_metric
from delvecore.plots.comparison import pair_matrix_figure
from tests.archives import write_tree
from tests.dashboard.reading import codes, opened_archive, texts

TASK = "/demo/shade/std.4"
WRONG = {"good": (0, 1, 1, 0), "bad": (3, 3, 4, 3)}
"""How many of 6 test cases each guesses wrong, by training set."""


@pytest.fixture
def known(small):
    for method, counts in WRONG.items():
        losses = {
            f"loss.Z.{number}": "1\n" * wrong + "0\n" * (6 - wrong) for number, wrong in enumerate(counts)
        }
        write_tree(small, {f"methods/{method}{TASK}/{name}": text for name, text in losses.items()})
    return opened_archive(small)


def request(known, loss):
    measured = with_metric(known, loss)
    return Request(measured.archive, TASK, measured.loss, ("good", "bad"), "bad", unit=RAW)


def drawn(asked, question):
    return data.answer_about(asked, question).figure


def test_estimates_and_differences_are_those_of_the_metric(known):
    # Accuracies: 1 5/6 5/6 1 and 1/2 1/2 1/3 1/2; means 11/12 and 11/24.
    asked = request(known, "acc")
    found, apart = drawn(asked, "losses"), drawn(asked, "differences")
    assert [line.loss for line in found.lines] == [pytest.approx(11 / 12), pytest.approx(11 / 24)]
    assert found.axis == "acc   better →"
    good = apart.lines[0]
    assert (good.difference, good.verdict, apart.is_higher) == (pytest.approx(11 / 24), "better", True)
    assert good.lower < good.difference < good.upper
    cells = drawn(asked, "pair_matrix")
    assert [(cell.row, cell.shown, cell.verdict) for cell in cells.cells if cell.row == "good"] == [
        ("good", "+0.458", "better")
    ]
    assert "▲ better" in str(pair_matrix_figure(cells).plotly().data)
    assert sorted(line.loss for line in drawn(asked, "instance_losses").lines)[-1] == 1
    less = request(known, "err")
    assert drawn(less, "losses").axis == "← better   err"
    assert drawn(less, "differences").lines[0].difference == pytest.approx(-11 / 24)


def test_the_page_shows_the_metric_itself_with_its_direction(known, run_page):
    app = run_page("compare", task=TASK, loss="acc", methods=["good", "bad"], reference="bad")
    assert "The acc of" in app.markdown[0].value
    assert "How large is acc?" in [heading.value for heading in app.subheader]
    assert "1 - acc" not in texts(app)
    assert any("Against the highest" in frame.value for frame in app.dataframe)
    pairs = run_page("compare", task=TASK, loss="acc", reference="bad", **{"compare-part": "All pairs"})
    assert any(code.startswith("mstats -l acc -c ") for code in codes(pairs))
