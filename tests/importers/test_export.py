"""Cases written out, and read in again."""

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from delvecore import datasets
from delvecore.cli.delve import main
from delvecore.errors import DelveError
from delvecore.importers.case_files import open_source
from delvecore.importers.dataset_writer import write_import
from delvecore.importers.export import FORMATS, export_bytes, export_table
from delvecore.importers.plan import ImportOptions, plan_import
from delvecore.readers.cases import read_case_file
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import read_dataset
from tests.archives import small_archive, write_tree
from tests.importers.making import cars, delve_directory, imported


def columns(root, name):
    """{attribute: its words, numbers as numbers} of a dataset."""
    dataset = read_dataset(Hierarchy([str(root)]), name)
    cases = read_case_file(str(root / "data" / name / "Dataset.data"), dataset)
    values = {}
    for attribute in dataset.attributes:
        column = cases.columns[attribute.number]
        pairs = zip(column.numbers.tolist(), column.words, strict=True)
        values[attribute.name] = [word if np.isnan(number) else number for number, word in pairs]
    return dataset, values


def again(root, parent, form, *, target):
    """The dataset `cars`, exported and imported."""
    table = export_table(Hierarchy([str(root)]), ["cars"])
    path = parent / f"cars.{form}"
    path.write_bytes(b"".join(export_bytes(table, form, name="cars")))
    other = delve_directory(parent, f"delve-{form}")
    write_import(plan_import(open_source(str(path)), ImportOptions(targets=[target])), str(other))
    return columns(other, "cars")


@pytest.mark.parametrize("form", ["csv", "parquet", "arff"])
def test_what_is_exported_and_imported_is_the_same(form, tmp_path):
    root = delve_directory(tmp_path)
    imported(root, tmp_path / "first.csv", cars(), targets=["price"], name="cars", types={"doors": "ordinal"})
    dataset, values = columns(root, "cars")
    other, second = again(root, tmp_path, form, target="price")
    assert second == values
    if form == "parquet":
        assert other.attributes == dataset.attributes
    if form == "arff":
        kinds = [(one.range.kind, one.range.categories) for one in dataset.attributes]
        assert [(one.range.kind, one.range.categories) for one in other.attributes] == kinds


def test_instances_are_columns_that_say_what_each_case_is_for(tmp_path):
    # 24 cases: the first 8 test, 4 a instance; then two training sets of 8. Case numbers from 0, in their order.
    frame = datasets.to_frame("/demo/age", task="std.8", archive=str(small_archive(tmp_path)))
    first, second = frame["instance_0"].astype(object), frame["instance_1"].astype(object)
    assert first[:8].tolist()[:4] == ["test"] * 4
    assert first[4:8].isna().all()
    assert (first[8:16] == "train").all()
    assert second[4:8].tolist() == ["test"] * 4
    assert (second[16:24] == "train").all()
    assert second[8:16].isna().all()


def test_bootstrap_samples_are_columns_that_say_how_often_a_case_trains(tmp_path):
    root = small_archive(tmp_path)
    whole = "Instance: 0\nTraining: 1-24\nTest: 1-24\n"
    sample = "Instance: 1\nTraining: 1*3 2 3*2\nTest: 4\n"
    listed = f"Scheme: 632 samples=1 seed=1\n{whole}{sample}"
    write_tree(root, {"data/demo/age/std.24.instances": listed})
    frame = datasets.to_frame("/demo/age", task="std.24", archive=str(root))
    assert set(frame["instance_0"]) == {"train test"}
    drawn = frame["instance_1"].astype(object)
    assert drawn[:4].tolist() == ["train*3", "train", "train*2", "test"]
    assert drawn[4:].isna().all()


def test_a_frame_has_categories_whole_numbers_and_fractions(tmp_path):
    frame = datasets.to_frame("/demo/age", archive=str(small_archive(tmp_path)))
    assert list(frame.columns) == ["SEX", "KIDS", "HOUR", "SHADE", "AGE"]
    assert frame["SHADE"].cat.categories.tolist() == ["pink", "blue", "red"]
    assert (frame["KIDS"].dtype, frame["AGE"].dtype) == ("int64", "float64")


def test_missing_values_are_null_and_censored_ones_are_words(tmp_path):
    root = small_archive(tmp_path)
    data, spec = root / "data/demo/Dataset.data", root / "data/demo/Dataset.spec"
    spec.write_text(spec.read_text().replace("0..Inf  ", "0..Inf ?lost "))
    data.write_text(data.read_text().replace(" 27.5 ", " 27.5: ").replace("male 41.5 3 ", "male ? ?lost "))
    frame = datasets.to_frame("/demo", archive=str(root))
    assert "27.5:" in frame["AGE"].tolist()
    assert frame["KIDS"].isna().sum() == frame["AGE"].isna().sum() > 0


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_is_written_once_and_never_replaced(form, tmp_path, run_command):
    root = small_archive(tmp_path)
    given = "export", "demo", "--format", form, "-o", str(tmp_path / "out")
    assert run_command(main, *given, path=root).out == f"{tmp_path / 'out'}: 24 cases, 5 columns\n"
    before = (tmp_path / "out").read_bytes()
    refused = run_command(main, *given)
    assert (refused.code, "expected no file yet, found one" in refused.err) == (1, True)
    assert (tmp_path / "out").read_bytes() == before
    if form == "frame":
        assert len(pd.read_feather(tmp_path / "out")) == 24
    if form == "parquet":
        assert pq.read_schema(tmp_path / "out").metadata[b"delve.title"] == b"A small example"


def test_standard_output_gets_the_file_alone(tmp_path, run_command):
    outcome = run_command(main, "export", "/demo/age", "-o", "-", path=small_archive(tmp_path))
    assert outcome.out.splitlines()[:2] == ['"SEX","KIDS","HOUR","SHADE","AGE"', '"female",0,0,"pink",20.5']


FAULTS = {
    ("/demo", "--task", "std.8"): "--task std.8: expected the path of a prototask, found /demo",
    ("/demo/age", "--task", "std.9"): "/demo/age/std.9: expected a training set size among 4 8, found 9",
    ("/demo/age/std.8",): "/demo/age/std.8: expected the path of a dataset or prototask",
    ("/none",): "/none: expected a dataset, found no Dataset.spec",
}


@pytest.mark.parametrize("words", FAULTS)
def test_what_cannot_be_exported_is_told(words, tmp_path, run_command):
    outcome = run_command(main, "export", *words, "-o", str(tmp_path / "out"), path=small_archive(tmp_path))
    assert outcome.code == 1
    assert outcome.err.startswith(f"delve export: {FAULTS[words]}")


def test_a_dataset_without_all_its_cases_is_exported_by_prototask(tmp_path):
    root = small_archive(tmp_path)
    (root / "data/demo/Dataset.data").unlink()
    with pytest.raises(DelveError, match=r"expected Dataset\.data, found none; export a prototask"):
        datasets.to_frame("/demo", archive=str(root))
