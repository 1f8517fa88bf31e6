"""`delvecore.experiment`: estimators and data in, an archive and a verdict out."""

import os
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine, make_classification
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GroupKFold, KFold, ShuffleSplit, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_info

import delvecore as dv
from delvecore.cli.subcommands.run import main as run
from delvecore.encoding.prototask_cases import prototask_cases
from delvecore.encoding.task_instances import task_instances
from delvecore.errors import DelveError
from delvecore.experiments import Experiment
from delvecore.library.comparison import Comparison
from delvecore.library.ranking import Ranking
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import read_task
from delvecore.tables import distinct_rows
from tests.archives import small_archive

pytestmark = pytest.mark.slow

NO_NAMES = ["", "  ", "n" * 300, "a\nb", "a\tb", "a\0b", "\ud800", 3, None, ("a", "b")]
RIDGE = {"ridge": Ridge(alpha=0.5), "mean": DummyRegressor()}


def made(count: int = 160, *, seed: int = 3) -> pd.DataFrame:
    """A price that depends on an area, with gaps, and on a town."""
    rng = np.random.default_rng(seed)
    area, town = rng.uniform(20, 200, count), rng.choice(["Ghent", "Lund", "Turin"], count)
    price = 900 * area + np.where(town == "Lund", 50_000, 0) + rng.normal(0, 5000, count)
    area[::10] = np.nan
    return pd.DataFrame({"area": area, "town": town, "price": np.round(price, 2)})


def test_estimators_are_ranked_on_numeric_targets_and_compared_on_a_single_dataset_of_classes():
    experiment = dv.experiment(
        {**RIDGE, "logistic": LogisticRegression(max_iter=500), "prior": DummyClassifier()},
        {"diabetes": load_diabetes(as_frame=True), "iris": load_iris(), "homes": made()},
        target={"homes": "price"},
        sizes=(16, 256),
        instances=2,
        jobs=1,
        quiet=True,
    )
    numeric, classes = experiment.answers
    assert isinstance(numeric, Ranking)
    assert numeric.methods == ("ridge", "mean")
    assert isinstance(classes, Comparison)
    assert set(classes.to_frame()["method_a"]) | set(classes.to_frame()["method_b"]) == {"logistic", "prior"}
    assert experiment.failures == ()
    assert (
        "iris: training sets of 256 cases are left out: 150 cases are too few for two of them and a "
        "test set of the same size."
    ) in experiment.notes
    assert any("ridge: not run on /iris/target" in note for note in experiment.notes)
    assert numeric.sentence in experiment.sentence
    assert numeric.sentence in experiment._repr_html_().replace("&#x27;", "'")


def test_numbers_are_those_of_delve_run(tmp_path, monkeypatch):
    experiment = dv.experiment(
        {"bayes": Ridge()}, {"homes": made()}, target="price", sizes=(20,), jobs=1, quiet=True
    )
    saved = Path(experiment.save(tmp_path / "delve-one"))
    other = tmp_path / "delve-other"
    (other / "methods").mkdir(parents=True)
    (saved / "data").rename(other / "data")
    monkeypatch.setenv("DELVE_PATH", str(other))
    monkeypatch.chdir(tmp_path)
    arguments = ["--object", "sklearn.linear_model:Ridge", "--name", "bayes", "/homes", "--into", str(other)]
    assert run([*arguments, "--workers", "1", "--quiet"]) == 0
    theirs = dv.open(other, cache=False)
    assert experiment.archive.losses.equals(theirs.losses)
    assert experiment.archive.losses.num_rows > 0


class Picky(Ridge):
    """Wants the area and town of `made` as they are, and prices in their own unit."""

    def fit(self, inputs, values):
        if (
            list(inputs.columns) != ["area", "town"]
            or not inputs["area"].isna().any()
            or max(values) < 20_000
        ):
            raise ValueError(f"strange inputs: {inputs} {values}")
        return super().fit(inputs[["area"]].fillna(0), values)

    def predict(self, inputs):
        return super().predict(inputs[["area"]].fillna(0))


