"""Whatever happens to the files of the cache, the answer is that of a fresh reading; what archive files hold
counts only while they are the same."""

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import delvecore
from delvecore import cache
from delvecore.archive.snapshot import take_snapshot
from delvecore.readers import tar_archives
from delvecore.simulators.simulate import build_file
from tests.archives import contents, small_archive
from tests.generated_dataset import LINES, calls, generated
from tests.packed import pack_tree

__all__ = ["calls", "generated"]


def flip(data: bytearray, chance: random.Random) -> None:
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def swap(data: bytearray, chance: random.Random) -> None:
    """Swap two words of eight bytes that differ, where there are any."""
    places = range(0, len(data) - 7, 8)
    one = chance.choice(places)
    others = [place for place in places if data[place : place + 8] != data[one : one + 8]] or [one]
    other = chance.choice(others)
    data[one : one + 8], data[other : other + 8] = data[other : other + 8], data[one : one + 8]


def cut(data: bytearray, chance: random.Random) -> None:
    del data[chance.randrange(len(data)) :]


Damage = Callable[[bytearray, random.Random], None]


@pytest.fixture
def packed_root(tmp_path: Path) -> Path:
    """The small archive, one method of which lies in an archive file, opened once."""
    root = small_archive(tmp_path)
    pack_tree(root / "methods" / "one", root / "methods" / "one.tar.gz")
    shutil.rmtree(root / "methods" / "one")
    delvecore.open(root).cases("demo")
    return root


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Know nothing and have said nothing, as a new process."""
    cache.say_damaged.cache_clear()
    monkeypatch.setattr(tar_archives, "_indexes", {})
    tar_archives._top_of.cache_clear()
    tar_archives._content_of.cache_clear()


@pytest.mark.parametrize("damage", [flip, swap, cut])
@pytest.mark.parametrize("kind", ["archives/*/*/*", "indexes/*"])
@pytest.mark.slow
def test_a_damaged_cache_gives_what_a_fresh_reading_gives(
    packed_root: Path, tmp_path: Path, damage: Damage, kind: str, monkeypatch, caplog
):
    fresh, chance = delvecore.open(packed_root, cache=False), random.Random(12)
    expected, cases = contents(fresh), fresh.cases("demo").to_pylist()
    for path in sorted((tmp_path / "cache/delve").glob(kind)):
        sound = path.read_bytes()
        data = bytearray(sound)
        damage(data, chance)
        path.write_bytes(data)
        forget(monkeypatch)
        caplog.clear()
        archive = delvecore.open(packed_root)
        assert (contents(archive), archive.cases("demo").to_pylist()) == (expected, cases), path
        told = [record.getMessage().split(":")[0] for record in caplog.records]
        assert told == [str(path if kind[0] == "i" else path.parent)]
        assert path.read_bytes() == sound, path


@pytest.mark.parametrize("damage", [flip, swap, cut])
@pytest.mark.slow
def test_damaged_generated_cases_are_made_anew(generated, tmp_path, damage: Damage, calls, caplog):
    archive = delvecore.open(generated)
    unit = take_snapshot([str(generated)], report=pytest.fail).datasets["twice"]
    source = unit.files["Dataset.generator"]
    generator = delvecore.readers.dataset.read_generator(unit.files)
    path, chance = Path(build_file(generator, source)), random.Random(12)
    for count in range(1, 21):
        data = bytearray(LINES.encode())
        damage(data, chance)
        path.write_bytes(data)
        cache.say_damaged.cache_clear()
        assert Path(build_file(generator, source)).read_text() == LINES
        assert len(calls) == 1 + count
        assert len(caplog.records) == count
    assert archive.problems.num_rows == 0


def refuse(*arguments, **options):
    raise AssertionError("an archive file was unpacked")


def test_a_second_opening_unpacks_nothing(packed_root, monkeypatch):
    first = delvecore.open(packed_root)
    forget(monkeypatch)
    for name in ("index_archive", "read_content", "read_top"):
        monkeypatch.setattr(tar_archives, name, refuse)
    second = delvecore.open(packed_root)
    assert second.results.num_rows > 0
    assert second.results.equals(first.results)
    assert second.state == first.state


def test_a_kept_value_is_made_once_for_a_state_and_again_if_it_is_damaged_or_cannot_be_written(tmp_path):
    path, made = str(tmp_path / "below" / "value"), []

    def value(state, path=path):
        return cache.kept(path, state, lambda: made.append(state) or {"number": len(made)})

    assert [value("one"), value("one"), value(["two", 2]), value(["two", 2])] == [
        {"number": 1},
        {"number": 1},
        {"number": 2},
        {"number": 2},
    ]
    Path(path).write_bytes(Path(path).read_bytes()[:-1])
    assert value(["two", 2]) == {"number": 3}
    cache.write_checked(path, {"number": 9})  # as an earlier version wrote it
    assert value("one") == {"number": 4}
    made.clear()
    blocked = tmp_path / "file"
    blocked.write_text("")
    for place in (None, str(blocked / "value")):
        value("one", place)
        value("one", place)
    assert made == ["one"] * 4
