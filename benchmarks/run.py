"""Measure in one run and print it as Markdown: `python -m benchmarks.run [PART ...] [--write [FILE]]`.

`--smoke` runs what takes seconds, once and small, and says only whether it works.
"""

import argparse
import importlib
import multiprocessing
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import delvecore
from benchmarks.machine import machine_facts
from benchmarks.results import Finding, markdown_table, skipped

PARTS = {
    "reading": "benchmarks.reading",
    "scores": "benchmarks.score_tables",
    "encoding": "benchmarks.encoding",
    "memory": "benchmarks.memory",
    "importing": "benchmarks.importing",
    "pairs": "benchmarks.pairs",
    "ranking": "benchmarks.ranking",
    "leaderboards": "benchmarks.leaderboards",
    "start-up": "benchmarks.start_up",
    "first-start": "benchmarks.first_start",
    "pages": "benchmarks.pages",
    "scale": "benchmarks.scale",
    "generators": "benchmarks.generators",
    "runner": "benchmarks.runner",
    "archive": "benchmarks.archive",
    "arrays-page": "benchmarks.arrays_page",
    "cluster": "benchmarks.cluster",
    "load": "benchmarks.load",
    "large-losses": "benchmarks.large_losses",
}
SMOKE: dict[str, dict[str, int]] = {
    "reading": {"rounds": 1},
    "scores": {"rows": 20_000},
    "encoding": {"rounds": 1},
    "memory": {"cases": 20_000},
    "importing": {"size": 1_000_000},
    "leaderboards": {"rounds": 1},
    "start-up": {"rounds": 1},
    "first-start": {"rounds": 1},
}
"""The parts of a smoke run, and how little each of them does in it."""
WRITTEN = Path(__file__).with_name("RESULTS.md")
_INTRODUCTION = """# Benchmarks

Made by `python -m benchmarks.run%s --write`.
A plain way of doing the same work stands beside a figure where there is one, measured in turns in the same
run; read the ratios, for the times are those of one machine on one day.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the parts asked for, all by default; return 1 if a goal was missed."""
    parser = _parser()
    options = parser.parse_args(arguments)
    unknown = [part for part in options.parts if part not in PARTS]
    if unknown:
        parser.error(f"expected parts among {', '.join(PARTS)}, found {unknown[0]!r}")
    if options.smoke:
        return _smoke(options.parts or list(SMOKE))
    facts = machine_facts()
    findings = [found for part in options.parts or PARTS for found in _measured_alone(part)]
    report = _report(options.parts, facts, findings)
    print(report, end="")
    if options.write:
        options.write.write_text(report, encoding="utf-8")
    return 1 if any(found.reached is False for found in findings) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__)
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"some of {', '.join(PARTS)}; all by default"
    )
    parser.add_argument(
        "--smoke", action="store_true", help=f"only see that {', '.join(SMOKE)} work: once each, and small"
    )
    parser.add_argument(
        "--write",
        nargs="?",
        type=Path,
        const=WRITTEN,
        metavar="FILE",
        help=f"write a file, too; without its name {WRITTEN.name} beside this one",
    )
    return parser


def _smoke(parts: Sequence[str]) -> int:
    """Run parts small and print how much each found; goals do not count, a part that finds nothing fails."""
    counts = {part: len(_measured_alone(part, **SMOKE.get(part, {}))) for part in parts}
    print("\n".join(f"{part}: {count} findings" for part, count in counts.items()))
    return 0 if all(counts.values()) else 1


def _measured_alone(part: str, **sizes: int) -> list[Finding]:
    """Measure a part in a process of its own: memory that other parts left behind would slow it down, and the
    peak of a program that it starts is at least its own size."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as alone:
        return alone.submit(_measure, part, sizes).result()


def _measure(part: str, sizes: Mapping[str, int]) -> list[Finding]:
    """Return what a part finds; a line with the reason where a library that only it needs is missing."""
    print(f"measuring {part} ...", file=sys.stderr)
    try:
        module = importlib.import_module(PARTS[part])
    except ModuleNotFoundError as error:
        if error.name != "playwright":
            raise
        return [skipped(part, "playwright is not installed: pip install -e '.[test]'.")]
    return module.measure(**sizes)


def _report(parts: Sequence[str], facts: Sequence[str], findings: Sequence[Finding]) -> str:
    day = datetime.now(UTC).date().isoformat()
    heading = f"DELVE for the browser {delvecore.__version__}, {day}"
    introduction = _INTRODUCTION % "".join(f" {part}" for part in parts)
    lines = [introduction, heading, "", *(f"- {fact}" for fact in facts), "", markdown_table(findings)]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
