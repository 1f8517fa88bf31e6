"""Cases of section 3.3: numbers, categories, missing and censored values, indexes, comments, continuations."""

import numpy as np
import pytest

from delvecore.readers.cases import read_cases
from delvecore.readers.dataset import parse_dataset

SPEC = """Origin: natural
Usage: ?
Order: ?
Attributes:
1 LEVEL u [0,5] ?
2 GROUP u x y ?refused
3 COUNT c 0..Inf
"""


def read(text, spec=SPEC):
    found = []
    cases = read_cases(text, parse_dataset(spec, "d", "s"), "data", report=found.append)
    return cases, [str(error) for error in found]


def test_comments_indexes_and_continuations_belong_to_their_case():
    cases, found = read("1 x 3 @7 # hello # you\n  2\ty \\\n 4 @7\n\n# only a remark\n5 x 0 #bye")
    assert found == []
    assert cases.commonality == [7, 7, None]
    assert cases.comments == {0: "hello # you", 2: "bye"}
    assert cases.lines.tolist() == [1, 2, 6]
    assert cases.columns[1].numbers.tolist() == [1, 2, 5]


def test_a_hash_inside_a_word_is_no_comment():
    cases, found = read("1 x#1 3\n", SPEC.replace("x y", "x#1 y"))
    assert (found, cases.columns[2].words) == ([], ["x#1"])


def test_missing_values_keep_their_reasons():
    cases, found = read("?lost x 1\n? ?refused 2\n")
    assert found == []
    assert cases.columns[1].missing.tolist() == [True, True]
    assert cases.columns[1].words == ["?lost", "?"]
    assert np.isnan(cases.columns[1].numbers).all()


def test_censored_values_keep_bound_and_direction():
    cases, found = read("3: x 1\n:2 y 2\n4 x 3\n")
    assert found == []
    assert cases.columns[1].censored.tolist() == [1, -1, 0]
    assert cases.columns[1].numbers.tolist() == [3, 2, 4]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("6 x 3", "data:2: expected LEVEL within [0,5] ?, found '6'"),
        ("nan x 3", "data:2: expected LEVEL within [0,5] ?, found 'nan'"),
        ("1_0 x 3", "data:2: expected LEVEL within [0,5] ?, found '1_0'"),
        ("1 z 3", "data:2: expected GROUP within x y ?refused, found 'z'"),
        ("1 ? 3", "data:2: expected GROUP within x y ?refused (no missing value allowed), found '?'"),
        ("1 x 2.5", "data:2: expected COUNT within 0..Inf, found '2.5'"),
        ("1 x ?", "data:2: expected COUNT within 0..Inf (no missing value allowed), found '?'"),
        ("6: x 3", "data:2: expected LEVEL within [0,5] ?, found '6:'"),
        ("1 x 3 @b", "data:2: expected a commonality index, @ and digits, found '@b'"),
    ],
)
def test_a_faulty_case_is_named_with_its_line(line, message):
    _, found = read(f"1 x 3\n{line}\n2 y 4\n")
    assert found == [message]


def test_a_case_with_the_wrong_number_of_values_is_left_out_and_the_others_stay():
    cases, _ = read("1 x 3\n1 x\n2 y 4\n")
    assert (cases.count, cases.lines.tolist()) == (2, [1, 3])


def test_a_censored_value_may_lie_outside_if_the_true_value_can_be_inside():
    _, found = read("-1: x 1\n")
    assert found == []  # at least -1: it may be 0 to 5
