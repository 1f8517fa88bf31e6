"""What benchmarks share: findings and their table, times and memory, facts about the machine."""

import gc
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

# Findings


RESULTS = Path(__file__).with_name("RESULTS.md")
_HEADINGS = ("what", "this project", "beside it", "ratio", "goal", "reached")


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report.

    measured, beside: figures with their units, as text; ratio: how the two relate, as text; goal: what was
    aimed at; reached: yes or no, None where there is no goal; note: how it was measured.
    """

    what: str
    measured: str
    beside: str = ""
    ratio: str = ""
    goal: str = ""
    reached: bool | None = None
    note: str = ""


def skipped(what: str, reason: str) -> Finding:
    """Return the line for something that could not be measured here."""
    return Finding(what, "not measured", note=reason)


def markdown_table(findings: Iterable[Finding]) -> str:
    """Return the findings as a Markdown table with their notes below."""
    findings = list(findings)
    lines = [_row(_HEADINGS), _row(["---"] * len(_HEADINGS))]
    notes: dict[str, int] = {}
    for finding in findings:
        mark = f" [{notes.setdefault(finding.note, len(notes) + 1)}]" if finding.note else ""
        reached = {True: "yes", False: "**no**", None: ""}[finding.reached]
        lines.append(
            _row(
                [finding.what + mark, finding.measured, finding.beside, finding.ratio, finding.goal, reached]
            )
        )
    lines += ["", *(f"[{number}] {note}" + "  " for note, number in notes.items())]
    return "\n".join(lines) + "\n"


def section_of(name: str) -> str:
    """Return what `benchmarks/RESULTS.md` has of a benchmark."""
    return RESULTS.read_text(encoding="utf-8").partition(f"\n## {name}\n")[2].partition("\n## ")[0]


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


# Times and memory


def seconds(work: Callable[[], object]) -> float:
    """How long does one call take? Garbage is collected before, not during the call."""
    gc.collect()
    gc.disable()
    try:
        start = time.perf_counter()
        work()
        return time.perf_counter() - start
    finally:
        gc.enable()


def in_turns(works: Mapping[str, Callable[[], object]], *, rounds: int) -> dict[str, float]:
    """Return the median seconds of each piece of work over rounds in which each is done once.

    One round before the measured ones warms the caches.
    """
    for work in works.values():
        work()
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            taken[name].append(seconds(work))
    return {name: statistics.median(values) for name, values in taken.items()}


def run_command(command: Sequence[str], **options: object) -> str:
    """Run a command to its end and return what it printed; CalledProcessError if it fails."""
    done = subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True, **options)
    return done.stdout.decode()


class Costs(NamedTuple):
    """What a process took: seconds, those of the processor, and the most memory in MB."""

    seconds: float
    processor: float
    megabytes: float


def costs_of(command: Sequence[str], **environment: str) -> Costs:
    """Run a command to its end in silence; return what it took. Raises CalledProcessError if it fails."""
    started, quiet = time.perf_counter(), subprocess.DEVNULL
    environment = {**os.environ, **environment}
    process = subprocess.Popen(command, env=environment, stdin=quiet, stdout=quiet, stderr=quiet)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Costs(time.perf_counter() - started, used.ru_utime + used.ru_stime, megabytes(used))


def megabytes(usage: resource.struct_rusage) -> float:
    """Return the most memory that was resident, in MB."""
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6


# The machine


LIBRARIES = ("numpy", "scipy", "pyarrow", "pandas", "streamlit", "plotly", "playwright")


def machine_facts() -> list[str]:
    """Return lines on the processor, the load, the system and the versions."""
    libraries = ", ".join(f"{name} {_version(name)}" for name in LIBRARIES)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return [
        f"{os.cpu_count()} cores, {_processor()}; load average at the start {load:.1f}",
        f"{platform.system()} {platform.machine()}, {python}",
        libraries,
    ]


def _version(name):
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _processor():
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as facts:
            names = [line.partition(":")[2].strip() for line in facts if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or "unknown processor"
