"""No small file makes a reader use much memory: what it multiplies has a limit, which is told."""

import subprocess
import sys
from pathlib import Path

import pytest

from dashboard.server import uploads
from delvecore.errors import MOST_FAULTS, Faults, ParseError
from tests.archives import AGE, DATASET, small_archive, write_tree

MEGABYTES = 1000
OF_A_SESSION = 3000
"""Megabytes that the server has while it reads all that a visitor may add; it reads that of one at a time."""
OPEN = f"""
import re, resource, sys
import delvecore, delvecore.archive.building
from delvecore.stats.ranking.analysis import analyze
import numpy
from delvecore.stats.ranking.score_table import ScoreTable
size = int(re.search(r"VmSize:\\s+(\\d+)", open("/proc/self/status").read())[1]) * 1024
resource.setrlimit(resource.RLIMIT_AS, (size + {MEGABYTES} * 2**20,) * 2)
"""
PROBLEMS = "print(*delvecore.open(sys.argv[1], cache=False).problems['message'].to_pylist(), sep='\\n')"

TASK = "demo/age/std.8"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is measured on Linux"),
]


def limited(program: str, *arguments: object) -> list[str]:
    """What a program prints, line by line, that may use MEGABYTES more than it has when everything is imported."""
    command = [sys.executable, "-c", OPEN + program, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()


def test_ranges_that_name_millions_of_values_are_refused(tmp_path):
    lines = "".join(f"{number} A{number} u 1..10000\n" for number in range(6, 2000))
    root = small_archive(tmp_path)
    write_tree(root, {"data/demo/Dataset.spec": DATASET + lines})
    line_list = [line for line in limited(PROBLEMS, root) if "Dataset.spec" in line]
    assert line_list[0].endswith(
        "Dataset.spec:110: expected at most 1000000 values in all ranges, found more; give numbers an interval such as [1,10000]"
    )


def test_thousands_of_faulty_lines_are_told_in_part(tmp_path):
    root = small_archive(tmp_path)
    write_tree(root, {"data/demo/age/Prototask.spec": AGE + "x\n" * 60_000})
    lines = [line for line in limited(PROBLEMS, root) if "Prototask.spec" in line]
    assert len(lines) == MOST_FAULTS + 1
    assert f"Prototask.spec: expected at most {MOST_FAULTS} faults, found 59" in lines[-1]


def test_training_sizes_are_limited(tmp_path):
    root = small_archive(tmp_path)
    sizes = " ".join(map(str, range(1, 500_001)))
    write_tree(root, {"data/demo/age/Prototask.spec": AGE.replace("Sizes: 4 8", f"Sizes: {sizes}")})
    lines = [line for line in limited(PROBLEMS, root) if "Prototask.spec" in line]
    assert lines[0].endswith("Prototask.spec:7: expected at most 1000 numbers, found 500000; remove some")


def test_the_methods_of_a_score_table_are_limited():
    program = """
names = [f"m{n}" for n in range(1_000_000)]
try:
    analyze(ScoreTable(["t", "u"], names, numpy.ones((2, 1_000_000))))
except ValueError as error:
    print(error)
"""
    assert limited(program) == ["expected at most 2000 methods, got 1000000; choose some"]


def test_what_a_visitor_may_add_at_most_is_read_in_bounded_memory(tmp_path):
    root = small_archive(tmp_path)
    own = write_tree(tmp_path / "delve-added", {"data/.keep": "", f"methods/mine/{TASK}/Costs": ""})
    for number in range(uploads.LIMITS.total_bytes // uploads.LIMITS.file_bytes):
        path = own / f"methods/mine/{TASK}/loss.S.{number}"
        path.write_bytes(b"1\n" * (uploads.LIMITS.file_bytes // 2))  # the most numbers
    program = (
        "import delvecore, resource, sys; delvecore.open(sys.argv[1], cache=False).beside([sys.argv[2]])"
    )
    program += "; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    command = [sys.executable, "-c", program, str(root), str(own)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    assert int(done.stdout) < OF_A_SESSION << 10


def test_faults_behind_the_last_one_are_counted():
    faults = Faults()
    for number in range(MOST_FAULTS + 5):
        faults.append(ParseError("f", number, "this", "that"))
    assert [str(fault) for fault in faults[-2:]] == [
        f"f:{MOST_FAULTS - 1}: expected this, found that",
        f"f: expected at most {MOST_FAULTS} faults, found 5 more; fix the first ones",
    ]
