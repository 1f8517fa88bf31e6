"""Figures of very many tasks draw those that a reader can tell apart."""

import numpy as np
import pytest

from delvecore.plots.method_rows import (
    MOST_DOTS,
    ScoreAxis,
    ScoreDistributions,
    Scores,
    score_distributions_figure,
)
from delvecore.plots.ranking_pairs import PairScatter, TaskPoint, pair_scatter_figure
from delvecore.plots.theme import MethodStyle


def test_a_box_of_many_values_is_made_of_its_quartiles_and_the_values_farthest_out():
    values = np.append(np.random.default_rng(1).normal(size=MOST_DOTS), [9.0, -8.0])
    tasks = tuple(f"task {place}" for place in range(len(values)))
    scores = Scores("a", tuple(values.tolist()), MethodStyle("#000", "circle"))
    figure = score_distributions_figure(ScoreDistributions((scores,), tasks, ScoreAxis("loss")))
    box, dots = figure.data
    assert (box.q1[0], box.median[0], box.q3[0]) == pytest.approx(np.quantile(values, (0.25, 0.5, 0.75)))
    assert list(dots.x[:2]) == [9.0, -8.0]
    assert len(dots.x) <= 12
    assert (box.lowerfence[0] > -8.0, box.upperfence[0] < 9.0) == (True, True)


def test_of_very_many_tasks_those_have_a_dot_on_which_two_methods_differ_most():
    values = np.random.default_rng(2).normal(size=(2500, 2))
    points = tuple(TaskPoint(f"t {n}", a, b, "neither", p=1.0, path=None) for n, (a, b) in enumerate(values))
    figure = pair_scatter_figure(PairScatter(("a", "b"), points, "loss", False, tested=False))
    shades = next(trace for trace in figure.data if trace.type == "heatmap")
    dots = next(trace for trace in figure.data if trace.type == "scatter" and trace.mode == "markers")
    assert np.sum(shades.customdata) == 2500
    assert len(dots.x) == 300
    least = np.sort(np.abs(values[:, 0] - values[:, 1]))[-300]
    assert np.abs(np.subtract(dots.x, dots.y)).min() == pytest.approx(least)
