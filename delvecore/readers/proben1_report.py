"""Tables of the PROBEN1 report that ship with the project: structure of problems, selected architectures.

Source: L. Prechelt, PROBEN1, technical report 21/94, Universität Karlsruhe 1994, tables 1, 2 and 5 to 7.
"""

import csv
import functools
from collections.abc import Mapping

from delvecore.locations import shipped

DATASETS = "proben1-"
"""What names of datasets of PROBEN1 begin with."""
Rows = Mapping[str, Mapping[str, str]]


def problem_structure() -> Rows:
    """Return the rows of tables 1 and 2, by problem such as `glass`; empty if they are not installed."""
    return _rows("structure.csv")


def found_networks() -> Rows:
    """Return the rows of tables 5 to 7, by data file such as `glass1`."""
    return _rows("search.csv")


@functools.cache
def _rows(name: str) -> Rows:
    path = shipped("proben1", name)
    if path is None:
        return {}
    with open(path, encoding="ascii", newline="") as file:
        return {row["problem"]: row for row in csv.DictReader(file)}
