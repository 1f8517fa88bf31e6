"""Matrices of all pairs of methods keep numbers and names where methods are many."""

import numpy as np
import pytest

from delvecore.plots.ranking_pairs import MOST_IN_WORDS, RankPairs, rank_pairs_figure


def pairs(count: int) -> RankPairs:
    """Methods of which each is worse than those before it by how many places it stands behind them."""
    places = np.arange(count)
    difference = places[:, None] - places[None, :].astype(float)
    wins, losses, p = (difference < 0).astype(int), (difference > 0).astype(int), np.full((count, count), 0.5)
    verdict = np.full((count, count), "not significant", dtype=object)
    names = tuple(f"method-{place}" for place in places)
    numbers = (difference, difference, wins, 0 * wins, losses, p, p)
    return RankPairs(names, *numbers, verdict, units="datasets")


@pytest.mark.parametrize("count", [2, 13, MOST_IN_WORDS])
def test_every_cell_has_its_numbers_and_every_row_and_column_its_name(count):
    figure = rank_pairs_figure(pairs(count))
    texts = {trace.text[0]: trace.text for trace in figure.data if trace.type == "scatter"}
    cells = next(found for first, found in texts.items() if "p = 0.5" in first)
    assert len(cells) == count * (count - 1) / 2
    assert cells[count - 2].startswith(f"−{count - 1}")
    assert [name.strip() for name in texts["method-0  "]] == [f"method-{place}" for place in range(count - 1)]
    assert list(figure.layout.xaxis.ticktext) == [f"method-{place}" for place in range(1, count)]


def test_of_too_many_methods_numbers_come_with_the_mouse_only():
    figure = rank_pairs_figure(pairs(MOST_IN_WORDS + 1))
    assert not any("p = " in text for trace in figure.data if trace.type == "scatter" for text in trace.text)
    assert figure.data[0].customdata.shape[:2] == (MOST_IN_WORDS, MOST_IN_WORDS)
