"""Cases of section 3.3: numbers, categories, missing and censored values, indexes, comments, continuations;
block by block the same as line by line, in bounded memory."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from delvecore.errors import ParseError
from delvecore.readers.cases import read_case_blocks, read_case_file, read_cases
from delvecore.readers.dataset import parse_dataset
from delvecore.readers.files import read_pieces
from delvecore.readers.lines import logical_lines, split_comment

SPEC = """Origin: natural
Usage: ?
Order: ?
Attributes:
1 LEVEL u [0,5] ?
2 GROUP u x y ?refused
3 COUNT c 0..Inf
"""


def read(text, spec=SPEC):
    errors = []
    cases = read_cases(text, parse_dataset(spec, "d", "s"), "data", report=errors.append)
    return cases, [str(error) for error in errors]


def test_comments_indexes_and_continuations_belong_to_their_case():
    cases, published = read("1 x 3 @7 # hello # you\n  2\ty \\\n 4 @7\n\n# only a remark\n5 x 0 #bye")
    assert published == []
    assert cases.commonality == [7, 7, None]
    assert cases.comments == {0: "hello # you", 2: "bye"}
    assert cases.lines.tolist() == [1, 2, 6]
    assert cases.columns[1].numbers.tolist() == [1, 2, 5]


def test_a_hash_inside_a_word_is_no_comment():
    cases, published = read("1 x#1 3\n", SPEC.replace("x y", "x#1 y"))
    assert (published, cases.columns[2].words) == ([], ["x#1"])


def test_missing_values_keep_their_reasons():
    cases, published = read("?lost x 1\n? ?refused 2\n")
    assert published == []
    assert cases.columns[1].missing.tolist() == [True, True]
    assert cases.columns[1].words == ["?lost", "?"]
    assert np.isnan(cases.columns[1].numbers).all()


def test_censored_values_keep_bound_and_direction():
    cases, published = read("3: x 1\n:2 y 2\n4 x 3\n")
    assert published == []
    assert cases.columns[1].censored.tolist() == [1, -1, 0]
    assert cases.columns[1].numbers.tolist() == [3, 2, 4]


def test_a_case_with_the_wrong_number_of_values_is_left_out_and_the_others_stay():
    cases, _ = read("1 x 3\n1 x\n2 y 4\n")
    assert (cases.count, cases.lines.tolist()) == (2, [1, 3])


def test_a_censored_value_may_lie_outside_if_the_true_value_can_be_inside():
    _, published = read("-1: x 1\n")
    assert published == []  # at least -1: it may be 0 to 5


ROOT = Path(__file__).resolve().parents[2]
TWO = "Origin: natural\nUsage: ?\nOrder: ?\nAttributes:\n1 LEVEL u [0,5] ?\n2 GROUP u x y ?\n"
DATASET = parse_dataset(TWO, "d", "s")


def pieces(data: bytes, size: int) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


def line_by_line(text):
    """The cases of a text by a loop over its lines: (first line, words, index, comment)."""
    cases, faults = [], []
    for number, line in logical_lines(text):
        values, comment = split_comment(line)
        words = values.split()
        if not words:
            continue
        index = None
        if len(words) > 2 and words[-1][0] == "@":
            word = words.pop()[1:]
            index = int(word) if word.isdigit() else None
            faults += [] if word.isdigit() else [number]
        if len(words) == 2:
            cases.append((number, words, index, " ".join(comment.split())))
        else:
            faults.append(number)
    return cases, sorted(faults)


TEXTS = st.lists(
    st.sampled_from(["1", "x", "?", "2:", "@7", "@", "#", "#a", "\\", " ", "\t", "\n", "\n", "é", "5.\\"]),
    max_size=40,
)


@pytest.mark.slow
@given(TEXTS, st.integers(1, 30))
@example(["\\", " ", "\n", "1"], 1)
def test_cases_are_those_of_a_loop_over_the_lines_wherever_the_file_is_cut(words, size):
    text = " ".join(words).replace(" \n ", "\n")
    cases, faults = [], []
    for block in read_case_blocks(
        pieces(text.encode(), size), DATASET, "d", report=faults.append, check=False
    ):
        rows = zip(*(block.columns[number].words for number in (1, 2)), strict=True)
        comments = [" ".join(block.comments.get(position, "").split()) for position in range(block.count)]
        cases += [
            (line, list(row), index, comment)
            for line, row, index, comment in zip(
                block.lines.tolist(), rows, block.commonality, comments, strict=True
            )
        ]
    assert (cases, sorted(fault.line for fault in faults)) == line_by_line(text)


@pytest.mark.slow
@given(st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=20))
def test_numbers_are_those_of_python(values):
    for form in (repr, "{:.9g}".format, "{:+.3e}".format):
        words = [form(value) for value in values]
        spec = TWO.replace("[0,5] ?", "(-Inf,Inf)")
        text = "".join(f"{word} x\n" for word in words)
        cases = read_cases(text, parse_dataset(spec, "d", "s"), "d")
        assert cases.columns[1].numbers.tolist() == [float(word) for word in words]
        assert cases.columns[1].words == words


@pytest.mark.parametrize(
    "word", ["1_0", "1e400", "0x10", "infinity", "-inf", "nan", "1e", ".", "-", "+", "1.5.2", "२"]
)
def test_what_is_no_number_of_section_3_3_is_none(word):
    spec = TWO.replace("[0,5] ?", "(-Inf,Inf)")
    errors = []
    cases = read_cases(f"1 x\n{word} x\n+.5e1 x\n", parse_dataset(spec, "d", "s"), "d", report=errors.append)
    assert np.isnan(cases.columns[1].numbers).tolist() == [False, True, False]
    assert [str(fault) for fault in errors] == [f"d:2: expected LEVEL within (-Inf,Inf), found {word!r}"]


def test_an_index_that_no_number_of_64_bits_holds_is_reported():
    errors = []
    cases = read_cases(f"1 x @{'9' * 19}\n1 x @{'9' * 18}\n1 x @²\n", DATASET, "d", report=errors.append)
    assert cases.commonality == [None, int("9" * 18), None]
    assert [fault.line for fault in errors] == [1, 3]


def test_the_line_of_a_bad_byte_is_named_in_any_block():
    data = b"1 x\n" * 3 + b"1 \xe9\n"
    with pytest.raises(ParseError, match="d:4: expected UTF-8 text, found byte 0xe9"):
        list(read_case_blocks(pieces(data, 4), DATASET, "d"))


def test_compressed_files_are_read_piece_by_piece(tmp_path):
    path = tmp_path / "Dataset.data.gz"
    path.write_bytes(gzip.compress(b"1 x\n2 y\n" * 200000))
    assert len(list(read_pieces(str(path)))) == 2
    assert read_case_file(str(path), DATASET).count == 400000
    path.write_bytes(gzip.compress(b"1 x\n" * 1000)[:-20])
    with pytest.raises(ParseError, match="expected a whole compressed file, found it cut short"):
        read_case_file(str(path), DATASET)


@pytest.mark.slow
def test_memory_stays_bounded_however_long_the_file_is():
    # Columns of 33 MB of cases take 100 MB: all of them are never there at once, nor would they be of 1 GB.
    code = """
import resource
from delvecore.readers.cases import read_case_blocks
from delvecore.readers.dataset import parse_dataset
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
dataset = parse_dataset("Origin: natural\\nUsage: ?\\nOrder: ?\\nAttributes:\\n"
    + "".join(f"{n} A{n} u (-Inf,Inf)\\n" for n in range(1, 11)), "d", "s")
piece = (" ".join(f"{n}.12345678" for n in range(10)) + "\\n").encode() * 10000
before = peak()
count = sum(block.count for block in read_case_blocks((piece for _ in range(30)), dataset, "d"))
print(count, peak() - before)
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    result = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, check=True, text=True
    )
    count, growth = map(int, result.stdout.split())
    assert count == 300_000
    assert growth < 80
