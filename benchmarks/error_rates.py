"""How often does a test find a difference where there is none? `python -m benchmarks.error_rates [--write]`.

Tables are drawn in which all methods are alike; every test is made by the functions that `delve rank` uses.
"""

import argparse
import functools
import re
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import numpy as np

import delvecore
from benchmarks import (
    error_rates_of_common_tests,
    error_rates_of_flips,
    error_rates_of_overlaps,
    error_rates_of_pairs,
    error_rates_of_questions,
    error_rates_of_rankings,
    error_rates_of_schemes,
    error_rates_of_tables,
    error_rates_of_units,
    error_rates_of_verdicts,
)
from benchmarks.error_rate import ALPHA, TABLES, ErrorRate, noise, table_text
from docs.draw_statistics import table_rows

WRITTEN = Path(__file__).parent.parent / "docs" / "error-rates.md"
_FIRST_SCREEN = """# Error rates of the tests

Archives were simulated in which no method is better than another. A test errs where it finds a difference
there; at a level of 5 % it should do so in at most 5 %. All tests that pages and commands use first keep
that, with the exceptions that the table counts. The last column shows what a common alternative does to the
same data. All is made by `python -m benchmarks.error_rates --write` with DELVE for the browser {version},
{date}.

{table}
A line, or a cell, *holds* if its rate is at most two standard errors of the simulation above the level. If
all levels were exact, about 2.3 % of them would not hold.
"""
_SUMMARY: tuple[tuple[str, str, tuple[str, ...], str, str], ...] = (
    ("Verdicts on one task, all pairs", "The verdicts of one task", ("some pair different",), "", ""),
    (
        "Test of a common test set",
        "One task, few training sets, a common test set",
        ("crossed at 0.05",),
        "quasi-F test of DELVE 1.1",
        "quasi-F at 0.05",
    ),
    (
        "Corrected tests of folds and holdout",
        "Instances that share cases",
        ("rate",),
        "without the correction",
        "uncorrected",
    ),
    (
        "Sign flips of all pairs over datasets",
        "The verdicts of a ranking",
        ("sign flips of means", "sign flips of ranks"),
        "Nemenyi",
        "Nemenyi",
    ),
    (
        "Sign flips of scaled differences, by size",
        "Scaled differences",
        tuple(f"{units} x {methods}" for units, methods in error_rates_of_flips.SIZES),
        "",
        "",
    ),
    ("Confidence sets of places", "Confidence sets of places", ("all", "single", "best"), "", ""),
    (
        "Rankings where the dataset, or family, counts once",
        "Rankings whose tasks are related",
        ("Friedman", "Nemenyi", "Wilcoxon", "Sign flips"),
        "if each task counts",
        "if each task counts",
    ),
    ("Each test over many tasks by itself", "Tests over many tasks", ("rate",), "", ""),
)
"""What is summed up, its section, the columns of its rates, an alternative and the column of its rates."""
_TESTS = """## Tests over many tasks

{tables:,} tables a line, in which every task has a difficulty of its own. The *rate* is the share of tables
in which the test finds a difference at {alpha:g}, and for a test of all pairs, any difference. The
*interval* is *level* and two standard errors of the simulation to each side; {held} of {lines} lines are
within it. In 6,000 further tables the Bayesian signed-rank test errs in 0.053.

- *nominal*: alpha, exactly or nearly with as many tasks. Comparisons with a control share it, which
  Bonferroni and Dunn do not allow for: their level is lower, and computed by integration
- *attainable*: counts and ranks of few tasks take certain values only: the computed probability of those
  that the test calls different
- *at most*: the test keeps alpha however its parts depend on each other, and may err less

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
    """Put a section in the place of the one that is written, and sum up all sections on the first screen."""
    parts = WRITTEN.read_text(encoding="utf-8").split("\n## ")
    parts[1 + list(SECTIONS).index(name)] = section.removeprefix("## ")
    parts[0] = first_screen("\n## ".join(parts), datetime.now(UTC).date().isoformat())
    WRITTEN.write_text("\n## ".join(part.rstrip("\n") + "\n" for part in parts), encoding="utf-8")


def first_screen(page: str, date: str) -> str:
    """Return title and summary of a page, from the tables of its sections.

    Parameters
    ----------
    page : str
        The text of docs/error-rates.md.
    date : str
        The day of the last simulation.
    """
    lines = []
    for what, heading, columns, alternative, its_column in _SUMMARY:
        anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        held = re.search(r"(\d+)\s+of\s+(\d+)\s+(?:lines|cells)", _section(page, heading))
        holds = f"{held[1]} of {held[2]}" if held else ""
        beside = f"{alternative}: {_highest_rate(page, heading, [its_column])}" if alternative else ""
        lines.append((f"[{what}](#{anchor})", _highest_rate(page, heading, columns), holds, beside))
    titles = ("test at 0.05", "highest rate", "lines that hold", "highest rate of an alternative")
    return _FIRST_SCREEN.format(version=delvecore.__version__, date=date, table=table_text(titles, lines))


def _section(page: str, heading: str) -> str:
    return page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def _highest_rate(page: str, heading: str, columns: Sequence[str]) -> str:
    """Return the highest rate in some columns of the section's table."""
    rows = table_rows(page, heading, columns[0])
    return f"{max(float(row[column]) for row in rows for column in columns if row[column] != '–'):.4f}"


