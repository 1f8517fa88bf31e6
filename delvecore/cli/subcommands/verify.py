"""`delve verify`: recompute the tables and figures of a paper, and print what differs."""

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TypeAlias

from delvecore import __version__
from delvecore.cli.support.context import print_lines, print_text
from delvecore.cli.support.manual import ENDED, ManualParser
from delvecore.cli.support.rerun import Computed, rerun, rerun_view
from delvecore.errors import DelveError
from delvecore.names import shown
from delvecore.render.json import json_text
from delvecore.render.numbers import counted
from delvecore.render.provenance import read_provenance
from delvecore.report.paper.exports import PICTURES, Export, read_paper
from delvecore.report.paper.read_tables import READERS
from delvecore.report.paper.table_changes import TableChange, table_changes

FORMATS = ("text", "json")
UNCHANGED, CHANGED, UNVERIFIED = "unchanged", "changed", "not verified"
CODES = {UNCHANGED: 0, CHANGED: 1, UNVERIFIED: 2}
MOST_EXPORTS = 1000
Known: TypeAlias = dict[tuple[object, ...], Mapping[str, Computed] | DelveError]
"""Earlier results of commands, with an empty name, and of the figures of views, by name."""


@dataclass(frozen=True)
class Verified:
    """Comparison of a table or figure with its recomputed version.

    Attributes
    ----------
    export : Export
        The table or figure.
    status : str
        A key of CODES.
    changes : sequence of TableChange
        Differences.
    reason : str
        Why it cannot be verified; empty if it can.
    cells : int
        Number of compared cells.
    data_changed : bool, optional
        Do the underlying data differ? None if unknown.
    """

    export: Export
    status: str
    changes: Sequence[TableChange] = ()
    reason: str = ""
    cells: int = 0
    data_changed: bool | None = None

    @property
    def verdict_changed(self) -> bool:
        return any(change.is_verdict for change in self.changes)

    @property
    def place(self) -> str:
        """The file and line of a table, or the file of a figure."""
        line = "" if self.export.is_figure else f":{self.export.about.line}"
        return f"{shown(self.export.path)}{line}"


def main(arguments: Sequence[str]) -> int:
    options = command().parse_args(arguments)
    for path in options.data:
        if not os.path.isdir(path):
            print_lines(f"--data {path}: expected a directory, found none")
            return CODES[UNVERIFIED]
    exports: list[Export] = []
    faults, left_out = list[str](), list[str]()
    for path in {os.path.realpath(path): path for path in options.files}.values():
        try:
            exports += read_paper(path, report=left_out.append)
        except DelveError as error:
            faults.append(str(error))
    known: Known = {}
    if len(exports) > MOST_EXPORTS:
        faults.append(f"expected at most {MOST_EXPORTS} tables and figures, found {len(exports)}")
        exports = exports[:MOST_EXPORTS]
    verified = [_verified(export, options.data, known) for export in exports]
    if not exports and not faults:
        remedy = "delve table writes it, except with --bare"
        if all(path.lower().endswith(PICTURES) for path in options.files):
            remedy = "name the file as it was downloaded, since other programs may remove its provenance"
        faults.append(f"{', '.join(options.files)}: expected provenance, found none; {remedy}")
    codes = {CODES[one.status] for one in verified} | ({CODES[UNVERIFIED]} if faults else set())
    code = CODES[CHANGED] if CODES[CHANGED] in codes else max(codes, default=CODES[UNVERIFIED])
    if options.format == "json":
        print_text(_json(verified, faults, left_out, code))
    else:
        for line in _lines(verified, faults, left_out):
            print_lines(line)
    return code


def _verified(export: Export, data: Sequence[str], known: Known) -> Verified:
    """Recompute an export and compare. known: earlier results."""
    try:
        again, alpha = _computed(export, data, known)
    except DelveError as error:
        return Verified(export, UNVERIFIED, _edited(export), str(error))
    if again.form not in READERS:
        expected = f"expected a table in one of {', '.join(READERS)}, found --format {again.form}"
        return Verified(export, UNVERIFIED, _edited(export), expected)
    return _compared(export, again, alpha)


