"""What pandas says of each question of `delve rank --show`; a question without an entry is asked all the same."""

import re
from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
import pandas as pd
from scipy.stats import trim_mean

from delvecore.answers.questions import QUESTIONS
from tests.one_sign.outputs import Row, delve_json
from tests.one_sign.surfaces import Pair, measured
from tests.one_sign.tables import Case, Expected

OF_RUNS = ("iqm", "improvement")
"""Questions about independent runs: cross-validation has none, seeds have."""

OF_TABLES = [word for word in QUESTIONS if word != "design"]
"""Questions that a table of scores can answer: it has no test cases."""


def shape_for(word: str) -> str:
    return "seeds" if word in OF_RUNS else "folds"


def answer_to(case: Case, word: str) -> Row:
    """Return what `delve rank --show WORD` says in JSON."""
    answer: Row = delve_json(case, "rank", "--show", word, shape=shape_for(word))
    return answer


def rows_of(case: Case, word: str) -> list[Row]:
    return list(answer_to(case, word)["rows"])


def intervals(rows: list[Row]) -> Iterator[tuple[str, float, float, float]]:
    """Yield (key, lower, value, upper) of all numbers with an interval: X with X_lower and X_upper, or a number
    that stands before `lower` and `upper`."""
    for row in rows:
        keys = list(row)
        for place, key in enumerate(keys):
            if not (key == "lower" or key.endswith("_lower")):
                continue
            stem = key.removesuffix("_lower") if key != "lower" else keys[place - 1]
            upper = key.removesuffix("lower") + "upper"
            values = row[key], row.get(stem), row[upper]
            if all(isinstance(one, int | float) for one in values):
                yield stem, *values


def runs_of(expected: Expected, method: str) -> pd.Series:
    runs = expected.runs
    return runs[runs["method"] == method].set_index(["path", "run"])["value"]


def path_of(task: str) -> str:
    """Return the path of a task, which tables of scores call by its name alone."""
    return task if task.startswith("/") else f"/{task}/scores/all"


def leaderboard(case: Case) -> Iterator[str]:
    expected, rows = case.expected, rows_of(case, "leaderboard")
    if rows[0]["method"] != expected.best:
        yield f"{rows[0]['method']} is first, not {expected.best}"
    best = expected.values.max(axis=1) if case.higher_is_better else expected.values.min(axis=1)
    for row in rows:
        method = row["method"]
        first = (expected.values[method] == best).mean()
        if not np.isclose(row["mean_rank"], expected.ranks[method]) or not np.isclose(row["first"], first):
            yield f"{method}: mean rank {row['mean_rank']}, first on {row['first']}"


def effects(case: Case) -> Iterator[str]:
    values = case.expected.values
    rows = rows_of(case, "effects")
    for row in rows:
        a, b = values[row["method_a"]], values[row["method_b"]]
        difference = a - b
        n = len(difference)
        d = difference.mean() / difference.std() * (1 - 3 / (4 * (n - 1) - 1))
        cliff = np.mean([np.sign(one - other) for one, other in product(a, b)])
        if not np.isclose(row["standardized"], d):
            yield f"standardized {row['standardized']}, not {d}"
        if not np.isclose(row["cliff"], cliff):
            yield f"Cliff's delta {row['cliff']}, not {cliff}"
        if row["rank_biserial"] * difference.mean() < 0:
            yield f"rank-biserial {row['rank_biserial']} of a mean difference {difference.mean()}"
    said = re.search(r" is (\S+) \(.* of (\w+) minus (\w+)\.", answer_to(case, "effects")["answer"])
    if said is None or float(said[1]) * case.expected.difference(said[2], said[3]) < 0:
        yield f"{answer_to(case, 'effects')['answer']}"


def regret(case: Case) -> Iterator[str]:
    values = case.expected.values
    best = values.max(axis=1) if case.higher_is_better else values.min(axis=1)
    for row in rows_of(case, "regret"):
        share = (values[row["method"]] == best).mean()
        if not np.isclose(row["within_0"], share):
            yield f"{row['method']} is best on {row['within_0']}, not {share}"


def strengths(case: Case) -> Iterator[str]:
    values = case.expected.values
    wins = {
        a: sum(_win_rate(case, values[a].to_numpy(), values[b].to_numpy()) for b in values if b != a)
        for a in values
    }
    shown = {row["method"]: row["strength"] for row in rows_of(case, "strengths")}
    if sorted(shown, key=shown.__getitem__) != sorted(wins, key=wins.__getitem__):
        yield f"strengths {shown}, wins {wins}"


