import pytest

from delvecore.errors import DelveError
from delvecore.report.information.information import Information, Statement, information_text

VALUES = {
    "title": lambda: "",
    "sizes": lambda: ("20", "40"),
    "tasks": lambda: ["std.20", "std.40"],
    "empty-list": list,
    "fact": lambda: Statement("A fact", "fact"),
    "hidden": lambda: "asked for",
}
INFORMATION = Information(("title", "sizes"), ("sizes", "tasks", "title"), VALUES)


def test_keys_are_the_usual_ones_all_or_those_wanted() -> None:
    assert INFORMATION.keys() == ["title", "sizes"]
    assert INFORMATION.keys(everything=True) == ["sizes", "tasks", "title"]
    assert INFORMATION.keys(everything=True, wanted="tasks  hidden") == ["tasks", "hidden"]


def test_unknown_keys_are_refused() -> None:
    with pytest.raises(DelveError) as caught:
        INFORMATION.keys(wanted="sizes colour")
    message = "unknown key 'colour'; the keys are sizes tasks title empty-list fact hidden"
    assert str(caught.value) == message


def test_each_kind_of_value_has_its_layout() -> None:
    expected = "Title: no title\nSizes: 20 40\nTasks: \n\tstd.20\n\tstd.40\nEmpty list: none\nA fact\nHidden: asked for"
    assert information_text(INFORMATION, list(VALUES)) == expected
    terse = "\n20 40\nstd.20 std.40\n\nfact\nasked for"
    assert information_text(INFORMATION, list(VALUES), terse=True) == terse


def test_only_what_is_printed_is_read() -> None:
    values = {**VALUES, "costly": lambda: pytest.fail("was read")}
    assert information_text(INFORMATION._replace(values=values), ["sizes"]) == "Sizes: 20 40"
