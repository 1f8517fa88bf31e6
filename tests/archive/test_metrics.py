"""Metrics stand in an archive as scores do: one number per instance, of losses, predictions and targets."""

import numpy as np
import pytest

import delvecore
from delvecore.archive import metrics as metric_rows
from delvecore.archive.metrics import classes_of, measurable, measured, task_facts_of_metrics, with_classes
from delvecore.errors import DelveError
from delvecore.losses.method_task import open_method_task
from delvecore.readers.hierarchy import Hierarchy
from tests.archives import small_archive

CLASSES = ("pink", "blue", "red")


@pytest.fixture
def root(tmp_path):
    """The small archive; method `one` keeps its guesses of colours, all right but the first of each set."""
    root = small_archive(tmp_path)
    task = open_method_task(Hierarchy([str(root)]), "one", "demo", "shade", "std.4")
    for number in range(4):
        words = list(task.true_targets(number)[0].words)
        words[0] = CLASSES[(CLASSES.index(words[0]) + 1) % 3]
        path = root / f"methods/one/demo/shade/std.4/guess.{number}"
        path.write_text("".join(f"{word}\n" for word in words))
    return root


@pytest.fixture
def archive(root):
    return delvecore.open(str(root), cache=False)


def rows_of(measured_loss):
    return [row for row in measured_loss.archive.results.to_pylist() if row["loss"] == measured_loss.loss]


def values_of(measured_loss, method):
    losses = [row for row in measured_loss.archive.losses.to_pylist() if row["loss"] == measured_loss.loss]
    return [row["values"] for row in losses if row["method"] == method]


def test_a_metric_of_losses_is_one_number_an_instance(archive):
    measured_loss = measured(archive, "rmse")
    # Losses of instance i are (1 + i) times 1 2 3 4: mean 2.5 and 5.
    assert values_of(measured_loss, "one") == [[pytest.approx(2.5**0.5)], [pytest.approx(5**0.5)]]
    assert {row["test_cases"] for row in rows_of(measured_loss)} == {None}
    assert {row["standardizer"] for row in rows_of(measured_loss)} == {1.0}
    assert measured_loss.notes == ()


def test_the_squared_error_percentage_judges_plain_outputs_where_they_are_kept(root):
    # Outputs 0.5 for every class: (0.5^2 + 0.5^2 + 0.5^2) / 3 of one, in percent.
    place = root / "methods/one/demo/shade/std.4"
    for number in range(4):
        (place / f"prob.{number}").write_text("1 0 0\n" * 6)
        (place / f"loss.Q.{number}").write_text("0.9\n" * 6)
    before = values_of(measured(delvecore.open(str(root), cache=False), "sep", [("demo", "shade")]), "one")
    assert before == [[pytest.approx(100 * 0.9 / 3)]] * 4
    for number in range(4):
        (place / f"outputs.{number}").write_text("0.5 0.5 0.5\n" * 6)
    after = values_of(measured(delvecore.open(str(root), cache=False), "sep", [("demo", "shade")]), "one")
    assert after == [[pytest.approx(25)]] * 4


def test_targets_of_training_sets_are_the_baseline(archive):
    task = open_method_task(archive.hierarchy, "one", "demo", "age", "std.8")
    ages = task.plan.cases.columns[2].numbers
    first = task.plan.instances[0]
    whole = ((ages[first.test] - ages[first.training].mean()) ** 2).sum()
    measured_loss = measured(archive, "nmse")
    assert values_of(measured_loss, "one")[0] == [pytest.approx(10 / whole)]


def test_a_metric_of_predictions_has_values_where_they_are_kept_and_says_where_not(archive):
    measured_loss = measured(archive, "kappa")
    assert len(values_of(measured_loss, "one")) == 4
    assert values_of(measured_loss, "two") == []
    assert measured_loss.notes == (
        "kappa: no value on 1 of 2 results of a method on a task: no predictions are kept",
    )
    assert measured_loss.archive.problems["found"].to_pylist() == list(measured_loss.notes)


def test_what_has_no_value_anywhere_is_refused_with_the_reason(archive):
    with pytest.raises(DelveError, match=r"totU: expected a value .*no cost-benefit matrix benefits next to"):
        measured(archive, "totU")
    with pytest.raises(DelveError, match=r"mase: expected a value .*have no order"):
        measured(archive, "mase")