def test_estimators_get_the_columns_as_they_are_in_the_data():
    inputs = make_column_transformer((SimpleImputer(), ["area"]), (OneHotEncoder(), ["town"]))
    experiment = dv.experiment(
        {"pipeline": make_pipeline(inputs, Ridge()), "picky": Picky(), "mean": DummyRegressor()},
        {"homes": made()},
        target="price",
        sizes=(32,),
        codings=None,
        jobs=1,
        quiet=True,
    )
    assert experiment.failures == ()
    errors = experiment.to_frame().query("loss == 'S'").set_index("method")["mean"]
    assert errors["pipeline"] < errors["mean"] / 3


def test_an_infinite_log_loss_is_the_worst_and_no_missing_fold():
    # A neighbor alone gives probability 0 to what it gets wrong: scikit-learn's log loss is the largest, too.
    methods = {"neighbor": KNeighborsClassifier(1), "bayes": GaussianNB(), "rates": DummyClassifier()}
    data = {"iris": load_iris(), "wine": load_wine()}
    folds = StratifiedKFold(3, shuffle=True, random_state=1)
    experiment = dv.experiment(methods, data, design=folds, jobs=1, quiet=True)
    for loss in ("L", "logloss"):
        ranking = experiment.rank(loss=loss)
        assert ranking.methods == ("bayes", "rates", "neighbor")
        (note,) = [line for line in ranking.notes if "infinite" in line]
        assert f"neighbor has an infinite loss {loss} on 2 of 2 tasks" in note
        assert "counts as worse than all finite losses, by the largest scaled difference" in note
        frame = experiment.compare("/iris", loss=loss).to_frame()
        assert set(frame["instances"]) == {3}
        assert np.isinf(frame["mean_a"]).any() or np.isinf(frame["mean_b"]).any()
    losses = {
        name: -cross_val_score(one, *load_iris(return_X_y=True), cv=folds, scoring="neg_log_loss").mean()
        for name, one in methods.items()
    }
    assert max(losses, key=losses.get) == "neighbor"


def test_a_design_of_ones_own_is_run_and_tested_with_its_correction():
    experiment = dv.experiment(
        RIDGE, {"homes": made()}, target="price", design="cv folds=5 repeats=2", jobs=1, quiet=True
    )
    (comparison,) = experiment.answers
    (row,) = comparison.to_frame().to_dict("records")
    assert row["instances"] == 10
    assert "cross-validation" in row["note"] + str(experiment.archive.tasks["scheme"].to_pylist())


def test_what_is_complete_is_not_run_again_and_other_settings_or_data_are_refused(tmp_path):
    into = tmp_path / "delve-mine"
    rules = {"target": "price", "sizes": (16,), "into": into, "jobs": 1, "quiet": True}
    first = dv.experiment(RIDGE, {"homes": made()}, **rules)
    seeds = into / "methods" / "ridge" / "homes" / "price" / "std.16" / "Seeds"
    before = seeds.stat().st_mtime_ns
    again = dv.experiment({**RIDGE, "ridge-9": Ridge(alpha=9)}, {"homes": made()}, **rules)
    assert seeds.stat().st_mtime_ns == before
    assert set(again.to_frame()["method"]) == {"ridge", "mean", "ridge-9"}
    kept = again.to_frame().query("method != 'ridge-9'").reset_index(drop=True)
    pd.testing.assert_frame_equal(kept, first.to_frame())
    with pytest.raises(DelveError, match=r"alpha: 7.*alpha: 0\.5.*give the estimator another name"):
        dv.experiment({"ridge": Ridge(alpha=7)}, {"homes": made()}, **rules)
    with pytest.raises(DelveError, match="expected the same data and settings as now, found others"):
        dv.experiment(RIDGE, {"homes": made(seed=4)}, **rules)


class SingleThreaded(Ridge):
    """Fails where the libraries of linear algebra may use several threads."""

    def fit(self, inputs, values):
        counts = {one["num_threads"] for one in threadpool_info()}
        if counts != {1}:
            raise ValueError(f"threads: {counts}")
        return super().fit(inputs, values)


def test_instances_are_computed_in_one_thread_and_their_times_are_kept():
    methods = {"mean": DummyRegressor(), "single": SingleThreaded()}
    experiment = dv.experiment(methods, {"d": load_diabetes()}, sizes=[32], instances=2, jobs=1, quiet=True)
    assert experiment.failures == ()
    times = experiment.archive.costs.to_pandas()
    assert len(times) == 4
    assert ((times["testing_seconds"] >= 0) & (times["testing_seconds"] <= times["seconds"])).all()
    assert experiment.compare(loss="totTime").sentence


