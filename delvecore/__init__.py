"""DELVE, Data for Evaluating Learning in Valid Experiments.

`rank(scores)` says which methods are best over many tasks, of a data frame, an array or a file;
`scores(archive)` has the score of each method after each training set, for `top_performers`, `rank_methods`,
`summarize_scores`, `select_scores` and `merge_scores`;
`compare(a, b)` whether methods differ on a task; `open(path)` reads delve directories and files of scores
into an `Archive` of Arrow tables; `experiment(methods, datasets)` runs estimators and compares
them. Each explains itself: `help(delvecore.rank)`. What cannot be done is a
`DelveError` of one line.

Each name is imported on first use."""

from importlib import import_module
from typing import Any

__version__ = "0.2.0"
__all__ = [
    "Archive",
    "Comparison",
    "DelveError",
    "Experiment",
    "ParseError",
    "Problem",
    "Ranking",
    "__version__",
    "add_metric",
    "compare",
    "experiment",
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


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module 'delvecore' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
