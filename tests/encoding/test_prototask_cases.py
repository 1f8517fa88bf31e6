"""The cases of a prototask, in its order, and random orders."""

import gzip
import shutil
from collections import Counter
from itertools import groupby

import numpy as np
import pytest

from delvecore.encoding.prototask_cases import order_lines, prototask_cases, random_order
from delvecore.errors import DelveError, ParseError
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.prototask import parse_indexes
from delvecore.readers.specifications import read_dataset, read_prototask
from tests.archives import AGE, write_tree
from tests.checks.test_stored_prototasks import PRICE, specification
from tests.shared import SESSION, shared_cases, shared_path


def cases_of(root, name, dataset="demo"):
    hierarchy = Hierarchy([str(root)])
    described = read_dataset(hierarchy, dataset)
    return prototask_cases(hierarchy, described, read_prototask(hierarchy, described, name))


def test_retained_order_is_that_of_the_dataset(archive):
    cases = cases_of(archive, "age")
    assert cases.case_numbers.tolist() == list(range(1, 25))
    assert cases.columns[3].words[:5] == ["0", "1", "2", "3", "0"]


def test_order_file_gives_the_order(archive):
    # The file lists 1 6 11 16 21 2 ...; case n (from 1) has the (n - 1) mod 3rd shade.
    cases = cases_of(archive, "shade")
    assert cases.case_numbers[:6].tolist() == [1, 6, 11, 16, 21, 2]
    assert cases.columns[5].words[:6] == ["pink", "red", "blue", "pink", "red", "blue"]
    assert sorted(cases.columns) == [1, 2, 3, 5]


def with_cases(archive, value, **files):
    write_tree(
        archive, {"data/demo/age/Prototask.spec": AGE.replace("Cases: all", f"Cases: {value}"), **files}
    )
    return archive


def test_no_missing_leaves_out_cases_without_a_value_of_the_prototasks_attributes(archive):
    lines = (archive / "data/demo/Dataset.data").read_text().splitlines()
    lines[1] = lines[1].replace(" 27.5 ", " ? ")
    write_tree(archive, {"data/demo/Dataset.data": "\n".join(lines)})
    cases = cases_of(with_cases(archive, "no missing"), "age")
    assert cases.case_numbers.tolist() == [1, *range(3, 25)]


def test_order_of_a_case_file_does_not_matter(archive):
    with_cases(archive, "Adults", **{"data/demo/age/Adults": "5\n2\n9\n"})
    assert cases_of(archive, "age").case_numbers.tolist() == [2, 5, 9]


def test_order_file_counts_the_cases_that_are_used(archive):
    # Manual, section 4.4: indexes go up to the number of cases that are used in the prototask.
    with_cases(archive, "Adults", **{"data/demo/age/Adults": "5\n2\n9\n", "data/demo/age/Order": "3\n1\n2\n"})
    specification = archive / "data/demo/age/Prototask.spec"
    specification.write_text(specification.read_text().replace("retain", "Order"))
    assert cases_of(archive, "age").case_numbers.tolist() == [9, 2, 5]


def prototask_data(archive, name, order):
    """The text of Prototask.data as made from the dataset: columns in the given order of attributes."""
    cases = cases_of(archive, name)
    columns = [cases.columns[number].words for number in order]
    return "".join(" ".join(row) + "\n" for row in zip(*columns, strict=True))


def test_prototask_data_serves_where_the_dataset_has_no_data(archive):
    expected = cases_of(archive, "age")
    text = prototask_data(archive, "age", (1, 3, 4, 5, 2))  # inputs as they are listed, then targets
    write_tree(archive, {"data/demo/age/Prototask.data.gz": gzip.compress(text.encode())})
    (archive / "data/demo/Dataset.data").unlink()
    cases = cases_of(archive, "age")
    assert cases.case_numbers.tolist() == expected.case_numbers.tolist()
    for number, column in cases.columns.items():
        assert column.words == expected.columns[number].words


def test_columns_of_prototask_data_are_never_guessed_from_ranges(archive):
    # Every value of these columns by number is within its range, and none would be as they are listed.
    write_tree(archive, {"data/demo/age/Prototask.data": prototask_data(archive, "age", (1, 2, 3, 4, 5))})
    (archive / "data/demo/Dataset.data").unlink()
    with pytest.raises(ParseError, match=r"Prototask\.data:1: expected KIDS within"):
        cases_of(archive, "age")


def test_prototask_data_serves_where_its_order_file_is_absent(archive):
    text = prototask_data(archive, "shade", (1, 2, 3, 5))
    expected = cases_of(archive, "shade").columns[5].words
    write_tree(archive, {"data/demo/shade/Prototask.data": text})
    (archive / "data/demo/shade/Random-order").unlink()
    cases = cases_of(archive, "shade")
    assert cases.columns[5].words == expected
    assert set(cases.case_numbers.tolist()) == {0}


def test_no_data_at_all_is_an_error(archive):
    (archive / "data/demo/Dataset.data").unlink()
    with pytest.raises(DelveError, match=r"expected Prototask\.data, or Dataset\.data .*, found neither"):
        cases_of(archive, "age")


@pytest.mark.parametrize("place", shared_cases(SESSION, ["titanic/survived", "kin-8nm/dist"]))
def test_recorded_prototask_data_is_what_the_dataset_gives(golden_session, place):
    dataset, name = place.split("/")
    root = golden_session / "delve-golden"
    cases = cases_of(root, name, dataset)
    prototask = cases.prototask
    columns = [cases.columns[number].words for number in prototask.used]
    rows = [" ".join(row) for row in zip(*columns, strict=True)]
    assert rows == (root / "data" / place / "Prototask.data").read_text().splitlines()


@pytest.mark.shared
def test_original_boston_prototask_data_is_what_the_dataset_gives(tmp_path):
    original = shared_path("data/natural/boston")
    files = {"data/boston/Dataset.spec": specification(14), "data/boston/price/Prototask.spec": PRICE}
    root = write_tree(tmp_path / "delve-boston", files)
    shutil.copy(original / "Dataset.data", root / "data/boston")
    shutil.copy(original / "price/Random-order.derived", root / "data/boston/price/Random-order")
    expected = [line.split() for line in (original / "price/Prototask.data").read_text().splitlines()]
    cases = cases_of(root, "price", "boston")
    table_rows = [list(row) for row in zip(*(cases.columns[n].words for n in range(1, 15)), strict=True)]
    assert [list(map(float, row)) for row in table_rows] == [list(map(float, row)) for row in expected]


def test_order_holds_each_case_once_and_is_the_same_for_the_same_seed():
    order = random_order(50, 7)
    assert sorted(order.tolist()) == list(range(50))
    assert order.tolist() == random_order(50, 7).tolist()
    assert order.tolist() != random_order(50, 8).tolist()


def test_order_of_a_seed_never_changes():
    # Made once with NumPy 2.4: files that record only their seed can be made again with any version.
    assert random_order(8, 1996).tolist() == [6, 4, 7, 5, 0, 3, 2, 1]
    groups = np.array([5, 5, 0, 1, 1, 1, 5, 2])
    assert random_order(8, 1996, groups=groups).tolist() == [4, 5, 3, 7, 6, 0, 1, 2]


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
