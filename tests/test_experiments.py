"""`delvecore.experiment`: estimators and data in, an archive and a verdict out."""

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from threadpoolctl import threadpool_info

import delvecore as dv
from delvecore.cli.subcommands.run import main as run
from delvecore.errors import DelveError
from delvecore.experiments import Experiment
from delvecore.library.comparison import Comparison
from delvecore.library.ranking import Ranking
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
    found = dv.experiment(
        {**RIDGE, "logistic": LogisticRegression(max_iter=500), "prior": DummyClassifier()},
        {"diabetes": load_diabetes(as_frame=True), "iris": load_iris(), "homes": made()},
        target={"homes": "price"},
        sizes=(16, 256),
        instances=2,
        jobs=1,
        quiet=True,
    )
    numeric, classes = found.answers
    assert isinstance(numeric, Ranking)
    assert numeric.methods == ("ridge", "mean")
    assert isinstance(classes, Comparison)
    assert set(classes.to_frame()["method_a"]) | set(classes.to_frame()["method_b"]) == {"logistic", "prior"}
    assert found.failures == ()
    assert (
        "iris: training sets of 256 cases are left out: 150 cases do not have two of them besides a test set "
        "of as many."
    ) in found.notes
    assert any("ridge: not run on /iris/target" in note for note in found.notes)
    assert numeric.sentence in found.sentence
    assert numeric.sentence in found._repr_html_().replace("&#x27;", "'")


def test_numbers_are_those_of_delve_run(tmp_path, monkeypatch):
    found = dv.experiment(
        {"bayes": Ridge()}, {"homes": made()}, target="price", sizes=(20,), jobs=1, quiet=True
    )
    saved = Path(found.save(tmp_path / "delve-one"))
    other = tmp_path / "delve-other"
    (other / "methods").mkdir(parents=True)
    (saved / "data").rename(other / "data")
    monkeypatch.setenv("DELVE_PATH", str(other))
    monkeypatch.chdir(tmp_path)
    arguments = ["--object", "sklearn.linear_model:Ridge", "--name", "bayes", "/homes", "--into", str(other)]
    assert run([*arguments, "--workers", "1", "--quiet"]) == 0
    theirs = dv.open(other, cache=False)
    assert found.archive.losses.equals(theirs.losses)
    assert found.archive.losses.num_rows > 0


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
    found = dv.experiment(
        {"pipeline": make_pipeline(inputs, Ridge()), "picky": Picky(), "mean": DummyRegressor()},
        {"homes": made()},
        target="price",
        sizes=(32,),
        codings=None,
        jobs=1,
        quiet=True,
    )
    assert found.failures == ()
    errors = found.to_frame().query("loss == 'S'").set_index("method")["mean"]
    assert errors["pipeline"] < errors["mean"] / 3


def test_an_infinite_log_loss_is_the_worst_and_no_missing_fold():
    # A neighbor alone gives probability 0 to what it gets wrong: scikit-learn's log loss is the largest, too.
    methods = {"neighbor": KNeighborsClassifier(1), "bayes": GaussianNB(), "rates": DummyClassifier()}
    data = {"iris": load_iris(), "wine": load_wine()}
    folds = StratifiedKFold(3, shuffle=True, random_state=1)
    found = dv.experiment(methods, data, design=folds, jobs=1, quiet=True)
    for loss in ("L", "logloss"):
        ranking = found.rank(loss=loss)
        assert ranking.methods == ("bayes", "rates", "neighbor")
        (note,) = [line for line in ranking.notes if "infinite" in line]
        assert f"neighbor has an infinite loss {loss} on 2 of 2 tasks" in note
        assert "counts as worst there, by the largest scaled difference" in note
        frame = found.compare("/iris", loss=loss).to_frame()
        assert set(frame["instances"]) == {3}
        assert np.isinf(frame["mean_a"]).any() or np.isinf(frame["mean_b"]).any()
    losses = {
        name: -cross_val_score(one, *load_iris(return_X_y=True), cv=folds, scoring="neg_log_loss").mean()
        for name, one in methods.items()
    }
    assert max(losses, key=losses.get) == "neighbor"


def test_a_design_of_ones_own_is_run_and_tested_with_its_correction():
    found = dv.experiment(
        RIDGE, {"homes": made()}, target="price", design="cv folds=5 repeats=2", jobs=1, quiet=True
    )
    (comparison,) = found.answers
    (row,) = comparison.to_frame().to_dict("records")
    assert row["instances"] == 10
    assert "cross-validation" in row["note"] + str(found.archive.tasks["scheme"].to_pylist())


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
    found = dv.experiment(methods, {"d": load_diabetes()}, sizes=[32], instances=2, jobs=1, quiet=True)
    assert found.failures == ()
    times = found.archive.costs.to_pandas()
    assert len(times) == 4
    assert ((times["testing_seconds"] >= 0) & (times["testing_seconds"] <= times["seconds"])).all()
    assert found.compare(loss="totTime").sentence


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


def test_a_saved_experiment_opens_as_an_archive(tmp_path):
    found = dv.experiment(RIDGE, {"homes": made()}, target="price", sizes=(16,), jobs=1, quiet=True)
    place = found.save(tmp_path / "delve-saved")
    opened = dv.open(place, cache=False)
    assert opened.losses.equals(found.archive.losses)
    assert opened.faults == []
    with pytest.raises(DelveError, match="expected a new path whose name begins with delve"):
        found.save(tmp_path / "other")


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
    found, target = unsaved
    killed = subprocess.run([sys.executable, "-c", COPIES, found.path, str(target)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert not target.exists()
    assert dv.open(found.save(target), cache=False).losses.equals(found.archive.losses)
    assert os.listdir(target.parent) == ["delve-saved"]


def test_a_disk_that_is_full_is_one_line_and_leaves_nothing(unsaved):
    found, target = unsaved
    big = Path(found.path) / "data" / "demo" / "Notes"
    big.write_bytes(bytes(1 << 16))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 15, before[1]))  # as a quota: EFBIG, not ENOSPC
    try:
        with pytest.raises(DelveError) as caught:
            found.save(target)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert str(caught.value) == f"{target}: expected to save the experiment there, found file too large"
    assert os.listdir(target.parent) == []
    assert os.path.isdir(found.save(target))


def test_a_place_that_cannot_be_written_is_one_line(unsaved):
    found, target = unsaved
    target.parent.rmdir()
    target.parent.write_text("a file")
    with pytest.raises(DelveError) as caught:
        found.save(target)
    assert str(caught.value) == f"{target}: expected to save the experiment there, found file exists"


def test_directories_above_the_saved_one_are_made(unsaved):
    found, target = unsaved
    assert found.save(target.parent / "new" / "delve-x") == str(target.parent / "new" / "delve-x")


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
    found = dv.experiment(
        {name: DummyRegressor() for name in names},
        data,
        target="price",
        sizes=[16],
        instances=2,
        jobs=1,
        quiet=True,
    )
    assert found.failures == ()
    table = found.to_frame()
    assert set(zip(table["method"], table["dataset"], strict=True)) == {
        (name, dataset) for name in names for dataset in datasets
    }
    assert set(found.rank().methods) == set(names)
    assert "x/y" in str(found.rank().analysis.table.tasks)
    pair = found.compare("/x/y").to_frame()
    assert set(pair["method_a"]) | set(pair["method_b"]) == set(names)
    assert set(pair["dataset"]) == {"x/y"}
