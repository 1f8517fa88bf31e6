"""Losses that are more than memory may hold: read, kept, checked and compared piece by piece, with the same
answers."""

import os
import shutil
import tracemalloc
from pathlib import Path
from typing import Never

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import delvecore
from delvecore import cache
from delvecore.archive import loss_rows
from delvecore.archive.chosen_losses import compared_first
from delvecore.archive.loss_rows import Spool, loss_table
from delvecore.cache import SEALS, Cache
from delvecore.checked_files import forget_oldest
from delvecore.number_format import list_columns
from delvecore.number_format.list_columns import NumberLists, list_column, rows_in_order, rows_where
from delvecore.stats.choose import DEFAULT_SETTING, Setting
from delvecore.stats.losses import pairs
from delvecore.stats.losses.comparison_cache import bytes_of, pieces_from
from delvecore.stats.losses.pairs import compare_all, compare_pieces
from delvecore.stats.losses.results import designs_by_task, read_losses, result_table
from tests.archives import losses, small_archive, write_tree
from tests.schemes_archive import schemes_archive

SHIPPED = Path(__file__).resolve().parents[2] / "data" / "delve"
SETTINGS = (DEFAULT_SETTING, Setting(0.99), Setting(0.95, "none"))
FEW = 300
"""Fewer losses than a task of `demo` has."""