def _win_rate(case: Case, a: np.ndarray, b: np.ndarray) -> float:
    """Return the share of pairs of values that the first wins, ties as one half."""
    won = a > b if case.higher_is_better else a < b
    return float(np.mean(won + 0.5 * (a == b)))


def iqm(case: Case) -> Iterator[str]:
    shown = {row["method"]: measured(row, case, "iqm") for row in rows_of(case, "iqm")}
    right = {method: float(trim_mean(runs_of(case.expected, method), 0.25)) for method in shown}
    wrong = [method for method in shown if not np.isclose(shown[method], right[method])]
    yield from (f"{method}: {shown[method]}, not {right[method]}" for method in wrong)
    best = max(right, key=right.__getitem__) if case.higher_is_better else min(right, key=right.__getitem__)
    if next(iter(shown)) != best:
        yield f"{next(iter(shown))} is first, not {best}"


def improvement(case: Case) -> Iterator[str]:
    for row in rows_of(case, "improvement"):
        a, b = (
            runs_of(case.expected, row[f"method_{one}"]).unstack().to_numpy() for one in "ab"
        )  # tasks x runs
        shares = [_win_rate(case, x[:, None], y) for x, y in zip(a, b, strict=True)]
        if not np.isclose(row["improvement"], np.mean(shares)):
            yield f"{row['method_a']} beats {row['method_b']} with {row['improvement']}, not {np.mean(shares)}"


def front(case: Case) -> Iterator[str]:
    rows = rows_of(case, "front")
    for row in rows:
        right = case.expected.statistics[row["method"], None, "mean", False]
        key = next(one for one in ("mean", "loss", case.name) if one in row)  # a column may be called cost
        shown = row[key]
        if not np.isclose(shown, right):
            yield f"{row['method']}: {shown}, not {right}"
        if not row[f"{key}_lower"] <= right <= row[f"{key}_upper"]:
            yield f"{row['method']}: {right} is not within {row[f'{key}_lower']} to {row[f'{key}_upper']}"
    beaten = {row["method"] for row in rows if row["on_front"] == "beaten"}
    cost = {row["method"]: row["cost"] for row in rows}
    for a, b in product(cost, cost):
        dominates = cost[b] < cost[a] and case.expected.is_better(case.expected.difference(b, a))
        if dominates and a not in beaten:
            yield f"{a} is on the front, {b} is cheaper and better"


def best(case: Case) -> Iterator[str]:
    """Each interval holds the mean less the best of the others; the best method of a task may be the best."""
    values = case.expected.values
    for row in rows_of(case, "best"):
        if row["lower"] is None or row["upper"] is None:
            continue
        others = values.loc[path_of(row["task"])].drop(row["method"])
        other = others.max() if case.higher_is_better else others.min()
        right = values.loc[path_of(row["task"]), row["method"]] - other
        if not row["lower"] <= right <= row["upper"]:
            yield f"{row['method']} on {row['task']}: {right} is not within {row['lower']} to {row['upper']}"
        if row["verdict"] != "worse than another" and not (
            right == 0 or case.expected.is_better(right) or row["lower"] < 0 < row["upper"]
        ):
            yield f"{row['method']} is {row['verdict']} on {row['task']}"


PAIRS_OF: dict[str, Callable[[Case], Iterator[Pair]]] = {
    "equivalence": lambda case: _pairs(case, "equivalence"),
    "hierarchy": lambda case: _pairs(case, "hierarchy", within=0.05),
    "same": lambda case: _pairs(case, "same"),
    "pairs": lambda case: (
        Pair(row["method_a"], row["method_b"], p=row["p_holm"]) for row in rows_of(case, "pairs")
    ),
}
"""Questions about pairs, with a difference or at least p of each."""
FAULTS: dict[str, Callable[[Case], Iterator[str]]] = {
    "leaderboard": leaderboard,
    "effects": effects,
    "regret": regret,
    "strengths": strengths,
    "iqm": iqm,
    "improvement": improvement,
    "front": front,
    "best": best,
}
"""What else is wrong with an answer."""
assert set(PAIRS_OF) | set(FAULTS) <= set(QUESTIONS)


def _pairs(case: Case, word: str, *, within: float = 1e-9) -> Iterator[Pair]:
    for row in rows_of(case, word):
        difference = row["difference"] if "difference" in row else row["mean"]
        numbers = difference, row["lower"], row["upper"], row["verdict"], row.get("p_equivalence")
        task = path_of(row["task"]) if "task" in row else None
        yield Pair(row["method_a"], row["method_b"], task, *numbers, within=within)
