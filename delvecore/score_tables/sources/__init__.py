"""Tables of known programs: results of harnesses, benchmarks, libraries and trackers of experiments."""

import re

import pandas as pd

from delvecore.score_tables.sources.harnesses import known_directory, known_document
from delvecore.score_tables.sources.known import Known
from delvecore.score_tables.sources.programs import PROGRAMS, folded_names

__all__ = ["Known", "known_directory", "known_document", "known_source"]


def known_source(frame: pd.DataFrame) -> Known | None:
    """What is known of the table of a known program, by the names of its columns; None for any other table.

    frame: as it was read, one column a name, whose index has the row in the file."""
    plain = {name: re.sub(r"[ -]", "_", name.lower()) for name in frame.columns}
    names, found = folded_names(frame), None
    found = next((known for program in PROGRAMS if (known := program.known(frame, names))), None)
    if found is None and len({*plain.values()}) == len(plain) and [*plain] != [*plain.values()]:
        return known_source(frame.rename(columns=plain))  # as a spreadsheet or a paper writes its names
    return found
