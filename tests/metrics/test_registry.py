"""All metrics have a function; other packages bring their own, and so does a function, or a file."""

import numpy as np
import pytest

import delvecore as dv
from delvecore.errors import DelveError
from delvecore.losses.metrics import known_metric
from delvecore.metrics import registry
from delvecore.metrics.metric import METRIC_SPECS, Judged

OWN = """
import numpy as np
from delvecore.metrics.metric import NUMBERS, ComputedMetric, MetricSpec


def _within(judged, options):
    return float((judged.losses["A"] <= float(options.get("width", "1"))).mean())


spec = MetricSpec("within", "share of errors up to a width", "share of |t - p| <= width", {NUMBERS: ("A",)})
within = ComputedMetric(spec._replace(options=("width",), origin="a test"), _within)
"""


@pytest.fixture
def forgotten():
    """Metrics that are looked for anew, before the test and after it."""

    def forget():
        registry.OWN.clear()
        registry.computed_metrics.cache_clear()
        registry.find_metric.cache_clear()

    forget()
    yield
    forget()


@pytest.fixture
def own_metric(tmp_path, monkeypatch, forgotten):
    """A distribution on sys.path that brings a metric, as an installed package would."""
    about = tmp_path / "own_metrics-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: own-metrics\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[delvecore.metrics]\nwithin = own_metrics_of_a_test:within\n")
    (tmp_path / "own_metrics_of_a_test.py").write_text(OWN)
    monkeypatch.syspath_prepend(str(tmp_path))


def test_each_metric_has_one_function_and_names_are_of_one_metric_only():
    assert set(registry.computed_metrics()) >= set(METRIC_SPECS)
    names = [name for spec in METRIC_SPECS.values() for name in (spec.name, *spec.aliases)]
    assert len(names) == len(set(names))


def test_directions_are_those_by_which_scores_of_the_same_name_are_read():
    for spec in METRIC_SPECS.values():
        known = known_metric(spec.name)
        assert known is None or (known.higher_is_better, known.best) == (spec.higher_is_better, spec.best)


def test_an_unknown_metric_is_none_and_an_unknown_option_is_told():
    assert registry.find_metric("xyz") is None
    with pytest.raises(DelveError, match=r"F:gamma=2: expected options of F: positive=... or beta=..."):
        registry.find_metric("F:gamma=2")


def test_a_path_is_no_name_of_a_file_beside_the_prototask():
    with pytest.raises(DelveError, match="expected options"):
        registry.find_metric("totU:benefits=../secret")


def test_an_entry_point_brings_a_metric(own_metric):
    assert registry.find_metric("within:width=2").name == "within:width=2"
    assert "within" in registry.computed_metrics()


def test_an_entry_point_that_is_no_metric_is_told(own_metric, tmp_path):
    (tmp_path / "own_metrics_of_a_test.py").write_text("within = print\n")
    import sys

    sys.modules.pop("own_metrics_of_a_test", None)
    with pytest.raises(DelveError, match=r"own_metrics_of_a_test:within: expected a .*ComputedMetric"):
        registry.computed_metrics()


FILE = """
def largest(true, predicted):
    return abs(true - predicted).max()

largest.higher_is_better = False
undecided = print
"""


def test_a_function_of_a_file_is_a_metric_of_numbers_and_of_classes(tmp_path, forgotten):
    (tmp_path / "evaluators.py").write_text(FILE)
    assert registry.known_name(f"{tmp_path}/evaluators.py:largest") == "largest"
    judged = Judged(targets=np.array([[1.0], [5.0]]), guesses=np.array([[2.0], [2.0]]))
    assert registry.find_metric("largest").value(judged) == 3
    registry.add_metric(
        lambda true, predicted: float((true == predicted).mean()), name="right", higher_is_better=True
    )
    classes = Judged(classes=("no", "yes"), actual=np.array([0, 1, 1]), guessed=np.array([0, 0, 1]))
    assert registry.find_metric("right").value(classes) == pytest.approx(2 / 3)


# The example of R's manual, EstimationTask-class: evaluator="powErr", evaluator.pars=list(pow=4).
POWER = """
def power_error(true, predicted, power=3):
    return ((true - predicted) ** power).mean()

power_error.higher_is_better = False
"""


def test_an_evaluator_takes_parameters_as_in_r(tmp_path, forgotten):
    (tmp_path / "evaluators.py").write_text(POWER)
    judged = Judged(targets=np.array([[1.0], [5.0]]), guesses=np.array([[2.0], [2.0]]))  # errors -1 and 3
    place = f"{tmp_path}/evaluators.py:power_error"
    assert registry.known_name(place) == "power_error"
    assert registry.find_metric("power_error").value(judged) == 13  # (-1 + 27) / 2
    assert registry.known_name(f"{place}:power=4") == "power_error:power=4"
    assert registry.find_metric("power_error:power=4").value(judged) == 41  # (1 + 81) / 2
    with pytest.raises(DelveError, match=r"expected options of power_error: power=\.\.\., found 'pow'"):
        registry.known_name(f"{place}:pow=4")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("undecided", "expected the function's attribute higher_is_better"),
        ("absent", "expected a function in a Python file, found AttributeError"),
    ],
)
def test_what_is_no_metric_is_one_line(tmp_path, name, expected, forgotten):
    (tmp_path / "evaluators.py").write_text(FILE)
    with pytest.raises(DelveError, match=expected):
        registry.add_metric(f"{tmp_path}/evaluators.py:{name}")
    with pytest.raises(DelveError, match="acc: expected a new name"):
        dv.add_metric(len, name="acc", higher_is_better=True)
