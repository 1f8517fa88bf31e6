"""How often does a test find a difference where there is none? `python -m benchmarks error-rates [--write]`.

Tables are drawn in which all methods are alike; every test is made by the functions that `delve rank` uses.
All sections take about 25 minutes of one core. Results do not depend on the number of processes.
"""

import argparse
import multiprocessing
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np

import delvecore
from benchmarks import simulated_rankings as rankings
from benchmarks import simulated_tasks as tasks
from benchmarks.simulated_rankings import (
    ALPHA,
    TABLES,
    Each,
    Simulated,
    in_parts,
    noise,
    standard_error,
    table_text,
)
from delvecore.parallel.processes import compute_in_one_thread, usable_cores
from docs.draw_statistics import table_rows

WRITTEN = Path(__file__).parent.parent / "docs" / "error-rates.md"
_FIRST_SCREEN = """# Error rates of the tests

In the simulated archives on this page, no method is better than another. A test errs if it finds a
difference there. At a level of 5 % it should err in at most 5 % of the archives. The default tests of pages
and commands keep their level, except for the lines that the table counts. The last column has the error
rate of a common alternative on the same data. `python -m benchmarks error-rates --write` simulates all
sections again, and `--section NAME` one of them. The line below each heading has the version and the day of
the last simulation.

{table}
A line, or a cell, *holds* if its rate is at most two standard errors of the simulation above the level. If
all levels were exact, about 2.3 % of the lines would not hold.
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
        ("sign flips, default", "sign flips of means", "sign flips of ranks"),
        "Nemenyi",
        "Nemenyi",
    ),
    (
        "Sign flips of scaled differences, by size",
        "Scaled differences",
        tuple(f"{units} x {methods}" for units, methods in rankings.FLIPS_SIZES),
        "",
        "",
    ),
    ("Confidence sets of places", "Confidence sets of places", ("all", "single", "best"), "", ""),
    ("Tasks of one dataset", "Tasks of one dataset", ("any verdict",), "by task", "--unit task"),
    (
        "Rankings of datasets of eight families",
        "Families of datasets",
        ("default",),
        "by dataset",
        "--unit dataset",
    ),
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

In each table, tasks differ in difficulty. The *rate* is the share of tables in which the test finds a
difference at {alpha:g}; a test of all pairs errs if it finds any difference. The *interval* is *level* plus
or minus two standard errors of the simulation; {held} of {lines} lines are within it. In 6,000 further
tables, the error rate of the Bayesian signed-rank test is 0.053.

- *nominal*: the level is alpha, exactly or nearly with this number of tasks. Bonferroni-Dunn ignores that
  comparisons share the control, so its level is lower; it is computed by integration
- *attainable*: counts and ranks of few tasks have only certain values; the level is the computed
  probability of the values that the test calls significant
- *at most*: the test keeps alpha for any dependence between its parts, and may err less

"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate tests; return 1 if a rate lies outside its interval."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks error-rates", description=__doc__)
    parser.add_argument(
        "--tables",
        type=int,
        default=TABLES,
        metavar="N",
        help=f"largest number of tables per line; most sections have a part of them (default: {TABLES})",
    )
    meaning = f"put what is simulated into docs/{WRITTEN.name}"
    parser.add_argument("--write", action="store_true", help=meaning)
    parser.add_argument(
        "--section",
        action="append",
        choices=SECTIONS,
        metavar="NAME",
        help=f"simulate this section only, one of {', '.join(SECTIONS)}; may be repeated",
    )
    parser.add_argument(
        "--processes", type=int, default=usable_cores(), metavar="N", help="default: one a core"
    )
    options = parser.parse_args(arguments)
    if min(options.tables, options.processes) < 1:
        parser.error("expected at least one table and one process")
    all_hold = True
    with _processes(options.processes) as each:
        for name in options.section or SECTIONS:
            started = time.monotonic()
            simulated = SECTIONS[name].simulate(options.tables, each)
            print(f"{name}: {time.monotonic() - started:.0f} s", file=sys.stderr)
            text = stamped(simulated, datetime.now(UTC).date().isoformat())
            print(text, flush=True)
            all_hold = all_hold and simulated.holds
            if options.write:
                WRITTEN.write_text(with_section(WRITTEN.read_text("utf-8"), text), encoding="utf-8")
    if options.write:
        WRITTEN.write_text(with_first_screen(WRITTEN.read_text("utf-8")), encoding="utf-8")
    return 0 if all_hold else 1


@contextmanager
def _processes(count: int) -> Iterator[Each]:
    """Provide the `map` of so many processes. Each process computes in one thread."""
    if count == 1:
        yield map
        return
    compute_in_one_thread()
    with ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool.map


def stamped(simulated: Simulated, day: str) -> str:
    """Return the text of a section with a line on its origin below its heading."""
    heading, _, rest = simulated.text.partition("\n\n")
    tables = f"{simulated.tables:,} tables per {simulated.each}"
    error = f"a rate of {ALPHA:g} has a standard error of {standard_error(simulated.tables):.4f}"
    return (
        f"{heading}\n\n*DELVE for the browser {delvecore.__version__}, {day}: {tables}; {error}.*\n\n{rest}"
    )


def with_section(page: str, text: str) -> str:
    """Return a page with a section put at its place."""
    start, *parts = page.split("\n## ")
    texts = {part.partition("\n")[0]: part for part in (*parts, text.removeprefix("## "))}
    ordered = [texts[one.heading] for one in SECTIONS.values() if one.heading in texts]
    return start + "".join(f"\n## {part.rstrip()}\n" for part in ordered)


def with_first_screen(page: str) -> str:
    """Return a page whose first screen sums up its sections."""
    return first_screen(page) + page[page.index("\n## ") :]


def first_screen(page: str) -> str:
    """Return title and summary of a page, from the tables of its sections."""
    lines = []
    for what, heading, columns, alternative, its_column in _SUMMARY:
        section = page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
        if not section:
            continue
        anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        held = re.search(r"(\d+)\s+of\s+(\d+)\s+(?:lines|cells)", section)
        holds = f"{held[1]} of {held[2]}" if held else ""
        beside = f"{alternative}: {_highest_rate(page, heading, [its_column])}" if alternative else ""
        lines.append((f"[{what}](#{anchor})", _highest_rate(page, heading, columns), holds, beside))
    titles = ("test at 0.05", "highest rate", "lines that hold", "highest rate of an alternative")
    return _FIRST_SCREEN.format(table=table_text(titles, lines))


def _highest_rate(page: str, heading: str, columns: Sequence[str]) -> str:
    """Return the highest rate in some columns of the section's table."""
    rows = table_rows(page, heading, columns[0])
    return f"{max(float(row[column]) for row in rows for column in columns if row[column] != '–'):.4f}"


