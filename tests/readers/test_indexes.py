"""Case and order files of any size: what the fast reader accepts is what the slow one reads."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from delvecore.readers import prototask
from delvecore.readers.prototask import parse_indexes, read_indexes


@given(
    lines=st.lists(
        st.sampled_from(
            [*map(str, range(8)), "007", " 3", "+1", "-1", "# seed 4", "", "1 2", "0x1", "²", "9" * 30]
        ),
        max_size=9,
    ),
    permutation=st.booleans(),
)
def test_the_fast_and_the_slow_reader_agree(tmp_path_factory, lines, permutation):
    path = tmp_path_factory.mktemp("order") / "order"
    path.write_text("\n".join(lines))
    slow, fast = [], []
    expected = parse_indexes(
        path.read_text(), str(path), count=7, permutation=permutation, report=slow.append
    )
    found = read_indexes(str(path), count=7, permutation=permutation, report=fast.append)
    assert (found.tolist(), list(map(str, fast))) == (expected, list(map(str, slow)))


def test_a_file_without_faults_is_read_without_the_slow_reader(tmp_path, monkeypatch):
    path = tmp_path / "Random-order"
    order = np.random.default_rng(1).permutation(200_000) + 1
    path.write_text("# seed 1\n" + "\n".join(map(str, order.tolist())))
    monkeypatch.setattr(prototask, "parse_indexes", pytest.fail)
    found = read_indexes(str(path), count=200_000, permutation=True)
    assert (found == order).all()
