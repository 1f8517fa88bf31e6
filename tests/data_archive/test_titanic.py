"""The titanic cases have the margins of Dawson's published table, and are the people of DELVE's own dataset."""

from collections import Counter

import pytest

from tests.data_archive.archive import DATASETS, rows_of
from tests.shared import shared_path


def test_margins_are_the_published_ones():
    # Dawson (1995): 325, 285 and 706 passengers by class, 885 crew; 109 children; 470 females; 711 survived.
    columns = [Counter(column) for column in zip(*rows_of("titanic"), strict=True)]
    assert columns[0] == {"1st": 325, "2nd": 285, "3rd": 706, "crew": 885}
    assert columns[1] == {"child": 109, "adult": 2092}
    assert columns[2] == {"female": 470, "male": 1731}
    assert columns[3] == {"yes": 711, "no": 1490}


def test_survivors_by_class_are_the_published_ones():
    # Dawson (1995): 203 of the first class survived, 118 of the second, 178 of the third, 212 of the crew.
    survivors = Counter(row[0] for row in rows_of("titanic") if row[3] == "yes")
    assert survivors == {"1st": 203, "2nd": 118, "3rd": 178, "crew": 212}


@pytest.mark.shared
def test_cases_are_those_of_the_original_dataset_in_an_order_of_our_own():
    original = shared_path("data/natural/titanic/Dataset.data").read_text().splitlines()
    assert Counter(map(tuple, rows_of("titanic"))) == Counter(tuple(line.split()) for line in original)
    order = shared_path("data/natural/titanic/survived/Random-order").read_text()
    assert (DATASETS / "titanic" / "survived" / "Random-order").read_text() != order
