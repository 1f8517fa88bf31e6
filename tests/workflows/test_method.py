"""Workflows as methods: what they can be applied to, windows, and results as files."""

import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from delvecore.methods import load_method
from delvecore.workflows.method import WorkflowMethod, workflow_methods
from delvecore.workflows.workflow_spec import parse_workflow
from tests.archives import feature_archive
from tests.methods.problems import make_instance, task_view
from tests.runner.archive import data_archive, names, plan, run_method

AGE, SHADE = "/demo/age/std.8", "/demo/shade/std.4"
STANDARD, WINDOWS = "/river/flow/std.10", "/river/flow/std.15"
LAST = '[learner]\nobject = "tests.workflows.learners:LastValue"\n'
CLASSIFIER = '[learner]\nobject = "sklearn.tree:DecisionTreeClassifier"\n'


def method(text: str, name: str = "made") -> WorkflowMethod:
    (parsed_workflows,) = parse_workflow(text, f"{name}.toml")
    return WorkflowMethod(parsed_workflows)


def instance(cases: int = 4, tests: int = 5):
    values = np.arange(float(cases))
    later = np.arange(cases, cases + tests, dtype=float)[:, np.newaxis]
    return make_instance(np.ones((cases, 1)), values, np.ones((tests, 1)), later)


@pytest.mark.parametrize(
    ("kind", "relearn", "counts", "last"),
    [
        # Four training cases with values 0 to 3, five test cases with values 4 to 8.
        ("sliding", 1, [4, 4, 4, 4, 4], [3, 4, 5, 6, 7]),
        ("growing", 1, [4, 5, 6, 7, 8], [3, 4, 5, 6, 7]),
        ("growing", 2, [4, 4, 6, 6, 8], [3, 3, 5, 5, 7]),
        ("sliding", 9, [4, 4, 4, 4, 4], [3, 3, 3, 3, 3]),
    ],
)
def test_in_a_window_a_model_is_learned_anew_from_the_cases_before(kind, relearn, counts, last):
    window = f'[window]\nkind = "{kind}"\nrelearn = {relearn}\n'
    for parameter, expected in (("true", counts), ("false", last)):
        text = f"{LAST}[learner.parameters]\ncounts = {parameter}\n{window}"
        predictions = method(text).fit_predict(instance(), np.random.default_rng(1))
        assert predictions.guesses[""][:, 0].tolist() == expected


GROWING = LAST + '[window]\nkind = "growing"\n'
ORDER = "a window moves along cases in order of time, but"


def test_a_window_is_for_cases_that_keep_an_order_of_time():
    view, growing = task_view(["real"], ["real"]), method(GROWING)
    assert growing.can(view) == f"{ORDER} the order of its dataset is uninformative"
    view = replace(view, dataset=view.dataset._replace(order="?"))
    assert growing.can(view) is None
    shuffled = replace(view, prototask=view.prototask._replace(order="Random-order"))
    assert growing.can(shuffled) == f"{ORDER} its prototask has a random order"
    assert method(LAST).can(shuffled) is None


def test_a_window_is_for_instances_that_test_after_training(tmp_path: Path):
    # Standard instances test on the first cases; those of std.15 train on 1-15 and 31-45, before they test.
    root, growing = feature_archive(tmp_path), method(GROWING)
    assert run_method(plan(root, growing, WINDOWS)) == []
    assert "guess.0" in names(root / "methods/made" / WINDOWS[1:])
    refused = plan(root, growing, STANDARD)
    assert (refused.work, refused.faults) == ((), ())
    assert refused.refused == {
        STANDARD: f"{ORDER} instance 0 does not test on later cases than it trains on; "
        "delve instances --growing lists such instances"
    }
    assert plan(root, method(LAST), STANDARD).refused == {}


@pytest.mark.parametrize(
    ("steps", "targets", "reason"),
    [
        ("[pre.smote]\n", ["real"], "smote is for categories, but its target is a number"),
        ("[pre.select]\nkeep = 2\n", ["real", "real"], "select is for tasks with one target"),
        ("[post.positive]\n", ["nominal"], "positive is for numbers, but its targets are categories"),
        ("[pre.impute]\n[post.fill]\n", ["real"], None),
    ],
)
def test_a_workflow_says_what_it_cannot_be_applied_to(steps, targets, reason):
    assert method(steps + LAST).can(task_view(["real"], targets)) == reason


def test_missing_values_are_filled_in_where_the_archive_has_some(tmp_path):
    root = feature_archive(tmp_path)
    one = method('[pre.impute]\nby = "neighbors"\n' + CLASSIFIER)
    assert run_method(plan(root, one, "/speech/word")) == []


@pytest.mark.slow
def test_a_method_of_the_program_is_a_learner(tmp_path):
    root = data_archive(tmp_path)
    assert run_method(plan(root, method('[learner]\nmethod = "lin-1"\n'), AGE, SHADE)) == []
    run_method(plan(root, load_method("lin-1"), AGE, SHADE))
    files = list((root / "methods/lin-1").rglob("loss.*"))
    assert files
    for path in files:
        other = root / "methods/made" / path.relative_to(root / "methods/lin-1")
        assert path.read_bytes() == other.read_bytes()
    scaled = method('[pre.scale]\n[learner]\nmethod = "lin-1"\n', "scaled")
    assert run_method(plan(root, scaled, AGE, SHADE)) == []


def test_what_passes_between_processes_is_what_the_file_says():
    made = method("[pre.scale]\n" + LAST)
    assert pickle.loads(pickle.dumps(made)).workflow == made.workflow


def test_a_clear_line_says_what_is_not_installed(tmp_path, monkeypatch):
    path = tmp_path / "rare.toml"
    path.write_text("[pre.smote]\n" + CLASSIFIER)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(Exception, match="expected the package imbalanced-learn, found none") as caught:
        workflow_methods(str(path))
    assert str(caught.value).endswith("pip install imbalanced-learn adds it")
    assert str(caught.value).startswith(f"{path}:1: smote:")
