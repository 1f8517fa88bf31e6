"""The tables of `minfo` as an answer."""

import pytest

from delvecore.answers.task_codings import task_codings_answer
from delvecore.cli import mgendata, minfo
from delvecore.errors import DelveError
from delvecore.readers.hierarchy import Hierarchy
from delvecore.render.spans import plain
from tests.cli.conftest import small
from tests.cli.running import Runner

__all__ = ["small"]
TASK = ("demo", "age", "std.4")


@pytest.fixture
def names(small, run_command: Runner):
    """A task of a method that ignores HOUR and copies SIBLINGS."""
    directory = small / "methods/mine" / "/".join(TASK)
    directory.mkdir(parents=True)
    (small / "encoding").write_text("HOUR ignore\nSIBLINGS copy\nCOLOUR 1-of-n passive=pink\n")
    coded = run_command(mgendata.main, "-q", "-c", str(small / "encoding"), directory=directory)
    assert coded.code == 0
    return ("mine", *TASK)


def answer(small, names):
    return task_codings_answer(Hierarchy([str(small)]), names)


def test_each_column_of_the_files_is_a_row_with_the_coding_used(small, names):
    reply = answer(small, names)
    assert reply.table.rows == [
        ("input", 1, 1, "SEX", "binary", "nlmh", "-1/+1", ""),
        ("input", 2, 3, "SIBLINGS", "integer", "nlmh", "copy", ""),
        *(
            ("input", number, 4, f"COLOUR:{colour}", "nominal", "nlmh", "1-of-n", 'passive = "pink"')
            for number, colour in enumerate(("blue", "red", "green", "purple"), start=3)
        ),
        ("input", None, 5, "HOUR", "angular", "nlmh", "ignore", ""),
        ("target", 1, 2, "AGE", "real", "nlmh", "nm-abs", ""),
    ]
    assert (
        plain(reply.headline)
        == "mine uses 6 numbers for 4 inputs and 1 number for 1 target of /demo/age/std.4."
    )
    assert reply.notes == ("Training set size: 4", "An attribute without a column is ignored.")
    assert reply.command == "minfo /mine/demo/age/std.4"


def test_the_numbers_of_columns_and_attributes_are_those_that_minfo_prints(small, names, run_command: Runner):
    printed = run_command(minfo.main, "/" + "/".join(names)).out.splitlines()
    lines = [line.split()[:3] for line in printed if line[:4].strip().isdigit() or line[:4].strip() == "-"]
    rows = answer(small, names).table.select("column", "attribute", "name").rows
    assert lines == [[str(column or "-"), str(number), name] for column, number, name in rows]


@pytest.mark.parametrize(
    ("place", "message"),
    [
        (("mine", *TASK, "more"), "/mine/demo/age/std.4/more: expected a method and its dataset"),
        (("mine", "demo", "age", "std.5"), "std.5"),
    ],
)
def test_another_place_is_an_error_of_one_line(small, names, place, message):
    with pytest.raises(DelveError) as caught:
        answer(small, place)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
