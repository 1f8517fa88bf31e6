"""DELVE, Data for Evaluating Learning in Valid Experiments.

`rank(scores)` finds the best methods over many tasks in a data frame, an array or a file. `scores(archive)`
has the score of each method after each training set, for `top_performers`, `rank_methods`,
`summarize_scores`, `select_scores` and `merge_scores`. `compare(a, b)` tests whether methods differ on a
task. `open(path)` reads delve directories and files of scores into an `Archive` of Arrow tables.
`experiment(methods, datasets)` runs estimators and compares them. `like(data, target)` finds tasks similar to
a dataset, and the methods that win on them. Each has its own help: `help(delvecore.rank)`. Errors are
`DelveError`s with a message of one line.

Each name is imported on first use."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # so that type checkers see names and signatures; see `_HOMES`
    from delvecore import datasets
    from delvecore.archive import Archive, open
    from delvecore.errors import DelveError, ParseError, Problem
    from delvecore.experiments import experiment
    from delvecore.importers.similar_tasks import SimilarTasks, like
    from delvecore.library.comparison import Comparison, compare
    from delvecore.library.experiment_result import Experiment
    from delvecore.library.ranking import Ranking, rank
    from delvecore.library.training_set_scores import scores
    from delvecore.metrics.registry import add_metric
    from delvecore.stats.ranking.standings import (
        merge_scores,
        rank_methods,
        select_scores,
        summarize_scores,
        top_performer,
        top_performers,
    )

__version__ = "0.3.0"
__all__ = [
    "Archive",
    "Comparison",
    "DelveError",
    "Experiment",
    "ParseError",
    "Problem",
    "Ranking",
    "SimilarTasks",
    "__version__",
    "add_metric",
    "compare",
    "datasets",
    "experiment",
    "like",
    "merge_scores",
    "open",
    "rank",
    "rank_methods",
    "scores",
    "select_scores",
    "summarize_scores",
    "top_performer",
    "top_performers",
]

_HOMES = {
    "delvecore.archive": ("Archive", "open"),
    "delvecore.experiments": ("Experiment", "experiment"),
    "delvecore.errors": ("DelveError", "ParseError", "Problem"),
    "delvecore.importers.similar_tasks": ("SimilarTasks", "like"),
    "delvecore.metrics.registry": ("add_metric",),
    "delvecore.library.comparison": ("Comparison", "compare"),
    "delvecore.library.ranking": ("Ranking", "rank"),
    "delvecore.library.training_set_scores": ("scores",),
    "delvecore.stats.ranking.standings": (
        "merge_scores",
        "rank_methods",
        "select_scores",
        "summarize_scores",
        "top_performer",
        "top_performers",
    ),
}


if not TYPE_CHECKING:  # a type checker would take any name for this function's answer

    def __getattr__(name: str) -> Any:
        if name == "datasets":
            return import_module("delvecore.datasets")
        for module, names in _HOMES.items():
            if name in names:
                return getattr(import_module(module), name)
        raise AttributeError(f"module 'delvecore' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
