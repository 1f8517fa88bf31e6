"""More questions on Ranking: every one is answered, by the numbers of the command, with one figure for all."""

import pytest

from dashboard.ranking.screens import TITLES
from dashboard.server import archive as opened
from tests.dashboard.array_archive import array_archive
from tests.dashboard.reading import texts


@pytest.fixture
def archive(tmp_path):
    place = array_archive(tmp_path, ("apple", "pear", "quince", "rest"))
    opened.choose_paths([str(place)])
    return place


@pytest.mark.slow
@pytest.mark.parametrize("question", TITLES)
def test_every_question_is_answered(question, archive, run_page):
    app = run_page("ranking", methods=["apple", "pear", "quince"], more="true", question=question)
    assert not app.exception
    assert "This question cannot be answered here" not in texts(app)
    # The diagram, the pairs, and the answer's own figure, which p-values of procedures do not have.
    assert len(app.get("plotly_chart")) == (2 if question == "pairs" else 3)


@pytest.mark.slow
def test_without_costs_of_a_method_the_front_says_what_is_missing(archive, run_page):
    app = run_page("ranking", methods=["apple", "rest"], more="true", question="front")
    assert not app.exception
    assert "expected 2 datasets with costs of all methods, found fewer" in texts(app).replace("\\", "")
