"""Lists of numbers in Arrow columns."""

import numpy as np
import pyarrow as pa

from delvecore.number_format.columns import NumberLists, list_column, rows_where


def test_numbers_of_rows_are_views_within_a_chunk_and_copies_of_several():
    pieces = [[[1.0, 2.0], [3.0]], [[], [4.0]], []]
    arrays = [pa.array(piece, pa.list_(pa.float64())) for piece in pieces]
    found = NumberLists(pa.chunked_array(arrays))
    assert found.lengths.tolist() == [2, 1, 0, 1]
    assert found.span(0, 2).ctypes.data == arrays[0].values.buffers()[1].address
    assert [found.span(start, start + 1).tolist() for start in range(4)] == [[1, 2], [3], [], [4]]
    assert found.span(1, 4).tolist() == [3, 4]
    assert found.span(4, 4).tolist() == []


def test_rows_of_numbers_become_lists():
    values = np.arange(5.0)
    assert list_column([values[:3], values[3:3], values[3:]]).to_pylist() == [[0, 1, 2], [], [3, 4]]
    assert list_column([]).type == pa.list_(pa.float64())


def test_all_rows_of_a_table_are_the_table_itself():
    table = pa.table({"row": range(3)})
    assert rows_where(table, pa.array([True] * 3)) is table
    assert rows_where(table, pa.array([True, False, True]))["row"].to_pylist() == [0, 2]
    assert rows_where(table, pa.array([False] * 3)).num_rows == 0
    assert rows_where(table.slice(0, 0), pa.array([], pa.bool_())).num_rows == 0
