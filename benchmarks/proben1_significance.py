"""Do the tests of table 12 of the PROBEN1 report follow from the means and deviations of tables 8 to 11?

    python -m benchmarks.proben1_significance

Prints a Markdown table of the pairs where the answer is not the report's, or cannot be given. The report
tests the logarithms of 60 runs each, after it removed outliers; here they are log-normal."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from delvecore.importers.proben1 import report_rows
from delvecore.stats.cochran_cox import Sample, cochran_cox, of_logarithms

SIGNIFICANCE = Path(__file__).parents[1] / "data" / "proben1" / "significance.csv"
"""Table 12: which architecture is better at the 90 % level, p in percent, and is that called unreliable?"""
LEVEL = 0.1
KINDS = ("pivot", "noshortcut")


class Pair(NamedTuple):
    """better, other: what is found here, and in the report: `pivot`, `noshortcut`, or empty for neither; p:
    None where a deviation is missing; reported: p in percent, as it is printed."""

    problem: str
    better: str
    p: float | None
    other: str
    reported: str
    unreliable: bool

    @property
    def agrees(self) -> bool:
        return self.p is not None and self.better == self.other


def pairs() -> list[Pair]:
    """Return the 42 comparisons, in the order of the table."""
    with open(SIGNIFICANCE, encoding="ascii", newline="") as file:
        return [_pair(row) for row in csv.DictReader(file)]


def _pair(row: dict[str, str]) -> Pair:
    known, problem = report_rows(), row["problem"]
    said = row["better"], row["p_percent"], row["unreliable"] == "yes"
    figures = [known[kind, problem] for kind in KINDS]
    if not all(one["test_sd"] for one in figures):
        return Pair(problem, "", None, *said)
    samples = [Sample(float(one["test_mean"]), float(one["test_sd"]), int(one["runs"])) for one in figures]
    t, p = cochran_cox(*map(of_logarithms, samples))
    better = "" if p >= LEVEL else KINDS[t > 0]
    return Pair(problem, better, p, *said)


def lines() -> Iterator[str]:
    all_pairs = pairs()
    tested = [one for one in all_pairs if one.p is not None]
    agree, untested = sum(one.agrees for one in tested), len(all_pairs) - len(tested)
    yield f"{agree} of {len(tested)} agree; {untested} untested"
    yield "| file | from the summaries | report | called unreliable |"
    yield "| --- | --- | --- | --- |"
    for one in all_pairs:
        if not one.agrees:
            p = "no deviation" if one.p is None else f"{one.better or 'neither'}, {100 * one.p:.1f} %"
            report = f"{one.other}, {one.reported} %" if one.other else "neither"
            yield f"| `{one.problem}` | {p} | {report} | {'yes' if one.unreliable else ''} |"


if __name__ == "__main__":
    for line in lines():
        print(line)
