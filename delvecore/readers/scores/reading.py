"""Read the scores of a file, of an open one or of a table in memory, whatever shape they have."""

import os

import pyarrow as pa

from delvecore.readers.scores.assembling import rows_of
from delvecore.readers.scores.checks import checked
from delvecore.readers.scores.columns import Column, Sheet
from delvecore.readers.scores.content import Source, read_content
from delvecore.readers.scores.directions import directed
from delvecore.readers.scores.instances import design_of
from delvecore.readers.scores.long import long_scores
from delvecore.readers.scores.records import ScoreFile, ScoreOptions
from delvecore.readers.scores.remarks import Remarks
from delvecore.readers.scores.roles import is_wide, long_roles
from delvecore.readers.scores.text import read_text_table
from delvecore.readers.scores.wide import wide_instances, wide_scores

__all__ = ["looks_like_scores", "read_scores", "scores_of"]

ENDINGS = (".csv", ".tsv", ".tab", ".txt", ".dat")
NOTHING_SAID = ScoreOptions()


def read_scores(source: Source, *, name: str = "", options: ScoreOptions = NOTHING_SAID) -> ScoreFile:
    """Return the scores of a file; `-` is the standard input. ParseError with the line of what is wrong,
    UnknownDirection where nothing says whether higher is better."""
    content = read_content(source, name=name)
    sheet = read_text_table(content.data, content.name)
    return _score_file(sheet, os.path.splitext(content.file)[0], options)


def scores_of(frame: pa.Table, *, name: str = "table", options: ScoreOptions = NOTHING_SAID) -> ScoreFile:
    """Return the scores of a table in memory; errors as those of `read_scores`."""
    columns = [Column(title, array) for title, array in zip(frame.column_names, frame.columns, strict=True)]
    return _score_file(Sheet(name, tuple(columns), lambda row: None), name, options)


def looks_like_scores(path: str | os.PathLike[str]) -> bool:
    """May this file hold scores, by its name and its first bytes?"""
    return os.path.splitext(os.fspath(path).lower())[1] in ENDINGS


def _score_file(sheet: Sheet, alone: str, options: ScoreOptions) -> ScoreFile:
    remarks = Remarks()
    if is_wide(sheet, options):
        instances = wide_instances(sheet, options)
        scores = wide_scores(sheet, options, remarks, alone=alone)
    else:
        roles = long_roles(sheet, options, remarks)
        instances, scores = roles.instances, long_scores(sheet, roles, alone=alone)
    design = design_of(instances, options, remarks)
    metrics = directed(scores.largest_values(), source=sheet.source, options=options, remarks=remarks)
    scores = checked(scores.of_metrics([metric.name for metric in metrics]), sheet, metrics, options, remarks)
    return ScoreFile(
        source=sheet.source,
        rows=rows_of(scores),
        metrics=metrics,
        guesses=tuple(remarks.guesses),
        notices=tuple(remarks.notices),
        design=design,
    )