@pytest.mark.parametrize(
    ("methods", "datasets", "rules", "expected"),
    [
        ({}, {"homes": made()}, {"target": "price"}, "methods: expected estimators by name, found none"),
        (RIDGE, {"homes": made()}, {}, "target: expected the column of 'homes'"),
        (RIDGE, {"homes": made()}, {"target": "price", "sizes": (100,)}, "sizes up to 40"),
        (
            RIDGE,
            {"homes": made()},
            {"target": "price", "design": "tenfold"},
            "design: expected one of the schemes",
        ),
    ],
)
def test_what_cannot_be_run_is_said_in_one_line(methods, datasets, rules, expected):
    with pytest.raises(DelveError) as caught:
        dv.experiment(methods, datasets, quiet=True, jobs=1, **rules)
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


SCRIPT = """
import sys, time
import delvecore as dv
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.dummy import DummyClassifier

class Slow(LogisticRegression):
    def fit(self, inputs, values):
        time.sleep(float(sys.argv[2]) if len(sys.argv) > 2 else 0)
        return super().fit(inputs, values)

found = dv.experiment({"slow": Slow(max_iter=300), "prior": DummyClassifier()}, {"wine": load_wine()},
                      sizes=(16,), instances=5, jobs=2, into=sys.argv[1], quiet=True)
print(found.to_frame().query("loss == 'Z'")["mean"].tolist())
"""


def test_a_killed_script_without_a_main_guard_goes_on_where_it_stopped(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    whole = [sys.executable, str(script), str(tmp_path / "delve-whole")]
    expected = subprocess.run(whole, check=True, capture_output=True, text=True).stdout
    into = tmp_path / "delve-killed"
    seeds = into / "methods" / "slow" / "wine" / "target" / "std.16" / "Seeds"
    with subprocess.Popen([sys.executable, str(script), str(into), "0.5"], start_new_session=True) as process:
        limit = time.monotonic() + 120
        while not seeds.exists() and time.monotonic() < limit:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)
    done = seeds.read_text()
    again = subprocess.run([*whole[:2], str(into)], check=True, capture_output=True, text=True).stdout
    assert again == expected
    assert seeds.read_text().startswith(done.rstrip("\n").rpartition("\n")[0])


CLASS_IN_SCRIPT = """
import delvecore as dv
from delvecore.runner import runs
from sklearn.datasets import load_diabetes
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

runs.ALONE = -1.0  # other processes compute from the start

class Constant:
    def fit(self, inputs, values):
        self.mean = values.mean()
        return self

    def predict(self, inputs):
        return 0 * inputs[:, 0] + self.mean

methods = {"constant": Constant(), "lambda": make_pipeline(FunctionTransformer(lambda part: -part), Ridge())}
found = dv.experiment(methods, load_diabetes(), design=3, jobs=2, quiet=True)
print(len(found.failures), sorted(set(found.to_frame()["method"])))
"""


def test_a_class_or_lambda_of_a_script_is_fitted_in_other_processes(tmp_path):
    (tmp_path / "script.py").write_text(CLASS_IN_SCRIPT)
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("0 ['constant', 'lambda']\n", "")


def test_a_saved_experiment_opens_as_an_archive(tmp_path):
    experiment = dv.experiment(RIDGE, {"homes": made()}, target="price", sizes=(16,), jobs=1, quiet=True)
    place = experiment.save(tmp_path / "delve-saved")
    opened = dv.open(place, cache=False)
    assert opened.losses.equals(experiment.archive.losses)
    assert opened.faults == []
    with pytest.raises(DelveError, match="expected a new path whose name begins with delve"):
        experiment.save(tmp_path / "other")


COPIES = """
import os, signal, sys
from pathlib import Path
from delvecore.experiments import Experiment

copies = 0
def kill_at_the_second(event, arguments):
    global copies
    if event != "shutil.copyfile":
        return
    copies += 1
    if copies == 2:
        os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(kill_at_the_second)
Experiment(None, sys.argv[1]).save(sys.argv[2])
"""


