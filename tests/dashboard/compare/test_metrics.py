"""Compare by a metric: its own values and direction in figures, tables and files, as in the sentence."""

import pytest

from dashboard.compare import data
from dashboard.server.archive import with_metric
from dashboard.ui.request import Request
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
    measured = with_metric(known, loss).result()
    return Request(
        measured.archive,
        measured.loss,
        tasks=(TASK,),
        methods=("good", "bad"),
        reference="bad",
        is_raw=True,
    )


def test_estimates_and_differences_are_those_of_the_metric(known):
    # Accuracies: 1 5/6 5/6 1 and 1/2 1/2 1/3 1/2; means 11/12 and 11/24.
    compared = data.comparison_of(request(known, "acc"))
    overview, matrix = compared.overview(), compared.pair_matrix()
    assert overview.table["mean"] == pytest.approx([11 / 12, 11 / 24])
    assert overview.figure.axis == "acc   better →"
    (good, _, _, bad, difference, lower, upper, _, verdict, _), _ = overview.table.rows
    assert (good, bad, difference, verdict) == ("good", "bad", pytest.approx(11 / 24), "better")
    assert lower < difference < upper
    assert overview.figure.is_higher
    text = str(pair_matrix_figure(matrix).plotly().data)
    assert dict(matrix.table.select("method_a", "verdict").rows) == {"good": "better", "bad": "worse"}
    assert "+0.458" in text
    assert "+ better" in text
    assert max(compared.instance_losses().table["mean"]) == 1
    less = data.comparison_of(request(known, "err"))
    assert less.overview().figure.axis == "← better   err"
    assert less.overview().table["difference"][0] == pytest.approx(-11 / 24)


def test_the_page_shows_the_metric_itself_with_its_direction(known, run_page):
    app = run_page("compare", task=TASK, loss="acc", methods=["good", "bad"], reference="bad")
    assert "The acc of" in app.markdown[0].value
    assert "1 - acc" not in texts(app)
    numbers = run_page("compare", task=TASK, loss="acc", **{"compare-part": "Losses in numbers"})
    assert any("Against the highest" in frame.value for frame in numbers.dataframe)
    pairs = run_page("compare", task=TASK, loss="acc", reference="bad", **{"compare-part": "All pairs"})
    assert any(code.startswith("mstats -l acc -c ") for code in codes(pairs))
