"""Write the comparison with other packages into `coming-from-python.md`: `python -m docs.draw_peers`.

Each cell comes from a call of the package in the group of requirements `peers`, not from memory."""

import ast
import importlib.metadata
import importlib.util
import inspect
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import delvecore as dv
from delvecore.errors import DelveError

__all__ = ["COLUMNS", "PAGE", "main", "peer_table", "scores_of_four_methods", "with_table"]

PAGE = Path(__file__).with_name("coming-from-python.md")
START, END = "<!-- peers: python -m docs.draw_peers -->\n\n", "\n<!-- end of peers -->"
QUESTIONS = (
    "direction of a score",
    "default test of pairs",
    "missing values",
    "default region of equivalence",
)
Facts = tuple[str, str, str, str]


def scores_of_four_methods() -> pd.DataFrame:
    """Accuracies of four methods on 20 tasks, normal and of equal variance."""
    random = np.random.default_rng(7)
    values = random.normal(0.8, 0.02, (20, 4)) - [0, 0.01, 0.03, 0.04]
    return pd.DataFrame(values, [f"task-{number}" for number in range(20)], list("abcd"))


def _with_gap() -> pd.DataFrame:
    scores = scores_of_four_methods()
    scores.iloc[3, 1] = np.nan
    return scores


def _default(function: Callable[..., Any], name: str) -> Any:
    return inspect.signature(function).parameters[name].default


def _here() -> Facts:
    ranking = dv.rank(scores_of_four_methods(), higher_is_better=True)
    left_out = dv.rank(_with_gap(), higher_is_better=True).analysis.table.tasks
    try:
        dv.rank(scores_of_four_methods())
        direction = "assumed"
    except DelveError:
        direction = "by the metric's name, otherwise required"
    test = {"flips": "sign flips, adjusted for all pairs, at 0.05"}[ranking.test.word]
    return direction, test, f"left out and counted: {len(left_out)} of 20 tasks remain", "0"


def _autorank() -> Facts:
    from autorank import autorank

    scores = scores_of_four_methods()
    normal, skewed = autorank(scores), autorank(np.exp(40 * scores))
    tests = ", or ".join(f"{one.omnibus} and {one.posthoc}" for one in (normal, skewed))
    gap = autorank(_with_gap())
    missing = f"accepted; p of {gap.omnibus} is {gap.pvalue}"
    rope = f'{_default(autorank, "rope")}, `rope_mode="{_default(autorank, "rope_mode")}"`'
    return (
        f'`order="{_default(autorank, "order")}"` by default',
        f"after checks of assumptions: {tests}, at {normal.alpha}",
        missing,
        rope,
    )


def _scikit_posthocs() -> Facts:
    import scikit_posthocs

    p = scikit_posthocs.posthoc_nemenyi_friedman(_with_gap())
    missing = "accepted; p is nan" if p.isna().to_numpy().any() else "accepted"
    return "none: p only", "none: a function for each test", missing, "none"


def _aeon() -> Facts:
    import matplotlib
    from aeon.visualisation import plot_critical_difference
    from scipy.stats import wilcoxon

    matplotlib.use("Agg")
    scores = scores_of_four_methods().to_numpy()
    *_, p = plot_critical_difference(scores, list("abcd"), return_p_values=True)
    one_sided = wilcoxon(scores[:, 0], scores[:, 1], alternative="greater").pvalue
    side = "one-sided" if np.isclose(p[0, 1], one_sided) else "two-sided"
    name, alpha, lower_better = (
        _default(plot_critical_difference, one) for one in ("test", "alpha", "lower_better")
    )
    test = f"{side} {name.capitalize()} at {alpha}"
    try:
        plot_critical_difference(_with_gap().to_numpy(), list("abcd"))
        missing = "accepted"
    except ValueError:
        missing = "refused"
    return (
        f"`lower_better={lower_better}` by default",
        test,
        missing,
        "none",
    )


def _baycomp() -> Facts:
    import baycomp

    test = baycomp.two_on_multiple
    chances = test(*scores_of_four_methods()[["a", "b"]].to_numpy().T, rope=0.01)
    answer = f"{len(chances)} probabilities of a Bayesian signed-rank test, no verdict"
    gap = test(*_with_gap()[["a", "b"]].to_numpy().T, rope=0.01)
    missing = (
        f"accepted; {'probabilities are nan' if np.isnan(gap).any() else 'the sum of probabilities is 1'}"
    )
    return "none: probabilities of both", answer, missing, str(_default(test, "rope"))


def _rliable() -> Facts:
    """Defaults from the source: with pandas 3 the import of rliable 1.2.0 fails in its dependency arch."""
    spec = importlib.util.find_spec("rliable")
    source = Path(next(iter(spec.submodule_search_locations or ()))) / "library.py" if spec else None
    tree = ast.parse(source.read_text(encoding="utf-8")) if source else ast.Module([], [])
    (intervals,) = (one for one in tree.body if getattr(one, "name", "") == "get_interval_estimates")
    names = [one.arg for one in intervals.args.args]
    defaults = dict(zip(names[::-1], map(ast.literal_eval, intervals.args.defaults[::-1]), strict=False))
    size, by_task = defaults["confidence_interval_size"], defaults["task_bootstrap"]
    sure = f"{size:.0%} bootstrap intervals, `task_bootstrap={by_task}`"
    return "higher is better", f"none: {sure}", "not tried", "none"


COLUMNS: Mapping[str, Callable[[], Facts]] = {
    "autorank": _autorank,
    "scikit-posthocs": _scikit_posthocs,
    "aeon": _aeon,
    "baycomp": _baycomp,
    "rliable": _rliable,
}


def peer_table() -> str:
    """Return the table of the page. Raises PackageNotFoundError if a package is not installed."""
    rows = {"here": _here()}
    for name, facts in COLUMNS.items():
        rows[f"{name} {importlib.metadata.version(name)}"] = facts()
    lines = [f"| | {' | '.join(QUESTIONS)} |", "| --- " * (len(QUESTIONS) + 1) + "|"]
    return "\n".join([*lines, *(f"| {name} | {' | '.join(cells)} |" for name, cells in rows.items())]) + "\n"


def with_table(page: str, table: str) -> str:
    """Return the page with the table between its marks."""
    before, _, rest = page.partition(START)
    return f"{before}{START}{table}{END}{rest.partition(END)[2]}"


def main() -> int:
    """Write the table into the page."""
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), peer_table()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