def _computed(export: Export, data: Sequence[str], known: Known) -> Computed:
    """Return the recomputed export. Raises DelveError if it cannot be recomputed, or could not be before."""
    view, about = export.view, (export.form, export.folder, export.is_figure)
    key = ((view._replace(fragment=""), export.opening) if view else export.about.command, *about)
    if key not in known:
        try:
            known[key] = rerun_view(export, view, data) if view else {"": rerun(export, data)}
        except DelveError as error:
            known[key] = error
    results = known[key]
    if isinstance(results, DelveError):
        raise results
    name = view.fragment if view else ""
    if name not in results:
        there = ", ".join(results) or "none"
        raise DelveError(f"expected the figure {name} on this page, found {there}")
    return results[name]


def _edited(export: Export) -> tuple[TableChange, ...]:
    """Return the change of a picture that differs from its checksum; empty for other exports."""
    return (TableChange(1, "picture"),) if export.is_edited else ()


def _compared(export: Export, again: Export, alpha: float) -> Verified:
    computed = again.tables(again.form)
    paper = export.tables(again.form)
    # Markdown has the provenance below its tables.
    paper = paper[-len(computed) :] if again.form == "markdown" else paper[: len(computed)]
    about = next(iter(read_provenance(again.text)), None)
    digests = {export.about.digest, about.digest if about else ""}
    data_changed = None if "" in digests else len(digests) > 1
    edited = _edited(export)
    if not paper and export.is_figure:
        if data_changed is None:
            return Verified(export, UNVERIFIED, edited, "the figure contains no numbers to compare")
        changes = [TableChange(1, "table")] if data_changed else []
        changed = CHANGED if changes or edited else UNCHANGED
        return Verified(export, changed, (*edited, *changes), data_changed=data_changed)
    changes = [*edited]
    for number, made in enumerate(computed):
        if number >= len(paper):
            changes.append(TableChange(export.about.line, "table", computed=f"table {number + 1}"))
        else:
            changes += table_changes(paper[number], made, alpha=alpha)
    is_changed = any(change.kind != "rounded" for change in changes)
    status = CHANGED if is_changed else UNCHANGED
    cells = sum(len(row.cells) for table in computed for row in table.rows)
    return Verified(export, status, changes, "", cells, data_changed)


def _lines(verified: Sequence[Verified], faults: Sequence[str], left_out: Sequence[str]) -> Iterator[str]:
    """Yield a line for each export and each change, and a summary."""
    for one in verified:
        yield f"{one.place}: {_kind(one)} {_state(one)}"
        yield from (
            f"{shown(one.export.path)}:{change.line}: {change_text(change)}" for change in one.changes
        )
    yield from (f"not verified: {fault}" for fault in faults)
    yield from (f"not read: {line}" for line in left_out)
    counts = Counter(one.status for one in verified)
    parts = [f"{counts[status]} {status}" for status in CODES if counts[status]]
    changes = sum(change.kind != "rounded" for one in verified for change in one.changes)
    verdicts = sum(change.is_verdict for one in verified for change in one.changes)
    rounded = sum(change.kind == "rounded" for one in verified for change in one.changes)
    figures = sum(one.export.is_figure for one in verified)
    kinds = [counted(len(verified) - figures, "table")] * (figures < len(verified) or not verified)
    kinds += [counted(figures, "figure")] * bool(figures)
    more = f"; {counted(rounded, 'number')} rounded by hand" if rounded else ""
    shown_verdicts = f"{counted(verdicts, 'verdict')} changed"
    yield f"{' and '.join(kinds)}: {', '.join(parts) or 'nothing verified'}; " + (
        f"{counted(changes, 'change')}, {shown_verdicts}{more}"
    )


