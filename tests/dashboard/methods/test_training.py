"""The tab Training of the Methods page."""

import pytest

from dashboard.methods.training import training
from dashboard.server import archive as opened
from tests.archives import write_tree
from tests.dashboard.compare_archive import AGE
from tests.dashboard.reading import plain, texts
from tests.readers.test_results import TEXT

pytestmark = pytest.mark.slow


def add_training(root, method="one", **numbers):
    files = {f"methods/{method}{AGE}/Training.{number}": text for number, text in enumerate(numbers.values())}
    write_tree(root, files)


def test_the_tab_is_there_where_a_method_tells_how_it_was_trained(small, run_page):
    app = run_page("methods", method="one")
    assert "Training" not in [tab.label for tab in app.tabs]
    add_training(small, first=TEXT, second=TEXT.replace("Total-Epochs: 15", "Total-Epochs: 20"))
    app = run_page("methods", method="one", **{"method-part": "Training"})
    assert "Training" in [tab.label for tab in app.tabs]
    said = plain(app)
    assert (
        "**2 runs** trained 15 to 20 epochs, kept the weights of epoch 10 and traversed 1,234 connections"
        in said
    )
    assert (
        "2-1, all feed forward connections including all shortcut connections; linear outputs, 3 weights"
        in said
    )
    assert "How do other networks compare?" in [one.value for one in app.subheader]
    assert app.dataframe[-1].value["epochs"].tolist() == ["18 (4)"]
    add_training(small, first="nothing\n")
    app = run_page("methods", method="one", **{"method-part": "Training"})
    assert "expected a line KEY: VALUE" in texts(app)


def test_curves_have_a_mark_where_weights_were_kept_and_where_training_stopped(small):
    add_training(small, first=TEXT)
    archive = opened.open_archive().archive
    _, figure = training(archive, "one", AGE)
    by_name = {trace.name: (list(trace.x), list(trace.y)) for trace in figure.plotly().data}
    assert by_name == {
        "training set": ([5, 10, 15], [12.5, 9.0, 8.0]),
        "validation set": ([5, 10, 15], [11.0, 10.0, 10.75]),
        "weights kept": ([10], [10.0]),
        "stopped": ([15], [10.75]),
    }
