"""What performanceEstimation lets a workflow say, besides its steps: predictor, models, windows, packages."""

from dataclasses import replace
from pathlib import Path

import cloudpickle
import numpy as np
import pytest

from delvecore.errors import DelveError, ParseError
from delvecore.workflows.method import workflow_methods
from delvecore.workflows.workflow_spec import parse_workflow, settings_of
from tests.archives import feature_archive
from tests.methods.problems import make_instance
from tests.runner.archive import data_archive, names, plan, run_method
from tests.workflows.test_method import CLASSIFIER, GROWING, LAST, WINDOWS, instance, method
from tests.workflows.test_steps import ready, step, unbalanced, with_gaps

RNG = np.random.default_rng(1)
# x, y and z, which the last case lacks. In their own units the first case is nearest to it: 14^2 + 1^2 = 197,
# 16^2 = 256. In standard deviations (44.4 of x, 4.36 of y) the second one is: .099 + .053 = .152, .130.
NEAR = np.array([[0.0, 1, 10, 0], [30, 0, 20, 0], [100, 9, 30, 0], [14, 0, 0, 1]])


def neighbor(made, **options) -> float:
    prepared = ready(made, step("impute", by="neighbors", neighbors=1, **options))
    return prepared.train_inputs[-1, 2]


def test_neighbors_without_scaling_are_nearest_in_the_units_of_the_data():
    made = with_gaps(make_instance(NEAR, np.arange(4.0), NEAR[:1]))
    assert neighbor(made) == 20
    assert neighbor(made, scale=True) == 20
    assert neighbor(made, scale=False) == 10
    # A step of one of the coded y is 20 in the data: 14^2 + 20^2 = 596 is farther than 16^2.
    x, y, z = made.inputs
    wide = replace(made, inputs=(x, replace(y, constants=y.constants._replace(absolute_deviation=20.0)), z))
    assert neighbor(wide, scale=False) == 20


def test_cases_with_missing_values_are_left_out_and_predicted_from_the_targets_alone():
    # The second and fourth training cases, and the second test case, lack the second input.
    train = np.array([[1.0, 5, 0], [2, 0, 1], [3, 6, 0], [4, 0, 1], [5, 7, 0]])
    test = np.array([[1.0, 5, 0], [2, 0, 1], [3, 5, 0]])
    made = with_gaps(make_instance(train, np.array([3.0, 90, 4, 90, 8]), test))
    counting = method("[pre.omit]\n" + LAST + "[learner.parameters]\ncounts = true\n")
    predictions = counting.fit_predict(made, RNG)
    assert predictions.guesses[""][:, 0].tolist() == [
        3,
        4,
        3,
    ]  # three cases are learned from; 4 is their median
    assert predictions.records == {
        "Omitted": "2 training cases and 1 test case with missing values left out\n"
    }
    base = method('[pre.omit]\n[learner]\nmethod = "base-1"\n').fit_predict(made, RNG)
    assert base.log_densities.tolist() == [base.log_densities[0]] * 3
    with pytest.raises(DelveError, match="omit: expected a training case without missing values"):
        method("[pre.omit]\n" + LAST).fit_predict(replace(made, train_inputs=train[[1, 3, 1, 3, 1]]), RNG)


def test_classes_of_cases_left_out_have_the_frequencies_of_the_training_set():
    made = unbalanced(cases=8, rare=2)
    rows = np.column_stack([made.train_inputs, np.zeros(8)])
    test = np.column_stack([made.test_inputs, [0, 1, 0]])
    made = with_gaps(make_instance(rows, made.train_targets, test, targets=("binary",)))
    predictions = method("[pre.omit]\n" + CLASSIFIER).fit_predict(made, RNG)
    assert predictions.probabilities[1].tolist() == [0.75, 0.25]
    assert predictions.guesses[""][1].tolist() == [-1]


def test_cases_are_left_out_of_an_archive_with_missing_values_and_counted(tmp_path):
    root = feature_archive(tmp_path)
    assert run_method(plan(root, method("[pre.omit]\n" + CLASSIFIER), "/speech/word")) == []
    counts = [path.read_text() for path in (root / "methods/made/speech/word").rglob("Omitted.0")]
    assert counts
    assert all(text.endswith("with missing values left out\n") for text in counts)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("", 3),
        ('predictor = "predict_times"\n', 6),
        ('predictor = "predict_times"\n[learner.predictor_parameters]\nfactor = 5\n', 15),
        ('predictor = "tests.workflows.learners:plus"\n', 4),
        ('predictor = "tests.workflows.learners:plus"\n[learner.predictor_parameters]\nadded = 0.5\n', 3.5),
    ],
)
def test_the_predictor_predicts_with_its_parameters(lines, expected):
    predictions = method(LAST + lines).fit_predict(instance(), RNG)
    assert predictions.guesses[""][:, 0].tolist() == [expected] * 5