def _kind(one: Verified) -> str:
    return "figure" if one.export.is_figure else "table"


def _state(one: Verified) -> str:
    """Return in words whether an export is verified, and whether the data or the version changed."""
    if one.status == UNVERIFIED:
        return f"not verified: {one.reason}"
    verdict = ", a verdict changed" if one.verdict_changed else ""
    state = f"{one.status}{verdict} ({counted(one.cells, 'cell')} compared)"
    if one.data_changed is not None:
        same = one.data_changed and one.status == UNCHANGED
        state += "; the data changed" if one.data_changed else "; the data are the same"
        state += ", but no printed number did" if same else ""
    version = one.export.about.version
    return state + (f"; made by version {version}, this is {__version__}" if version != __version__ else "")


def change_text(change: TableChange) -> str:
    """Return a change in words: the cell, its text in the paper, and the recomputed text."""
    place = f"{change.row} × {change.column}" if change.row and change.column else change.row or change.column
    texts = f"the paper has {change.paper}; recomputed: {change.computed}"
    verdict = "; the verdict changed" if change.is_verdict else ""
    match change.kind:
        case "cell" | "mark":
            return f"{place}: {texts}{verdict}"
        case "rounded":
            return f"{place}: rounded by hand: {texts}"
        case "picture":
            return "the drawing was edited, or saved again by another program: it differs from its checksum"
        case "order":
            return f"{place} are in another order" + (f": {texts}" if change.paper else "")
        case "table":
            return f"{change.computed or 'the numbers'}: computed, but not in the paper"
    if change.paper and change.computed:
        return f"the name of a {change.kind} differs: {texts}"
    missing = "is not in the computed table" if change.paper else "is not in the paper"
    return f"{change.kind} {place} {missing}"


def _json(verified: Sequence[Verified], faults: Sequence[str], left_out: Sequence[str], code: int) -> str:
    rows = [
        {
            "file": one.export.path,
            "line": one.export.about.line,
            "kind": _kind(one),
            "command": one.export.about.command,
            "status": one.status,
            "reason": one.reason,
            "cells": one.cells,
            "verdict_changed": one.verdict_changed,
            "data_changed": one.data_changed,
            "version": one.export.about.version,
            "version_now": __version__,
            "changes": [asdict(change) | {"text": change_text(change)} for change in one.changes],
        }
        for one in verified
    ]
    return json_text({"exit": code, "exports": rows, "faults": [*faults], "not_read": [*left_out]})


def command() -> ManualParser:
    parser = ManualParser(
        "delve verify",
        "recompute the tables and figures of a paper",
        description="Read the tables of a paper cell by cell, and the provenance in its figures. "
        "Run the commands named there again, and print each number, mark and verdict that differs.",
        note="The files are LaTeX, HTML, Markdown, Typst or CSV with tables of delve table, rank, array or "
        "report, or SVG, PDF and PNG figures. Files that a paper includes are read if they are in "
        "its directory. Only commands that do not write are run, and no shell is used. A number "
        "rounded by hand is reported, but does not count as a change.",
        examples=(
            ("delve verify paper.tex", "Verify all tables and figures of a paper."),
            ("delve verify paper.tex --data results", "Search a directory for its files of scores."),
            ("delve verify cd.svg table.html --format json", "Print the results for other programs."),
        ),
        statuses=(
            ("0", "Nothing changed."),
            ("1", "Something changed."),
            ("2", "Something cannot be verified, or the arguments are invalid."),
            ENDED,
        ),
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="a paper, a table or a figure")
    meaning = (
        "directory with the files of scores or the delve directories; may be repeated (default: "
        "that of the file, and the archive in use)"
    )
    parser.add_argument("--data", action="append", default=[], metavar="DIR", help=meaning)
    parser.add_argument("--format", choices=FORMATS, default="text", help="output format (default: text)")
    return parser