@pytest.fixture
def unsaved(tmp_path):
    """An experiment whose directory can be saved, and where to."""
    path = small_archive(tmp_path / "made")
    (tmp_path / "to").mkdir()
    return Experiment(dv.open(path, cache=False), str(path)), tmp_path / "to" / "delve-saved"


def test_a_process_killed_while_it_saves_leaves_nothing_that_blocks_the_next(unsaved):
    experiment, target = unsaved
    killed = subprocess.run([sys.executable, "-c", COPIES, experiment.path, str(target)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert not target.exists()
    assert dv.open(experiment.save(target), cache=False).losses.equals(experiment.archive.losses)
    assert os.listdir(target.parent) == ["delve-saved"]


def test_a_disk_that_is_full_is_one_line_and_leaves_nothing(unsaved):
    experiment, target = unsaved
    big = Path(experiment.path) / "data" / "demo" / "Notes"
    big.write_bytes(bytes(1 << 16))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 15, before[1]))  # as a quota: EFBIG, not ENOSPC
    try:
        with pytest.raises(DelveError) as caught:
            experiment.save(target)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert str(caught.value) == f"{target}: expected to save the experiment there, found file too large"
    assert os.listdir(target.parent) == []
    assert os.path.isdir(experiment.save(target))


def test_a_place_that_cannot_be_written_is_one_line(unsaved):
    experiment, target = unsaved
    target.parent.rmdir()
    target.parent.write_text("a file")
    with pytest.raises(DelveError) as caught:
        experiment.save(target)
    assert str(caught.value) == f"{target}: expected to save the experiment there, found file exists"


def test_directories_above_the_saved_one_are_made(unsaved):
    experiment, target = unsaved
    assert experiment.save(target.parent / "new" / "delve-x") == str(target.parent / "new" / "delve-x")


@pytest.mark.parametrize("name", NO_NAMES)
def test_what_is_no_name_of_a_method_or_dataset_is_refused(name, tmp_path):
    into = tmp_path / "delve-x"
    for kind, methods, data in (
        ("methods: expected a name of", {name: Ridge(), "b": Ridge()}, {"homes": made()}),
        ("datasets: expected a name of", RIDGE, {name: made(), "b": made()}),
    ):
        with pytest.raises(DelveError) as caught:
            dv.experiment(methods, data, target="price", into=into, jobs=1, quiet=True)
        text = str(caught.value)
        assert text.startswith(kind)
        assert repr(name)[:200] in text
        assert text.isprintable()
        assert len(text) < 600
        assert not into.exists()


def test_methods_and_datasets_of_unusual_names_are_shown_as_they_are_called():
    names = [
        "a b",
        "-x",
        "--help",
        "a\\b",
        "SVM\u2215rbf",
        "\u00fc",
        "x.gz",
        "x.tar.gz",
        "x",
        "X",
        " x",
        "n" * 255,
        *("SVM/rbf", "/", "/x", "x/", "a//b", "..", ".", ".x", "\u00fc" * 200, "C = 1 (rbf)"),
    ]
    datasets = [
        "x",
        "x.gz",
        "x.tar.gz",
        "X",
        "n" * 60,
        "Source",
        "a b",
        "a:b",
        "\u2215",
        "x/y",
        "caf\u00e9 (1)",
    ]
    data = {name: made() for name in datasets}
    experiment = dv.experiment(
        {name: DummyRegressor() for name in names},
        data,
        target="price",
        sizes=[16],
        instances=2,
        jobs=1,
        quiet=True,
    )
    assert experiment.failures == ()
    table = experiment.to_frame()
    assert set(zip(table["method"], table["dataset"], strict=True)) == {
        (name, dataset) for name in names for dataset in datasets
    }
    assert set(experiment.rank().methods) == set(names)
    assert "x/y" in str(experiment.rank().analysis.table.tasks)
    pair = experiment.compare("/x/y").to_frame()
    assert set(pair["method_a"]) | set(pair["method_b"]) == set(names)
    assert set(pair["dataset"]) == {"x/y"}


def subjects(count=20, rows=8, seed=0):
    """Rows of a subject are alike, and its class is drawn by lot."""
    random = np.random.default_rng(seed)
    groups = np.repeat(np.arange(count), rows)
    values = random.normal(size=(count, 4))[groups] + 0.1 * random.normal(size=(count * rows, 4))
    classes = np.where(random.permutation(np.arange(count) % 2)[groups] == 1, "p", "n")
    return pd.DataFrame(values, columns=list("abcd")).assign(subject=[f"s{n}" for n in groups], y=classes)


