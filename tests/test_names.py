"""Names are one line of printable text wherever they enter; what is not is refused with its place."""

import io
import os
import tarfile

import pytest

import delvecore
from delvecore.errors import DelveError, Faults, ParseError
from delvecore.names import is_name, lines_shown, named_path, nearest, nearest_path, one_line, shown
from delvecore.readers.array import parse_array
from delvecore.readers.dataset import parse_dataset
from delvecore.score_tables.reading import read_scores
from tests.archives import DATASET, small_archive
from tests.hostile_names import HOSTILE_NAMES, PRINTED_NAMES, UNPRINTED_NAMES

ON_DISK = [name for name in UNPRINTED_NAMES if name and not {"\0", "/"} & set(name) and len(name) < 256]
IN_WORDS = [name for name in UNPRINTED_NAMES if name.split() == [name] and name != "\udc80x"]
ARRAY = "Title: x\nFactors:\n  f  1: {label} | 2: two\nMembers:\n  a/b/std 1\n  a/b/c 2\n"


def test_there_are_two_hundred_hostile_names():
    assert len(HOSTILE_NAMES) > 200


@pytest.mark.parametrize("name", UNPRINTED_NAMES, ids=ascii)
def test_what_is_not_printed_on_one_line_is_no_name(name):
    assert not is_name(name)
    assert one_line(name).isprintable()
    assert shown(name).isprintable()
    assert lines_shown(f"a\n\t{name}").replace("\n", "").replace("\t", "").isprintable()


def test_what_is_printed_is_a_name_and_stays_as_it_is():
    assert all(map(is_name, PRINTED_NAMES))
    assert [one_line(name) for name in PRINTED_NAMES] == [shown(name) for name in PRINTED_NAMES]
    assert [lines_shown(name) for name in PRINTED_NAMES] == list(PRINTED_NAMES)


@pytest.mark.parametrize("name", [name for name in UNPRINTED_NAMES if name.strip(" ")], ids=ascii)
def test_a_score_table_names_the_line_of_such_a_name(name):
    is_text = "\0" not in name and name.encode(errors="ignore").decode() == name
    if name.strip() == name and is_text:
        with pytest.raises(
            ParseError, match=r"scores.csv:\d: expected a name of at most 255 printable characters"
        ):
            read_scores(io.BytesIO(f'task,"{name}",c\none,1,2\n'.encode()), name="scores.csv")


@pytest.mark.parametrize("name", IN_WORDS, ids=ascii)
def test_an_attribute_or_a_value_of_such_a_name_is_a_fault_of_its_line(name):
    for text in (DATASET.replace("KIDS", name), DATASET.replace("blue", name)):
        with pytest.raises(ParseError, match=r"Dataset.spec:\d+: .*printable characters") as caught:
            parse_dataset(text, "demo", "Dataset.spec")
        assert str(caught.value).isprintable()


@pytest.mark.parametrize("name", IN_WORDS, ids=ascii)
def test_a_factor_of_such_a_name_is_a_fault_of_its_line(name):
    with pytest.raises(ParseError, match=r"Array.spec:3: .*printable characters"):
        parse_array(ARRAY.format(label=name), "a", "Array.spec")


def test_a_directory_of_such_a_name_is_a_problem_and_costs_itself_only(tmp_path):
    root = small_archive(tmp_path)
    for name in ON_DISK:
        os.makedirs(root / "methods" / name)
        (root / "data" / "demo" / name).write_text("x")
    archive = delvecore.open(root, cache=False)
    assert archive.methods["method"].to_pylist() == ["one", "two"]
    problems = [row for row in archive.problems.to_pylist() if "printable characters" in row["expected"]]
    assert {row["found"] for row in problems} == {shown(repr(name)) for name in ON_DISK}
    assert {os.path.basename(row["source"]) for row in problems} == {"methods", "demo"}


def test_a_delve_directory_whose_path_is_no_text_is_refused(tmp_path):
    root = small_archive(tmp_path).rename(tmp_path / "delve-\udc80")
    with pytest.raises(DelveError, match=r"delve-.udc80: expected a path in UTF-8"):
        delvecore.open(root, cache=False)


def test_a_packed_archive_with_such_a_name_is_refused(tmp_path):
    root = small_archive(tmp_path)
    with tarfile.open(root / "methods" / "three.tar.gz", "w:gz") as archive:
        archive.add(root / "methods" / "one", "three\u202e")
    (problem,) = (
        row for row in delvecore.open(root, cache=False).problems.to_pylist() if "three.tar" in row["source"]
    )
    assert "printable characters" in problem["expected"]


