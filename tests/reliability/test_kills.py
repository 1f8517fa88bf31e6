"""kill -9 at any moment: every file is old or new, half a set is marked, the next run ends as if nothing had been."""

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

import delvecore
from delvecore.cli import delve, dgenproto, mgendata, mloss
from delvecore.parallel.processes import THREADS
from delvecore.readers.files import UNFINISHED
from delvecore.readers.hierarchy import MOVES, STAGED
from delvecore.writers.files import PART
from tests.archives import write_tree
from tests.properties.mangling import AGE, SHADE, whole_archive
from tests.reliability.fuzzing import times
from tests.reliability.killing import contents, ended, import_what_it_needs, killed_at, run_apart

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
SECONDS = 600
"""That all of it may take."""
Files = dict[str, bytes]


class Case(NamedTuple):
    """What is killed. work: done in the directory `place` below a copy of the archive; together: which files
    there change together, by a name of the set."""

    work: Callable[[], object]
    place: str
    together: Callable[[str], str]


def open_archive():
    delvecore.open("../..")


def updated():
    """Put into the cache what changed since the first opening."""
    delvecore.open("../..")
    Path("Summary").write_text("Changed again.\n")
    delvecore.open("../..")


def evaluated():
    mloss.main(["-q"])


def encoded():
    mgendata.main(["-q", "-c", "encoding"])


def learned():
    delve.main(["run", "-q", "lin-1", "/demo", "--workers", "1"])


def installed():
    delve.main(
        [
            "install",
            "-q",
            "../../../out/one-all.tar.gz",
            "../../../out/demo.tar.gz",
            "--into",
            "../../../delve-mine",
        ]
    )


def packed():
    delve.main(["pack", "-q", "--anyway", "one", "--into", "../../../out"])


def extracted():
    dgenproto.main(["-q", "../../data/demo/shade"])


CASES = {
    "open": Case(open_archive, "methods/one", str),
    "update": Case(updated, "methods/one", str),
    "mloss": Case(evaluated, "methods/one", lambda name: os.path.dirname(name)),
    "mgendata": Case(encoded, "methods/one", lambda name: os.path.dirname(name)),
    "run": Case(learned, "methods/one", str),
    "install": Case(installed, "methods/one", lambda name: "everything"),
    "pack": Case(packed, "methods/one", str),
    "dgenproto": Case(extracted, "methods/one", str),
}


@pytest.fixture
def archive(tmp_path, monkeypatch):
    """An archive to which other predictions came since its losses were made, and another encoding since its data."""
    parent = tmp_path / "archive"
    monkeypatch.setenv("DELVE_PATH", "")
    root = whole_archive(parent, monkeypatch)
    (parent / "out").mkdir()
    write_tree(parent / "delve-mine", {"data/.keep": "", "methods/.keep": ""})
    assert delve.main(["pack", "-q", "--anyway", "one", "--into", str(parent / "out")]) == 0
    assert delve.main(["pack", "-q", "--anyway", "--data", "demo", "--into", str(parent / "out")]) == 0
    predictions = {f"{AGE}/cguess.{n}": "1\n-2\n0\n3\n" for n in range(2)}
    changed = {f"{SHADE}/prob.0": "0.25 0.5 0.25\n" * 6, "methods/one/Summary": "Another.\n"}
    write_tree(root, predictions | changed)
    return parent


def test_whatever_is_killed_loses_nothing_and_leaves_nothing(archive, tmp_path):
    # A process of its own, which has a single thread, forks: of several one may hold a lock that stays held.
    words = [sys.executable, "-m", __name__, str(archive), str(tmp_path / "scratch")]
    environment = {**os.environ, **dict.fromkeys(THREADS, "1"), "PYTHONPATH": str(ROOT)}
    told = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=SECONDS)
    assert (told.returncode, told.stdout) == (0, ""), told.stderr[-2000:]


def check(archive: Path, scratch: Path, name: str, case: Case) -> None:
    """Kill a work at many moments; print what is wrong then."""
    place = scratch / name
    at(archive, place, case.place)
    import_what_it_needs(case.work, scratch / "modules")
    old = at(archive, place, case.place)
    seconds = finish(case)
    new = state(place)
    assert new != old
    for number in times(1_000):
        at(archive, place, case.place)
        killed_at(case.work, seconds * 1.1, random.Random(number))
        if strange := wrong(place, old, new, case):
            print(f"{name}, moment {number}: {strange}")
        finish(case)
        if state(place) != new:
            print(f"{name}, moment {number}: the next run does not end it")


def at(archive: Path, place: Path, inside: str) -> Files:
    """Copy the archive with times, go into a directory of the copy, and return the files that are there."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(archive, place)
    os.chdir(place / "delve-small" / inside)
    os.environ["XDG_CACHE_HOME"] = str(place / "cache")
    tempfile.tempdir = str(place / "temporary")
    (place / "temporary").mkdir()
    return state(place)


def finish(case: Case) -> float:
    started = time.perf_counter()
    assert ended(run_apart(case.work)) == 0
    return time.perf_counter() - started


def state(place: Path) -> Files:
    """The files, without what tells times; of the cache, which depends on times, how many files there are."""
    files = contents(place)
    cached = [name for name in files if name.startswith("cache/")]
    kept = {name: data for name, data in files.items() if name not in cached and not name.endswith("/Costs")}
    return kept | {"cached": str(sorted(map(os.path.basename, cached))).encode()}


def wrong(place: Path, old: Files, new: Files, case: Case) -> list[str]:
    """What is neither old nor new nor marked, after a kill?"""
    files = state(place)
    folders = {os.path.dirname(name) for name in files if os.path.basename(name) == UNFINISHED}
    is_moving = any(STAGED in name and os.path.basename(name) == MOVES for name in files)
    ages: dict[str, set[str]] = {}
    for name in old.keys() | new.keys():
        if old.get(name) != new.get(name) and name != "cached":
            age = (
                "old"
                if files.get(name) == old.get(name)
                else "new"
                if files.get(name) == new.get(name)
                else "torn"
            )
            ages.setdefault(case.together(name), set()).add(grown(files.get(name), new.get(name), age))
            if os.path.dirname(name) in folders or is_moving:
                ages[case.together(name)] -= {"new"}
    strange = [name for name in files.keys() - old.keys() - new.keys() if not is_litter(name)]
    return strange + [name for name, seen in ages.items() if len(seen) > 1 or "torn" in seen]


def grown(content: bytes | None, new: bytes | None, age: str) -> str:
    """The records of a run grow line by line: fewer lines of what is new are whole too."""
    is_part = content is not None and new is not None and set(content.split(b"\n")) <= set(new.split(b"\n"))
    return "new" if age == "torn" and is_part else age


def is_litter(name: str) -> bool:
    """Is it what the next run removes?"""
    first = name.split("/")[0]
    hidden = name.endswith(PART) or STAGED in name or os.path.basename(name) == UNFINISHED
    return hidden or first in ("cache", "temporary")


def main(archive: Path, scratch: Path) -> None:
    os.sync = os.fsync = lambda *_: None  # a kill loses nothing that was written
    scratch.mkdir()
    for name, case in CASES.items():
        check(archive, scratch, name, case)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
