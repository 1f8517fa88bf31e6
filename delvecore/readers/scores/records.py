"""What is asked of a file of scores, and what is found in it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import pyarrow as pa

from delvecore.errors import Fault
from delvecore.losses.metrics import Metric

__all__ = [
    "NOTHING_SAID",
    "Failed",
    "Guess",
    "Kind",
    "Notice",
    "ScoreDesign",
    "ScoreFile",
    "ScoreOptions",
    "UnknownDirection",
    "Where",
]

Failed = Literal["left out", "worst", "method out"]
"""What becomes of runs without a value: no value, the worst on their dataset, or their methods left out."""


Where = tuple[tuple[str, tuple[str, ...]], ...]
"""Columns, and the texts of which one must stand in each."""


@dataclass(frozen=True)
class ScoreOptions:
    """What is said of a file, and need not be guessed. dataset, method: a column, or several joined by `+`;
    metric: the column that names metrics, or the name of the one metric; fold: columns that tell instances
    apart; value: columns of scores; share: of all cases in a test set; where: which rows alone count."""

    dataset: str | None = None
    method: str | None = None
    metric: str | None = None
    fold: tuple[str, ...] = ()
    value: tuple[str, ...] = ()
    higher_is_better: bool | None = None
    failed: Failed = "left out"
    share: float | None = None
    where: Where = ()


NOTHING_SAID = ScoreOptions()


@dataclass(frozen=True)
class Guess:
    """What was taken for what. role: such as `dataset` or `direction`; others: what else it could be; option:
    the one that changes it."""

    role: str
    taken: str
    others: tuple[str, ...] = ()
    option: str = ""

    @property
    def text(self) -> str:
        """Return the guess in words, such as `method: classifier (or archive; --method)`."""
        others = f"or {', '.join(self.others[:3])}" if self.others else ""
        change = "; ".join(part for part in (others, self.option) if part)
        return f"{self.role}: {self.taken}" + (f" ({change})" if change else "")


@dataclass(frozen=True)
class Notice:
    """What was left out, and why. what: `column`, `row`, `value`, `method` or `file`; names: which, the first
    ones of many; count: how many; line: of the first one, if known; remedy: what to do if it was wrong."""

    what: str
    names: tuple[str, ...]
    count: int
    why: str
    line: int | None = None
    remedy: str = ""

    @property
    def text(self) -> str:
        """Return the notice in words, such as `2 rows left out (Wins, Average_Rank): no datasets`."""
        many = self.what if self.count == 1 else f"{self.what}s"
        listed = ", ".join(self.names) + (", ..." if self.count > len(self.names) > 0 else "")
        return f"{self.count:,} {many} left out{f' ({listed})' if listed else ''}: {self.why}"


Kind = Literal["cross-validation", "seeds", "resamples", "single"]


class ScoreDesign(NamedTuple):
    """How the instances of a dataset lie to each other. folds, repeats: of cross-validation; share: how
    strongly the scores of two instances are taken to be correlated, as of `Overlap`; assumed: does nobody
    say so?"""

    kind: Kind = "single"
    folds: int = 1
    repeats: int = 1
    share: float = 0.0
    assumed: bool = True


SINGLE = ScoreDesign()


@dataclass(frozen=True, eq=False)
class ScoreFile:
    """The scores of a file, with all that was guessed and left out.

    rows: of the schema SCORE_ROWS; factors: by dataset, levels of factors, from columns that are constant
    within each dataset; families: which each belongs to; sizes: of training sets, by dataset."""

    source: str
    rows: pa.Table
    metrics: tuple[Metric, ...]
    guesses: tuple[Guess, ...] = ()
    notices: tuple[Notice, ...] = ()
    factors: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    families: Mapping[str, str] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    design: ScoreDesign = SINGLE


class UnknownDirection(Fault):
    """Nothing says whether higher or lower is better. metrics: the names of those that are not known; cases:
    does the table look like one of cases?"""

    def __init__(self, source: str, metrics: tuple[str, ...], *, cases: bool = False) -> None:
        self.metrics, self.cases = metrics, cases
        remedy = "say --higher-is-better or --lower-is-better"
        super().__init__(
            source,
            "metrics of known direction",
            ", ".join(map(repr, metrics[:4])) + (", ..." if len(metrics) > 4 else ""),
            remedy + (", or delve import if its lines are cases" if cases else ""),
            is_file=True,
        )
