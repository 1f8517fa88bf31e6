"""DELVE, Data for Evaluating Learning in Valid Experiments.

`rank(scores)` says which methods are best over many tasks, of a data frame, an array or a file;
`scores(archive)` has the score of each method after each training set, for `top_performers`, `rank_methods`,
`summarize_scores`, `select_scores` and `merge_scores`;
`compare(a, b)` whether methods differ on a task; `open(path)` reads delve directories and files of scores
into an `Archive` of Arrow tables. Each explains itself: `help(delvecore.rank)`. What cannot be done is a
`DelveError` of one line.

Everything heavier than this module is imported on first use: small commands start in milliseconds."""

from importlib import import_module
from typing import Any

__version__ = "0.2.0"
__all__ = ["Archive", "Comparison", "DelveError", "ParseError", "Problem", "Ranking", "__version__"]
__all__ += ["compare", "merge_scores", "open", "rank", "rank_methods", "scores", "select_scores"]
__all__ += ["summarize_scores", "top_performer", "top_performers"]

_HOMES = {
    "open": "delvecore.archive",
    "Archive": "delvecore.archive",
    "rank": "delvecore.library.ranking",
    "Ranking": "delvecore.library.ranking",
    "compare": "delvecore.library.comparison",
    "Comparison": "delvecore.library.comparison",
    "scores": "delvecore.library.standings",
    "DelveError": "delvecore.errors",
    "ParseError": "delvecore.errors",
    "Problem": "delvecore.errors",
}
_STANDINGS = "delvecore.stats.ranking.standings"
_HOMES |= dict.fromkeys(("merge_scores", "rank_methods", "select_scores", "summarize_scores"), _STANDINGS)
_HOMES |= dict.fromkeys(("top_performer", "top_performers"), _STANDINGS)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'delvecore' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
