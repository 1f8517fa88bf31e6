"""An archive as Arrow tables and data frames: schemas, contents, cases with types; with further delve
directories beside it."""

import os
import shutil

import pyarrow as pa
import pytest

import delvecore
from delvecore import tables
from delvecore.archive import building
from delvecore.errors import DelveError
from tests.archives import DATASET, case_lines, small_archive, write_tree
from tests.dashboard.array_archive import ARRAY, METHODS, array_archive


@pytest.fixture
def archive(tmp_path):
    return delvecore.open(small_archive(tmp_path))


def test_every_table_has_its_fixed_schema_full_or_empty(archive, tmp_path):
    (tmp_path / "delve-empty" / "data").mkdir(parents=True)
    (tmp_path / "delve-empty" / "methods").mkdir()
    empty = delvecore.open(tmp_path / "delve-empty")
    for name, schema in tables.SCHEMAS.items():
        assert getattr(archive, name).schema.equals(schema), name
        assert getattr(empty, name).schema.equals(schema), name
        assert getattr(empty, name).num_rows == 0, name


def test_what_a_dataset_s_row_says(archive):
    (row,) = archive.datasets.to_pylist()
    assert (row["dataset"], row["title"], row["attributes"], row["cases"]) == (
        "demo",
        "A small example",
        5,
        24,
    )
    assert row["task_types"] == ["classification", "regression"]
    assert row["prototasks"] == ["age", "shade"]
    assert (row["summary"], row["documents"]) == ("Twenty-four invented people.\n", ["Notes"])


def test_tasks_know_their_instances_and_test_cases(archive):
    rows = {(row["prototask"], row["task"]): row for row in archive.tasks.to_pylist()}
    # 24 cases, 8 for testing: 16 left make 4 sets of 4 (2 test cases each) or 2 sets of 8 (4 each).
    assert [rows["age", name]["instances"] for name in ("std.4", "std.8", "vague.8")] == [4, 2, 2]
    assert [rows["age", name]["test_cases"] for name in ("std.4", "std.8")] == [2, 4]
    # 24 cases, 6 for testing, common: 18 // 4 = 4 instances (the maximum), all with 6.
    assert (rows["shade", "std.4"]["instances"], rows["shade", "std.4"]["test_cases"]) == (4, 6)


def test_priors_tell_default_codings_and_columns(archive):
    rows = {row["attribute"]: row for row in archive.priors.to_pylist() if row["prototask"] == "age"}
    assert (rows["HOUR"]["default_coding"], rows["HOUR"]["default_options"]) == ("rectan", "unit=24")
    assert rows["SHADE"]["columns"] == ["SHADE:blue", "SHADE:red"]
    assert rows["AGE"]["role"] == "target"


def test_results_are_those_worked_by_hand(archive):
    rows = {(r["method"], r["prototask"]): r for r in archive.results.to_pylist()}
    row = rows["one", "age"]
    # Losses of instance i, case j: (1 + i)(1 + j), j = 0..3: means 2.5 and 5, mean 3.75; S is divided by the targets' variance.
    assert (row["instances"], row["test_cases"], row["mean"]) == (2, 4, 3.75)
    # MS_a = 4 * 2 * 1.25^2 = 12.5; MS_e = (5 + 20) / 6; sd_a^2 = (12.5 - 25/6) / 4.
    assert row["sd_training"] == pytest.approx(((12.5 - 25 / 6) / 4) ** 0.5)
    assert row["sd_residual"] == pytest.approx((25 / 6) ** 0.5)
    # Equation 3 with these: SE^2 = MS_a / (I J) = 12.5 / 8.
    assert row["standard_error"] == pytest.approx((12.5 / 8) ** 0.5)
    assert row["standardizer"] == 57.8392857
    assert row["standardized_mean"] == pytest.approx(3.75 / 57.8392857)
    assert row["sd_cases"] is None


def test_documents_are_read_by_name_and_nothing_else_is(archive):
    assert archive.read_document("methods", "one", "Source", "one.txt") == "It guesses.\n"
    for names in (("one", "..", "two", "Summary"), ("one", "Source", "../Summary"), ("three", "Summary")):
        with pytest.raises(DelveError, match="expected a document of the archive, found none"):
            archive.read_document("methods", *names)


