"""Cases of large files stay on disk, and are the same as those in memory."""

import gzip

import numpy as np
import pytest

from delvecore.encoding import prototask_cases as module
from delvecore.errors import DelveError, ParseError
from delvecore.readers import stored_cases
from delvecore.readers.cases import read_case_file
from delvecore.readers.dataset import parse_dataset
from delvecore.readers.stored_cases import NoIndexes, StoredArray, is_large, picked_column, read_stored_cases

SPECIFICATION = """Title: made
Origin: artificial
Usage: development
Order: uninformative
Attributes:
1 SEX  u male female ?
2 AGE  u [0,Inf) ? ?refused
3 KIDS u 0..Inf
4 NAME u älter jünger
"""
DATA = """male 1.50 0 älter
female ? 2 jünger @17 # a comment

? 41: 3.0 \\
 älter
male :7 1e1 jünger
female ?refused 12 jünger @17
"""


@pytest.fixture
def dataset():
    return parse_dataset(SPECIFICATION, "made", "Dataset.spec")


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "Dataset.data"
    file.write_text(DATA * 3, encoding="utf-8")
    return str(file)


def plain(column):
    return [list(column.words), *(np.asarray(part).tolist() for part in (column.missing, column.censored))]


def assert_same(stored, kept):
    assert stored.count == kept.count
    assert list(stored.commonality) == list(kept.commonality)
    assert stored.left_out == kept.left_out
    for number, column in kept.columns.items():
        assert plain(stored.columns[number]) == plain(column)
        assert np.array_equal(stored.columns[number].numbers, column.numbers, equal_nan=True)


@pytest.mark.parametrize("name", ["Dataset.data", "Dataset.data.gz"])
def test_stored_cases_are_those_in_memory(path, dataset, name, tmp_path, monkeypatch):
    monkeypatch.setattr("delvecore.readers.files.PIECE", 40)  # many blocks
    if name.endswith("gz"):
        path = str(tmp_path / name)
        (tmp_path / name).write_bytes(gzip.compress((DATA * 3).encode()))
    assert_same(read_stored_cases(path, dataset), read_case_file(path, dataset))


def test_picked_columns_stay_on_disk_and_are_fetched_in_their_order(path, dataset):
    stored, kept = read_stored_cases(path, dataset), read_case_file(path, dataset)
    positions = np.array([14, 0, 3, 3, 1])
    for number, column in kept.columns.items():
        picked = picked_column(stored.columns[number], positions)
        assert isinstance(picked.numbers, StoredArray)
        places = np.array([4, 2, 0])
        expected = module.column_at(column, positions[places])
        assert plain(module.column_at(picked, places)) == plain(expected)
        assert np.array_equal(picked.numbers[places], expected.numbers, equal_nan=True)
        assert (picked.words[1], picked.words[:2]) == (column.words[0], [column.words[14], column.words[0]])


def test_numbers_on_disk_compute_like_an_array(path, dataset):
    numbers = read_stored_cases(path, dataset).columns[3].numbers
    assert (numbers * 2 + 1)[:2].tolist() == [1.0, 5.0]
    assert (numbers == 3.0).sum() == 3
    assert np.isfinite(numbers).all()
    assert np.log1p(numbers)[0] == 0.0
    assert len(numbers) == 15


def test_marks_take_no_memory_where_there_are_none(path, dataset):
    column = read_stored_cases(path, dataset).columns[3]
    assert column.missing.strides == (0,)
    assert column.censored.strides == (0,)
    assert picked_column(column, np.array([0, 1])).missing.strides == (0,)
    assert (~column.missing).all()


def test_cases_without_indexes_have_none(tmp_path, dataset):
    (tmp_path / "data").write_text("male 1 0 älter\n" * 3, encoding="utf-8")
    indexes = read_stored_cases(str(tmp_path / "data"), dataset).commonality
    assert isinstance(indexes, NoIndexes)
    assert (list(indexes), indexes[1:], indexes[-1]) == ([None] * 3, [None] * 2, None)
    with pytest.raises(IndexError):
        indexes[3]


def test_a_file_without_cases_is_stored_as_well(tmp_path, dataset):
    (tmp_path / "data").write_text("\n")
    stored = read_stored_cases(str(tmp_path / "data"), dataset)
    assert (stored.count, list(stored.columns[2].words), stored.columns[2].numbers[:].tolist()) == (0, [], [])


def test_faults_are_reported_once(path, dataset):
    with open(path, "a", encoding="utf-8") as file:
        file.write("male x 0 älter\nmale 1\n")
    faults = []
    stored = read_stored_cases(path, dataset, report=faults.append)
    assert list(stored.columns[2].words)[-1] == "x"
    assert [str(fault).removeprefix(path) for fault in faults] == [
        ":23: expected 4 values, found 2; check blanks and continuation lines",
        ":22: expected AGE within [0,Inf) ? ?refused, found 'x'",
    ]
    with pytest.raises(ParseError):
        read_stored_cases(path, dataset)


def test_full_disk_is_a_clear_error(path, dataset, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(stored_cases.os, "pwrite", full)
    with pytest.raises(DelveError, match="found no space left on device; set TMPDIR to a larger directory"):
        read_stored_cases(path, dataset)


def test_large_files_are_told_by_their_size(path, monkeypatch):
    assert not is_large(path)
    monkeypatch.setattr(stored_cases, "LARGE", 100)
    assert is_large(path)
    assert not is_large(path + ".gone")
