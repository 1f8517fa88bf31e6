"""Read the scores of a file, of a directory or of a table in memory, whatever shape they have."""

import os
from dataclasses import replace

import pyarrow as pa

from delvecore.readers.scores.apart import told_apart
from delvecore.readers.scores.assembling import Scores, rows_of
from delvecore.readers.scores.batches.asked import NoRowsError, rows_asked_for
from delvecore.readers.scores.checks import checked
from delvecore.readers.scores.columns import Column, Sheet
from delvecore.readers.scores.content import Source, read_content
from delvecore.readers.scores.described import NOTHING, Described, described
from delvecore.readers.scores.directions import directed
from delvecore.readers.scores.directories import Alone, alone_in, looks_like_scores, names_of_files, tables_in
from delvecore.readers.scores.instances import design_of
from delvecore.readers.scores.likely import likely_sheet
from delvecore.readers.scores.long import long_scores
from delvecore.readers.scores.merging import merged, of_files
from delvecore.readers.scores.records import NOTHING_SAID, ScoreFile, ScoreOptions, UnknownDirection
from delvecore.readers.scores.remarks import Remarks
from delvecore.readers.scores.roles import Roles, is_wide, long_roles
from delvecore.readers.scores.sources.finding import known_source
from delvecore.readers.scores.sources.known import Known
from delvecore.readers.scores.structured import read_structured, sheet_of, sheet_of_files, shows_format
from delvecore.readers.scores.summaries import tested_rows
from delvecore.readers.scores.text import read_text_table
from delvecore.readers.scores.wide import Wide, wide_roles, wide_scores

__all__ = ["looks_like_scores", "merged", "read_scores", "scores_of"]


def read_scores(source: Source, *, name: str = "", options: ScoreOptions = NOTHING_SAID) -> ScoreFile:
    """Return the scores of a file, or of all tables in a directory; `-` is the standard input.

    ParseError with the line of what is wrong; UnknownDirection where nothing says whether higher is better.
    """
    if isinstance(source, str | os.PathLike) and os.path.isdir(source):
        return _read_directory(os.fspath(source), name, options)
    return _read(source, name, options, None)


def scores_of(frame: pa.Table, *, name: str = "table", options: ScoreOptions = NOTHING_SAID) -> ScoreFile:
    """Return the scores of a table in memory; errors as those of `read_scores`."""
    return _score_file(rows_asked_for(sheet_of(frame, name), options.where), alone_in(name), options)


def _read_directory(path: str, name: str, options: ScoreOptions) -> ScoreFile:
    """Return the scores of all tables in a directory: of one dataset of many files, or of each file."""
    paths = tables_in(path)
    sheet = sheet_of_files(paths, path, options)
    if sheet is not None:
        found = _score_file(sheet, alone_in(os.path.basename(os.path.abspath(path))), options)
        return replace(found, source=name or path, guesses=(of_files(len(paths)), *found.guesses))
    files, empty = [], []
    for one, alone in names_of_files(paths, path).items():
        try:
            files.append(_read(one, "", options, alone))
        except NoRowsError as error:
            empty.append(error)
    if not files:
        raise empty[0]
    return merged(files, name or path, options)


def _read(source: Source, name: str, options: ScoreOptions, alone: Alone | None) -> ScoreFile:
    content = read_content(source, name=name)
    kind = shows_format(content.data)
    if kind is None:
        sheet = rows_asked_for(read_text_table(content.data, content.name), options.where)
    else:
        sheet = read_structured(content.data, content.name, kind, options)
    return _score_file(sheet, alone or alone_in(content.file), options)


def _score_file(sheet: Sheet, alone: Alone, options: ScoreOptions) -> ScoreFile:
    remarks = Remarks()
    remarks.leave_columns([one for one in sheet.columns if one.kind == "empty"], "nothing stands in them")
    remarks.leave("column", sheet.unread, "not asked for")
    tested = tested_rows(sheet)
    if tested is not None:
        count, (sheet, part, column) = sheet.rows, tested
        remarks.leave("row", (), f"not of {part} cases ({column.name})", count=count - sheet.rows)
    known = known_source(sheet)
    if known is not None:
        remarks.guess("source", known.title)
        sheet, options = known.sheet, known.completed(options)
    scores, said, instances = _scores(sheet, known, alone, options, remarks)
    design = design_of(instances, options, remarks)
    given = known.metrics if known else {}
    largest = scores.largest_values()
    try:
        metrics = directed(largest, given=given, source=sheet.source, options=options, remarks=remarks)
    except UnknownDirection as error:
        raise UnknownDirection(
            sheet.source, error.metrics, cases=likely_sheet(sheet).kind == "cases"
        ) from None
    scores = checked(scores.of_metrics([metric.name for metric in metrics]), sheet, metrics, options, remarks)
    return ScoreFile(
        source=sheet.source,
        rows=rows_of(scores),
        metrics=metrics,
        guesses=tuple(remarks.guesses),
        notices=tuple(remarks.notices),
        factors=said.factors,
        families=said.families,
        sizes=said.sizes,
        design=design,
    )


def _scores(
    sheet: Sheet, known: Known | None, alone: Alone, options: ScoreOptions, remarks: Remarks
) -> tuple[Scores, Described, tuple[Column, ...]]:
    """Return the scores, what is said of their datasets, and the columns that tell instances apart."""
    if known is None and is_wide(sheet, options):
        wide = wide_roles(sheet, options, remarks)
        scores = wide_scores(wide, options, remarks, alone=alone._replace(dataset=alone.of_several))
        said, instances = _said_beside(wide, remarks), wide.instances
        return scores.with_paths(said.paths), said, instances
    roles = long_roles(sheet, options, remarks, metrics=known is None or not known.plain)
    roles = told_apart(sheet, roles, options, remarks)
    if sum(column.distinct for column in roles.method) > 1:
        alone = alone._replace(dataset=alone.of_several)
    scores = long_scores(sheet, roles, options, alone=alone)
    said = described(roles, remarks)
    return scores.with_paths(said.paths), said, roles.instances


def _said_beside(wide: Wide, remarks: Remarks) -> Described:
    """Return what further columns of a wide table say of its datasets."""
    if wide.labels is None or wide.turned:
        remarks.leave_columns(wide.spare, "of no known role")
        return NOTHING
    roles = Roles((wide.labels,), (), wide.instances, wide.columns, spare=wide.spare)
    return described(roles, remarks)