def _tests(tables: int) -> tuple[str, bool]:
    modules = (error_rates_of_tables, error_rates_of_pairs, error_rates_of_questions)
    found: list[ErrorRate] = [line for module in modules for line in module.measure(tables)]
    found += error_rates_of_schemes.measure_runs(tables)
    lines, all_within = [], []
    for one in found:
        rate, reach = float(np.mean(one.rejected)), noise(len(one.rejected), one.level)
        low, high = (0.0 if one.kind == "at most" else one.level - reach), one.level + reach
        all_within.append(low <= rate <= high)
        cells = [one.test, one.tables, one.kind, f"{one.level:.4f}", f"{rate:.4f}"]
        lines.append([*cells, f"{low:.4f} to {high:.4f}", "yes" if all_within[-1] else "**no**"])
    text = _TESTS.format(tables=tables, alpha=ALPHA, held=sum(all_within), lines=len(found))
    titles = ("test", "tables", "kind", "level", "rate", "interval", "within")
    return text + table_text(titles, lines), all(all_within)


def _overlaps(tables: int) -> tuple[str, bool]:
    folds, samples = error_rates_of_overlaps.measure(tables), error_rates_of_schemes.measure(tables)
    return error_rates_of_overlaps.section(folds, samples), all(one.holds for one in [*folds, *samples])


def _of_tasks(module: ModuleType, tables: int) -> tuple[str, bool]:
    found = module.measure(tables)
    return module.section(found, tables), all(rates.holds for _, rates in found)


def _rankings(tables: int) -> tuple[str, bool]:
    found = error_rates_of_rankings.measure(max(tables // 4, 1))
    return error_rates_of_rankings.section(found), all(one.holds for one in found)


def _flips(tables: int) -> tuple[str, bool]:
    found = error_rates_of_flips.measure(max(tables // 4, 1))
    return error_rates_of_flips.section(found), all(one.holds for one in found)


def _places(tables: int) -> tuple[str, bool]:
    found = error_rates_of_flips.measure_places(max(tables // 16, 1))
    return error_rates_of_flips.section_of_places(found), all(one.holds for one in found)


def _units(tables: int) -> tuple[str, bool]:
    rankings = error_rates_of_units.measure(max(tables // 2, 1))
    means = error_rates_of_units.measure_means(tables)
    all_hold = all(one.holds for one in (*rankings, *means))
    return error_rates_of_units.section(rankings, means), all_hold


SECTIONS: dict[str, Callable[[int], tuple[str, bool]]] = {
    "tests": _tests,
    "overlaps": _overlaps,
    "common": functools.partial(_of_tasks, error_rates_of_common_tests),
    "verdicts": functools.partial(_of_tasks, error_rates_of_verdicts),
    "flips": _flips,
    "places": _places,
    "rankings": _rankings,
    "units": _units,
}
"""In the order of the page: text, and does every rate hold?"""


if __name__ == "__main__":
    sys.exit(main())
