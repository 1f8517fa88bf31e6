"""How long does the archive that ships with the project take to open: with an empty cache, and again?"""

import os
import shutil
import statistics
import sys
import tempfile

import delvecore
from benchmarks.results import Finding
from benchmarks.timing import run_command, seconds

_FRESH_OPEN = """
import time
import pyarrow, pyarrow.compute
start = time.perf_counter()
import delvecore
archive = delvecore.open()
taken = time.perf_counter() - start
assert archive.notice is None
print(taken)
"""
_NOTE = (
    "Medians of {rounds} turns, each in a fresh process that has imported pyarrow, of `delvecore.open()`: "
    "{datasets} datasets, {generated} of them simulated, {results:,} results of {methods} methods, "
    "{losses:,} instances with losses. Beside it: all files read by `cat`, the packed ones unpacked by "
    "`gzip -dc`, without looking at them."
)
_UNPACK = (
    'for place in "$@"; do find "$place" -type f -name "*.gz" -print0 | xargs -0 -r gzip -dc > /dev/null; '
    'find "$place" -type f ! -name "*.gz" -print0 | xargs -0 -r cat > /dev/null; done'
)


def measure(*, rounds: int = 3) -> list[Finding]:
    """Open it with nothing in the cache, with simulated cases alone, and with everything."""
    taken: dict[str, list[float]] = {"empty": [], "cases": [], "warm": [], "unpacked": []}
    with tempfile.TemporaryDirectory() as parent:
        for _ in range(rounds):
            for name, took in _one_turn(os.path.join(parent, "cache")).items():
                taken[name].append(took)
        note = _note(rounds, delvecore.open())
    median = {name: statistics.median(values) for name, values in taken.items()}
    return [
        _finding("archive opened, nothing in the cache", median["empty"], median["unpacked"], note),
        _finding("archive opened, simulated cases in the cache", median["cases"], median["unpacked"], note),
        _finding("archive opened again", median["warm"], median["unpacked"], note),
    ]


def _one_turn(cache):
    os.environ["XDG_CACHE_HOME"] = cache
    shutil.rmtree(cache, ignore_errors=True)
    found = {"empty": _fresh_open()}
    for name in os.listdir(os.path.join(cache, "delve")):
        if name != "generated":
            shutil.rmtree(os.path.join(cache, "delve", name))
    found["cases"] = _fresh_open()
    found["warm"] = statistics.median(_fresh_open() for _ in range(5))
    roots = delvecore.open().paths
    found["unpacked"] = seconds(lambda: run_command(["sh", "-c", _UNPACK, "sh", *roots]))
    return found


def _fresh_open():
    return float(run_command([sys.executable, "-c", _FRESH_OPEN]))


def _note(rounds, archive):
    roots = archive.paths
    generated = sum(
        os.path.isfile(os.path.join(root, "data", name, "Dataset.generator"))
        for name in archive.datasets["dataset"].to_pylist()
        for root in roots
    )
    return _NOTE.format(
        rounds=rounds,
        datasets=archive.datasets.num_rows,
        generated=generated,
        results=archive.results.num_rows,
        methods=archive.methods.num_rows,
        losses=archive.losses.num_rows,
    )


def _finding(what, own, beside, note):
    ratio = f"{own / beside:.1f}x as long" if own > beside else f"{beside / own:.1f}x faster"
    return Finding(what, f"{own:.2f} s", f"`gzip` and `cat` {beside:.2f} s", ratio, note=note)
