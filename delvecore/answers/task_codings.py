"""Numbers that a method gets on a task, and the coding of the attributes. The tables of `minfo`.

Source: DELVE manual, sections 7.3 and 7.4, appendix C (`dinfo`, `minfo`)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from delvecore.answers.answer import Answer, Kind, table_of
from delvecore.errors import Fault
from delvecore.readers.hierarchy import Hierarchy
from delvecore.render.numbers import counted
from delvecore.render.provenance import command_line
from delvecore.render.spans import as_name, strong
from delvecore.report.information import (
    CodedRow,
    TextBlock,
    coding_columns,
    data_information,
    information_text,
    method_information,
    option_text,
)

TASK = 3
"""Number of names of a task in the data."""
ROLES = {"inputs": "input", "targets": "target"}
COLUMNS: tuple[tuple[str, str, Kind], ...] = (
    ("role", "role", "name"),
    ("column", "column", "count"),
    ("attribute", "attribute", "count"),
    ("name", "name", "name"),
    ("type", "type", "name"),
    ("levels", "relevance or noise", "name"),
    ("coding", "coding", "name"),
    ("options", "options", "name"),
)
IGNORED = "An attribute without a column is ignored."


def task_codings_answer(
    hierarchy: Hierarchy,
    names: Sequence[str],
    *,
    everything: bool = False,
    keys: str | None = None,
    only_keys: bool = False,
    terse: bool = False,
) -> Answer:
    """How are the attributes of a task encoded? One row per column of the data files, as `minfo` prints them.

    `names` are method, dataset, prototask and task, for the codings in use. Without a method, the default
    codings are returned, as in `dinfo`. The other parameters are options of these commands. `everything` is
    -a, and `keys` the text after -k, such as `targets`. `only_keys` is -q, the keys alone. `terse` is -t, one
    row per line without headings. Raises DelveError if the place is not a task, and for an unknown key.
    """
    is_used = len(names) > TASK
    path = "/".join(("", *names))
    if len(names) not in (TASK, TASK + 1):
        raise Fault(path, "a task, such as /demo/age/std.128, behind a method or not", "another place")
    information = (method_information if is_used else data_information)(hierarchy, hierarchy, names)
    wanted = information.keys(everything=everything, wanted=keys)
    flags = ["-a"] * everything + (["-k", keys] if keys else []) + ["-q"] * only_keys + ["-t"] * terse
    command = command_line(("minfo" if is_used else "dinfo", *flags, path))
    if only_keys:
        table = table_of([(key,) for key in wanted], [("key", "key", "name")])
        return Answer("codings", f"Keys of {as_name(path)}: {' '.join(wanted)}.", table, command=command)
    if terse:
        lines = [
            (key, line)
            for key in wanted
            for line in information_text(information, [key], terse=True).splitlines()
        ]
        table = table_of(lines, [("key", "key", "name"), ("value", "value", "name")])
        return Answer("codings", "", table, command=command)
    tables: dict[str, Sequence[CodedRow]] = {}
    notes = []
    for key in wanted:
        value = information.values[key]()
        if isinstance(value, TextBlock) and value.codings:
            tables[key] = value.codings
        elif key != "task":
            notes.append(" ".join(information_text(information, [key]).split()))
    rows = [row for role, codings in tables.items() for row in _rows(role, codings)]
    notes += [IGNORED] if any(row[1] is None for row in rows) else []
    headline = _headline(names[0] if is_used else None, "/".join(("", *names[-TASK:])), tables)
    return Answer("codings", headline, table_of(rows, COLUMNS), tuple(notes), command=command)


def _rows(role: str, codings: Sequence[CodedRow]) -> Iterator[tuple[Any, ...]]:
    for (attribute, line, coding), columns in coding_columns(codings):
        about = line.type, line.levels.lower(), coding.coding, option_text(coding)
        for number, name in columns:
            yield (ROLES[role], number, attribute.number, name, *about)


def _headline(method: str | None, task: str, tables: Mapping[str, Sequence[CodedRow]]) -> str:
    parts = []
    for role, codings in tables.items():
        numbers = sum(number is not None for _, own in coding_columns(codings) for number, _ in own)
        parts.append(f"{counted(numbers, 'number')} for {counted(len(codings), ROLES[role])}")
    if not parts:
        return ""
    which = f"{as_name(method)} uses" if method else "The default codings give"
    return f"{which} {strong(' and '.join(parts))} of {as_name(task)}."
