"""Tables of attributes, as `dinfo` and `minfo` print them: with ranges (datasets) or codings (tasks).

The blanks are those of DELVE 1.1. Every table has `lines()`, to be read, and `terse()`: one line an attribute
with tabs between the fields.
"""

from collections import namedtuple

from delvecore.encoding.codings import column_names
from delvecore.report.information.folding import fold

__all__ = ["AttributeTable", "CodingTable"]

WIDTH = 80
DESCRIPTION_COLUMN = 34
DEFAULT_SCALE = ("scale", "sqrt")


class AttributeTable(namedtuple("AttributeTable", "attributes")):
    """Number, name, control, range and description of some Attributes."""

    __slots__ = ()

    def lines(self):
        found = ["     #  name     c/u range        description"]
        for attribute in self.attributes:
            found += _attribute_lines(attribute)
        return found

    def terse(self):
        return [
            "\t".join((str(item.number), item.name, item.control, item.range.text, item.description))
            for item in self.attributes
        ]


def _attribute_lines(attribute):
    """The description starts in column 34 (from 0), on a line of its own where the range reaches that far."""
    number, name, control, limits, description = attribute
    row = f"{number:>6}  {name:<8}  {control:<3}{limits.text:<12}".rstrip()
    if not description:
        return [row]
    lines = fold(description, " " * DESCRIPTION_COLUMN, width=WIDTH)
    if len(row) >= DESCRIPTION_COLUMN:
        return [row, *lines]
    return [row.ljust(DESCRIPTION_COLUMN) + lines[0].lstrip(), *lines[1:]]


class CodingTable(namedtuple("CodingTable", "rows role is_default")):
    """How attributes become numbers. rows: of (Attribute, PriorLine, Coding), inputs or targets of a task.

    role: `inputs` or `targets`; is_default: whether the codings shown are the defaults (`dinfo`) or those
    that a method used (`minfo`).
    """

    __slots__ = ()

    def lines(self):
        levels = "noise-lev" if self.role == "targets" else "relevance"
        blanks, title = ("    ", "  def coding") if self.is_default else ("  ", " coding")
        found = [f" col attr name          type   {levels}{title}  options"]
        for numbers, (attribute, line, coding) in self._numbered():
            first, *others = [*zip(numbers, column_names(attribute, coding), strict=True)] or [
                ("-", attribute.name)
            ]
            found.append(
                f"{_place(first, attribute)} {line.type:<8} {line.levels.lower():<7}{blanks}"
                f"{coding.coding:<9} {_options(coding)}"
            )
            found += [f"{_place(column, attribute)}                ..." for column in others]
        return found

    def terse(self):
        found = []
        for numbers, (attribute, line, coding) in self._numbered():
            options = " ".join(f"{name}={value}" for name, value in _shown_options(coding))
            fields = (coding.coding, options)
            names = column_names(attribute, coding)
            for number, name in [*zip(numbers, names, strict=True)] or [("-", attribute.name)]:
                place = (str(number), str(attribute.number), name)
                found.append("\t".join((*place, line.type, line.levels.lower(), *fields)))
        return found

    def _numbered(self):
        """Yield (column numbers, row); an ignored attribute has no columns and so no numbers."""
        start = 1
        for row in self.rows:
            attribute, _, coding = row
            end = start + len(column_names(attribute, coding))
            yield range(start, end), row
            start = end


def _place(column, attribute):
    number, name = column
    return f" {number:>3} {attribute.number:>3}  {name:<13}"


def _shown_options(coding):
    return [option for option in coding.options if option != DEFAULT_SCALE]


def _options(coding):
    """DELVE 1.1 sets the hyphen for `no options` three blanks further right than the options."""
    shown = ", ".join(f'{name} = "{value}"' for name, value in _shown_options(coding))
    return shown or "   -"
