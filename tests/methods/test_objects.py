"""Objects with fit and predict as methods."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from delvecore.errors import DelveError
from delvecore.methods.base_1 import Base1
from delvecore.methods.objects import ObjectMethod, check_trusted, is_known, method_from
from delvecore.runner import runs
from delvecore.runner.runs import run_methods
from tests.methods.learners import Whole
from tests.runner.archive import data_archive, names, numbers, plan, result_files, run_method
from tests.word_lists import listed

pytestmark = pytest.mark.usefixtures("losses_of_delve")

HERE = "tests.methods.learners"
AGE, SHADE = "/demo/age/std.8", "/demo/shade/std.4"


def results(tmp_path: Path, attribute: str, task: str, name: str | None = None) -> Path:
    """The directory of the results of an object on a task."""
    root, method = data_archive(tmp_path), method_from(f"{HERE}:{attribute}", name)
    assert run_method(plan(root, method, task)) == []
    return root / "methods" / method.name / task[1:]


def test_without_a_distribution_there_is_no_log_probability_loss(tmp_path):
    file_names = names(results(tmp_path, "Mean", AGE))
    assert [name for name in file_names if name.endswith(".0")] == ["guess.0", "loss.A.0", "loss.S.0"]
    file_names = names(results(tmp_path / "b", "First", SHADE))
    assert [name for name in file_names if name.endswith(".0")] == ["guess.0", "loss.Z.0"]


@pytest.mark.parametrize("attribute", ["Mean", "make_gaussian", "ready", "Box.learner"])
def test_classes_functions_and_objects_are_all_taken(tmp_path, attribute):
    directory = results(tmp_path, attribute, AGE)
    # Mean, standard deviation: the Gaussian of base-1.
    run_method(plan(tmp_path / "delve-data", Base1(), AGE))
    other = tmp_path / "delve-data/methods/base-1" / AGE[1:]
    assert (directory / "loss.S.1").read_bytes() == (other / "loss.S.1").read_bytes()
    if attribute != "Mean":  # which tells no deviation
        assert numbers(directory / "loss.L.0") == pytest.approx(numbers(other / "loss.L.0"))


def test_probabilities_are_those_of_the_object_and_zero_for_values_it_has_not_seen(tmp_path):
    directory = results(tmp_path, "Frequencies", SHADE)
    rows = np.loadtxt(directory / "prob.0")
    assert rows.shape == (6, 3)
    assert rows.sum(axis=1) == pytest.approx(1.0, abs=1e-4)
    assert set(rows.ravel()) <= {0.0, 0.25, 0.5, 0.75, 1.0}
    assert (directory / "loss.Q.0").is_file()


@pytest.mark.slow
def test_random_objects_give_the_same_bytes_whatever_the_number_of_processes(tmp_path, monkeypatch):
    monkeypatch.setattr(runs, "ALONE", -1.0)
    random, contents = ("Seeded", "Shared", "Generated"), []
    for workers in (1, 2):
        root = data_archive(tmp_path / str(workers))
        planned = [plan(root, method_from(f"{HERE}:{name}", name), AGE) for name in random]
        assert run_methods(planned, workers=workers) == []
        contents.append([result_files(root, name) for name in random])
    assert contents[0] == contents[1]
    for files in contents[0]:
        guesses = [text for name, text in files.items() if "guess" in name]
        assert len(set(guesses)) == len(guesses) > 1


def test_a_method_that_is_complete_is_taken_as_it_is():
    assert isinstance(method_from(f"{HERE}:Whole"), Whole)
    with pytest.raises(DelveError, match="expected a method of the name other, found whole-1"):
        method_from(f"{HERE}:Whole", "other")


def test_only_name_and_place_pass_between_processes():
    method = pickle.loads(pickle.dumps(method_from(f"{HERE}:ready", "mine")))
    assert isinstance(method, ObjectMethod)
    told = {key: value for key, value in vars(method).items() if value}
    assert told == {"name": "mine", "place": f"{HERE}:ready"}


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("learners", "learners: expected module:attribute"),
        (f"{HERE}:fails", "found LookupError: no luck"),
        (f"{HERE}:number", "expected something with fit and predict, or a method, found int"),
    ],
)
def test_what_is_no_learner_is_refused_in_one_line(place, message):
    with pytest.raises(DelveError) as error:
        method_from(place)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_estimators_of_scikit_learn_are_applied_to_the_targets_that_suit_them(tmp_path):
    pytest.importorskip("sklearn", reason="the estimators are scikit-learn's")
    root = data_archive(tmp_path)
    for place, refused in (
        ("sklearn.linear_model:Ridge", {"/demo/shade/std.4": "its target SHADE is ordinal"}),
        ("sklearn.tree:DecisionTreeClassifier", {AGE: "its target AGE is real"}),
    ):
        run = plan(root, method_from(place), AGE, "/demo/shade")
        assert list(run.refused) == list(refused)
        assert all(run.refused[path].startswith(reason) for path, reason in refused.items())
        assert run_method(run) == []


def test_estimators_get_a_random_state_of_their_own(tmp_path):
    pytest.importorskip("sklearn", reason="the estimators are scikit-learn's")
    method = method_from("sklearn.ensemble:ExtraTreesRegressor")
    states = [method._new(np.random.default_rng(seed)).random_state for seed in (1, 1, 2)]
    assert states[0] == states[1] != states[2]


@pytest.mark.parametrize(
    "place",
    ["sklearn.svm:SVC", "sklearn.decomposition:PCA", "imblearn.over_sampling:SMOTE", "sklearn.svm:Nowhere"],
)
def test_classes_that_learn_of_known_packages_are_known(place):
    assert is_known(place)


UNKNOWN = listed("""
    subprocess:Popen  sklearn.datasets._base:os.system  sklearn.base:BaseEstimator.__init__  learner.py:Tree
    sklearn.datasets:fetch_openml  sklearn_evil:Tree  delvecore.methods.objects:ObjectMethod  ../sklearn.svm:SVC
""")


@pytest.mark.parametrize("place", ["", *UNKNOWN])
def test_everything_else_is_not(place):
    assert not is_known(place)


def test_a_parameter_from_which_pickles_are_read_has_to_be_trusted():
    place, parameters = "sklearn.cluster:FeatureAgglomeration", ["n_clusters", "memory"]
    check_trusted(place, trust=False, parameters=parameters[:1])
    with pytest.raises(DelveError, match="FeatureAgglomeration with the parameter memory; read what it does"):
        check_trusted(place, trust=False, parameters=parameters)
