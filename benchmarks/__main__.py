"""Run a benchmark: `python -m benchmarks NAME [--quick] [--write]`.

`--quick` measures once and small, and only shows that the benchmark works. Some benchmarks have options of
their own: `python -m benchmarks NAME --help`.
"""

import argparse
import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import delvecore
from benchmarks.support import RESULTS, Finding, machine_facts, markdown_table


class Benchmark(NamedTuple):
    """A benchmark that returns findings.

    Attributes
    ----------
    module, function : str
        Where it is.
    quick : mapping
        Arguments of a quick run.
    """

    module: str
    function: str
    quick: Mapping[str, float]


BENCHMARKS = {
    "reading": Benchmark("reading", "measure_reading", {"rounds": 1}),
    "scores": Benchmark("reading", "measure_score_tables", {"rows": 20_000}),
    "large-losses": Benchmark("reading", "measure_large_losses", {"losses": 1_000_000}),
    "first-start": Benchmark("visitor", "measure_first_start", {"rounds": 1}),
    "commands": Benchmark("starts", "measure_commands", {"rounds": 1}),
    "many-methods": Benchmark("starts", "measure_many_methods", {"methods": 20, "tasks": 40}),
    "load": Benchmark("hosted", "measure_load", {"minutes": 0.05, "crowds": 1, "acts": 16, "many": 3}),
}
"""In the order of `RESULTS.md`."""
PROGRAMS = {
    "error-rates": "error_rates.main",
    "hosted": "hosted.main",
    "experiment": "experiment_overhead.main",
    "like": "similar_tasks.main",
    "proben1": "proben1.main",
    "significance": "proben1.print_significance",
}
"""Benchmarks with options of their own."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a benchmark; return 1 if it misses a goal."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words and words[0] in PROGRAMS:
        module, _, function = PROGRAMS[words[0]].partition(".")
        program: Callable[[Sequence[str]], int] = _imported(module, function)
        return program(words[1:])
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("name", choices=[*BENCHMARKS, *PROGRAMS], metavar="NAME", help="%(choices)s")
    parser.add_argument("--quick", action="store_true", help="once and small; goals do not count")
    parser.add_argument("--write", action="store_true", help=f"put the table into {RESULTS.name}")
    options = parser.parse_args(words)
    module, function, quick = BENCHMARKS[options.name]
    facts = machine_facts()
    findings: list[Finding] = _imported(module, function)(**(quick if options.quick else {}))
    text = _section(options.name, facts, findings)
    print(text)
    if options.write:
        RESULTS.write_text(with_section(RESULTS.read_text(encoding="utf-8"), text), encoding="utf-8")
    return 1 if not options.quick and any(one.reached is False for one in findings) else 0


def _imported(module: str, function: str):
    return getattr(importlib.import_module(f"benchmarks.{module}"), function)


def _section(name: str, facts: Sequence[str], findings: Sequence[Finding]) -> str:
    heading = f"DELVE for the browser {delvecore.__version__}, {datetime.now(UTC).date().isoformat()}"
    return "\n".join(
        [f"## {name}", "", heading, "", *(f"- {fact}" for fact in facts), "", markdown_table(findings)]
    )


def with_section(page: str, text: str) -> str:
    """Return a page with the section of a benchmark replaced."""
    start, *parts = page.split("\n## ")
    sections = {part.partition("\n")[0]: part for part in (*parts, text.removeprefix("## "))}
    return start + "".join(f"\n## {sections[name].rstrip()}\n" for name in BENCHMARKS if name in sections)


if __name__ == "__main__":
    sys.exit(main())
