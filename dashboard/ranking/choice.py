"""Which ranking does the visitor want? From what was chosen to a Request that can be answered.

Pure: what cannot be had gives a notice, Markdown with escaped names, and the nearest that can."""

import functools
import hashlib
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from dashboard.ranking.tasks import RankedTask
from dashboard.ui.selection import Selection, note_missing_methods
from delvecore.plots import words
from delvecore.stats.choose import DEFAULT_ADJUSTMENT, Setting
from delvecore.stats.ranking.order import methods_of_most_results
from delvecore.stats.ranking.pair_verdicts import RankTest

__all__ = [
    "FEWER",
    "MOST_SHOWN",
    "TESTS",
    "Request",
    "choose_control",
    "choose_methods",
    "losses_of",
]

TESTS = tuple(RankTest)
MOST_SHOWN, FEWER = 60, 20
"""Figures hold so many methods; of more than so many the best ones are drawn, unless more are asked for."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """All that was chosen on the page, and with it all that its numbers depend on.

    state: of the archive; tasks: full paths; methods: those to be compared; keep: of these, those that are
    ranked however few runs they have, as the visitor chose them; control: the method that others
    are held against; level, adjust: the setting; unit: what counts once, None for the usual; test: one of
    TESTS; drop: `tasks` or `methods`, what is left out where a value is missing; most: so many methods are
    drawn, best mean rank first."""

    state: str
    loss: str
    tasks: tuple[str, ...]
    methods: tuple[str, ...]
    control: str | None
    level: float
    test: RankTest
    adjust: str = DEFAULT_ADJUSTMENT
    keep: tuple[str, ...] = ()
    unit: str | None = None
    drop: str = "tasks"
    most: int = MOST_SHOWN

    @property
    def setting(self) -> Setting:
        return Setting(self.level, self.adjust)

    @property
    def alpha(self) -> float:
        """What a p-value is held against."""
        return self.setting.alpha

    @functools.cached_property
    def key(self) -> str:
        """A hash of all of it; equal requests have equal keys."""
        parts = [self.state, self.loss, *self.tasks, "", *self.methods, "", *self.keep]
        parts += ["", self.control or ""]
        parts += [repr(self.level), self.adjust, self.unit or "", self.test, self.drop]
        parts.append(str(self.most))
        return hashlib.blake2b("\0".join(parts).encode(errors="surrogateescape"), digest_size=16).hexdigest()


def losses_of(tasks: Mapping[str, RankedTask]) -> list[str]:
    """Return the losses under which there are two methods on two tasks, the most wanted first."""
    counts: dict[str, int] = {}
    for task in tasks.values():
        for loss, methods in task.methods.items():
            counts[loss] = counts.get(loss, 0) + (len(methods) > 1)
    return sorted((loss for loss, count in counts.items() if count > 1), key=words.loss_preference)


def choose_methods(
    available: Sequence[str],
    selection: Selection,
    notices: list[str],
    done: Sequence[Set[str]] = (),
    *,
    added: str | None = None,
) -> tuple[str, ...]:
    """Return the methods to compare: those chosen that there are, else the usual ones.

    done: the methods that have a result, for each task. Usual are all methods; where most tasks would then
    be left out, those of the largest complete table, and a notice says so. added: a method that the visitor
    has added, which is always among the usual ones, on the tasks that it has."""
    chosen = tuple(name for name in available if name in selection.methods)
    note_missing_methods(available, selection, notices, shown="ranked")
    if len(chosen) > 1:
        return chosen
    mine = [methods for methods in done if added in methods]
    if added is not None and 0 < len(mine) < len(done):
        beside = methods_of_most_results(sorted(frozenset().union(*mine)), mine)
        notices.append(
            f"{words.escape(added)} is ranked beside methods of this archive, on the {len(mine):,} of "
            f"{len(done):,} tasks that it has results on; choose methods to see them without it, or none as "
            "Mine to see all tasks."
        )
        return beside if added in beside else tuple(sorted({*beside, added}))
    usual = methods_of_most_results(available, done)
    left_out = [name for name in available if name not in usual]
    if left_out:
        named = words.and_list([words.escape(name) for name in left_out])
        lack, are = ("lacks", "is") if len(left_out) == 1 else ("lack", "are")
        notices.append(
            f"{named} {lack} results on most of these {len(done):,} tasks and {are} not compared here; "
            "choose methods to change that."
        )
    return usual


def choose_control(
    methods: Sequence[str], reference: str | None, test: RankTest, notices: list[str]
) -> str | None:
    """Return the control: the reference, else, where one is needed, the first by name, and say so."""
    if reference in methods:
        return reference
    if test != RankTest.CONTROL or not methods:
        return None
    name = min(methods)
    notices.append(
        f"{words.escape(name)} is the control, as it is the first by name; choose yours, and choose it "
        "before looking at the results."
    )
    return name
