"""Published results on task-arrays: hollow marks beside the curves, never ranked."""

import pytest

from dashboard.server import archive as opened
from dashboard.task_arrays import data, tables
from dashboard.task_arrays.choice import Request
from delvecore.losses.published import PublishedValue
from delvecore.plots.task_arrays.curves import curves_figure
from tests.archives import write_tree
from tests.dashboard.array_archive import ARRAY, array_archive
from tests.dashboard.reading import texts


@pytest.fixture
def known(tmp_path):
    """(request, path of a task) of an array with a published result on that task."""
    path = array_archive(tmp_path)
    opened.choose_paths([str(path)])
    task = data.tasks_of(opened.open_archive().archive, ARRAY)[0]
    text = f"Source: A. Author, A paper, 1999\nnet-1999 {task} S 2 0.5 25 table 2\n"
    write_tree(path, {f"data/{task.split('/')[1]}/Published": text})
    opened.choose_paths([str(path)])
    archive = opened.open_archive().archive
    methods = data.ranked(archive, ARRAY, "S")
    return Request(archive, ARRAY, "S", methods, methods, reference=methods[0]), task


def test_published_results_are_hollow_marks_in_units_of_the_baseline(known):
    request, task = known
    (row, value), *others = data.published(request)
    assert (others, row["task"], type(value)) == ([], task.split("/")[-1], PublishedValue)
    results = request.archive.to_frame("results", loss="S")
    own = results[(results["dataset"] == row["dataset"]) & (results["task"] == row["task"])]
    constant = own["standardizer"].iloc[0]
    assert (value.mean, value.deviation) == (pytest.approx(2 / constant), pytest.approx(0.5 / constant))
    drawn = tables.curves(request)
    hollow = [one for one in curves_figure(drawn).data if one.marker.symbol == "diamond-open"]
    assert [one.y for one in hollow] == [(value.mean,)]
    assert "net-1999†" in str(hollow[0].to_plotly_json())
    assert "net-1999" not in {curve.method for curve in drawn.curves}


@pytest.mark.slow
def test_the_page_says_what_hollow_marks_are(known, run_page):
    app = run_page("task_arrays", array=ARRAY, loss="S")
    assert not app.exception
    assert "published elsewhere, bars of one standard deviation over runs; never tested" in texts(app)
