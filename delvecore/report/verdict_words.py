"""The words of verdicts in sentences for all outputs, and notes on tasks with shared cases.

Tables use the codes of `Verdict`: `better`, `worse`, `not significant`, `not tested`."""

from collections.abc import Collection

import pyarrow as pa
import pyarrow.compute as pc

from delvecore.render.numbers import counted
from delvecore.render.verdicts import BETTER, NOT_DIFFERENT, NOT_TESTED, WORSE
from delvecore.render.verdicts import NO_DIFFERENCE as NO_DIFFERENCE
from delvecore.stats.choose import FlipStatistic, Verdict
from delvecore.stats.notes import Note, parsed, words_of
from delvecore.stats.verdicts import RankTest
from delvecore.tables import grouped_by, rows_of

PHRASES = {
    Verdict.BETTER: BETTER,
    Verdict.WORSE: WORSE,
    Verdict.NOT_SIGNIFICANT: NO_DIFFERENCE,
    Verdict.NOT_TESTED: NOT_TESTED,
}
"""Verdicts on the first method of a comparison, without the name of the second."""
THAN = {
    Verdict.BETTER: f"{BETTER} than",
    Verdict.WORSE: f"{WORSE} than",
    Verdict.NOT_SIGNIFICANT: f"{NOT_DIFFERENT} from",
    Verdict.NOT_TESTED: f"{NOT_TESTED} against",
}
"""The same before the names of the other methods."""


FLIPPED = {
    FlipStatistic.SCALED: "scaled differences",
    FlipStatistic.RANKS: "signed ranks",
    FlipStatistic.MEANS: "mean differences",
}


FLIPPED_UNITS = {
    FlipStatistic.SCALED: "scales of a unit",
    FlipStatistic.RANKS: "signed ranks",
    FlipStatistic.MEANS: "units of the values",
}
"""Units of the intervals of differences by sign flips."""


def test_words(test: RankTest, statistic: FlipStatistic | None) -> str:
    """Return a test in a sentence: `sign flips of signed ranks`. `statistic` is the one whose signs flip.

    Examples
    --------
    >>> test_words(RankTest.FLIPS, FlipStatistic.MEANS)
    'sign flips of mean differences'
    """
    return test.in_words if statistic is None else f"{test.in_words} of {FLIPPED[statistic]}"


_MOST_NAMED = 3
_PLACE = ("dataset", "prototask", "task")


def shared_case_notes(results: pa.Table, tasks: Collection[str] | None = None) -> tuple[str, ...]:
    """Return a sentence for each kind of correction of the numbers. tasks: full paths; None for all."""
    rows = results.filter(pc.greater(pc.list_value_length(results["notes"]), 0))
    # The methods of a task usually have the same notes.
    joined = rows.select(_PLACE).append_column("notes", pc.binary_join(rows["notes"], "\n"))
    paths_by_note: dict[Note, dict[str, None]] = {}
    each = grouped_by(joined, joined.column_names).aggregate([])
    for *place, notes in rows_of(each, joined.column_names):
        path = "/" + "/".join(place)
        for note in parsed(notes.split("\n")) if tasks is None or path in tasks else ():
            paths_by_note.setdefault(note, {})[path] = None
    return tuple(
        f"{', '.join(paths) if len(paths) <= _MOST_NAMED else counted(len(paths), 'task')}: "
        f"{words_of([note])}."
        for note, paths in paths_by_note.items()
    )