def test_a_name_is_refused_once_for_each_place():
    faults = Faults()
    parse_dataset(
        DATASET.replace("KIDS", "K\x1b").replace("blue", "b\x1b"),
        "demo",
        "Dataset.spec",
        report=faults.append,
    )
    assert [fault.line for fault in faults] == [8, 10]


def test_the_nearest_name_forgives_case_marks_and_a_slip_and_is_none_where_nothing_is_alike():
    known = ("kin-32nm", "kin-32fm", "pumadyn-32nm", "mushrooms")
    assert nearest("Kin_32NM", known) == "kin-32nm"
    assert nearest("kin32f", known) == "kin-32fm"
    assert nearest("mushroom", known) == "mushrooms"
    assert nearest("zzz", known) is None
    assert nearest("kin", ()) is None


@pytest.mark.parametrize("name", ["balance", "kin-32xm", "bank", "demo/age"])
def test_no_name_is_nearest_where_several_are_equally_or_none_really_is(name):
    # Abalone has 10 of 14 letters in common; kin-32xm differs by one letter from each kin.
    assert nearest(name, ("abalone", "kin-32nm", "kin-32fm", "diabetes", "clinic")) is None


@pytest.mark.parametrize(
    ("wanted", "nearest"),
    [
        ("/kin-32nm/dist/std.2048", "/kin-32nm/dist/std.1024"),
        ("/kin-32nm/dist/std.100", "/kin-32nm/dist/std.64"),
        ("/kin-33nm/dist/std.64", "/kin-32nm/dist/std.64"),
        ("/Kin-8nh/dst/std.64", "/kin-8nh/dist/std.64"),
        ("/bnak-8nh/rej/std.64", "/bank-8nh/rej/std.64"),
        ("", "/bank-8nh/rej/std.64"),
    ],
)
def test_the_nearest_path_has_the_same_family_then_prototask_then_a_near_size(wanted, nearest):
    known = ["/bank-8nh/rej/std.64", "/kin-8nh/dist/std.64", "/kin-32nm/dist/std.64"]
    assert nearest_path(wanted, [*known, "/kin-32nm/dist/std.1024", "/kin-32nm/near/std.64"]) == nearest


KNOWN = (
    "/clinic/stay/std.64",
    "/demo/age/std.32",
    "/demo/age/std.128",
    "/demo/sex/std.32",
    "/diabetes/y/std.8",
)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("demo/age/std.128", "/demo/age/std.128"),
        ("/lin-1/demo/age/std.128", "/demo/age/std.128"),
        ("gone-1/demo/age/std.128/", "/demo/age/std.128"),
        (" //demo//sex/std.32 ", "/demo/sex/std.32"),
        ("/demo/age/std.64", None),
        ("/demo", None),
        ("/gone-1/age/std.128", None),
    ],
)
def test_a_path_is_named_without_its_slash_and_with_a_method_in_front(text, path):
    assert named_path(text, KNOWN, ["lin-1"]) == path


def test_places_above_tasks_are_named_by_what_is_below_them_and_by_a_method():
    for text in ("demo", "/demo/age/std.128", "/lin-1/demo", "lin-1/demo/age/std.8"):
        assert named_path(text, ["/age", "/demo", "/std.8"], ["lin-1"]) == "/demo"
    assert named_path("/nowhere/age", ["/age", "/demo"], ["lin-1"]) is None


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("demo/age/std.64", "/demo/age/std.32"),
        ("/lin-1/demo/agee/std.128", "/demo/age/std.128"),
        ("lin-1/demo/sex", "/demo/sex/std.32"),
        ("/demo/y/std.8", None),
        ("/demo/age/other.x", None),
        ("/nowhere/age/std.128", None),
        ("/age/std.128", None),
    ],
)
def test_no_task_of_another_dataset_is_nearest(text, path):
    assert nearest_path(text, KNOWN, ["lin-1"]) == path


def test_among_no_paths_none_is_nearest():
    assert nearest_path("/demo/age/std.8", []) is None


def test_an_address_with_thousands_of_digits_leads_somewhere_at_once():
    assert nearest_path("/demo/age/std." + "9" * 100_000, ["/demo/age/std.8"]) == "/demo/age/std.8"
