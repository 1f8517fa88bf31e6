"""Random orders of cases."""

from collections import Counter
from itertools import groupby

import numpy as np
import pytest

from delvecore.encoding.prototask_cases import order_lines, random_order
from delvecore.errors import DelveError
from delvecore.readers.prototask import parse_indexes


def test_order_holds_each_case_once_and_is_the_same_for_the_same_seed():
    order = random_order(50, 7)
    assert sorted(order.tolist()) == list(range(50))
    assert order.tolist() == random_order(50, 7).tolist()
    assert order.tolist() != random_order(50, 8).tolist()


def test_order_of_a_seed_never_changes():
    # Made once with NumPy 2.4: files that record only their seed can be made again with any version.
    assert random_order(8, 1996).tolist() == [6, 4, 7, 5, 0, 3, 2, 1]
    assert random_order(8, 1996, groups=np.array([5, 5, 0, 1, 1, 1, 5, 2])).tolist() == [
        4,
        5,
        3,
        7,
        6,
        0,
        1,
        2,
    ]


def test_all_orders_are_equally_likely():
    # 6 orders, 6000 draws: each 1000 times, standard deviation 29.
    counts = Counter(tuple(random_order(3, seed).tolist()) for seed in range(6000))
    assert len(counts) == 6
    assert all(850 < count < 1150 for count in counts.values())


def test_groups_stay_together_in_random_order_and_are_shuffled_themselves():
    groups = np.array([3, 1, 3, 2, 1, 3])
    seen = Counter()
    for seed in range(4320):
        order = random_order(6, seed, groups=groups)
        assert len(list(groupby(groups[order].tolist()))) == 3
        seen[tuple(order.tolist())] += 1
    # 3! orders of groups times 3! 2! 1! orders within them: 72, each about 60 times.
    assert len(seen) == 72
    assert max(seen.values()) < 110


def test_file_is_read_back():
    order = random_order(20, 11)
    text = b"".join(order_lines(order)).decode()
    assert parse_indexes(text, "Random-order", count=20, permutation=True) == (order + 1).tolist()


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seed_beyond_64_bits_is_refused(seed: int):
    with pytest.raises(DelveError, match="expected a seed from 0 to 18446744073709551615"):
        random_order(3, seed)
