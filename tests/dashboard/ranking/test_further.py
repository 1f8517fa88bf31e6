"""The tab of further questions: every one is answered, by the numbers of the command."""

import math

import pytest

from dashboard.ranking.further import QUESTIONS
from dashboard.ranking.tabs import PARTS
from dashboard.server import archive as opened
from delvecore.plots.ranking import further as figures
from delvecore.plots.rows import Interval, Intervals, intervals_figure
from delvecore.plots.theme import MethodStyle
from delvecore.report.ranking.questions import OF_SINGLE_TASKS
from delvecore.report.ranking.questions import QUESTIONS as ASKED
from tests.dashboard.array_archive import array_archive
from tests.dashboard.reading import texts

STYLE = MethodStyle("#0072b2", "circle")
PART = "Further questions"


def test_every_question_of_all_tasks_is_asked_but_those_answered_elsewhere():
    assert set(QUESTIONS) == set(ASKED) - {"leaderboard", "regret", *OF_SINGLE_TASKS}
    assert PART in PARTS


@pytest.fixture
def archive(tmp_path):
    place = array_archive(tmp_path, ("apple", "pear", "quince", "rest"))
    opened.choose_paths([str(place)])
    return place


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_is_answered(question, archive, run_page):
    app = run_page(
        "ranking", methods=["apple", "pear", "quince"], **{"ranking-part": PART, "question": question}
    )
    assert not app.exception
    said = texts(app)
    assert "This question cannot be answered here" not in said
    assert len(app.get("plotly_chart")) == (3 if question == "pairs" else 4)


@pytest.mark.slow
def test_without_costs_of_a_method_the_front_says_what_is_missing(archive, run_page):
    app = run_page("ranking", methods=["apple", "rest"], **{"ranking-part": PART, "question": "front"})
    assert not app.exception
    assert "expected 2 datasets with costs of all methods, found fewer" in texts(app).replace("\\", "")


def test_rows_without_an_interval_are_drawn():
    rows = (Interval("a", 1.0, math.nan, math.nan), Interval("b", 2.0, 1.5, 2.5))
    figure = intervals_figure(Intervals(rows, "loss", (0.0,)))
    hollow, full = figure.data
    assert (hollow.x, hollow.marker.symbol, hollow.error_x.array) == ((1.0,), ("circle-open",), None)
    assert (full.x, full.marker.symbol, full.error_x.array) == ((2.0,), ("circle",), (0.5,))


def test_chances_fill_a_bar():
    figure = figures.chances_figure([figures.Chance("a", "b", 0.2, 0.5, 0.3)])
    assert [bar.x[0] for bar in figure.data] == [0.2, 0.5, 0.3]


def test_the_front_joins_methods_that_none_beats_and_opens_the_others():
    spots = [
        figures.Spot("cheap", (1, 0.5, 2), (0.9, 0.8, 1.0), sure=1.0, on_front=True, style=STYLE),
        figures.Spot("beaten", (5, 4, 6), (0.95, 0.9, 1.0), sure=0.1, on_front=False, style=STYLE),
        figures.Spot("best", (9, 8, 10), (0.2, 0.1, 0.3), sure=1.0, on_front=True, style=STYLE),
    ]
    figure = figures.front_figure(spots)
    assert figure.data[0].x == (1, 9)
    assert figure.layout.xaxis.ticktext == ("0.5", "1", "2", "5", "10")
    assert [trace.marker.symbol for trace in figure.data[1:]] == ["circle", "circle-open", "circle"]


def test_an_interval_of_costs_without_a_bound_ends_within_the_picture():
    rows = [
        figures.Spot("a", (1.0, 0.0, math.inf), (0.9, 0.8, 1.0), sure=1.0, on_front=True, style=STYLE),
        figures.Spot("b", (10.0, math.nan, math.nan), (0.2, 0.1, 0.3), sure=1.0, on_front=True, style=STYLE),
    ]
    figure = figures.front_figure(rows)
    low, high = figure.layout.xaxis.range
    assert -2.5 < low < -2
    assert 3 < high < 3.5
    assert figure.data[1].error_x.array == (999.0,)


def test_profiles_are_steps():
    rows = (figures.Profile("a", (0.5, 1.0), STYLE),)
    figure = figures.profiles_figure(figures.Profiles((0.0, 0.1), False, rows))
    assert figure.data[0].line.shape == "hv"


def test_profiles_of_ratios_start_at_the_best_and_their_ticks_are_apart():
    rows = (figures.Profile("a", (0.5, 1.0), STYLE),)
    figure = figures.profiles_figure(figures.Profiles((0.0, 7.0), True, rows))
    assert (figure.data[0].x, figure.layout.xaxis.ticktext) == ((1, 8), ("1×", "1.5×", "2×", "3×", "5×"))


def test_the_interval_of_a_profile_is_an_area_behind_its_line():
    rows = (figures.Profile("a", (0.5, 1.0), STYLE, (0.3, 0.7), (0.7, 1.0)),)
    figure = figures.profiles_figure(figures.Profiles((0.0, 0.1), False, rows))
    assert [trace.y for trace in figure.data] == [(0.3, 0.7), (0.7, 1.0), (0.5, 1.0)]
    assert figure.data[2].hovertext[0] == "a: within 0 of the best on 50 % (30 to 70 %)"


@pytest.mark.parametrize("draw", [figures.chances_figure, figures.front_figure])
def test_nothing_is_an_empty_figure(draw):
    assert draw([]).layout.annotations


def test_no_profiles_are_an_empty_figure():
    assert figures.profiles_figure(figures.Profiles((), False, ())).layout.annotations


def test_values_of_rows_have_as_many_decimals_as_the_longest_of_them():
    rows = tuple(
        Interval(name, value, value, value) for name, value in (("a", 1.0), ("b", 2.25), ("c", -12.3))
    )
    figure = intervals_figure(Intervals(rows, "mean rank"))
    said = [one.text for one in figure.layout.annotations]
    assert said == ["1.00", "2.25", "−12.30"]