FORESTS = {"forest": RandomForestClassifier(10, random_state=0), "prior": DummyClassifier()}


def test_groups_are_kept_together_and_warned_about_without():
    data = {"subj": subjects()}
    rules = {"target": "y", "jobs": 1, "quiet": True, "design": 5}
    without = dv.experiment(FORESTS, data, **rules)
    assert without.sentence.startswith("Warning: subj: subject repeats 20 values in 160 cases")
    assert "say groups='subject', or groups=False if cases are independent" in without.sentence
    errors = {}
    for groups in ("subject", {"subj": "subject"}, np.repeat(np.arange(20), 8), False):
        experiment = dv.experiment(FORESTS, data, groups=groups, order=False, **rules)
        assert not experiment.sentence.startswith("Warning")
        table = experiment.to_frame()
        errors[str(groups)[:7]] = table[(table["loss"] == "Z") & (table["method"] == "forest")]["mean"].iloc[
            0
        ]
    assert errors["False"] < 0.1
    assert errors["subject"] > 0.25


def test_groups_without_an_effect_are_called_different_only_without_groups():
    # In 400 such simulations 1.0 % are called better with groups=. Without, 50 of 50 are, with a warning.
    methods = {"nearest": KNeighborsClassifier(1), "nb": GaussianNB()}
    rules = {"target": "y", "jobs": 1, "quiet": True}
    data = [subjects(24, 6, seed) for seed in range(12)]
    together = [dv.experiment(methods, {"d": one}, groups="subject", **rules) for one in data]
    apart = [dv.experiment(methods, {"d": one}, **rules) for one in data[:3]]
    assert [one.answers[0].verdict for one in together] == ["not significant"] * 12
    assert not any(one.warnings for one in together)
    assert all(one.answers[0].verdict in ("better", "worse") for one in apart)
    assert all("subject repeats" in one.sentence.splitlines()[0] for one in apart)


@pytest.mark.parametrize(
    "design",
    [
        *(None, 4, "cv folds=4 repeats=2 stratified=yes", "loo", "holdout test=0.3 repeats=3"),
        *("e0 samples=3", "growing windows=3", "sliding windows=2", GroupKFold(3), "sizes"),
    ],
)
def test_no_group_trains_and_tests_in_any_design(design):
    rules = {"sizes": (16, 32)} if design == "sizes" else {"design": design}
    experiment = dv.experiment(
        {"prior": DummyClassifier(), "bayes": GaussianNB()},
        {"subj": subjects()},
        target="y",
        groups="subject",
        jobs=1,
        quiet=True,
        **rules,
    )
    assert experiment.failures == ()
    for (name,) in distinct_rows(experiment.archive.tasks, ("task",)):
        hierarchy = Hierarchy([experiment.path])
        dataset, prototask, _, task = read_task(hierarchy, "subj", "y", name)
        cases = prototask_cases(hierarchy, dataset, prototask)
        instances = task_instances(hierarchy, cases, task)
        assert len(instances) > 1
        for one in instances:
            assert not set(cases.groups[one.training]) & set(cases.groups[one.test])


def test_groups_that_are_none_are_refused_with_what_to_do():
    rules = {"target": "y", "jobs": 1, "quiet": True}
    for groups, expected in (
        ("a", "a different value in each case; leave out the option"),
        (list(range(7)), "expected a value for each of 160 cases, found 7"),
        ("nobody", "expected the name of a column"),
        (3, "expected the name of a column, or a value for each case"),
    ):
        with pytest.raises(DelveError, match=expected):
            dv.experiment(FORESTS, {"subj": subjects()}, groups=groups, **rules)
    with pytest.raises(DelveError, match=r"groups in either training or test, found KFold.*take GroupKFold"):
        dv.experiment(FORESTS, {"subj": subjects()}, groups="subject", design=KFold(5, shuffle=True), **rules)
    with pytest.raises(DelveError, match="say groups="):
        dv.experiment(FORESTS, {"subj": subjects()}, design=GroupKFold(3), **rules)


