"""How often does a test find a difference where there is none? `python -m benchmarks.error_rates [--write]`.

Tables are drawn in which all methods are alike; every test is made by the functions that `delve rank` uses.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from scipy.stats import binom

import delvecore
from benchmarks import error_rates_of_pairs, error_rates_of_tables
from benchmarks.error_rate import ALPHA, CONFIDENCE, TABLES, ErrorRate

__all__ = ["main"]

WRITTEN = Path(__file__).parent.parent / "docs" / "error-rates.md"
_INTRODUCTION = """# Error rates of the tests over many tasks

Made by `python -m benchmarks.error_rates --write`. {tables:,} tables were drawn for each line in which no
method is better than another (every task has a difficulty of its own); *rate* is the share of them in which
the test found a difference at {alpha:g}. For tests of all pairs that is any difference: the familywise rate.
An interval that misses the truth counts like a test that errs.

*level* is what the test promises, and *interval* where the rate of {tables:,} tables then lies with
probability {confidence:g} (binomial). There are three kinds:

- **nominal**: the level is alpha, exactly or, for tests by the chi-square, F or normal distribution, nearly
  so with as many tasks as stand there. Bonferroni and Dunn's tests share the control, for which they do not
  allow: their level is lower, and computed by integration;
- **attainable**: counts and ranks of few tasks take certain values only. The level is the probability of all
  those that the test calls different, computed and not simulated: at most alpha for an exact test;
- **at most**: the test keeps alpha whatever its parts depend on, and may err less; the lower end is 0.

DELVE's quasi-F test is an approximation whose level depends on what varies. Its line stands for training sets
and test cases whose variances are each 0.09 of the rest's. With all three alike and only 4 training
sets and 64 cases it finds 0.059, and 0.023 where neither training sets nor cases matter (8 and 256).

With {lines} lines, about {expected:.1f} of the rates would lie outside of their intervals if all levels were
exact.
"""


@dataclass(frozen=True)
class _Judged:
    rate: float
    low: float
    high: float
    within: bool


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate all tests; return 1 if a rate lies outside its interval."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.error_rates", description=__doc__)
    parser.add_argument("--tables", type=int, default=TABLES, metavar="N", help="how many (default: 10000)")
    parser.add_argument("--write", action="store_true", help=f"write docs/{WRITTEN.name}, too")
    options = parser.parse_args(arguments)
    found = []
    for part in (error_rates_of_tables.measure, error_rates_of_pairs.measure):
        found += _said(part, options.tables)
    judged = [_judge(one, options.tables) for one in found]
    report = _report(found, judged, options.tables)
    print(report, end="")
    if options.write:
        WRITTEN.write_text(report, encoding="utf-8")
    return 0 if all(one.within for one in judged) else 1


def _said(part: Callable[[int], list[ErrorRate]], tables: int) -> list[ErrorRate]:
    print(f"simulating {part.__module__} ...", file=sys.stderr)
    return part(tables)


def _judge(found: ErrorRate, tables: int) -> _Judged:
    half = (1 - CONFIDENCE) / 2
    low, high = (float(binom.ppf(q, tables, found.level)) / tables for q in (half, 1 - half))
    if found.kind == "at most":
        low = 0.0
    rate = float(np.mean(found.rejected))
    return _Judged(rate, low, high, low <= rate <= high)


def _report(found, judged, tables):
    lines = [
        _INTRODUCTION.format(
            tables=tables,
            alpha=ALPHA,
            confidence=CONFIDENCE,
            lines=len(found),
            expected=len(found) * (1 - CONFIDENCE),
        ),
        f"DELVE for the browser {delvecore.__version__}, {datetime.now(UTC).date().isoformat()}. "
        f"Within: {sum(one.within for one in judged)} of {len(judged)}.",
        "",
        "| test | tables | kind | level | rate | interval | within |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for one, rate in zip(found, judged, strict=True):
        cells = [one.test, one.tables, one.kind, f"{one.level:.4f}", f"{rate.rate:.4f}"]
        cells += [f"{rate.low:.4f} to {rate.high:.4f}", "yes" if rate.within else "**no**"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