def _tests(tables: int, each: Each) -> Simulated:
    tables = max(tables // 2, 1)
    measures = (
        rankings.measure_tables,
        tasks.measure_pairs,
        rankings.measure_questions,
    )
    rates = [line for measure in measures for line in in_parts(measure, tables, each)]
    rates += tasks.measure_runs(tables)
    lines, all_within = [], []
    for one in rates:
        rate, reach = float(np.mean(one.rejected)), noise(len(one.rejected), one.level)
        low, high = (0.0 if one.kind == "at most" else one.level - reach), one.level + reach
        all_within.append(low <= rate <= high)
        cells = [one.test, one.tables, one.kind, f"{one.level:.4f}", f"{rate:.4f}"]
        lines.append([*cells, f"{low:.4f} to {high:.4f}", "yes" if all_within[-1] else "**no**"])
    text = _TESTS.format(alpha=ALPHA, held=sum(all_within), lines=len(rates))
    titles = ("test", "tables", "kind", "level", "rate", "interval", "within")
    return Simulated(text + table_text(titles, lines), all(all_within), tables)


def _overlaps(tables: int, each: Each) -> Simulated:
    tables = max(tables // 4, 1)
    folds = tasks.measure_overlaps(tables, each)
    samples = tasks.measure_schemes(tables, each)
    text = tasks.section_overlaps(folds, samples)
    return Simulated(text, all(line.holds for line in (*folds, *samples)), tables)


def _of_tasks(
    measure: Callable[..., list], write: Callable[..., str], divisor: int
) -> Callable[[int, Each], Simulated]:
    def simulate(tables: int, each: Each) -> Simulated:
        tables = max(tables // divisor, 1)
        lines = measure(tables, each)
        return Simulated(write(lines, tables), all(rates.holds for _, rates in lines), tables)

    return simulate


def _part(
    measure: Callable[..., list], write: Callable[..., str], divisor: int, what: str = "line"
) -> Callable[[int, Each], Simulated]:
    """Return the function that simulates a section on a part of the tables."""

    def simulate(tables: int, each: Each) -> Simulated:
        tables = max(tables // divisor, 1)
        lines = measure(tables, each)
        return Simulated(write(lines), all(line.holds for line in lines), tables, what)

    return simulate


def _units(tables: int, each: Each) -> Simulated:
    part = max(tables // 4, 1)
    lines = rankings.measure_units(part, each=each)
    means = rankings.measure_means(tables)
    all_hold = all(one.holds for one in (*lines, *means))
    return Simulated(rankings.section_units(lines, means), all_hold, part)


class Section(NamedTuple):
    """A section of the page: its heading, and the function that simulates it."""

    heading: str
    simulate: Callable[[int, Each], Simulated]


SECTIONS = {
    "tests": Section("Tests over many tasks", _tests),
    "overlaps": Section("Instances that share cases", _overlaps),
    "common": Section(
        "One task, few training sets, a common test set",
        _of_tasks(tasks.measure_common, tasks.section_common, 1),
    ),
    "verdicts": Section(
        "The verdicts of one task", _of_tasks(tasks.measure_verdicts, tasks.section_verdicts, 2)
    ),
    "flips": Section("Scaled differences", _part(rankings.measure_flips, rankings.section_flips, 4, "cell")),
    "places": Section(
        "Confidence sets of places", _part(rankings.measure_places, rankings.section_of_places, 8)
    ),
    "rankings": Section(
        "The verdicts of a ranking", _part(rankings.measure_rankings, rankings.section_rankings, 8)
    ),
    "one-dataset": Section(
        "Tasks of one dataset", _part(rankings.measure_one_dataset, rankings.section_of_one_dataset, 16)
    ),
    "families": Section(
        "Families of datasets", _part(rankings.measure_families, rankings.section_families, 4)
    ),
    "units": Section("Rankings whose tasks are related", _units),
    "failed-runs": Section(
        "Failed runs", _part(rankings.measure_failed_runs, rankings.section_failed_runs, 16)
    ),
}
"""In the order of the page."""
