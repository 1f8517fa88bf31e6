"""How fast is an archive of 10,000 loss files read, opened again, and opened after a change?"""

import os
import statistics
import sys
import tempfile

import delvecore
from benchmarks.made_archive import FILES, LOSSES_A_FILE, write_archive
from benchmarks.results import Finding
from benchmarks.timing import in_turns, run_command

WARM_GOAL_SECONDS = 0.100
_FRESH_OPEN = """
import os, sys, time
import pyarrow, pyarrow.compute
start = time.perf_counter()
import delvecore
archive = delvecore.open(sys.argv[1])
assert archive.results.num_rows and archive.notice is None
taken = time.perf_counter() - start
assert archive.losses.num_rows == int(sys.argv[2])
print(taken, time.perf_counter() - start)
"""
_COLD_NOTE = (
    "Medians of {rounds} turns with the files in the page cache. {count:,} files, {size:.0f} MB; `cat` is "
    "`find -type f -print0 | xargs -0 cat > /dev/null` over the same directory."
)
_WARM_NOTE = (
    "Median of {rounds} fresh processes that have imported pyarrow; the figure holds everything from `import "
    "delvecore` to all tables open, whose digests were checked; that of the losses is checked when they are "
    "first used, which the second line holds as well. Beside it: the cold read of the same turn, without a "
    "cache."
)


def measure(*, rounds: int = 5) -> list[Finding]:
    """Write the archive, read it cold and warm, change one file and open again."""
    with tempfile.TemporaryDirectory() as parent:
        root = write_archive(parent)
        os.environ["XDG_CACHE_HOME"] = os.path.join(parent, "cache")
        cold = _measure_cold(root, rounds)
        return [*_cold_findings(root, cold, rounds), *_warm_findings(root, cold["read"], rounds * 3)]


def _measure_cold(root, rounds):
    cat = ["sh", "-c", 'find "$1" -type f -print0 | xargs -0 cat > /dev/null', "sh", root]
    works = {"read": lambda: delvecore.open(root, cache=False), "cat": lambda: run_command(cat)}
    return in_turns(works, rounds=rounds)


def _cold_findings(root, cold, rounds):
    count, size = _size(root)
    note = _COLD_NOTE.format(rounds=rounds, count=count, size=size / 1e6)
    what = f"cold read of {FILES:,} loss files of {LOSSES_A_FILE} losses"
    measured = f"{cold['read']:.2f} s, {size / 1e6 / cold['read']:.0f} MB/s"
    beside = f"`cat` {cold['cat']:.2f} s, {size / 1e6 / cold['cat']:.0f} MB/s"
    return [Finding(what, measured, beside, f"{cold['cat'] / cold['read']:.0%} of cat's speed", note=note)]


def _warm_findings(root, cold_seconds, rounds):
    note = _WARM_NOTE.format(rounds=rounds)
    _fresh_open(root)
    warm, checked = map(statistics.median, zip(*(_fresh_open(root) for _ in range(rounds)), strict=True))
    changed = statistics.median(_open_after_change(root, number) for number in range(rounds))
    goal = f"{WARM_GOAL_SECONDS * 1e3:.0f} ms"
    beside = f"cold read {cold_seconds * 1e3:,.0f} ms"
    return [
        _faster("warm open of the same archive", warm, beside, cold_seconds, note, goal),
        _faster("warm open, and all losses checked", checked, beside, cold_seconds, note),
        _faster("open after one loss file changed", changed, beside, cold_seconds, note),
    ]


def _faster(what, taken, beside, beside_seconds, note, goal=""):
    reached = taken <= WARM_GOAL_SECONDS if goal else None
    ratio = f"{beside_seconds / taken:.1f}x faster"
    return Finding(what, f"{taken * 1e3:.0f} ms", beside, ratio, goal, reached, note)


def _fresh_open(root):
    """Return the seconds until the archive is open, and until its losses are checked as well."""
    opened, checked = run_command([sys.executable, "-c", _FRESH_OPEN, root, str(FILES)]).split()
    return float(opened), float(checked)


def _open_after_change(root, number):
    path = os.path.join(root, "methods", "method-3", "made-1", "target-2", "std.64", "loss.S.1")
    with open(path, "w", encoding="ascii") as file:
        file.write(f"{number + 0.5}\n" * LOSSES_A_FILE)
    return _fresh_open(root)[1]


def _size(root):
    paths = [os.path.join(place, name) for place, _, names in os.walk(root) for name in names]
    return len(paths), sum(map(os.path.getsize, paths))
