"""How fast is a table of methods over tasks analysed, beside scikit-posthocs and autorank?"""

import importlib
import resource
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd

from benchmarks.results import Finding
from benchmarks.timing import in_turns, seconds
from delvecore.plots.critical_difference import critical_difference_figure
from delvecore.plots.figure import Figure
from delvecore.plots.ranking_data import diagram_of
from delvecore.plots.theme import styles_of
from delvecore.stats.ranking.analysis import Analysis, analyse
from delvecore.stats.ranking.friedman import friedman
from delvecore.stats.ranking.nemenyi import Nemenyi, nemenyi
from delvecore.stats.ranking.ranks import task_ranks
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.verdicts import RankTest, pair_verdicts

METHODS, TASKS = 60, 100
LARGE_METHODS, LARGE_TASKS = 300, 10_000
GOAL_SECONDS, LARGE_GOAL_SECONDS, LARGE_GOAL_MEGABYTES, GOAL_RATIO = 0.5, 60, 2000, 10
ROPE = 0.005
PEERS = {"scikit_posthocs": "scikit-posthocs", "autorank": "autorank"}
_NOTE = (
    "{methods} methods on {tasks} tasks, scores of three decimals. Ours: mean ranks, Friedman (both), "
    "Iman-Davenport, Nemenyi with groups, Wilcoxon and t-tests of all pairs with Holm, cliques, and the "
    "critical-difference diagram. Medians of "
    "{rounds} calls. "
)
_EVERYTHING = (
    "The same with Quade, aligned ranks, Skillings-Mack, three Bayesian tests of all pairs, effect sizes "
    "with intervals and bootstrap intervals of ranks; the Bayesian tests with a region."
)
_LARGE = (
    "A process of its own, everything once, with the Bayesian tests' region and the diagram, and with Python "
    "and the libraries in its memory. {methods} methods on {tasks} tasks: {pairs:,} pairs."
)


def made_table(tasks: int, methods: int, *, seed: int = 0) -> ScoreTable:
    """Return scores of three decimals: tasks of different difficulty, methods that differ a little."""
    draws = np.random.default_rng(seed)
    values = draws.normal(0.7, 0.1, (tasks, 1)) + draws.normal(0, 0.03, (tasks, methods))
    values += np.linspace(0, 0.03, methods)
    return ScoreTable(
        tuple(f"task-{k}" for k in range(tasks)),
        tuple(f"method-{k}" for k in range(methods)),
        values.round(3),
        higher_is_better=True,
    )


def measure(*, rounds: int = 7) -> list[Finding]:
    """Time our analysis and theirs in turns on the same table, and ours alone on a large one."""
    table = made_table(TASKS, METHODS)
    works = {
        "ours": lambda: diagram(analyse(table)),
        "everything": lambda: everything(table),
        "ranks": lambda: ranks_alone(table),
    }
    taken = in_turns(works, rounds=rounds)
    facts = {"methods": METHODS, "tasks": TASKS, "rounds": rounds}
    what = f"ranking: {METHODS} methods, {TASKS} tasks"
    goal = f"{GOAL_SECONDS:g} s"
    found = [
        _own(what, taken["ours"], goal, _NOTE.format(**facts)),
        _own(f"{what}, everything", taken["everything"], goal, _EVERYTHING),
    ]
    same = {"scikit_posthocs": taken["ours"], "autorank": taken["ranks"]}
    return [*found, *(_beside(module, table, same[module], facts) for module in PEERS), _large()]


def everything(table: ScoreTable) -> Analysis:
    """Return an analysis of which nothing is left to be computed."""
    found = analyse(table, control=table.methods[0], rope=ROPE)
    diagram(found)
    for name in ("quade", "aligned_ranks", "skillings_mack", "bayes", "effects"):
        getattr(found, name)
    return found


def diagram(found: Analysis) -> Figure:
    """Return the critical-difference diagram of Nemenyi's test."""
    styles = styles_of([found.table.methods[place] for place in found.order])
    return critical_difference_figure(diagram_of(found, pair_verdicts(found, RankTest.NEMENYI), styles))


def ranks_alone(table: ScoreTable) -> Nemenyi:
    """Return Nemenyi's test after mean ranks and Friedman's: without tests of pairs."""
    ranks = task_ranks(table)
    friedman(ranks)
    return nemenyi(ranks)


def _own(what, taken, goal, note):
    return Finding(what, f"{taken * 1e3:.0f} ms", "", "", goal, taken <= GOAL_SECONDS, note)


def _beside(module, table, ours, facts):
    name = PEERS[module]
    what = f"ranking: {METHODS} methods, {TASKS} tasks"
    try:
        peer = importlib.import_module(module)
    except ImportError:
        return Finding(what, f"{ours * 1e3:.0f} ms", f"{name} is not installed", note=_NOTE.format(**facts))
    frame = pd.DataFrame(table.values, index=table.tasks, columns=table.methods)
    work = {"scikit_posthocs": _posthocs, "autorank": _autorank}[module]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        taken = seconds(lambda: work(peer, frame))
    ratio = taken / ours
    note = _NOTE.format(**facts) + _PEER_NOTES[module]
    goal = f"{GOAL_RATIO}x"
    return Finding(
        what,
        f"{ours * 1e3:.0f} ms",
        f"{name} {taken:.2f} s",
        f"{ratio:.0f}x faster",
        goal,
        ratio >= GOAL_RATIO,
        note,
    )


_PEER_NOTES = {
    "scikit_posthocs": "scikit-posthocs: Nemenyi after Friedman and Wilcoxon with Holm, once.",
    "autorank": "autorank: its analysis, told to take no normal distribution for granted, once; it tests no "
    "pairs but by mean ranks, and so ours is Friedman's test and Nemenyi's alone here.",
}


def _posthocs(peer, frame):
    peer.posthoc_nemenyi_friedman(frame.to_numpy())
    long = frame.melt(var_name="method", value_name="score")
    return peer.posthoc_wilcoxon(long, val_col="score", group_col="method", p_adjust="holm")


def _autorank(peer, frame):
    return peer.autorank(frame, alpha=0.05, verbose=False, force_mode="nonparametric")


def _large():
    command = [sys.executable, "-m", "benchmarks.ranking", str(LARGE_TASKS), str(LARGE_METHODS)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    taken, megabytes = map(float, done.stdout.split())
    return Finding(
        f"ranking: {LARGE_METHODS} methods, {LARGE_TASKS:,} tasks",
        f"{taken:.1f} s, {megabytes:.0f} MB",
        "",
        "",
        f"{LARGE_GOAL_SECONDS} s, {LARGE_GOAL_MEGABYTES} MB",
        taken <= LARGE_GOAL_SECONDS and megabytes <= LARGE_GOAL_MEGABYTES,
        _LARGE.format(
            methods=LARGE_METHODS, tasks=f"{LARGE_TASKS:,}", pairs=LARGE_METHODS * (LARGE_METHODS - 1) // 2
        ),
    )


def _alone(tasks, methods):
    """Print seconds and peak megabytes of one analysis with everything in it."""
    table = made_table(tasks, methods)
    taken = seconds(lambda: everything(table))
    print(taken, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3)


if __name__ == "__main__":
    _alone(*map(int, sys.argv[1:]))
