"""How often does a test find a difference where there is none? `python -m benchmarks.error_rates [--write]`.

Tables are drawn in which all methods are alike; every test is made by the functions that `delve rank` uses.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

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
from benchmarks.error_rate import ALPHA, TABLES, ErrorRate, noise

__all__ = ["main"]

WRITTEN = Path(__file__).parent.parent / "docs" / "error-rates.md"
_INTRODUCTION = """# Error rates of the tests over many tasks

Made by `python -m benchmarks.error_rates --write`. {tables:,} tables were drawn for each line in which no
method is better than another (every task has a difficulty of its own); *rate* is the share of them in which
the test found a difference at {alpha:g}. For tests of all pairs that is any difference: the familywise
rate. An interval that misses the truth counts like a test that errs. Lines of learners have half as many
tables.

*level* is what the test promises, and *interval* goes from two standard errors of the simulation below it to
two above it. There are three kinds:

- **nominal**: the level is alpha, exactly or, for tests by the chi-square, F or normal distribution, nearly
  so with as many tasks as stand there. Bonferroni and Dunn's tests share the control, for which they do not
  allow: their level is lower, and computed by integration;
- **attainable**: counts and ranks of few tasks take certain values only. The level is the probability of all
  those that the test calls different, computed and not simulated: at most alpha for an exact test;
- **at most**: the test keeps alpha whatever its parts depend on, and may err less; the lower end is 0.

Lines *corrected for overlap* are of learners that are equally good on average, each on its half of the
inputs, trained and tested on instances that share cases: ridge regression, the mean of three nearest
neighbours, and trees; with *two classes* guesses are right or wrong. *uncorrected* is
the rate of the same test for instances that share none; *power* is the share of tables in which a learner
is found worse whose inputs tell 0.4 times as much. Not among them, because no
share of cases tells it: a tree of one split with two classes, which a single case can turn round, errs more
where many small test sets are trained on nearly the same cases (20-fold of 100 cases: 0.074; leave-one-out of
50 cases: 0.2). Leave-one-out, and 20 folds or more, of losses 0 or 1 are therefore not tested; 10 folds are,
though that tree errs in 0.059 of 20,000 further tables there, and three nearest neighbours in 0.054 with two
folds. The same learners are compared by *percentiles* of bootstrap samples.

If all levels were exact, about 4.6 % of the rates would lie outside of their intervals, and half as many of
those with *at most*. In 6,000 further tables the Bayesian signed-rank test errs in 0.053.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate tests; return 1 if a rate lies outside its interval."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.error_rates", description=__doc__)
    parser.add_argument(
        "--tables", type=int, default=TABLES, metavar="N", help=f"how many (default: {TABLES})"
    )
    meaning = f"put what is simulated into docs/{WRITTEN.name}"
    parser.add_argument("--write", action="store_true", help=meaning)
    meaning = f"simulate these sections only: {', '.join(SECTIONS)}"
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=meaning)
    options = parser.parse_args(arguments)
    unknown = [name for name in options.sections if name not in SECTIONS]
    if unknown:
        parser.error(f"expected sections among {', '.join(SECTIONS)}, found {', '.join(unknown)}")
    all_hold = True
    for name in options.sections or SECTIONS:
        print(f"simulating {name} ...", file=sys.stderr)
        section, holds = SECTIONS[name](options.tables)
        print(section)
        all_hold = all_hold and holds
        if options.write:
            _write(name, section)
    return 0 if all_hold else 1


def _write(name: str, section: str) -> None:
    """Put a section in the place of the one that is written."""
    parts = WRITTEN.read_text(encoding="utf-8").split("\n## ")
    parts[list(SECTIONS).index(name)] = section.removeprefix("## ")
    WRITTEN.write_text("\n## ".join(part.rstrip("\n") + "\n" for part in parts), encoding="utf-8")


def _tests(tables: int) -> tuple[str, bool]:
    found: list[ErrorRate] = []
    modules = (error_rates_of_tables, error_rates_of_pairs, error_rates_of_questions)
    for module in (*modules, error_rates_of_overlaps, error_rates_of_schemes):
        found += module.measure(tables)
    lines, all_within = [], []
    for one in found:
        rate, reach = float(np.mean(one.rejected)), noise(len(one.rejected), one.level)
        low, high = (0.0 if one.kind == "at most" else one.level - reach), one.level + reach
        all_within.append(low <= rate <= high)
        cells = [one.test, one.tables, one.kind, f"{one.level:.4f}", f"{rate:.4f}"]
        cells += [f"{low:.4f} to {high:.4f}", "yes" if all_within[-1] else "**no**"]
        lines.append(f"| {' | '.join(cells)} |")
    text = _INTRODUCTION.format(tables=tables, alpha=ALPHA)
    text += f"\nDELVE for the browser {delvecore.__version__}, {datetime.now(UTC).date().isoformat()}. "
    text += f"Within: {sum(all_within)} of {len(found)}.\n\n"
    titles = ("test", "tables", "kind", "level", "rate", "interval", "within")
    lines = [f"| {' | '.join(titles)} |", "| --- " * len(titles) + "|", *lines]
    return text + "\n".join(lines) + "\n", all(all_within)


def _common_tests(tables: int) -> tuple[str, bool]:
    found = error_rates_of_common_tests.measure(tables)
    return error_rates_of_common_tests.section(found, tables), all(rates.holds for _, rates in found)


def _verdicts(tables: int) -> tuple[str, bool]:
    found = error_rates_of_verdicts.measure(tables)
    return error_rates_of_verdicts.section(found, tables), all(rates.holds for _, rates in found)


def _rankings(tables: int) -> tuple[str, bool]:
    found = error_rates_of_rankings.measure(max(tables // 4, 1))
    return error_rates_of_rankings.section(found), all(one.holds for one in found)


def _units(tables: int) -> tuple[str, bool]:
    rankings = error_rates_of_units.measure(max(tables // 2, 1))
    means = error_rates_of_units.measure_means(tables)
    all_hold = all(one.holds for one in (*rankings, *means))
    return error_rates_of_units.section(rankings, means), all_hold


SECTIONS: dict[str, Callable[[int], tuple[str, bool]]] = {
    "tests": _tests,
    "common": _common_tests,
    "verdicts": _verdicts,
    "rankings": _rankings,
    "units": _units,
}
"""In the order of the page: text, and does every rate hold."""


if __name__ == "__main__":
    sys.exit(main())