def test_a_predictor_may_give_the_probabilities_of_classes():
    predictions = method(CLASSIFIER + 'predictor = "tests.workflows.learners:shares"\n').fit_predict(
        unbalanced(), RNG
    )
    assert predictions.probabilities.tolist() == [[0.25, 0.75]] * 3


def test_predictors_are_settings_and_parameters_with_lists_are_variants():
    text = LAST + 'predictor = "predict_times"\n[learner.predictor_parameters]\nfactor = [2, 3]\n'
    settings = [settings_of(one) for one in parse_workflow(text, "w.toml")]
    assert [(one["predictor"], one["predictor.factor"]) for one in settings] == [
        ("predict_times", "2"),
        ("predict_times", "3"),
    ]


def test_learned_models_are_kept_beside_the_predictions(tmp_path):
    root = data_archive(tmp_path)
    task = root / "methods/made/demo/age/std.8"
    assert run_method(plan(root, method("keep_models = true\n" + LAST), "/demo/age/std.8")) == []
    assert {"model.0", "model.1"} <= set(names(task))
    ages = [float(line.split()[0]) for line in (task / "guess.0").read_text().splitlines()]
    (model,) = cloudpickle.loads((task / "model.0").read_bytes())
    assert type(model).__name__ == "LastValue"
    assert len(set(ages)) == 1
    assert run_method(plan(root, method(LAST), "/demo/age/std.8", again=True)) == []
    assert "model.0" not in names(task)


def test_each_window_has_a_model_and_is_said_where_that_is_wanted(tmp_path, capsys):
    text = "keep_models = true\n" + GROWING
    made = instance()
    assert [model.value for model in method(text).fit_predict(made, RNG).models] == [3, 4, 5, 6, 7]
    assert capsys.readouterr().err == ""
    method(GROWING + "relearn = 2\nverbose = true\n").fit_predict(made, RNG)
    place = "made/made/up/std.8 instance 0: window"
    assert capsys.readouterr().err.splitlines() == [f"{place} {number} of 3" for number in (1, 2, 3)]
    assert settings_of(method(GROWING + "verbose = true\n").workflow) == settings_of(method(GROWING).workflow)
    root = feature_archive(tmp_path)
    assert run_method(plan(root, method(text), WINDOWS)) == []
    assert "model.0" in names(root / "methods/made" / WINDOWS[1:])


OWN = "class Mine:\n    def fit(self, x, y):\n        self.y = y[0]\n    def predict(self, x):\n        return [self.y] * len(x)\n"


def test_scripts_are_run_before_objects_are_looked_for_in_them(tmp_path: Path):
    (tmp_path / "own_learners.py").write_text(OWN)
    path = tmp_path / "w.toml"
    path.write_text('[deps]\nscripts = ["own_learners.py"]\n[learner]\nobject = "own_learners:Mine"\n')
    with pytest.raises(DelveError, match=r"w\.toml:4: .*add --trust"):
        workflow_methods(str(path))
    (methods,) = workflow_methods(str(path), trust=True)
    assert methods.fit_predict(instance(), RNG).guesses[""][:, 0].tolist() == [0] * 5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '[deps]\npackages = ["sklearn", "no_such_package"]\n' + LAST,
            "w.toml:2: deps: expected the package no_such",
        ),
        ('[deps]\nscripts = ["none.py"]\n' + LAST, "w.toml:2: .*none.py"),
        ('[deps]\nscripts = "none.py"\n' + LAST, 'w.toml:2: expected a list such as \\["learners.py"\\]'),
        ("[deps]\nfiles = []\n" + LAST, "w.toml:2: expected one of packages, scripts, found files"),
        ("keep_models = 1\n" + LAST, "w.toml:1: expected true or false, found 1"),
        (
            'keep_models = true\n[learner]\nmethod = "lin-1"\n',
            "w.toml:1: expected a learner that is an object",
        ),
        (
            LAST + 'predictor = "two words"\n',
            "w.toml:3: expected a function of the object, or module:function",
        ),
        (LAST + 'predictor = "predict_no"\n', "w.toml:3: .*expected a function of the object that predicts"),
        (LAST + 'predictor = "tests.workflows.learners:none"\n', "w.toml:3: .*has no attribute 'none'"),
        (
            '[learner]\nmethod = "lin-1"\npredictor = "predict"\n',
            "w.toml:3: expected a learner that is an object",
        ),
        ("[pre.impute]\nscale = 0\n" + LAST, "w.toml:2: expected true or false, found 0"),
    ],
)
def test_what_is_wrong_is_one_line_with_its_place(tmp_path, text, message):
    path = tmp_path / "w.toml"
    path.write_text(text)
    with pytest.raises((DelveError, ParseError), match=message) as caught:
        workflow_methods(str(path), trust=True)
    assert "\n" not in str(caught.value)
