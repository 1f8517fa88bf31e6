"""The tab Classes: reliability, rankings, and methods against another on the same test cases."""

import numpy as np
import pytest

from dashboard.compare import class_curves
from dashboard.server import archive as opened
from delvecore.plots.compare import classes as figures
from delvecore.plots.theme import MethodStyle
from delvecore.stats.classification.summary import InstancePredictions, summarize
from tests.archives import small_archive, write_tree
from tests.dashboard.reading import texts
from tests.losses.test_compute import SHADE_TASK

STYLE = MethodStyle("#0072b2", "circle")
ACTUAL = np.array([0, 0, 1, 1])


def summary(*chances, independent=True):
    """A training set for each list of the probabilities of the first class."""
    parts = [np.column_stack([one, 1 - np.array(one)]) for one in chances]
    predictions = [InstancePredictions(n, ACTUAL, part.argmax(axis=1), part) for n, part in enumerate(parts)]
    return summarize(predictions, classes=("yes", "no"), independent=independent)


def test_the_sentence_tells_error_chance_and_p():
    said = class_curves.calibration_sentence(summary([0.9, 0.8, 0.3, 0.4]), "one")
    assert said.startswith("**The probabilities of one are off by 0.250 on average**")
    assert "no more than chance may make" in said
    shared = summary([0.9, 0.8, 0.3, 0.4], [0.9, 0.8, 0.3, 0.4], independent=False)
    assert "used once" in class_curves.calibration_sentence(shared, "one")


def test_methods_stand_against_the_reference():
    found = {"one": summary([0.9, 0.8, 0.3, 0.4]), "two": summary([0.4, 0.8, 0.3, 0.9])}
    table = class_curves.pair_table(found, "one", level=0.95)
    assert table.to_numpy().tolist()[0][:3] == ["two", 0, 2]
    shared = {name: summary([0.9] * 4, [0.9] * 4, independent=False) for name in found}
    assert "a test set of its own" in class_curves.pair_table(shared, "one", level=0.95)


def test_probabilities_that_come_true_lie_on_the_diagonal():
    plot = figures.ReliabilityPlot((figures.Bin(10, 0.8, 0.8, 0.5, 0.95),), STYLE)
    marks = figures.reliability_figure(plot).data[1]
    assert (marks.x, marks.y) == ((0.8,), (0.8,))
    assert marks.error_y.array == pytest.approx((0.15,))


def test_rankings_are_drawn_in_counts_or_rates():
    curve = figures.Ranking("training set 0", (0, 2, 4), (0, 3, 3), 0.75)
    figure = figures.ranking_figure(figures.RankingPlot((curve,), True, STYLE))
    assert figure.data[0].x == (0, 4)
    assert figure.data[1].y == (0, 3, 3)
    assert figures.ranking_figure(figures.RankingPlot((), False, STYLE)).layout.annotations


@pytest.mark.slow
@pytest.mark.parametrize("axes", class_curves.AXES)
def test_the_tab_draws_the_curves(tmp_path, run_page, axes):
    root = small_archive(tmp_path)
    files = {f"guess.{n}": "pink\nred\nblue\npink\nred\npink\n" for n in range(4)}
    files |= {f"prob.{n}": "8 1 1\n1 1 8\n1 8 1\n" * 2 for n in range(4)}
    write_tree(root / "methods/one" / SHADE_TASK, files)
    opened.choose_paths([str(root)])
    app = run_page("compare", task=f"/{SHADE_TASK}", **{"compare-part": "Classes", "axes": axes})
    assert not app.exception
    assert "How well are cases ranked?" in [element.value for element in app.subheader]
    assert "used once" in texts(app)