def test_the_matrix_of_benefits_lies_beside_the_prototask(root):
    path = root / "data/demo/shade/costs.txt"
    path.write_text("# predicted in lines\n1 -1 -1\n-1 1 -1\n-1 -1 1\n")
    measured_loss = measured(delvecore.open(str(root), cache=False), "totU:benefits=costs.txt")
    assert values_of(measured_loss, "one") == [[4.0]] * 4  # five right, one wrong
    path.write_text("1 2\n3 4\n")
    with pytest.raises(DelveError, match=r"costs.txt: expected 3 lines of 3 numbers"):
        measured(delvecore.open(str(root), cache=False), "totU:benefits=costs.txt")


def test_a_metric_without_a_direction_cannot_rank(archive):
    with pytest.raises(DelveError, match="higher or lower values to be better, found neither"):
        measured(archive, "rpp")


def test_losses_of_cases_and_unknown_names_change_nothing(archive):
    for name in ("S", "Z", "what"):
        assert measured(archive, name).archive is archive


def test_another_name_of_a_metric_means_the_same(archive):
    measured_loss = measured(archive, "accuracy")
    assert measured_loss.loss == "acc"
    assert measured(measured_loss.archive, "acc").archive is measured_loss.archive
    assert measured(archive, "F1:positive=red").loss == "F:positive=red"


def test_places_say_for_which_tasks_a_metric_is_computed(archive):
    with pytest.raises(DelveError, match=r"mae: .*it is for targets that are numbers"):
        measured(archive, "mae", [("demo", "shade")])
    assert {row["prototask"] for row in rows_of(measured(archive, "sep", [("demo", "age")]))} == {"age"}


def test_metrics_are_offered_that_can_be_had(root):
    facts = task_facts_of_metrics(delvecore.open(str(root), cache=False))
    names = set(measurable(facts))
    assert {"acc", "rmse", "kappa", "nmse"} <= names
    # There is no direction, no matrix, no order, no guess of numbers, and no task of two classes.
    assert names.isdisjoint({"rpp", "totU", "mase", "smape", "tpr"})
    assert "rmse" not in measurable(facts, {("demo", "shade", "std.4")})
    (root / "data/demo/shade/benefits").write_text("1 0 0\n0 1 0\n0 0 1\n")
    assert "totU" in measurable(task_facts_of_metrics(delvecore.open(str(root), cache=False)))


def test_with_a_common_test_set_an_error_is_that_of_this_set(archive):
    measured_loss = measured(archive, "err")
    pairs = measured_loss.archive.compare("/demo/shade", loss=measured_loss.loss).to_pylist()
    assert [(pair["test"], pair["notes"]) for pair in pairs] == [("sets", ["one_test_set"])]
    assert rows_of(measured_loss)[0]["notes"] == ["one_test_set"]


def test_values_are_kept_and_computed_anew_for_results_that_changed(root, monkeypatch):
    done = []
    rows = metric_rows._Work.rows

    def counted(work, place, metrics):
        done.extend(place[0] for _ in metrics)
        return rows(work, place, metrics)

    monkeypatch.setattr(metric_rows._Work, "rows", counted)
    first = values_of(measured(delvecore.open(str(root)), "kappa"), "one")
    assert sorted(done) == ["one", "two"]
    assert values_of(measured(delvecore.open(str(root)), "kappa"), "one") == first
    assert len(done) == 2
    (root / "methods/one/demo/shade/std.4/guess.0").write_text("pink\nblue\n" * 3)
    again = values_of(measured(delvecore.open(str(root)), "kappa"), "one")
    assert done[2:] == ["one"]
    assert again[0] != first[0]
    assert again[1:] == first[1:]


def test_metrics_made_of_the_same_predictions_are_kept_together(root, monkeypatch):
    archive = delvecore.open(str(root))
    assert not metric_rows.is_kept(archive, "macroF")
    delvecore.archive.keep_metric([str(root)], "kappa", follow_links=False)
    assert metric_rows.is_kept(archive, "macroF")
    assert not metric_rows.is_kept(archive, "smape")  # made of predictions of numbers
    assert not metric_rows.is_kept(archive, "F:positive=red")
    archive._case_cache.writes = False  # as where the cache cannot be written; what it has is read still
    monkeypatch.setattr(metric_rows._Work, "_judged", lambda *_: pytest.fail("computed again"))
    assert values_of(measured(archive, "kappa"), "one")


