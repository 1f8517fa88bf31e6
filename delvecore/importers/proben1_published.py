"""What the report of PROBEN1 says of its networks: tables 3, 4 and 8 to 11, which ship as figures."""

import csv
import functools
from collections.abc import Iterator, Mapping, Sequence

from delvecore.locations import shipped
from delvecore.losses.published import PublishedResult
from delvecore.model import Task
from delvecore.readers.training import PUBLISHED_AS

REPORT = "L. Prechelt, PROBEN1, technical report 21/94, Universität Karlsruhe 1994"
YEAR = "1994"
COLUMNS = {"epochs": "total_epochs", "relevant": "relevant_epochs"}


@functools.cache
def report_rows() -> Mapping[tuple[str, str], Mapping[str, str]]:
    """Return the rows of the tables by network (`linear`, `pivot`, `noshortcut`) and data file. Figures that
    cannot be read in the text of the report are empty."""
    path = shipped("proben1", "published.csv")
    if path is None:
        return {}
    with open(path, encoding="ascii", newline="") as file:
        return {(row["network"], row["problem"]): row for row in csv.DictReader(file)}


def published_results(tasks: Sequence[Task]) -> Iterator[PublishedResult]:
    """Yield what was published on tasks of partition a, whose prototasks are named like data files."""
    for (network, file), row in report_rows().items():
        for task in (one for one in tasks if one.prototask == file):
            for number, (name, measure) in enumerate(PUBLISHED_AS.items(), start=1):
                column = COLUMNS.get(name, name)
                mean = row.get(f"{column}_mean", row.get(column))
                if not mean:
                    continue
                spread = row.get(f"{column}_sd")
                yield PublishedResult(
                    f"rprop-{network}-{YEAR}",
                    *task,
                    measure=measure,
                    mean=float(mean),
                    deviation=float(spread) if spread else None,
                    runs=int(row["runs"]),
                    source=REPORT,
                    where=f"table {row['table']}, page {row['page']}",
                    line=number,
                )
