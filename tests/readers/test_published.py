"""Results that others published: the file `Published`."""

import pytest

from delvecore.errors import ParseError
from delvecore.readers.published import PublishedResult, parse_published
from delvecore.writers.published import published_text

TEXT = """\
Source: A. Author, A paper, 1999
# method task measure mean deviation runs where
tree /demo/age/std.128 S 12.5 0.4 10 table 2, page 7
tree /demo/age/std.256 S 11 ? ? # read off a figure
Source: Another paper, 2001
net /demo/age/std.128 Z 0.2 0 1
"""
PATH = "delve/data/demo/Published"


def read(text, owner=("dataset", "demo")):
    return parse_published(text, PATH, owner=owner)


def test_a_line_is_a_result_with_its_source_and_place():
    first, second, third = read(TEXT)
    source = "A. Author, A paper, 1999"
    assert first == PublishedResult(
        "tree", "demo", "age", "std", 128, "S", 12.5, 0.4, 10, source, "table 2, page 7", 3
    )
    assert (second.path, second.deviation, second.runs, second.where) == ("/demo/age/std.256", None, None, "")
    assert (third.source, third.deviation, third.runs) == ("Another paper, 2001", 0.0, 1)


def test_what_is_written_is_read_again():
    found = read(TEXT)
    again = read(published_text(found))
    assert [one._replace(line=0) for one in again] == [one._replace(line=0) for one in found]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("tree /demo/age/std.128 S 12.5 0.4", "5 words"),
        ("tree demo/age/std.128 S 12.5 0.4 10", "a task such as /demo/age/std.128"),
        ("tree /demo/age/std S 12.5 0.4 10", "a task such as /demo/age/std.128"),
        ("tree /demo/age/std.128 S nan 0.4 10", "the mean, a number"),
        ("tree /demo/age/std.128 S 12.5 -1 10", "a standard deviation, or ?"),
        ("tree /demo/age/std.128 S 12.5 0.4 0", "a number of runs, or ?"),
        ("tree /other/age/std.128 S 12.5 0.4 10", "results of the dataset demo"),
    ],
)
def test_a_faulty_line_is_named_and_left_out(line, said):
    found = []
    kept = parse_published(f"Source: x\n{line}\n", PATH, owner=("dataset", "demo"), report=found.append)
    ((fault),) = found
    assert kept == ()
    assert fault.line == 2
    assert said in str(fault)


def test_a_result_needs_a_source_and_stands_once():
    with pytest.raises(ParseError, match="expected a line Source: above it"):
        read("tree /demo/age/std.128 S 12.5 0.4 10\n")
    with pytest.raises(ParseError, match="each result once, found it again"):
        read("Source: x\n" + "tree /demo/age/std.128 S 12.5 0.4 10\n" * 2)


def test_the_file_of_a_method_holds_its_results_on_all_datasets():
    (found,) = read("Source: x\ntree /demo/age/std.128 S 12.5 0.4 10\n", ("method", "tree"))
    assert found.dataset == "demo"
    with pytest.raises(ParseError, match="results of the method net"):
        read("Source: x\ntree /demo/age/std.128 S 12.5 0.4 10\n", ("method", "net"))