def test_metrics_of_another_class_are_made_of_counts_that_are_kept(root, monkeypatch):
    archive, asked = delvecore.open(str(root)), []
    plain = values_of(measured(delvecore.open(str(root), cache=False), "F:positive=red"), "one")
    metric_rows.keep_metrics(archive, "kappa")
    monkeypatch.setattr(metric_rows, "_counted", lambda *_: pytest.fail("read again"))
    measured_loss = measured(archive, "F:positive=red", first=lambda: asked.append("another process"))
    assert (values_of(measured_loss, "one"), asked) == (plain, [])


def test_another_process_may_keep_a_metric_before_it_is_computed_here(root, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    archive, asked = delvecore.open(str(root)), []

    def keep():
        asked.append(metric_rows.keep_metrics(archive, "kappa"))

    monkeypatch.setattr(metric_rows, "_reads", lambda measure: set())
    values = [values_of(measured(archive, "kappa", first=keep), "one") for _ in range(2)]
    assert asked == [("kappa",)]
    assert values[0] == values[1] == values_of(measured(archive, "kappa"), "one")


def test_instances_without_a_value_are_counted(root):
    path = root / "methods/one/demo/shade/std.4/guess.0"
    path.write_text("pink\n" * 6)
    measured_loss = measured(delvecore.open(str(root), cache=False), "prec:positive=red")
    assert (
        "prec:positive=red: no value on 1 of 4 instances: no case is predicted positive"
        in measured_loss.notes
    )
    assert [np.isfinite(one).all() for one in values_of(measured_loss, "one")] == [True] * 3


def test_a_metric_is_asked_for_by_name_wherever_a_loss_is(archive):
    pairs = archive.compare("/demo/shade", loss="err").to_pylist()
    assert [(pair["loss"], pair["test"]) for pair in pairs] == [("err", "sets")]
    frame = archive.to_frame("results", loss="accuracy")
    assert set(frame["loss"]) == {"acc"}
    assert len(archive.to_frame("comparisons", loss="acc")) == 1
    assert set(delvecore.scores(archive, losses="rmse")["loss"].to_pylist()) == {"rmse"}
    assert set(delvecore.scores(archive, losses=["S", "acc"])["loss"].to_pylist()) == {"S", "acc"}
    with pytest.raises(DelveError, match="expected a table that has losses"):
        archive.to_frame("tasks", loss="acc")


def test_a_matrix_said_behind_the_name_needs_no_file(archive):
    measured_loss = measured(archive, "totU:matrix=1_-1_-1;-1_1_-1;-1_-1_1")
    assert values_of(measured_loss, "one") == [[4.0]] * 4  # as of the file: five right, one wrong
    with pytest.raises(DelveError, match=r"the matrix has 2 classes, the target has 3"):
        measured(archive, "totU:matrix=1_0;0_1")
    with pytest.raises(DelveError, match=r"matrix: expected rows of numbers such as 1_-5;0_2, found '1_a'"):
        measured(archive, "totU:matrix=1_a")


def test_classes_that_all_targets_have_name_what_needs_one(archive):
    assert classes_of(archive, {("demo", "shade", "std.4")}) == CLASSES
    assert classes_of(archive, {("demo", "age", "std.8")}) == ()
    names = with_classes(("acc", "kappa"), CLASSES)
    assert {"tpr:positive=pink", "fpr:positive=pink"} <= set(names)
    assert "totU:matrix=1_0_0;0_1_0;0_0_1" in names
    assert with_classes(("acc",), CLASSES) == ("acc",)


def test_times_of_learning_and_predicting_are_metrics(root):
    # Costs: seconds in all, megabytes, seconds of predicting; learning is the rest.
    (root / "methods/one/demo/age/std.8/Costs").write_text("0 3.0 10 1.0\n1 5.0 10 2.0\n")
    (root / "methods/two/demo/age/std.8/Costs").write_text("0 4.0 10\n1 6.0 10\n")
    archive = delvecore.open(str(root), cache=False)
    expected = {"trTime": [[2.0], [3.0]], "tsTime": [[1.0], [2.0]], "totTime": [[3.0], [5.0]]}
    for name, values in expected.items():
        assert values_of(measured(archive, name), "one") == values
    assert values_of(measured(archive, "totTime"), "two") == [[4.0], [6.0]]
    why = "the method did not separate predicting from learning"
    assert any(note.endswith(why) for note in measured(archive, "tsTime").notes)
    assert {"trTime", "tsTime", "totTime"} <= set(measurable(task_facts_of_metrics(archive)))
