"""Information as keys with values, and how `dinfo` and `minfo` print it; and who contributed a dataset or
method.

A value is a text, a tuple of words (printed on one line), a list (printed one entry a line), a Statement, or
a table of attributes, with ranges (datasets) or codings (tasks), of which terse information has the numbers
alone. Source: DELVE manual, appendix C, `dinfo`; the layout, with its blanks, is DELVE 1.1's."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from delvecore.encoding.codings import column_names
from delvecore.errors import DelveError
from delvecore.model import Attribute, Coding, PriorLine
from delvecore.readers.contributors import Contributor, read_contributors
from delvecore.readers.hierarchy import Hierarchy
from delvecore.report.writers.text import fold

WIDTH = 80
DESCRIPTION_COLUMN = 34
DEFAULT_SCALE = ("scale", "sqrt")


Row = tuple[Attribute, PriorLine, Coding]


class AttributeTable(NamedTuple):
    """Number, name, control, range and description of some Attributes."""

    attributes: Sequence[Attribute]

    def lines(self) -> list[str]:
        lines = [line for attribute in self.attributes for line in _attribute_lines(attribute)]
        return ["     #  name     c/u range        description", *lines]


def _attribute_lines(attribute: Attribute) -> list[str]:
    """The description starts in column 34 (from 0), on a line of its own where the range reaches that far."""
    number, name, control, limits, description = attribute
    row = f"{number:>6}  {name:<8}  {control:<3}{limits.text:<12}".rstrip()
    if not description:
        return [row]
    lines = fold(description, " " * DESCRIPTION_COLUMN, width=WIDTH)
    if len(row) >= DESCRIPTION_COLUMN:
        return [row, *lines]
    return [row.ljust(DESCRIPTION_COLUMN) + lines[0].lstrip(), *lines[1:]]


class CodingTable(NamedTuple):
    """How attributes become numbers. rows: of (Attribute, PriorLine, Coding), inputs or targets of a task.
    role: `inputs` or `targets`; is_default: whether the codings shown are the defaults (`dinfo`) or those
    that a method used (`minfo`)."""

    rows: Sequence[Row]
    role: str
    is_default: bool

    def lines(self) -> list[str]:
        levels = "noise-lev" if self.role == "targets" else "relevance"
        blanks, title = ("    ", "  def coding") if self.is_default else ("  ", " coding")
        found = [f" col attr name          type   {levels}{title}  options"]
        for numbers, (attribute, line, coding) in self._numbered():
            first, *others = _columns(numbers, attribute, coding)
            found.append(
                f"{_place(first, attribute)} {line.type:<8} {line.levels.lower():<7}{blanks}"
                f"{coding.coding:<9} {_options(coding)}"
            )
            found += [f"{_place(column, attribute)}                ..." for column in others]
        return found

    @property
    def attributes(self) -> list[Attribute]:
        return [attribute for attribute, _, _ in self.rows]

    def _numbered(self) -> Iterator[tuple[range, Row]]:
        """Yield (column numbers, row); an ignored attribute has no columns and so no numbers."""
        start = 1
        for row in self.rows:
            attribute, _, coding = row
            end = start + len(column_names(attribute, coding))
            yield range(start, end), row
            start = end


def _columns(numbers: range, attribute: Attribute, coding: Coding) -> list[tuple[str, str]]:
    """Return (number, name) of each column; a hyphen and the attribute's name where there is none."""
    names = column_names(attribute, coding)
    return [*zip(map(str, numbers), names, strict=True)] or [("-", attribute.name)]


def _place(column: tuple[str, str], attribute: Attribute) -> str:
    number, name = column
    return f" {number:>3} {attribute.number:>3}  {name:<13}"


def _shown_options(coding: Coding) -> list[tuple[str, str | None]]:
    return [option for option in coding.options if option != DEFAULT_SCALE]


def _options(coding: Coding) -> str:
    """DELVE 1.1 sets the hyphen for `no options` three blanks further right than the options."""
    shown = ", ".join(f'{name} = "{value}"' for name, value in _shown_options(coding))
    return shown or "   -"


class Statement(NamedTuple):
    """A value that is printed as a sentence of its own, without its key."""

    text: str
    terse: str


Value = str | list[str] | tuple[str, ...] | Statement | AttributeTable | CodingTable
Values = dict[str, Callable[[], Value]]


class Information(NamedTuple):
    """What is known of one place. usual, complete: the keys printed without and with -a, each in its order;
    values: {key: function without arguments}, so that only what is printed is read. Keys in neither list are
    given on request (-k)."""

    usual: Sequence[str]
    complete: Sequence[str]
    values: Mapping[str, Callable[[], Value]]

    def keys(self, *, everything: bool = False, wanted: str | None = None) -> list[str]:
        """Return the keys to print; wanted: text of the keys asked for. DelveError for an unknown key."""
        if wanted is None:
            return list(self.complete if everything else self.usual)
        keys = wanted.split()
        unknown = [key for key in keys if key not in self.values]
        if unknown:
            known = " ".join(dict.fromkeys((*self.complete, *self.values)))
            raise DelveError(f"unknown key {unknown[0]!r}; the keys are {known}")
        if not keys:
            raise DelveError("expected at least one key, found none; -q lists the keys")
        return keys


def information_text(information: Information, keys: Iterable[str], *, terse: bool = False) -> str:
    """Return the lines that show the values of keys; terse leaves the headings out."""
    lines: list[str] = []
    for key in keys:
        value = information.values[key]()
        lines += _terse_lines(value) if terse else _lines(key, value)
    return "\n".join(lines)


def _lines(key: str, value: Value) -> list[str]:
    words = key.replace("-", " ")
    heading = f"{words[0].upper()}{words[1:]}: "
    if isinstance(value, Statement):
        return [value.text]
    if isinstance(value, AttributeTable | CodingTable):
        return [heading, *value.lines()]
    if not value:
        return [heading + ("no title" if key == "title" else "none")]
    if isinstance(value, list):
        return [heading, *(f"\t{entry}" for entry in value)]
    return [heading + (value if isinstance(value, str) else " ".join(value))]


def _terse_lines(value: Value) -> list[str]:
    if isinstance(value, Statement):
        return [value.terse]
    if isinstance(value, AttributeTable | CodingTable):
        return [" ".join(str(attribute.number) for attribute in value.attributes)]
    return [value if isinstance(value, str) else " ".join(value)]


def contributor_texts(hierarchy: Hierarchy, part: str, name: str) -> list[str]:
    """Return `Ada Example (ada@example.org), 2026-11-22` for each contributor of a dataset (part `data`) or a
    method (`methods`). What cannot be read is told by the checks."""
    try:
        found = read_contributors(hierarchy, part, name, report=_ignored)
    except DelveError:
        return []
    return [_text(one) for one in found]


def _ignored(_error: DelveError) -> None:
    """Faults are told by `dcheck`, `mcheck` and the page File check."""


def _text(one: Contributor) -> str:
    address = f" ({one.address})" if one.address else ""
    return f"{one.name}{address}" + (f", {one.when}" if one.when else "")
