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
from benchmarks import (
    error_rates_of_common_tests,
    error_rates_of_overlaps,
    error_rates_of_pairs,
    error_rates_of_questions,
    error_rates_of_rankings,
    error_rates_of_schemes,
    error_rates_of_tables,
    error_rates_of_units,
    error_rates_of_verdicts,
)
from benchmarks.error_rate import ALPHA, CONFIDENCE, TABLES, ErrorRate

__all__ = ["main"]

WRITTEN = Path(__file__).parent.parent / "docs" / "error-rates.md"
_INTRODUCTION = """# Error rates of the tests over many tasks

Made by `python -m benchmarks.error_rates --write`. {tables:,} tables were drawn for each line in which no
method is better than another (every task has a difficulty of its own); *rate* is the share of them in which
the test found a difference at {alpha:g}. For tests of all pairs that is any difference: the familywise
rate. An interval that misses the truth counts like a test that errs. Answers to further questions that need
a bootstrap or a posterior promise 0.06, as nothing of them is exact. Lines of learners have half as many
tables.

*level* is what the test promises, and *interval* where the rate of so many tables then lies with
probability {confidence:g} (binomial). There are three kinds:

- **nominal**: the level is alpha, exactly or, for tests by the chi-square, F or normal distribution, nearly
  so with as many tasks as stand there. Bonferroni and Dunn's tests share the control, for which they do not
  allow: their level is lower, and computed by integration;
- **attainable**: counts and ranks of few tasks take certain values only. The level is the probability of all
  those that the test calls different, computed and not simulated: at most alpha for an exact test;
- **at most**: the test keeps alpha whatever its parts depend on, and may err less; the lower end is 0.

Lines *corrected for overlap* are of learners that are equally good on average, each on its half of the
inputs, trained and tested on instances that share cases: ridge regression, the mean of three nearest
neighbours, and trees; with *two classes* guesses are right or wrong. They promise 0.06. *uncorrected* is
the rate of the same test for instances that share none; *power* is the share of tables in which a learner
is found worse whose inputs tell 0.4 times as much. Not among them, because no
share of cases tells it: a tree of one split with two classes, which a single case can turn round, errs more
where many small test sets are trained on nearly the same cases (20-fold of 100 cases: 0.074; leave-one-out of
50 cases: 0.2). Leave-one-out, and 20 folds or more, of losses 0 or 1 are therefore not tested; 10 folds are
(0.058 to 0.062). The same learners are compared by *percentiles* of bootstrap samples.

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
    parser.add_argument(
        "--tables", type=int, default=TABLES, metavar="N", help=f"how many (default: {TABLES})"
    )
    parser.add_argument("--write", action="store_true", help=f"write docs/{WRITTEN.name}, too")
    meaning = "simulate the verdicts of rankings only, and write their section"
    parser.add_argument("--rankings", action="store_true", help=meaning)
    options = parser.parse_args(arguments)
    if options.rankings:
        return _rankings(options.tables, write=options.write)
    found = []
    parts = (error_rates_of_tables, error_rates_of_pairs, error_rates_of_questions, error_rates_of_overlaps)
    for part in (one.measure for one in (*parts, error_rates_of_schemes)):
        found += _said(part, options.tables)
    judged = [_judge(one) for one in found]
    common = error_rates_of_common_tests.measure(options.tables)
    report = _report(found, judged, options.tables)
    report += "\n" + error_rates_of_common_tests.section(common, options.tables)
    half = max(options.tables // 2, 1)
    settled = error_rates_of_verdicts.measure(options.tables)
    report += "\n" + error_rates_of_verdicts.section(settled, options.tables)
    ranked = error_rates_of_rankings.measure(max(options.tables // 4, 1))
    report += "\n" + error_rates_of_rankings.section(ranked)
    report += "\n" + error_rates_of_units.section(half)
    print(report, end="")
    if options.write:
        WRITTEN.write_text(report, encoding="utf-8")
    held = all(one.within for one in judged) and all(rates.holds for _, rates in (*common, *settled))
    held = held and all(one.holds for one in ranked)
    return 0 if held else 1


def _rankings(tables: int, *, write: bool) -> int:
    """Simulate the verdicts of rankings, and put their section in the place of the one that is written."""
    found = error_rates_of_rankings.measure(max(tables // 4, 1))
    section = error_rates_of_rankings.section(found)
    print(section, end="")
    if write:
        parts = WRITTEN.read_text(encoding="utf-8").split("\n## ")
        title = section.removeprefix("## ")
        same = [part for part in parts if part.partition("\n")[0] == title.partition("\n")[0]]
        place = parts.index(same[0]) if same else len(parts)
        parts[place : place + len(same)] = [title]
        WRITTEN.write_text("\n## ".join(part.rstrip("\n") + "\n" for part in parts), encoding="utf-8")
    return 0 if all(one.holds for one in found) else 1


def _said(part: Callable[[int], list[ErrorRate]], tables: int) -> list[ErrorRate]:
    print(f"simulating {part.__module__} ...", file=sys.stderr)
    return part(tables)


def _judge(found: ErrorRate) -> _Judged:
    tables = len(found.rejected)
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
