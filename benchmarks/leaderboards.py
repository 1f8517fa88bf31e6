"""How fast are the verdicts and places of a public leaderboard, next to a permutation test a pair?"""

from typing import NamedTuple

import numpy as np

from benchmarks.results import Finding
from benchmarks.timing import in_turns
from delvecore.stats.ranking.analysis import analyse
from delvecore.stats.ranking.places import PlaceSets, place_sets
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.verdicts import RankTest, pair_verdicts

GOAL_SECONDS = 10
PLAIN_PAIRS = 500
"""The plain way is timed on so many pairs, and multiplied."""


class Leaderboard(NamedTuple):
    """Sizes of a table; statistic: of its sign flips; is_right: are its values 0 or 1?"""

    methods: int
    tasks: int
    statistic: str
    is_right: bool = False


LEADERBOARDS = (
    Leaderboard(180, 41, "scaled"),
    Leaderboard(90, 10, "scaled"),
    Leaderboard(80, 500, "means", is_right=True),
)
_NOTE = (
    "Sign flips of all pairs, verdicts and sets of places from a table in memory; median of {rounds} calls. "
    "Next to it: as many flips of each pair by itself in NumPy, without adjustment, of {plain} pairs times "
    "the number of pairs."
)


def measure(*, rounds: int = 3) -> list[Finding]:
    """Time all leaderboards."""
    return [_finding(board, rounds) for board in LEADERBOARDS]


def made_leaderboard(board: Leaderboard, *, seed: int = 0) -> ScoreTable:
    """Return scores of tasks that differ in difficulty and scale, or answers that are right or wrong."""
    draws, steps = np.random.default_rng(seed), np.linspace(-1, 1, board.methods)
    shape, rows = (board.tasks, board.methods), (board.tasks, 1)
    if board.is_right:
        values = (draws.random(shape) < draws.uniform(0.1, 0.9, rows) + 0.1 * steps).astype(float)
    else:
        spread = draws.lognormal(-3.5, 0.8, rows)
        values = (draws.normal(0.7, 0.1, rows) + spread * (draws.normal(size=shape) + steps)).round(4)
    tasks, methods = (tuple(f"{kind}-{k}" for k in range(n)) for kind, n in zip("tm", shape, strict=True))
    return ScoreTable(tasks, methods, values, higher_is_better=True)


def verdicts_and_places(table: ScoreTable, statistic: str) -> PlaceSets:
    """Analyse a table from the start."""
    analysis = analyse(table, statistic=statistic)
    pair_verdicts(analysis, RankTest.FLIPS)
    return place_sets(analysis.sign_flips, higher_is_better=True)


def one_pair_at_a_time(values: np.ndarray, flips: int) -> None:
    """Test some pairs by as many flips of their differences, with the same signs."""
    draws = np.random.default_rng(1)
    signs = draws.choice([-1.0, 1.0], (flips, len(values)))
    for _ in range(PLAIN_PAIRS):
        first, second = draws.choice(values.shape[1], 2, replace=False)
        difference = values[:, first] - values[:, second]
        np.mean(np.abs(signs @ difference) >= abs(difference.sum()))


def _finding(board, rounds):
    table = made_leaderboard(board)
    flips = analyse(table, statistic=board.statistic).sign_flips
    works = {
        "ours": lambda: verdicts_and_places(table, board.statistic),
        "plain": lambda: one_pair_at_a_time(table.values, flips.flips),
    }
    taken = in_turns(works, rounds=rounds)
    plain = taken["plain"] * len(flips.p) / PLAIN_PAIRS
    return Finding(
        f"leaderboard: {board.methods} methods, {board.tasks} tasks, sign flips by {board.statistic}",
        f"{taken['ours']:.2f} s",
        f"a pair at a time {plain:.2f} s",
        f"{plain / taken['ours']:.1f}x faster",
        f"{GOAL_SECONDS} s",
        taken["ours"] <= GOAL_SECONDS,
        _NOTE.format(rounds=rounds, plain=PLAIN_PAIRS),
    )
