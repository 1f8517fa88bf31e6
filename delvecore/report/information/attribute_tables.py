"""Tables of attributes, as `dinfo` and `minfo` print them: with ranges (datasets) or codings (tasks).

The blanks are those of DELVE 1.1. Every table has `lines()`, to be read, and `terse()`: one line an attribute
with tabs between the fields.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from delvecore.encoding.codings import column_names
from delvecore.model import Attribute, Coding, PriorLine
from delvecore.report.writers.text import fold

__all__ = ["AttributeTable", "CodingTable"]

WIDTH = 80
DESCRIPTION_COLUMN = 34
DEFAULT_SCALE = ("scale", "sqrt")


Row = tuple[Attribute, PriorLine, Coding]


class AttributeTable(NamedTuple):
    """Number, name, control, range and description of some Attributes."""

    attributes: Sequence[Attribute]

    def lines(self) -> list[str]:
        found = ["     #  name     c/u range        description"]
        for attribute in self.attributes:
            found += _attribute_lines(attribute)
        return found

    def terse(self) -> list[str]:
        return [
            "\t".join((str(item.number), item.name, item.control, item.range.text, item.description))
            for item in self.attributes
        ]


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
    that a method used (`minfo`).
    """

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

    def terse(self) -> list[str]:
        found = []
        for numbers, (attribute, line, coding) in self._numbered():
            options = " ".join(f"{name}={value}" for name, value in _shown_options(coding))
            fields = (coding.coding, options)
            for number, name in _columns(numbers, attribute, coding):
                place = (number, str(attribute.number), name)
                found.append("\t".join((*place, line.type, line.levels.lower(), *fields)))
        return found

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
