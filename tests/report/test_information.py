"""What `dinfo` and `minfo` print: tables of attributes and codings, keys and values."""

import pytest

from delvecore.model import Attribute, Coding, PriorLine
from delvecore.readers.dataset import parse_range
from delvecore.report.information import (
    Information,
    TextBlock,
    attribute_table,
    coding_table,
    information_text,
)

VALUES = {
    "title": lambda: "",
    "sizes": lambda: ("20", "40"),
    "tasks": lambda: ["std.20", "std.40"],
    "empty-list": list,
    "fact": lambda: TextBlock(["A fact"], "fact", has_heading=False),
    "hidden": lambda: "asked for",
}
INFORMATION = Information(("title", "sizes"), ("sizes", "tasks", "title"), VALUES)


def row(name: str, limits: str, description: str) -> list[str]:
    return attribute_table([Attribute(7, name, "u", parse_range(limits), description)]).lines[1:]


def test_description_starts_in_column_34() -> None:
    assert row("y", "[0,Inf)", "its size") == ["     7  y         u  [0,Inf)      its size"]
    assert row("y", "[0,Inf)", "its size")[0].index("its") == 34


def test_description_moves_to_the_next_line_when_the_row_is_too_long() -> None:
    assert row("y", "a b c d e f", "letter") == ["     7  y         u  a b c d e f  letter"]
    assert row("y", "aa b c d e f", "letter") == ["     7  y         u  aa b c d e f letter"]
    assert row("y", "aaa b c d e f", "letter") == ["     7  y         u  aaa b c d e f", " " * 34 + "letter"]
    assert row("a_long_name", "[0,Inf)", "size") == ["     7  a_long_name  u  [0,Inf)   size"]


def test_long_descriptions_are_wrapped_at_80() -> None:
    words = "abcd " * 20
    lines = row("y", "[0,1]", words)
    assert [len(line) for line in lines] == [78, 78, 43]
    assert lines[1].startswith(" " * 34 + "abcd")
    assert len(row("y", "[0,1]", "x" * 46 + " y")[0]) == 80


def test_options_are_joined_and_the_usual_scale_is_left_out() -> None:
    attribute = Attribute(3, "c", "u", parse_range("no yes"), "")
    line = PriorLine(3, "NL", "binary", ())
    coding = Coding("c", "0/1", (("passive", "<=50"), ("scale", "sqrt")))
    table = coding_table([(attribute, line, coding)], "targets", is_default=False)
    assert table.lines == [
        " col attr name          type   noise-lev coding  options",
        '   1   3  c             binary   nl       0/1       passive = "<=50"',
    ]
    copied = Coding("c", "copy", (("scale", "none"),))
    lines = coding_table([(attribute, line, copied)], "targets", is_default=False).lines
    assert lines[1].endswith('copy      scale = "none"')


def test_keys_are_the_usual_ones_all_or_those_wanted() -> None:
    assert INFORMATION.keys() == ["title", "sizes"]
    assert INFORMATION.keys(everything=True) == ["sizes", "tasks", "title"]
    assert INFORMATION.keys(everything=True, wanted="tasks  hidden") == ["tasks", "hidden"]


def test_each_kind_of_value_has_its_layout() -> None:
    expected = "Title: no title\nSizes: 20 40\nTasks: \n\tstd.20\n\tstd.40\nEmpty list: none\nA fact\nHidden: asked for"
    assert information_text(INFORMATION, list(VALUES)) == expected
    terse = "\n20 40\nstd.20 std.40\n\nfact\nasked for"
    assert information_text(INFORMATION, list(VALUES), terse=True) == terse


def test_only_what_is_printed_is_read() -> None:
    values = {**VALUES, "costly": lambda: pytest.fail("was read")}
    assert information_text(INFORMATION._replace(values=values), ["sizes"]) == "Sizes: 20 40"
