"""The tables of `minfo` and `dinfo` as an answer, with their options."""

import pytest

from delvecore.answers.task_codings import task_codings_answer
from delvecore.cli import dinfo, mgendata, minfo
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


def answer(small, names, **options):
    return task_codings_answer(Hierarchy([str(small)]), names, **options)


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


def test_without_a_method_codings_are_the_default_ones(small, names):
    reply = answer(small, TASK)
    assert plain(reply.headline).startswith("The default codings give 9 numbers for 4 inputs and 1 number")
    assert (len(reply.table), reply.command) == (10, "dinfo /demo/age/std.4")


def test_the_numbers_of_columns_and_attributes_are_those_that_minfo_prints(small, names, run_command: Runner):
    for place, main in ((names, minfo.main), (TASK, dinfo.main)):
        printed = run_command(main, "/" + "/".join(place)).out.splitlines()
        lines = [
            line.split()[:3] for line in printed if line[:4].strip().isdigit() or line[:4].strip() == "-"
        ]
        rows = answer(small, place).table.select("column", "attribute", "name").rows
        assert lines == [[str(column or "-"), str(number), name] for column, number, name in rows]


def test_keys_choose_and_are_listed_and_terse_values_are_lines(small, names, run_command: Runner):
    path = "/" + "/".join(names)
    assert set(answer(small, names, keys="targets").table["role"]) == {"target"}
    assert answer(small, names, keys="targets").command == f"minfo -k targets {path}"
    listed = answer(small, names, only_keys=True)
    assert listed.table["key"] == run_command(minfo.main, "-q", path).out.split()
    assert listed.command == f"minfo -q {path}"
    terse = answer(small, names, terse=True)
    assert terse.table["value"] == run_command(minfo.main, "-t", path).out.splitlines()
    assert terse.command == f"minfo -t {path}"
    both = answer(small, names, keys="inputs", terse=True)
    assert both.table.rows == [("inputs", "1 3 4 5")]


@pytest.mark.parametrize(
    ("place", "options", "message"),
    [
        (("mine", "demo"), {}, "/mine/demo: expected a task, such as /demo/age/std.128"),
        (("mine", *TASK), {"keys": "colours"}, "unknown key 'colours'; the keys are"),
        (("mine", "demo", "age", "std.5"), {}, "std.5"),
    ],
)
def test_what_is_no_task_or_key_is_one_line(small, names, place, options, message):
    with pytest.raises(DelveError) as caught:
        answer(small, place, **options)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
