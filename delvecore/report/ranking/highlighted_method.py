"""How does one's own method do among the others? The one sentence that says so, on all pages."""

from collections.abc import Sequence
from typing import NamedTuple

from delvecore.report.ranking.sentence import PLAIN, Wording, named
from delvecore.report.verdict_words import THAN
from delvecore.stats.choose import Verdict
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.pair_verdicts import PairVerdicts, verdict_row

__all__ = ["Standing", "standing_of", "standing_sentence"]


class Standing(NamedTuple):
    """A method among others. place: 1 for the best, shared by those that tie, None where it has none; of: how
    many there are; better, worse, alike: the others that it is significantly better than, worse than, or not
    significantly different from."""

    method: str
    place: int | None
    of: int
    better: Sequence[str] = ()
    worse: Sequence[str] = ()
    alike: Sequence[str] = ()


def standing_of(found: Analysis, said: PairVerdicts, method: str | None) -> Standing | None:
    """Return where a method stands in a ranking, None where it is not ranked. said: by the test chosen."""
    names, average = found.table.methods, found.ranks.average
    if method is None or method not in names:
        return None
    own = names.index(method)
    verdicts = verdict_row(found, said, own)
    groups = {
        one: [names[place] for place in found.order if place != own and verdicts[place] == one]
        for one in (Verdict.BETTER, Verdict.WORSE, Verdict.NOT_SIGNIFICANT)
    }
    return Standing(method, 1 + int((average < average[own]).sum()), len(names), *groups.values())


def standing_sentence(found: Standing, *, wording: Wording = PLAIN) -> str:
    """`Yours is mine, rank 5 of 13: significantly better than a; not significantly different from b.`"""
    lead = f"Yours is {wording.strong(wording.name(found.method))}"
    if found.place is not None:
        lead += f", {wording.strong(f'rank {found.place} of {found.of}')}"
    groups = zip((Verdict.BETTER, Verdict.WORSE, Verdict.NOT_SIGNIFICANT), found[3:], strict=True)
    parts = [f"{THAN[verdict]} {named(names, wording)}" for verdict, names in groups if names]
    return f"{lead}{': ' if parts else ''}{'; '.join(parts)}."
