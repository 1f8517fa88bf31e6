"""How does one's own method do among the others? The one sentence that says so, on all pages."""

from collections.abc import Sequence
from typing import NamedTuple

from delvecore.report.ranking.sentence import PLAIN, Wording, named
from delvecore.statistics.choose import Verdict
from delvecore.statistics.ranking.analysis import Analysis
from delvecore.statistics.ranking.pair_verdicts import PairVerdicts, verdict_row

__all__ = ["Standing", "standing_of", "standing_sentence"]


class Standing(NamedTuple):
    """A method among others. place: 1 for the best, shared by those that tie, None where it has none; of: how
    many there are; better, worse, alike: the others that it is settled as better or worse than, or is not
    told apart from."""

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
        for one in (Verdict.BETTER, Verdict.WORSE, Verdict.NOT_SETTLED)
    }
    return Standing(method, 1 + int((average < average[own]).sum()), len(names), *groups.values())


def standing_sentence(found: Standing, *, wording: Wording = PLAIN) -> str:
    """`Yours is mine, rank 5 of 13: settled as better than a, as worse than b; not told apart from c.`"""
    lead = f"Yours is {wording.strong(wording.name(found.method))}"
    if found.place is not None:
        lead += f", {wording.strong(f'rank {found.place} of {found.of}')}"
    settled = [f"better than {named(found.better, wording)}"] if found.better else []
    settled += [f"worse than {named(found.worse, wording)}"] if found.worse else []
    parts = [f"settled as {' and as '.join(settled)}"] if settled else []
    parts += [f"not told apart from {named(found.alike, wording)}"] if found.alike else []
    return f"{lead}{': ' if parts else ''}{'; '.join(parts)}."
