"""What the rules gather of cases block by block is what they would find in all cases at once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from delvecore.checks.dataset_rules import Wanted, case_digests, collect_facts
from delvecore.readers.cases import read_case_blocks, read_cases
from delvecore.readers.dataset import parse_dataset

SPEC = "Origin: natural\nUsage: ?\nOrder: ?\nAttributes:\n1 X u [0,9] ?\n2 Y u a b ?\n3 Z u a ab b abc\n"
DATASET = parse_dataset(SPEC, "d", "s")
CASES = st.tuples(
    st.sampled_from(["1", "2", "?"]),
    st.sampled_from(["a", "b", "?why"]),
    st.sampled_from(["a", "ab", "b", "abc"]),
)
INDEX = st.sampled_from(["", "", " @1", " @2"])
LINES = st.lists(
    st.builds(lambda case, index: " ".join(case) + index, CASES, INDEX) | st.just("odd"), max_size=30
)
WANTED = Wanted(frozenset({2}), frozenset({frozenset({1, 3}), frozenset({0, 2})}))


def ignore(error):
    """Cases with a wrong number of values are wanted here."""


@pytest.mark.slow
@given(LINES, st.integers(1, 40))
def test_facts_of_blocks_are_those_of_the_whole(lines, size):
    data = "".join(line + "\n" for line in lines).encode()
    pieces = [data[start : start + size] for start in range(0, len(data), size)]
    blocks = read_case_blocks(pieces, DATASET, "d", report=ignore)
    facts, cases = collect_facts(blocks, WANTED), read_cases(data.decode(), DATASET, "d", report=ignore)
    known = [line.split() for line in lines if line != "odd"]
    indexes = [int(words[3][1:]) if len(words) > 3 else -1 for words in known]
    assert (facts.count, facts.left_out, facts.total) == (len(known), lines.count("odd"), len(lines))
    assert facts.complete((0, 1, 2)).tolist() == [words[0] != "?" and words[1] != "?why" for words in known]
    assert ([-1] * len(known) if facts.groups is None else facts.groups.tolist()) == indexes
    assert list(facts.columns[2].words) == [words[1] for words in known]
    for numbers, digests in facts.digests.items():
        assert (digests == case_digests(cases, numbers)).all()


@pytest.mark.slow
@given(st.lists(CASES, min_size=2, max_size=30))
def test_digests_are_equal_where_words_are_and_differ_where_they_do(rows):
    cases = read_cases("".join(" ".join(row) + "\n" for row in rows), DATASET, "d")
    digests = case_digests(cases, (1, 2, 3)).tolist()
    assert [[a == b for a in digests] for b in digests] == [[a == b for a in rows] for b in rows]


def test_digests_tell_words_from_numbers_and_places():
    cases = read_cases("1 a a\n1.0 a a\n1 a ab\n1 b a\n", DATASET, "d")
    assert len(np.unique(case_digests(cases, (1, 2, 3)))) == 4
    assert len(np.unique(case_digests(cases, (0, 3)))) == 2
