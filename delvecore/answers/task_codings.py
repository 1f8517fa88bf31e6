"""Numbers that a method receives for a task, and the coding of the attributes. The tables of `minfo`.

Source: DELVE manual, sections 7.3 and 7.4, appendix C (`dinfo`, `minfo`)."""

from collections.abc import Sequence

from delvecore.answers.answer import Answer, Kind, table_of
from delvecore.readers.hierarchy import Hierarchy
from delvecore.render.numbers import counted
from delvecore.render.provenance import command_line
from delvecore.render.spans import as_name, strong
from delvecore.report.information import (
    CodedRow,
    TextBlock,
    coding_columns,
    information_text,
    method_information,
    option_text,
)

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


def task_codings_answer(hierarchy: Hierarchy, names: Sequence[str]) -> Answer:
    """How does a method encode the attributes of a task? One row per column of the data files.

    names: method, dataset, prototask and task. Raises DelveError if there is no such task.
    """
    information = method_information(hierarchy, hierarchy, names)
    tables: dict[str, Sequence[CodedRow]] = {}
    notes = []
    for key in information.usual:
        value = information.values[key]()
        if isinstance(value, TextBlock) and value.codings:
            tables[key] = value.codings
        elif key != "task":
            notes.append(" ".join(information_text(information, [key]).split()))
    rows, parts = [], []
    for role, codings in tables.items():
        columns = coding_columns(codings)
        for (attribute, line, coding), numbered in columns:
            about = line.type, line.levels.lower(), coding.coding, option_text(coding)
            rows += [(ROLES[role], number, attribute.number, name, *about) for number, name in numbered]
        count = sum(number is not None for _, numbered in columns for number, _ in numbered)
        parts.append(f"{counted(count, 'number')} for {counted(len(codings), ROLES[role])}")
    notes += [IGNORED] if any(number is None for _, number, *_ in rows) else []
    path = "/".join(("", *names))
    task = as_name("/".join(("", *names[1:])))
    headline = f"{as_name(names[0])} uses {strong(' and '.join(parts))} of {task}." if parts else ""
    command = command_line(("minfo", path))
    return Answer("codings", headline, table_of(rows, COLUMNS), tuple(notes), command=command)
