"""Tables of known programs: results of harnesses, benchmarks, libraries and trackers of experiments."""

import re

import pandas as pd

from delvecore.score_tables.names import folded
from delvecore.score_tables.sources.documents import known_directory, known_document
from delvecore.score_tables.sources.headers import multi_header
from delvecore.score_tables.sources.known import Known
from delvecore.score_tables.sources.programs import PROGRAMS
from delvecore.score_tables.sources.texts import known_text

__all__ = ["Known", "known_directory", "known_document", "known_source", "known_text", "multi_header"]


def known_source(frame: pd.DataFrame) -> Known | None:
    """What is known of the table of a known program, by the names of its columns; None for any other table.

    frame: as it was read, one column a name, whose index has the row in the file."""
    plain = {name: re.sub(r"[ -]", "_", name.lower()) for name in frame.columns}
    known = _program_of(frame)
    if known is None and len(set(plain.values())) == len(plain) and [*plain] != [*plain.values()]:
        known = _program_of(frame.rename(columns=plain))  # as a spreadsheet or a paper writes its names
    return known


def _program_of(frame: pd.DataFrame) -> Known | None:
    names = {folded(name): name for name in reversed(frame.columns)}
    return next((known for program in PROGRAMS if (known := program(frame, names)) is not None), None)