@pytest.fixture
def few_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hardly any losses may be in memory, and pieces of tables are small."""
    for name, value in {"IN_MEMORY": FEW, "SEGMENT": 1000, "BLOCK": 100, "MOST_IN_BLOCK": 200}.items():
        monkeypatch.setattr(loss_rows, name, value)
    monkeypatch.setattr(list_columns, "COPIED", 0)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> delvecore.Archive:
    """The shipped `demo` with the results of three methods, all losses in memory."""
    root = tmp_path_factory.mktemp("shipped") / "delve"
    places = ["data/demo", *(f"methods/{name}/demo" for name in ("base-1", "lin-1", "knn-cv-1"))]
    for place in places:
        shutil.copytree(SHIPPED / place, root / place)
    return delvecore.open(root, cache=False)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return small_archive(tmp_path)


def losses_file(tmp_path: Path) -> Path:
    (path,) = (tmp_path / "cache/delve/archives").glob("*/*/losses.arrow")
    return path


@pytest.mark.slow
def test_the_answers_are_the_same_to_the_last_bit(whole, tmp_path, monkeypatch, few_in_memory):
    expected = {name: getattr(whole, name) for name in ("losses", "results", "comparisons", "problems")}
    assert whole.losses["values"].num_chunks == 1
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for _ in range(2):  # read, and from the cache
        archive = delvecore.open(whole.paths)
        assert archive.notice is None
        assert archive.losses["values"].num_chunks > 10
        for name, table in expected.items():
            assert getattr(archive, name).equals(table), name
        place = "/demo/age/std.128"
        assert archive.compare(place, loss="A").equals(whole.compare(place, loss="A"))


def test_a_change_copies_no_other_losses_and_gives_what_a_fresh_reading_gives(root, few_in_memory):
    before = delvecore.open(root)
    write_tree(root, {"methods/two/demo/age/std.8/loss.S.1": losses(1, 4, 2.0)})
    after = delvecore.open(root)
    assert not after.losses.equals(before.losses)
    fresh = delvecore.open(root, cache=False)
    assert after.losses.equals(fresh.losses)
    assert after.results.equals(fresh.results)


def test_only_the_losses_asked_for_are_checked(root, tmp_path, few_in_memory, monkeypatch, caplog):
    monkeypatch.setattr(loss_rows, "BLOCK", 1)
    monkeypatch.setattr(loss_rows, "IN_MEMORY", 20)
    monkeypatch.setattr(loss_rows, "MOST_IN_BLOCK", 20)
    delvecore.open(root)
    path = losses_file(tmp_path)
    data = bytearray(path.read_bytes())
    numbers = np.array([float(line) for line in losses(0, 4, 1.0).split()]).tobytes()
    assert data.count(numbers) == 1  # of method one on the task age
    data[data.index(numbers)] ^= 1
    path.write_bytes(data)
    cache.say_damaged.cache_clear()
    archive, sound = delvecore.open(root), delvecore.open(root, cache=False)
    assert archive.compare("/demo/shade").equals(sound.compare("/demo/shade"))
    assert not caplog.records
    assert archive.compare("/demo/age").equals(sound.compare("/demo/age"))
    assert [record.getMessage().split(":")[0] for record in caplog.records] == [str(path.parent)]
    assert archive.losses.equals(sound.losses)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["", SEALS])
def test_damage_anywhere_in_a_table_of_many_losses_is_told(
    root, tmp_path, few_in_memory, monkeypatch, caplog, suffix
):
    monkeypatch.setattr(loss_rows, "IN_MEMORY", 20)
    monkeypatch.setattr(loss_rows, "MOST_IN_BLOCK", 20)
    delvecore.open(root)
    expected = delvecore.open(root, cache=False).losses
    path = Path(f"{losses_file(tmp_path)}{suffix}")
    sound = path.read_bytes()
    for place in range(0, len(sound), len(sound) // 6):
        for damaged in (sound[:place], sound[:place] + bytes([sound[place] ^ 4]) + sound[place + 1 :]):
            path.write_bytes(damaged)
            cache.say_damaged.cache_clear()
            caplog.clear()
            assert delvecore.open(root).losses.equals(expected)
            assert len(caplog.records) == 1
            assert path.read_bytes() == sound


@pytest.fixture
def pieces_of_one_task(few_in_memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loss_rows, "IN_MEMORY", 20)
    monkeypatch.setattr(loss_rows, "BLOCK", 1)


def no_comparison(*_: object) -> Never:
    raise AssertionError("losses are compared once more")


@pytest.fixture
def kept(root, pieces_of_one_task) -> list[pa.Table]:
    """What is said of the small archive without a cache, and was asked for with it once."""
    sound = delvecore.open(root, cache=False)
    delvecore.open(root)
    assert delvecore.open(root).comparisons.equals(sound.comparisons)
    return [sound.compare(setting=setting) for setting in SETTINGS]


def test_what_comparisons_need_of_very_many_losses_is_computed_once(root, kept, monkeypatch):
    against = {("demo", "age", "std.8"): ["two"]}
    expected = delvecore.open(root, cache=False).compare(against=against)
    monkeypatch.setattr(pairs, "compare_block", no_comparison)
    archive = delvecore.open(root)
    for setting, table in zip(SETTINGS, kept, strict=True):
        assert archive.compare(setting=setting).equals(table)
    places = kept[0].filter(pc.equal(kept[0]["prototask"], "shade"))
    assert archive.compare("/demo/shade").equals(places)
    assert archive.compare(against=against).equals(expected)


def test_losses_of_other_methods_or_other_numbers_are_compared_anew(root, kept):
    archive, sound = delvecore.open(root), delvecore.open(root, cache=False)
    assert archive.compare(methods=["one", "two"]).equals(sound.compare(methods=["one", "two"]))
    write_tree(root, {"methods/two/demo/age/std.8/loss.S.1": losses(1, 4, 2.0)})
    delvecore.open(root)
    changed = delvecore.open(root).comparisons
    assert changed.equals(delvecore.open(root, cache=False).comparisons)
    assert not changed.equals(kept[0])


def test_of_damaged_losses_nothing_is_kept(root, tmp_path, pieces_of_one_task, caplog):
    delvecore.open(root)
    path = losses_file(tmp_path)
    data = bytearray(path.read_bytes())
    numbers = np.array([float(line) for line in losses(0, 4, 1.0).split()]).tobytes()
    data[data.index(numbers)] ^= 1
    path.write_bytes(data)
    cache.say_damaged.cache_clear()
    expected = delvecore.open(root, cache=False).comparisons
    assert [delvecore.open(root).comparisons.equals(expected) for _ in range(3)] == [True] * 3
    assert [record.getMessage().split(":")[0] for record in caplog.records] == [str(path.parent)]


def test_damage_to_what_is_kept_of_comparisons_is_told(root, kept, tmp_path, caplog):
    path, *_ = sorted((tmp_path / "cache/delve/comparisons").iterdir())
    sound = path.read_bytes()
    for damaged in (sound[:100], sound[:-1] + bytes([sound[-1] ^ 1])):
        path.write_bytes(damaged)
        cache.say_damaged.cache_clear()
        caplog.clear()
        assert delvecore.open(root).comparisons.equals(kept[0])
        assert [record.getMessage().split(":")[0] for record in caplog.records] == [str(path)]
        assert path.read_bytes() == sound


def test_the_oldest_of_what_is_kept_goes_first(tmp_path):
    for number in range(4):
        (tmp_path / str(number)).write_bytes(b"x" * 10)
        os.utime(tmp_path / str(number), (number, number))
    forget_oldest(str(tmp_path), 25)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["2", "3"]


def test_how_many_tasks_are_compared_is_told_until_all_are_kept(root, pieces_of_one_task):
    archive = delvecore.open(root)
    found = list(compared_first(archive, loss=None))
    assert found[0] == (0, len(found))
    assert found == [(number, len(found)) for number in range(len(found))]
    assert list(compared_first(archive, loss=None)) == []
    archive.comparisons.validate()


@pytest.mark.slow
def test_pieces_of_every_kind_of_task_come_back_from_what_is_kept(tmp_path):
    archive = delvecore.open(schemes_archive(tmp_path), cache=False)
    designs = designs_by_task(archive.tasks)
    data = read_losses(archive.losses)
    found = list(pairs.pieces_of(data, designs))
    plain = [piece for piece in found if piece.pairs.samples is None]
    assert len(plain) > 6
    assert bytes_of(found) is None  # of bootstrap samples there are too many
    facts = {"against": None, "setting": DEFAULT_SETTING}
    given = data.blocks, archive.constants
    expected, back = (
        compare_pieces(given[0], pieces, given[1], **facts)
        for pieces in (plain, pieces_from(bytes_of(plain)))
    )
    assert back.equals(expected)


def test_an_archive_keeps_its_losses_when_the_cache_moves_on(root, few_in_memory, monkeypatch, caplog):
    monkeypatch.setattr(loss_rows, "IN_MEMORY", 20)
    monkeypatch.setattr(loss_rows, "MOST_IN_BLOCK", 20)
    expected = delvecore.open(root).losses
    archive = delvecore.open(root)
    write_tree(root, {"methods/two/demo/age/std.8/loss.S.1": losses(1, 4, 2.0)})
    assert not delvecore.open(root).losses.equals(expected)
    assert archive.losses.equals(expected)
    assert not caplog.records


def test_arrays_beyond_what_may_be_in_memory_lie_in_files(tmp_path, monkeypatch):
    monkeypatch.setattr(loss_rows, "IN_MEMORY", 10)
    monkeypatch.setattr(loss_rows, "SEGMENT", 16)
    spool, arrays = Spool(str(tmp_path / "new")), [np.arange(n, n + 7.0) for n in range(5)]
    arrays.append(np.arange(40.0))  # longer than a file otherwise is
    kept = [spool.kept(array) for array in arrays]
    assert kept[0] is arrays[0]
    assert [one is array for one, array in zip(kept, arrays, strict=True)] == [True] + [False] * 5
    assert [one.tolist() for one in kept] == [array.tolist() for array in arrays]
    assert list((tmp_path / "new").iterdir()) == []  # they have no names


def test_arrays_stay_where_no_file_can_be_written(tmp_path, monkeypatch):
    monkeypatch.setattr(loss_rows, "IN_MEMORY", 0)
    (tmp_path / "file").write_text("")
    values = np.arange(3.0)
    assert Spool(str(tmp_path / "file" / "below")).kept(values) is values


def test_a_column_of_many_numbers_has_a_piece_for_rows_that_adjoin():
    together, alone = np.arange(10.0), np.array([7.0])
    rows = [together[:3], together[3:7], alone, together[7:], together[:3]]
    column = list_column(rows, most=5)
    assert [len(chunk) for chunk in column.chunks] == [2, 1, 1, 1]
    assert column.chunk(0).values.buffers()[1].address == together.ctypes.data
    assert column.to_pylist() == [row.tolist() for row in rows]


def test_no_piece_has_more_numbers_than_its_offsets_can_count(monkeypatch):
    monkeypatch.setattr(list_columns, "MOST", 4)
    values = np.arange(10.0)
    column = list_column([values[:3], values[3:4], values[4:8], values[8:]], most=0)
    assert [chunk.to_pylist() for chunk in column.chunks] == [[[0, 1, 2], [3]], [[4, 5, 6, 7]], [[8, 9]]]


def test_numbers_of_rows_are_views_within_a_piece_and_of_many_pieces_in_a_file(monkeypatch):
    pieces = [[[1.0, 2.0], [3.0]], [[], [4.0]], []]
    arrays = [pa.array(piece, pa.list_(pa.float64())) for piece in pieces]
    found = NumberLists(pa.chunked_array(arrays))
    assert found.lengths.tolist() == [2, 1, 0, 1]
    assert found.span(0, 2).ctypes.data == arrays[0].values.buffers()[1].address
    assert [found.span(start, start + 1).tolist() for start in range(4)] == [[1, 2], [3], [], [4]]
    assert found.span(1, 4).tolist() == [3, 4]
    monkeypatch.setattr(list_columns, "LARGE", 1)
    assert found.span(1, 4).tolist() == [3, 4]
    assert isinstance(found.span(1, 4).base, memoryview)
    assert found.span(4, 4).tolist() == []


def test_rows_of_a_large_table_are_chosen_without_a_copy(monkeypatch):
    table = pa.table({"row": range(6), "values": [[float(row)] for row in range(6)]})
    mask = pa.array([True, True, False, False, True, False])
    expected = table.filter(mask)
    monkeypatch.setattr(list_columns, "COPIED", 0)
    found = rows_where(table, mask)
    assert found.equals(expected)
    addresses = {chunk.values.buffers()[1].address for chunk in found["values"].chunks}
    assert addresses == {table["values"].chunk(0).values.buffers()[1].address}
    assert rows_where(table, pa.array([False] * 6)).num_rows == 0


def test_rows_of_a_large_table_change_places_without_a_copy(monkeypatch):
    table = pa.table({"row": range(6), "values": [[float(row)] for row in range(6)]})
    order = pa.array([0, 1, 4, 5, 2, 3], pa.uint64())
    expected = rows_in_order(table, order)
    assert (expected["row"].to_pylist(), expected["row"].num_chunks) == ([0, 1, 4, 5, 2, 3], 1)
    monkeypatch.setattr(list_columns, "COPIED", 0)
    found = rows_in_order(table, order)
    assert found.equals(expected)
    assert {len(chunk) for chunk in found["values"].chunks} == {2}
    monkeypatch.setattr(list_columns, "STRETCHES", 2)
    assert rows_in_order(table, order)["values"].num_chunks == 1
    assert rows_in_order(table.slice(0, 0), order.slice(0, 0)).num_rows == 0


CASES = 20_000


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> pa.Table:
    """Losses of three methods on twenty tasks, 19 MB, mapped from a cache that has a piece for each task."""
    random, base = np.random.default_rng(0), str(tmp_path_factory.mktemp("cache"))
    rows = [
        {
            "unit": "u",
            "method": f"m{method}",
            "dataset": "d",
            "prototask": "p",
            "prior": "std",
            "task": f"std.{size}",
            "training_size": size,
            "loss": "S",
            "instance": instance,
            "values": random.gamma(1.0, 1.0, CASES),
        }
        for size in range(1, 21)
        for method in range(3)
        for instance in range(2)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loss_rows, "BLOCK", CASES)
        patch.setattr(loss_rows, "IN_MEMORY", 6 * CASES)
        kept = Cache(base, [], "form", ["losses"], ["losses"])
        kept.store("state", {"losses": loss_table(rows)})
    found = kept.load("state", dict)
    assert found is not None
    return found["losses"]


def test_a_table_of_other_lists_is_kept_in_its_pieces(tmp_path):
    table = pa.table({"method": ["a", "b"], "notes": [["one", "two"], []]})
    pieces = pa.concat_tables([table, table])
    kept = Cache(str(tmp_path), [], "form", ["results"])
    kept.store("state", {"results": pieces})
    assert not list(tmp_path.rglob(f"*{SEALS}"))
    assert kept.load("state")["results"].equals(pieces)


TASKS = pa.table(
    {
        "dataset": ["d"] * 20,
        "prototask": ["p"] * 20,
        "task": [f"std.{size}" for size in range(1, 21)],
        "test_set_selection": ["hierarchical"] * 20,
    }
)


@pytest.mark.parametrize("analyse", [result_table, compare_all])
def test_memory_holds_the_losses_of_one_task_at_a_time(many, analyse):
    assert many["values"].num_chunks == 20
    block = 6 * CASES * 8
    analyse(many.slice(0, 6), TASKS, {})  # imports and tables made once
    arrow = pa.total_allocated_bytes()
    tracemalloc.start()
    try:
        found = analyse(many, TASKS, {})
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 4 * block
    assert pa.total_allocated_bytes() - arrow < block
    in_one = many.combine_chunks()
    assert in_one["values"].num_chunks == 1
    assert analyse(in_one, TASKS, {}).equals(found)