def test_cases_have_proper_types(archive):
    table = archive.cases("demo")
    assert table.column_names == ["case", "SEX", "AGE", "KIDS", "HOUR", "SHADE"]
    assert table.schema.field("KIDS").type == pa.int64()
    assert table.schema.field("AGE").type == pa.float64()
    assert table["SHADE"].combine_chunks().dictionary.to_pylist() == ["pink", "blue", "red"]
    assert table.slice(1, 1).to_pylist() == [
        {"case": 2, "SEX": "male", "AGE": 27.5, "KIDS": 1, "HOUR": 5.0, "SHADE": "blue"}
    ]


def test_missing_and_censored_values_comments_and_indexes_stand_beside(tmp_path):
    root = small_archive(tmp_path)
    lines = case_lines().split("\n")
    lines[0] = "male ?lost 0 1 pink @3 # odd"
    lines[1] = "male 90: 0 1 pink"
    write_tree(root, {"data/demo/Dataset.data": "\n".join(lines)})
    for path in root.glob("methods/*/demo/age"):
        shutil.rmtree(path)  # losses of cases whose ages are unknown now
    for path in root.glob("methods/*/demo/shade/std.4/Test-set-stats"):
        path.unlink()  # of other shades
    archive = delvecore.open(root)
    assert archive.problems.to_pylist() == []
    first, second, third = archive.cases("demo").slice(0, 3).to_pylist()
    assert (first["AGE"], first["AGE missing"], first["commonality"], first["comment"]) == (
        None,
        "?lost",
        3,
        "odd",
    )
    assert (second["AGE"], second["AGE censored"], second["AGE missing"]) == (90, "at least", None)
    assert (third["AGE censored"], third["commonality"], third["comment"]) == (None, None, None)
    row = archive.datasets.to_pylist()[0]
    assert (row["missing_values"], row["censored_values"], row["commonality"]) == (1, 1, True)


def test_an_attribute_may_be_named_like_the_case_number(tmp_path):
    root = write_tree(small_archive(tmp_path), {"data/demo/Dataset.spec": DATASET.replace("KIDS", "case")})
    names = delvecore.open(root).cases("demo").column_names
    assert len(names) == 6
    assert names[3] == "case"


def test_an_unknown_dataset_is_refused_in_words(archive):
    with pytest.raises(
        DelveError, match="/x: expected a dataset of this archive, found none; there are demo"
    ):
        archive.cases("x")


def test_the_recorded_session_opens_with_its_printed_numbers(golden_session):
    archive = delvecore.open(golden_session / "delve-golden")
    assert archive.problems.num_rows == 0
    rows = {
        (r["method"], r["dataset"], r["training_size"], r["loss"]): r for r in archive.results.to_pylist()
    }
    # Printed by DELVE 1.1: expected/mstats_lin_titanic_survived_std.20.out
    row = rows["lin", "titanic", 20, "L"]
    assert row["mean"] == pytest.approx(0.712098958, rel=1e-8)
    assert row["standardized_mean"] == pytest.approx(0.084997936, rel=1e-8)
    assert row["standard_error"] == pytest.approx(0.0313726505, rel=1e-8)
    assert row["sd_cases"] == pytest.approx(0.746095014, rel=1e-8)


@pytest.fixture
def more(tmp_path):
    files = {
        "methods/mine/demo/age/std.8/loss.S.0": "1\n2\n3\n4\n",
        "methods/mine/demo/age/std.8/loss.S.1": "1\n2\n3\n5\n",
    }
    files |= {"data/other/Dataset.spec": "Origin: natural\nUsage: ?\nOrder: ?\nAttributes:\n1 A u 0 1\n"}
    return write_tree(tmp_path / "delve-more", {**files, "data/other/Dataset.data": "0\n1\n"})


