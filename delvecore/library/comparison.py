"""Do methods differ on a task? `compare` answers for arrays of losses, and for the folds of a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from delvecore.archive.score_tables import usual_loss
from delvecore.errors import DelveError
from delvecore.library.tables import archive_of, score_file
from delvecore.model import Scheme
from delvecore.report.comparisons import comparison_grid, comparison_sentence
from delvecore.report.readings import with_readings
from delvecore.report.writers.latex import latex_grid
from delvecore.report.writers.markup import html_grid
from delvecore.report.writers.plain import text_grid
from delvecore.score_tables.options import Decimal, Failed, Scale, said_options
from delvecore.score_tables.score_file import Reading
from delvecore.stats.choose import (
    DEFAULT_ADJUSTMENT,
    DEFAULT_LEVEL,
    Setting,
    checked_adjustment,
    checked_level,
)
from delvecore.stats.designs import COMMON, DESIGNS, HIERARCHICAL, Design, named_design
from delvecore.stats.kinds import Floats
from delvecore.stats.losses.pairs import compare_all
from delvecore.tables import SCHEMAS, table_of

__all__ = ["DESIGNS", "Comparison", "compare"]

OF_CASES = "S"
"""A loss that test cases have, as arrays do: other names are those of metrics, one number an instance."""
_PLACE = {"dataset": "losses", "prototask": "losses", "task": "task", "prior": "std", "training_size": 0}


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """What `compare` found. table: a row a task and pair of methods, schema `delvecore.tables.COMPARISONS`;
    setting: of the tests; notes: on the design; readings: how each table of scores was
    read, none of arrays.

    In a notebook it shows itself, how the data were read first. `to_frame()` is a data frame; of one pair
    `difference`, `interval`, `p` and
    `verdict` are its numbers."""

    table: pa.Table
    setting: Setting
    notes: tuple[str, ...] = ()
    readings: tuple[Reading, ...] = ()

    @property
    def reading(self) -> Reading | None:
        """How the table of scores was read: roles, guesses, and what was left out. None for arrays."""
        return self.readings[0] if self.readings else None

    @property
    def sentence(self) -> str:
        """Who differs significantly from whom?"""
        return comparison_sentence(self.table, self.setting)

    @property
    def _row(self) -> dict[str, Any]:
        if self.table.num_rows != 1:
            raise DelveError(f"expected one pair on one task, found {len(self.table)}: to_frame() has them")
        return self.table.to_pylist()[0]

    @property
    def difference(self) -> float | None:
        """The mean loss of the first method less that of the second: below zero the first is better."""
        return self._row["difference"]

    @property
    def interval(self) -> tuple[float | None, float | None]:
        """Between which values the expected difference lies."""
        return self._row["lower"], self._row["upper"]

    @property
    def p(self) -> float | None:
        """The p of the difference; None where it cannot be tested, see `sentence`."""
        return self._row["p_adjusted"]

    @property
    def verdict(self) -> str:
        """`better`, `worse`, `not significant` or `not tested`: of the first method."""
        return self._row["verdict"]

    def to_frame(self) -> pd.DataFrame:
        """Return all rows and columns as a data frame."""
        return self.table.to_pandas()

    def to_latex(self) -> str:
        """Return a table of the pairs for a paper; it needs the package booktabs."""
        return with_readings(latex_grid(comparison_grid(self.table, self.setting)), self.readings, "latex")

    def _repr_html_(self) -> str:
        return with_readings(html_grid(comparison_grid(self.table, self.setting)), self.readings, "html")

    def __repr__(self) -> str:
        return with_readings(text_grid(comparison_grid(self.table, self.setting)), self.readings, "text")


def compare(
    data: Any,
    other: Any = None,
    *,
    design: str | None = None,
    share: float | None = None,
    names: tuple[str, str] = ("a", "b"),
    dataset: str | None = None,
    method: str | None = None,
    fold: str | Sequence[str] = (),
    metric: str | None = None,
    value: str | Sequence[str] = (),
    higher_is_better: bool | None = None,
    failed: Failed = "left out",
    where: Mapping[str, str | Sequence[str]] | None = None,
    keep: str | Sequence[str] = (),
    drop: str | Sequence[str] = (),
    transpose: bool | None = None,
    sheet: str | None = None,
    decimal: Decimal | None = None,
    scale: Scale | None = None,
    level: float = DEFAULT_LEVEL,
    adjust: str = DEFAULT_ADJUSTMENT,
) -> Comparison:
    """Do methods differ on a task, by how much, and is it sure?

    Either two arrays of losses, lower is better, of the same training sets and test cases: shape (training
    sets, test cases), or (training sets,) where only means are known. names: of the methods.

    Or a table of scores of folds, as for `rank`: all pairs of methods on each dataset.

    design: how training and test sets depend on each other, with the same test for arrays and tables:
    `hierarchical`, each training set with test cases of its own (that of arrays if none is said; of tables
    columns say which it is); `common`, one test set for all; `cross-validation`, `repeated cross-validation`,
    `resampled` or `leave-one-out`, where they share cases; `one split`, of runs on it; `bootstrap e0`, of
    samples with replacement; `nadeau-bengio`, with the correlation of Nadeau and Bengio (2003), who count
    test cases in common but not training cases. share: of all cases in a test set, 1/k for k folds; needed
    for `repeated cross-validation` and `resampled`. level: of confidence;
    adjust: how p is adjusted for the pairs of a task. Raises DelveError for what cannot be compared."""
    options = said_options(locals())
    try:
        setting = Setting(checked_level(level), checked_adjustment(adjust))
    except ValueError as error:
        raise DelveError(str(error)) from None
    if other is not None:
        arrays = [_losses(one, name) for one, name in ((data, "data"), (other, "other"))]
        chosen, notes = _design(design, share, len(arrays[0]))
        return Comparison(_compared(arrays, names, chosen, setting), setting, notes)
    file = score_file(data, options)
    archive = archive_of(file)
    found = archive.compare(loss=usual_loss(archive), setting=setting)
    if not found.num_rows:
        raise DelveError(f"data: expected two methods on a dataset, found fewer. {file.reading.text}")
    return Comparison(found, setting, readings=(file.reading,))


def _losses(given: Any, name: str) -> Floats:
    """Return losses by (training set, test case)."""
    try:
        values = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        raise DelveError(f"{name}: expected an array of losses, found {type(given).__name__}") from None
    if values.ndim not in (1, 2) or not values.size:
        raise DelveError(f"{name}: expected losses by training set and test case, found shape {values.shape}")
    return values.reshape(len(values), -1)


def _design(name: str | None, share: float | None, instances: int) -> tuple[Design, tuple[str, ...]]:
    """Return a design by its name, and what is to be said of it."""
    if name is None:
        return Design(HIERARCHICAL), ()
    found = named_design(name, instances, test_share=share)
    selection = COMMON if name == COMMON else HIERARCHICAL
    said = () if found.kind == Scheme.DISJOINT else (f"design: {found.words}",)
    return Design(selection, found.kind, found.share), said


def _compared(arrays: Sequence[Floats], names: tuple[str, str], design: Design, setting: Setting) -> pa.Table:
    first, second = (one.shape for one in arrays)
    if first != second:
        raise DelveError(f"other: expected losses of shape {first}, those of the same cases, found {second}")
    if design.scheme == Scheme.LEAVE_ONE_OUT and first[1] != 1:
        raise DelveError(f"data: expected one test case a training set, the one left out, found {first[1]}")
    if first[1] == 1 and not design.overlaps:
        found = "one value each: say design='resampled' and share=0 for independent means"
        raise DelveError(f"data: expected test cases of each training set for this design, found {found}")
    if len(set(names)) < 2:
        raise DelveError(f"names: expected two different names, found {names[0]!r} twice")
    rows = [
        _PLACE | {"method": name, "loss": OF_CASES, "instance": number, "values": values.tolist()}
        for name, losses in zip(names, arrays, strict=True)
        for number, values in enumerate(losses)
    ]
    task = dict.fromkeys(SCHEMAS["tasks"].names) | _PLACE
    task |= {"test_set_selection": design.selection, "scheme": design.scheme, "share": design.share}
    units = {("losses", "losses", "task", OF_CASES): 1.0}
    tables = table_of(rows, SCHEMAS["losses"]), table_of([task], SCHEMAS["tasks"])
    found = compare_all(*tables, units, setting=setting)
    place = found.column_names.index("loss")
    return found.set_column(place, found.field(place), pa.repeat("loss", found.num_rows))
