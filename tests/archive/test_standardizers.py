"""No method's `Test-set-stats` has a say in what standardizes the losses of others."""

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import delvecore
from delvecore.archive import result_unit, standardizers
from tests.archives import small_archive, write_tree

TASK = "demo/age/std.8"
RIGHT = 57.8392857
"""The variance of the targets of the small archive's task, as a file has it."""


@pytest.fixture
def root(tmp_path):
    return small_archive(tmp_path)


def constants(archive):
    rows = (row for row in archive.results.to_pylist() if row["loss"] == "S")
    return {row["method"]: row["standardizer"] for row in rows}


def messages(archive, root):
    return [message.replace(f"{root}/", "") for message in archive.problems["message"].to_pylist()]


def test_a_wrong_file_is_reported_and_rescales_nothing_not_even_its_own_method(root):
    before = delvecore.open(root, cache=False)
    write_tree(root, {f"methods/one/{TASK}/Test-set-stats": "S 50.0\n"})
    after = delvecore.open(root, cache=False)
    assert messages(before, root) == []
    assert after.results == before.results
    assert after.comparisons == before.comparisons
    assert messages(after, root) == [
        f"methods/one/{TASK}/Test-set-stats: expected S {RIGHT}, computed from the test targets, found 50; "
        "this file is not used; run mgendata again"
    ]


def test_a_method_beside_an_archive_does_not_rescale_it(root, tmp_path):
    archive = delvecore.open(root)
    files = {f"methods/another/{TASK}/{name}": text for name, text in (("loss.S.0", "1\n2\n3\n4\n"),)}
    files[f"methods/another/{TASK}/Test-set-stats"] = "S 5e-9\n"
    beside = archive.beside([write_tree(tmp_path / "delve-beside", files | {"data/Notes": ""})])
    assert constants(beside) == {"another": RIGHT, "one": RIGHT, "two": RIGHT}
    assert any("Test-set-stats: expected S" in message for message in messages(beside, root))


@pytest.fixture
def without_data(root):
    (root / "data/demo/Dataset.data").unlink()
    return root


def test_without_data_files_that_agree_to_nine_digits_serve(without_data):
    write_tree(without_data, {f"methods/one/{TASK}/Test-set-stats": "S 57.83928571\n"})
    archive = delvecore.open(without_data, cache=False)
    assert constants(archive) == pytest.approx({"one": RIGHT, "two": RIGHT})
    assert not any("Test-set-stats" in message for message in messages(archive, without_data))


def test_without_data_files_that_disagree_are_both_named_and_standardize_nothing(without_data):
    write_tree(without_data, {f"methods/two/{TASK}/Test-set-stats": "S 50.0\n"})
    archive = delvecore.open(without_data, cache=False)
    assert constants(archive) == {"one": None, "two": None}
    (message,) = (one for one in messages(archive, without_data) if "Test-set-stats" in one)
    assert message == (
        f"methods/two/{TASK}/Test-set-stats: expected S {RIGHT}, as in {without_data}/methods/one/{TASK}/"
        "Test-set-stats, found 50; the task's losses are not standardized; run mgendata again"
    ).replace(f"{without_data}/", "")


def test_an_opening_reads_the_cases_of_a_dataset_once(root, monkeypatch):
    def read_again(*_, **__):
        raise AssertionError("cases are read again")

    before = delvecore.open(root, cache=False)
    monkeypatch.setattr(result_unit, "prototask_cases", read_again)
    assert delvecore.open(root, cache=False).results == before.results


def test_where_a_dataset_has_faults_its_cases_are_judged_anew(root):
    path = root / "data/demo/Dataset.data"
    path.write_text(path.read_text() + "1 2\n")
    archive = delvecore.open(root, cache=False)
    assert any("Dataset.data" in message for message in messages(archive, root))
    assert archive._standardizers.filter(pc.is_null(archive._standardizers["method"])).num_rows == 0


def test_what_methods_say_counts_without_data_where_all_say_the_same():
    told = {
        "agree": [2.0, 2.0 + 1e-10],
        "differ": [2.0, 2.1],
        "partly": [2.0, None],
        "unknown": [None, None],
    }
    rows = [
        {"dataset": "demo", "prototask": "age", "task": task, "loss": "S"}
        | {"method": f"m{place}", "standardizer": value}
        for task, values in told.items()
        for place, value in enumerate(values)
    ]
    schema = pa.schema([(name, pa.string()) for name in (*standardizers.KEY, "method")])
    schema = schema.append(pa.field("standardizer", pa.float64()))
    rows.append({**rows[2], "method": None, "standardizer": 3.0})
    found = standardizers.standardizer_index(pa.Table.from_pylist(rows, schema=schema))
    assert {task: value for (_, _, task, _), value in found.items()} == {
        "agree": 2.0,
        "differ": 3.0,  # which the data say
        "partly": None,
        "unknown": None,
    }