def test_the_tables_are_those_of_opening_all_directories(archive, more):
    together = delvecore.open([*archive.paths, more], cache=False)
    beside = archive.beside([more])
    assert (beside.paths, beside.state) == (together.paths, together.state)
    for name in ("datasets", "tasks", "results", "losses", "methods", "problems", "comparisons"):
        assert getattr(beside, name).equals(getattr(together, name)), name
    assert beside.cases("other").num_rows == 2
    assert beside.cases("demo").equals(archive.cases("demo"))


def test_only_what_is_new_is_read(archive, more, monkeypatch):
    read, really_read = [], building.read_dataset_unit

    def note(unit, *rest):
        read.append(unit.names[1])
        return really_read(unit, *rest)

    monkeypatch.setattr(building, "read_dataset_unit", note)
    (more / "methods/mine/demo").rename(more / "methods/mine/Source")
    archive.beside([more])
    assert read == ["other"]


def test_nothing_is_added_to_the_cache(archive, more, tmp_path):
    def cached():
        return sorted(
            os.path.join(place, name) for place, _, names in os.walk(tmp_path / "cache") for name in names
        )

    before = cached()
    archive.beside([more]).cases("other")
    assert cached() == before != []


def test_a_table_that_is_none_is_refused_with_those_there_are(archive):
    with pytest.raises(
        DelveError, match="'result': expected a table of an archive, found none; there are datasets"
    ):
        archive.to_frame("result")


def test_a_place_is_not_one_whose_name_only_begins_so(archive):
    with pytest.raises(DelveError, match="expected a place with tasks and their results, found none"):
        archive.compare(f"/{archive.results['dataset'][0].as_py()[:-1]}")


@pytest.fixture
def garden(tmp_path):
    return delvecore.open(array_archive(tmp_path), cache=False).array(ARRAY)


def test_the_curves_of_an_array_are_its_estimates_best_first(garden):
    frame = garden.to_frame()
    known = frame[frame["standardized_mean"].notna()]
    assert garden.order == METHODS
    assert set(known["reference"]) == {"apple"}
    drawn = {round(y, 9) for one in garden.curves().data for y in one.y or () if y is not None and y == y}
    assert set(known["standardized_mean"].round(9)) <= drawn


def test_values_below_zero_have_no_logarithmic_axis(garden):
    view = garden.archive.array(ARRAY, loss="r2")
    assert (view.measure.key, view.order) == ("r2", METHODS)
    assert any(note.text == "↑ better   r2" for note in view.curves().layout.annotations)
    with pytest.raises(DelveError, match="is_log=True: expected values above zero"):
        view.curves(is_log=True)


def test_a_loss_or_method_without_results_on_an_array_is_refused(garden):
    with pytest.raises(DelveError, match=r"loss Q9: .* there are S"):
        garden.archive.array(ARRAY, loss="Q9")
    with pytest.raises(DelveError, match=r"method nobody: .* there are apple, pear, quince"):
        garden.archive.array(ARRAY, methods=["nobody"])


def test_an_archive_beside_another_shares_the_tables_that_are_the_same(tmp_path):
    served = delvecore.open(small_archive(tmp_path), cache=False)
    added = write_tree(tmp_path / "delve-added", {"data/.keep": "", "methods/mine/Summary": "Mine.\n"})
    both = served.beside([added])
    assert both.methods["method"].to_pylist() == ["mine", *served.methods["method"].to_pylist()]
    for name in ("attributes", "priors", "codings", "costs", "losses"):
        assert both._stored[name] is served._stored[name]
    # Also the units whose files are the same: each session that adds something kept them once more.
    assert all(both._snapshot.results[key] is unit for key, unit in served._snapshot.results.items())
    assert both._snapshot.methods["two"] is served._snapshot.methods["two"]
    assert both._snapshot.state != served._snapshot.state


def test_a_unit_that_changed_is_not_that_of_the_archive_beside(tmp_path):
    root = small_archive(tmp_path)
    served = delvecore.open(root, cache=False)
    (root / "methods/two/Summary").write_text("Another method.\n")
    added = write_tree(tmp_path / "delve-added", {"data/.keep": "", "methods/mine/Summary": "Mine.\n"})
    both = served.beside([added])
    assert both._snapshot.methods["two"] != served._snapshot.methods["two"]
    assert "Another method.\n" in both.methods["summary"].to_pylist()
