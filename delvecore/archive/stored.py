"""The tables that a cache keeps of an archive: the public ones, most with the unit that a row came from."""

from typing import Any

import pyarrow as pa

from delvecore.errors import ParseError
from delvecore.tables import RESULTS, SCHEMAS

__all__ = ["PLACE", "READ", "STORED", "UNITS", "Row", "Tables", "problem_row"]

Row = dict[str, Any]
"""One row of a table by the names of its columns, whose types the table's schema tells."""
Tables = dict[str, pa.Table]

_UNIT = pa.field("unit", pa.string())
PLACE = ("method", "dataset", "prototask", "task")
STANDARDIZERS = pa.schema(
    [*((name, pa.string()) for name in (*PLACE, "loss")), ("standardizer", pa.float64())]
)
UNITS = pa.schema([_UNIT, ("state", pa.string())])
READ = {
    name: pa.schema([_UNIT, *schema])
    for name, schema in {**SCHEMAS, "standardizers": STANDARDIZERS}.items()
    if name != "results"
}
STORED = {**READ, "units": UNITS, "results": RESULTS}


def problem_row(error: ParseError) -> Row:
    """Return the row of the problems table for a fault."""
    return {**error.problem._asdict(), "message": error.problem.message}
