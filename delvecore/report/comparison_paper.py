"""A comparison on one task as the paragraphs and the caption of a paper."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from delvecore import __version__
from delvecore.report.comparisons import comparison_sentence
from delvecore.report.provenance import PROGRAM
from delvecore.report.verdict_words import PHRASES
from delvecore.report.writers.text import and_list, counted
from delvecore.stats.choose import Setting, Verdict, percent, words_of_tests

__all__ = ["caption_words", "comparison_words"]

Row = dict[str, Any]


def comparison_words(
    pairs: pa.Table, best: str, setting: Setting, *, place: str, quantity: str, basis: str
) -> list[str]:
    """Return paragraphs on methods and results. pairs: of the schema `COMPARISONS`, of one task; best: the
    method with the lowest mean loss; place, quantity, basis: the task, the loss, and what the comparison
    rests on, in words."""
    rows = pairs.to_pylist()
    names = sorted({row[side] for row in rows for side in ("method_a", "method_b")})
    tests = words_of_tests({row["test"] for row in rows} - {None})
    methods = [
        f"We compared {counted(len(names), 'method')} ({and_list(names)}) on {place} by {quantity}.",
        f"The comparison rests on {basis}",
        *([f"Differences of mean losses were tested by {tests}."] if tests else []),
        f"A difference is significant where the adjusted p is below {setting.alpha:g}; intervals are of "
        f"{percent(setting.level)} confidence. Everything was computed with {PROGRAM} {__version__}.",
    ]
    return [" ".join(methods), f"{_of_the_best(rows, best)} {comparison_sentence(pairs, setting)}"]


def _of_the_best(rows: Sequence[Row], best: str) -> str:
    """Return the verdicts of the best method against each other one."""
    groups: dict[Verdict, list[str]] = {}
    turned = {Verdict.BETTER: Verdict.WORSE, Verdict.WORSE: Verdict.BETTER}
    for row in rows:
        verdict = Verdict(row["verdict"])
        if row["method_b"] == best:
            groups.setdefault(verdict, []).append(row["method_a"])
        elif row["method_a"] == best:
            groups.setdefault(turned.get(verdict, verdict), []).append(row["method_b"])
    said = [f"{words}: {and_list(groups[one])}" for one, words in PHRASES.items() if one in groups]
    return f"{best} has the best mean; {'; '.join(said)}."


def caption_words(reference: str, setting: Setting, *, place: str, quantity: str) -> str:
    """Return the caption of the two figures: mean losses, and differences to a reference."""
    return (
        f"{quantity[:1].upper()}{quantity[1:]} on {place}: means with standard errors, and each method less "
        f"{reference} with {percent(setting.level)} intervals; open marks: no significant difference."
    )
