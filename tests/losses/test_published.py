"""The file `Published`, and its figures in the unit of a loss."""

from types import SimpleNamespace

import pyarrow as pa
import pytest

from delvecore.errors import ParseError
from delvecore.losses.published import (
    PublishedResult,
    origins_of,
    parse_published,
    published_text,
)
from delvecore.losses.standard_losses import LOSS_SPECS
from delvecore.measures import column_measure
from delvecore.model import TaskId
from delvecore.report.published import in_unit_of, published_on
from delvecore.tables import SCHEMAS

ONE, THREE = ["(-Inf,Inf)"], ["[0,1]"] * 3
TEXT = """\
Source: A. Author, A paper, 1999
# method task measure mean deviation runs where
tree /demo/age/std.128 S 12.5 0.4 10 table 2, page 7
tree /demo/age/std.256 S 11 ? ? # read off a figure
Source: Another paper, 2001
net /demo/age/std.128 Z 0.2 0 1
"""
PATH = "delve/data/demo/Published"
AGE = "demo", "age", "std", 128


def read(text, owner=("dataset", "demo")):
    return parse_published(text, PATH, owner=owner)


def test_a_line_is_a_result_with_its_source_and_place():
    first, second, third = read(TEXT)
    source = "A. Author, A paper, 1999"
    figures = ("S", 12.5, 0.4, 10, source, "table 2, page 7", 3)
    assert first == PublishedResult("tree", *AGE, *figures)
    assert (second.path, second.deviation, second.runs, second.where) == ("/demo/age/std.256", None, None, "")
    assert (third.source, third.deviation, third.runs) == ("Another paper, 2001", 0.0, 1)


def test_what_is_written_is_read_again():
    published = read(TEXT)
    again = read(published_text(published))
    assert [one._replace(line=0) for one in again] == [one._replace(line=0) for one in published]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("tree /demo/age/std.128 S 12.5 0.4", "5 words"),
        ("tree /demo/age/std S 12.5 0.4 10", "a task such as /demo/age/std.128"),
        ("tree /demo/age/std.128 S nan 0.4 10", "the mean, a number"),
        ("tree /demo/age/std.128 S 12.5 -1 10", "a standard deviation, or ?"),
        ("tree /demo/age/std.128 S 12.5 0.4 0", "a number of runs, or ?"),
        ("tree /other/age/std.128 S 12.5 0.4 10", "results of the dataset demo"),
    ],
)
def test_a_faulty_line_is_named_and_left_out(line, said):
    errors = []
    kept = parse_published(f"Source: x\n{line}\n", PATH, owner=("dataset", "demo"), report=errors.append)
    ((fault),) = errors
    assert kept == ()
    assert fault.line == 2
    assert said in str(fault)


def test_a_result_needs_a_source_and_stands_once():
    with pytest.raises(ParseError, match="expected a line Source: above it"):
        read("tree /demo/age/std.128 S 12.5 0.4 10\n")
    with pytest.raises(ParseError, match="each result once, found it again"):
        read("Source: x\n" + "tree /demo/age/std.128 S 12.5 0.4 10\n" * 2)


def test_the_file_of_a_method_holds_its_results_on_all_datasets():
    (published,) = read("Source: x\ntree /demo/age/std.128 S 12.5 0.4 10\n", ("method", "tree"))
    assert published.dataset == "demo"
    with pytest.raises(ParseError, match="results of the method net"):
        read("Source: x\ntree /demo/age/std.128 S 12.5 0.4 10\n", ("method", "net"))


@pytest.mark.parametrize(
    ("measure", "loss", "ranges", "expected"),
    [
        ("S", "S", ONE, (40.0, 4.0)),
        # Section 2.6 of the report: 100 / (N P) times the sum of squares over N = 3 outputs of 0 to 1.
        ("squared-error-percentage", "S", THREE, (1.2, 0.12)),
        ("squared-error-percentage", "S", ONE, None),
        ("classification-error", "Z", ONE, (0.4, 0.04)),
        ("accuracy", "Z", ONE, (-39.0, 4.0)),
        ("squared-error-percentage", "sep", THREE, (40.0, 4.0)),
        ("classification-error", "cep", ONE, (40.0, 4.0)),
        ("speed", "S", ONE, None),
    ],
)
def test_a_measure_stands_under_the_loss_that_it_is(measure, loss, ranges, expected):
    under = LOSS_SPECS.get(loss) or column_measure(loss, False)
    converted = in_unit_of(under, measure, 40.0, 4.0, ranges=ranges)
    assert converted == (None if expected is None else pytest.approx(expected))


def test_a_metric_stands_as_it_was_published():
    metric = column_measure("accuracy", True, 1.0)
    assert in_unit_of(metric, "accuracy", 0.8, 0.1, ranges=ONE) == (0.8, 0.1)


def test_the_error_of_a_mean_needs_runs_and_deviation():
    value = PublishedResult("net", *AGE, "S", 1.0, 0.4, 16, "A paper", "table 2")
    assert value.standard_error == pytest.approx(0.1)
    assert value._replace(runs=None).standard_error is None
    assert value._replace(deviation=None).standard_error is None


def test_sources_are_named_once_with_the_places_of_each_method():
    places = (("net", "table 2"), ("net", "table 3"), ("tree", ""))
    values = [
        PublishedResult(method, *AGE, "S", 1.0, None, None, "A paper", place) for method, place in places
    ]
    assert origins_of(values) == ["A paper: net (table 2; table 3), tree"]


@pytest.mark.parametrize(("higher", "order"), [(True, ["b", "a"]), (False, ["a", "b"])])
def test_published_values_of_a_metric_stand_the_best_first(higher, order):
    task = TaskId("demo", "age", "std.8")
    rows = [
        {**task._asdict(), "prior": "std", "training_size": 8, "method": name}
        | {"measure": "score", "mean": mean}
        | {"deviation": None, "runs": None, "source": "x", "where": ""}
        for name, mean in (("a", 0.25), ("b", 0.5))
    ]
    archive = SimpleNamespace(
        published=pa.Table.from_pylist(rows),
        measures={"score": column_measure("score", higher)},
        prototasks=SCHEMAS["prototasks"].empty_table(),
        attributes=SCHEMAS["attributes"].empty_table(),
    )
    published = published_on(archive, task, "score")
    assert [(one.method, one.mean) for one in published] == [
        (name, {"a": 0.25, "b": 0.5}[name]) for name in order
    ]