def test_an_order_gives_windows_that_train_on_the_past():
    random = np.random.default_rng(2)
    walk = pd.DataFrame({"date": pd.date_range("2020-01-01", periods=150), "noise": random.normal(size=150)})
    walk["y"] = np.cumsum(random.normal(size=150))
    shuffled = walk.sample(frac=1, random_state=4)
    rules = {"target": "y", "jobs": 1, "quiet": True}
    without = dv.experiment(RIDGE, walk, **rules)
    assert without.sentence.startswith("Warning: data: date has dates in order")
    assert "order='date'" in without.sentence
    experiment = dv.experiment(RIDGE, shuffled, order="date", **rules)
    assert not experiment.sentence.startswith("Warning")
    assert set(experiment.to_frame()["instances"]) == {10}
    same = dv.experiment(RIDGE, walk, order="rows", **rules)
    assert same.to_frame()["mean"].tolist() == pytest.approx(experiment.to_frame()["mean"].tolist())
    with pytest.raises(DelveError, match="windows of cases in order of time with order="):
        dv.experiment(RIDGE, walk, order="date", design=5, **rules)
    with pytest.raises(DelveError, match="KFold, which trains on later ones; take TimeSeriesSplit"):
        dv.experiment(RIDGE, walk, order="date", design=KFold(5), **rules)
    with pytest.raises(DelveError, match="sizes: expected none with order="):
        dv.experiment(RIDGE, walk, order="date", sizes=(16,), **rules)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            ({"f": DummyClassifier}, load_iris()),
            r"f: expected an estimator, found the class DummyClassifier; write",
        ),
        (({"f": 3}, load_iris()), "f: expected something with fit and predict"),
        (([], load_iris()), "methods: expected estimators by name, found none"),
        ((FORESTS, np.zeros((5, 2))), "datasets: expected data by name, or one dataset"),
        ((FORESTS, {}), "datasets: expected data by name, or one dataset.*found none"),
        ((FORESTS, {"a": np.zeros((20, 2))}), r"pass a pair \(inputs, target\)"),
        ((FORESTS, (np.zeros((20, 2)), np.zeros(19))), "a target for each of 20 cases, found 19"),
        ((FORESTS, (np.zeros(20), np.zeros(20))), "inputs of shape"),
        (
            (FORESTS, (np.eye(20), np.arange(40).reshape(20, 2) / 3)),
            "expected one for the targets, found none. forest: not run on",
        ),
        ((RIDGE, ({"a": load_iris()})), "expected one for the targets, found none. ridge: not run on"),
    ],
)
def test_what_is_no_estimator_or_data_is_one_line_that_says_what_to_pass(arguments, expected):
    with pytest.raises(DelveError, match=expected) as caught:
        dv.experiment(*arguments, quiet=True, jobs=1)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("design", "expected"),
    [
        (KFold, r"found the class KFold; write KFold\(\)"),
        (1, "design: expected 2 folds or more, found 1"),
        (2.5, "design: expected a number of folds, a splitter such as"),
        (True, "design: expected a number of folds"),
        (StratifiedKFold(200), "expected a splitter that divides /data/target, found ValueError"),
    ],
)
def test_what_is_no_design_is_refused(design, expected):
    with pytest.raises(DelveError, match=expected):
        dv.experiment(FORESTS, load_iris(), design=design, quiet=True, jobs=1)


def test_lists_single_datasets_numbers_of_folds_and_sparse_inputs_work():
    inputs, target = load_iris(return_X_y=True)
    for data in (
        (inputs, target),
        load_iris(),
        load_iris(as_frame=True).frame,
        (sparse.csr_matrix(inputs), target),
        (pd.DataFrame(inputs), pd.Series(target, name="kind")),
    ):
        experiment = dv.experiment(
            [GaussianNB(), DummyClassifier(), DummyClassifier(strategy="uniform")],
            data,
            target="target",
            design=3,
            quiet=True,
            jobs=1,
        )
        table = experiment.to_frame()
        assert experiment.failures == ()
        assert set(table["method"]) == {
            "GaussianNB",
            "DummyClassifier()",
            "DummyClassifier(strategy='uniform')",
        }
        assert set(table["instances"]) == {3}
        assert set(table["dataset"]) == {"data"}


