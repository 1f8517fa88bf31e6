"""Files that other programs rewrite, cut and remove while several sessions read them: the process goes on, and
each result is that of one content."""

import contextlib
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from delvecore.cache import MAPS
from tests.reliability.fuzzing import LONGEST, SHARE

SESSIONS, ROUNDS = 5, 200 if SHARE >= 1 else 10
METHODS, DATASETS = 20, 250
READER = """
import sys, threading
import delvecore
from delvecore.errors import DelveError
done = 0
def read():
    global done
    while not sys.stdin.closed and not ended.is_set():
        try:
            archive = delvecore.open([sys.argv[1]])
            losses = set(archive.results["mean"].to_pylist())
            assert len(losses) == 1, f"torn: {losses}"
            assert archive.results.num_rows == int(sys.argv[2]), f"torn: {archive.results.num_rows} rows"
            done += 1
        except DelveError as error:
            assert "\\n" not in str(error), error
        except Exception as error:
            broken.append(repr(error))
            return
ended, broken = threading.Event(), []
threads = [threading.Thread(target=read) for _ in range(int(sys.argv[3]))]
for thread in threads:
    thread.start()
print("ready", flush=True)
sys.stdin.readline()
ended.set()
for thread in threads:
    thread.join()
print(done, broken)
"""


def table(loss: int) -> bytes:
    """A score table, whose errors are all the same."""
    rows = (f"dataset-{d},method-{m},0.{loss}00000\n" for d in range(DATASETS) for m in range(METHODS))
    return ("dataset,method,error\n" + "".join(rows)).encode()


def acts(source: Path, cache: Path, chance: random.Random):
    """What other programs do to a source, and to the cache."""
    contents = [table(loss) for loss in range(1, 4)]

    def rewrite() -> None:
        source.write_bytes(chance.choice(contents))

    def cut() -> None:
        rewrite()
        os.truncate(source, 0)

    def remove() -> None:
        source.unlink(missing_ok=True)

    def empty_cache() -> None:
        shutil.rmtree(cache, ignore_errors=True)

    def replace_cache() -> None:
        """Put a copy of each file of the cache into its place."""
        for path in [*cache.rglob("*.arrow"), *cache.rglob("manifest.json")]:
            beside = path.with_suffix(".copy")
            try:
                shutil.copy(path, beside)
                beside.replace(path)
            except FileNotFoundError:
                continue

    def cut_cache() -> None:
        for path in cache.rglob("*.arrow"):
            try:
                os.truncate(path, chance.randrange(path.stat().st_size + 1))
            except FileNotFoundError:
                continue

    return [rewrite, rewrite, cut, remove, empty_cache, replace_cache], cut_cache


@pytest.mark.slow
@pytest.mark.parametrize("maps", ["yes", "no"])
def test_a_server_goes_on_while_its_sources_and_its_cache_are_changed(tmp_path: Path, maps: str):
    source, cache, chance = tmp_path / "scores.csv", tmp_path / "cache", random.Random(31)
    done, cut_cache = acts(source, cache, chance)
    if maps == "no":
        done.append(cut_cache)  # a mapped file must not be cut: a full or failing disk, or a foreign program
    source.write_bytes(table(1))
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), MAPS: maps}
    words = [sys.executable, "-c", READER, str(source), str(METHODS * DATASETS), str(SESSIONS)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with (
        (tmp_path / "errors").open("w") as errors,
        subprocess.Popen(words, env=environment, text=True, stderr=errors, **pipes) as reader,
        contextlib.ExitStack() as stack,
    ):
        stack.callback(reader.kill)
        assert reader.stdout.readline() == "ready\n"
        for _ in range(ROUNDS):
            chance.choice(done)()
            time.sleep(chance.random() / 2)
            assert reader.poll() is None, f"ended with {reader.returncode}"
        source.write_bytes(table(1))
        time.sleep(1)
        told, _ = reader.communicate("\n", timeout=LONGEST)
    count, _, broken = told.partition(" ")
    assert (reader.returncode, broken.strip()) == (0, "[]"), (tmp_path / "errors").read_text()
    assert int(count) > 0


def test_a_file_of_the_cache_that_was_cut_is_found_by_its_size(tmp_path: Path):
    from delvecore.cache import DamagedError, sealed_content

    path = tmp_path / "table.arrow"
    path.write_bytes(bytes(10_000))
    assert len(sealed_content(str(path), 10_000)) == 10_000
    os.truncate(path, 5_000)
    with pytest.raises(DamagedError):
        sealed_content(str(path), 10_000)


def test_a_file_of_the_cache_that_is_cut_while_it_is_read_ends_no_process_that_reads_it_whole(tmp_path: Path):
    program = """
import os, sys
from delvecore.cache import sealed_content
content = sealed_content(sys.argv[1], 10_000)
os.truncate(sys.argv[1], 0)
print(len(bytes(memoryview(content))))
"""
    path = tmp_path / "table.arrow"
    path.write_bytes(bytes(10_000))
    words, environment = [sys.executable, "-c", program, str(path)], {**os.environ, MAPS: "no"}
    assert subprocess.run(words, env=environment, capture_output=True, text=True).stdout == "10000\n"