def test_by_default_a_small_dataset_has_ten_stratified_folds():
    experiment = dv.experiment(
        {"nb": GaussianNB(), "prior": DummyClassifier()}, load_wine(), jobs=1, quiet=True
    )
    table = experiment.to_frame()
    assert set(table["training_size"]) == {160}
    assert set(table["instances"]) == {10}
    first = experiment.sentence.splitlines()[0]
    assert first.startswith("On data, nb is best: its 0-1 loss of 0.0")
    assert first.endswith("is significantly lower than that of prior.")


def test_the_first_line_names_the_winner_of_each_size_and_overall_and_what_a_test_needs():
    methods = {"nb": GaussianNB(), "prior": DummyClassifier()}
    one = dv.experiment(methods, load_wine(), sizes=(16, 32), jobs=1, quiet=True)
    first = one.sentence.splitlines()[0]
    assert "On data with 16 training cases, nb is best" in first
    assert "On data with 32 training cases, nb " in first
    data = {"wine": load_wine(), "iris": load_iris()}
    first = dv.experiment(methods, data, sizes=(16, 32), jobs=1, quiet=True).sentence.splitlines()[0]
    named = "nb with 16 training cases, nb with 32 training cases"
    assert f"By size, these methods have the best mean rank: {named}." in first
    assert "nb has the best mean rank of 2" in first
    assert first.endswith(
        # Signed ranks 1 and 2: z is 3 / sqrt(5), and 2 ((1.960 + 0.842) / z)^2 is 8.7.
        " The largest difference of nb, from prior, needs about 9 such datasets for 80 % power. "
        "A test needs 6 datasets or more; compare('/iris') tests one."
    )


def test_the_first_line_over_many_datasets_says_how_many_would_be_needed():
    data = {f"d{seed}": make_classification(120, 6, n_informative=3, random_state=seed) for seed in range(7)}
    trees = {"a": DecisionTreeClassifier(random_state=0), "b": DecisionTreeClassifier(random_state=1)}
    first = dv.experiment(trees, data, design=5, jobs=1, quiet=True).sentence.splitlines()[0]
    assert re.search(
        r"The largest difference of ., from ., needs about \d+ such datasets for 80 % power\.$", first
    )
    far = trees | {"b": DummyClassifier()}
    first = dv.experiment(far, data, design=5, jobs=1, quiet=True).sentence.splitlines()[0]
    assert first == "a has the best mean rank of 2, significantly better than b."


def test_twins_are_not_significant_and_the_sentence_says_what_would_be_needed():
    twins = {
        "a": DecisionTreeClassifier(random_state=1),
        "b": DecisionTreeClassifier(random_state=2, max_depth=3),
    }
    first = dv.experiment(twins, load_breast_cancer(), jobs=1, quiet=True).sentence.splitlines()[0]
    assert "but not significantly" in first
    assert "repeats of" in first


class Failing(GaussianNB):
    """Fails where the first training case has an even number of cases with it."""

    def fit(self, inputs, values, **more):
        if inputs[0, 0] * 10 % 2 < 1:
            raise ValueError("no luck\nsecond line")
        return super().fit(inputs, values, **more)


def test_every_failed_fit_is_counted_in_the_first_line_and_listed():
    methods = {"nb": GaussianNB(), "never": Failing(), "prior": DummyClassifier()}
    experiment = dv.experiment(
        methods, load_iris(), design=ShuffleSplit(8, random_state=0), jobs=1, quiet=True
    )
    table = experiment.failed_fits
    assert 0 < len(table) < 8
    assert set(table["method"]) == {"never"}
    assert set(table["error"]) == {"ValueError: no luck second line"}
    assert (
        f"{len(table)} of 24 fits failed (never {len(table)}; see failed_fits)."
        in experiment.sentence.splitlines()[0]
    )
    assert len(experiment.failures) == len(table)


def test_rank_uses_the_loss_that_the_sentence_uses():
    data = {name: load() for name, load in (("wine", load_wine), ("iris", load_iris))}
    experiment = dv.experiment(
        {"nb": GaussianNB(), "prior": DummyClassifier()}, data, design=3, jobs=1, quiet=True
    )
    assert experiment.rank().sentence == experiment.answers[0].sentence
    assert experiment.rank().sentence in experiment.sentence
