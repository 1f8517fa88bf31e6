"""Compare methods on a task: `compare` accepts arrays of losses, and tables of folds."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyarrow as pa

from delvecore.answers.answer import Answer
from delvecore.answers.compare_pair import comparison_answer, comparison_grid
from delvecore.answers.planning import plan_answer
from delvecore.archive import Archive
from delvecore.archive.score_tables import usual_loss
from delvecore.errors import DelveError, Fault, shortened
from delvecore.library.arguments import checked_arguments
from delvecore.library.cross_validation import SCORE, CrossValidated, cross_validated, question
from delvecore.library.input_tables import archive_of, score_file
from delvecore.losses.standard_losses import LOSS_SPECS
from delvecore.measures import Measure, Measures, column_measure
from delvecore.model import Scheme
from delvecore.names import NAME, is_name
from delvecore.render.answers import answer_text
from delvecore.render.document import with_readings
from delvecore.render.latex import latex_grid
from delvecore.render.markup import html_grid, markdown_grid
from delvecore.render.text import text_grid
from delvecore.score_tables.options import (
    NO_OPTIONS,
    Decimal,
    Failed,
    Scale,
    ScoreOptions,
    Steps,
    options_of_call,
)
from delvecore.score_tables.score_file import Reading, Role
from delvecore.stats.array_types import Floats
from delvecore.stats.choose import (
    DEFAULT_ADJUSTMENT,
    DEFAULT_LEVEL,
    Setting,
    checked_adjustment,
    checked_level,
)
from delvecore.stats.designs import COMMON, HIERARCHICAL, Design, RunDesign, named_design
from delvecore.stats.losses.comparisons import compare_all
from delvecore.tables import SCHEMAS, table_of
from delvecore.writers.files import write_atomically

if TYPE_CHECKING:
    from delvecore.plots.figure import PlotlyFigure

OF_ARRAYS = "loss"
"""Name of the contents of arrays: some loss of test cases; which one is unknown."""
OF_ARRAY_PAIRS = ("design", "share", "higher_is_better")
"""The options of tables that are also valid for two arrays."""
OF_COLUMNS = ("dataset", "method", "fold", "value", "where", "transpose", "sheet", "case", "group")
"""The options of tables that name columns, which results of scikit-learn do not have."""
BY_SHARE = (Scheme.REPEATED, Scheme.RESAMPLED, Scheme.NADEAU_BENGIO)
"""Designs that need the share of test cases, which results may contain."""
_PLACE = {"dataset": "losses", "prototask": "losses", "task": "task", "prior": "std", "training_size": 0}


PAIR_COLUMNS = ("dataset", "method_a", "method_b", "difference", "lower", "upper", "p_adjusted", "verdict")
GRIDS = {"text": text_grid, "latex": latex_grid, "markdown": markdown_grid, "html": html_grid}
ENDINGS = {
    ".csv": "csv",
    ".json": "json",
    ".tex": "latex",
    ".md": "markdown",
    ".html": "html",
    ".txt": "text",
}
"""Formats by the ending of a file's name."""


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Result of `compare`.

    A notebook shows it, with the reading of the data first. `to_frame()` and `pairs()` are data frames,
    `figure()` is a Plotly figure, and `save()` writes a file. If there is only one pair, `difference`,
    `interval`, `p` and `verdict` are the numbers of that pair.

    Attributes
    ----------
    table : pyarrow.Table
        A row per task and pair of methods, schema `delvecore.tables.COMPARISONS`.
    setting : Setting
        Confidence and adjustment of the tests.
    measures : mapping of str to Measure
        Compared quantities, by the names in the column `loss`.
    notes : tuple of str
        On the design.
    readings : tuple of Reading
        How each table of scores was read; empty for arrays.

    Examples
    --------
    >>> compare([[1.0, 2.0], [2.0, 4.0]], [[1.5, 2.5], [2.5, 5.0]]).to_frame()["difference"].tolist()
    [-0.625]
    """

    table: pa.Table
    setting: Setting
    measures: Measures
    notes: tuple[str, ...] = ()
    readings: tuple[Reading, ...] = ()

    @property
    def reading(self) -> Reading | None:
        """How the table of scores was read: roles, guesses, and omissions. None for arrays."""
        return self.readings[0] if self.readings else None

    @cached_property
    def answer(self) -> Answer:
        """Sentence, table and notes, as `delvecore.render` writes them."""
        return comparison_answer(self.table, self.setting, measures=self.measures)

    @property
    def sentence(self) -> str:
        """State which methods differ significantly."""
        return self.answer.headline

    def _of_one_pair(self, name: str) -> Any:
        if self.table.num_rows != 1:
            raise DelveError(f"expected one pair on one task, found {len(self.table)}: to_frame() has them")
        return self.table[name][0].as_py()

    @property
    def difference(self) -> float | None:
        """Mean of the first method minus that of the second.

        The first method is better if the difference is negative. If higher values are better, it is better if
        the difference is positive."""
        value: float | None = self._of_one_pair("difference")
        return value

    @property
    def interval(self) -> tuple[float | None, float | None]:
        """Confidence interval of the expected difference."""
        return self._of_one_pair("lower"), self._of_one_pair("upper")

    @property
    def p(self) -> float | None:
        """The p of the difference; None if it cannot be tested, see `sentence`."""
        value: float | None = self._of_one_pair("p_adjusted")
        return value

    @property
    def verdict(self) -> str:
        """Verdict on the first method: `better`, `worse`, `not significant` or `not tested`."""
        value: str = self._of_one_pair("verdict")
        return value

    def to_frame(self) -> pd.DataFrame:
        """Return all rows and columns as a data frame. For scores, tasks have the names of their datasets."""
        return self.answer.table.frame()

    def pairs(self) -> pd.DataFrame:
        """Differences of all pairs as a data frame: a row per dataset and pair of methods.

        Returns
        -------
        DataFrame
            Dataset, both methods, the difference a minus b with its interval, the adjusted p, and the verdict
            on method a.

        Examples
        --------
        >>> compare([[1.0, 2.0], [2.0, 4.0]], [[1.5, 2.5], [2.5, 5.0]]).pairs()["verdict"].tolist()
        ['not significant']
        """
        return self.answer.table.select(*PAIR_COLUMNS).frame()

    def figure(self) -> "PlotlyFigure":
        """Differences of the pairs with their intervals, as a Plotly figure.

        Returns
        -------
        Figure
            A row for each of the 40 largest differences.

        Examples
        --------
        >>> found = compare([[1.0, 2.0], [2.0, 4.0]], [[1.5, 2.5], [2.5, 5.0]])
        >>> found.figure().data[0].x
        (-0.625,)
        """
        from delvecore.plots.rows import intervals_figure

        return intervals_figure(self.answer, {}).plotly()

    def plan(self, smallest: float | None = None) -> Answer:
        """Sample size planning for one pair: which sizes would find a difference that matters?

        Parameters
        ----------
        smallest : float, optional
            Smallest difference that matters, in the unit of the losses; by default 1 % of the baseline's.

        Raises
        ------
        DelveError
            For several pairs, if neither `smallest` nor a baseline is known, or if no plan fits the design.

        Examples
        --------
        >>> found = compare([[1.0, 2.0], [2.0, 4.0]], [[1.5, 2.5], [2.5, 5.0]])
        >>> found.plan(0.5).table["plan"][0]
        'as it is'
        """
        self._of_one_pair("difference")
        return plan_answer(self.table.to_pylist()[0], smallest=smallest, level=self.setting.level)

    def to_latex(self) -> str:
        """Return a table of the pairs for a paper; it needs the package booktabs."""
        return self._text("latex")

    def to_markdown(self) -> str:
        """Return a table of the pairs in Markdown."""
        return self._text("markdown")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the pairs to a file.

        Parameters
        ----------
        path : path
            Its ending selects the format: .csv and .json have all columns, .tex, .md, .html and .txt a table.

        Raises
        ------
        DelveError
            For another ending.
        """
        ending = os.path.splitext(path)[1]
        if ending not in ENDINGS:
            expected = f"expected a name that ends in {', '.join(ENDINGS)}, found {ending!r}"
            raise DelveError(f"{os.fspath(path)}: {expected}")
        write_atomically(os.fspath(path), self._text(ENDINGS[ending]))

    def _text(self, form: str) -> str:
        if form in GRIDS:
            text = GRIDS[form](comparison_grid(self.answer, level=self.setting.level))
        else:
            text = answer_text(self.answer, form, readings=self.readings)
        return with_readings(text, self.readings, form)

    def _repr_html_(self) -> str:
        return self._text("html")

    def __repr__(self) -> str:
        return self._text("text")


@checked_arguments
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
    lower_is_better: bool | None = None,
    failed: Failed = "left out",
    where: Mapping[str, str | Sequence[str]] | None = None,
    keep: str | Sequence[str] = (),
    drop: str | Sequence[str] = (),
    transpose: bool | None = None,
    sheet: str | None = None,
    decimal: Decimal | None = None,
    scale: Scale | None = None,
    case: str | None = None,
    group: str | None = None,
    failed_words: str | Sequence[str] = (),
    steps: Steps | None = None,
    level: float = DEFAULT_LEVEL,
    adjust: str = DEFAULT_ADJUSTMENT,
) -> Comparison:
    """Compare methods on a task: do they differ, by how much, and is that significant?

    Parameters
    ----------
    data, other : arrays
        Losses (lower is better) on the same training sets and test cases: shape (training sets, test
        cases), or (training sets,) if only means are known. Without `other`, `data` is a table of scores of
        folds, as for `rank`, and all pairs of methods are compared on each dataset. It may also be results
        of scikit-learn on the same folds, `{"ridge": cross_validate(..., return_indices=True), "svm":
        search}`, with higher scores better. A fitted `GridSearchCV` in it means its best candidate; a single
        search means all of its candidates. The design follows from the indices, or from the `cv` of a search.
        Results without either, such as arrays of `cross_val_score` by name, need `design`.
    design : str, optional
        How training and test sets depend on each other. `hierarchical`: each training set has its own test
        cases (the default for arrays; for tables, the columns decide). `common`: one test set for all.
        `cross-validation`, `repeated cross-validation`, `resampled`, `leave-one-out`: sets share cases. `one
        split`: several runs on it. `bootstrap e0`: samples with replacement. `test cases`: one run on the
        same cases, or several runs of models that are not trained again. `nadeau-bengio`: the correlation of
        Nadeau and Bengio (2003), which depends on the shared test cases but not on training cases.
    share : float, optional
        Share of all cases in a test set, 1/k for k folds; needed for `repeated cross-validation` and
        `resampled`, unless it follows from results of scikit-learn.
    names : tuple of str
        Names of the two methods in arrays.
    dataset, method, fold, metric, value, higher_is_better : optional
        How a table of scores is read, as for `rank`. The same holds for all options up to `scale`. `metric`
        also chooses one of several scorers of scikit-learn. `higher_is_better` also applies to arrays.
    case, group : str, optional
        For a table with a score for each test case: the column of cases, and that of groups of cases that
        are kept together.
    failed_words : str or sequence
        Words that stand for the score of a failed run, in addition to usual ones such as `timeout`.
    steps : {"last", "best", "mean"}, optional
        Which row counts if a run has several, one per epoch or step.
    level : float
        Confidence of intervals and tests.
    adjust : str
        How p is adjusted for the pairs of a task.

    Returns
    -------
    Comparison
        A row per task and pair of methods.

    Raises
    ------
    DelveError
        For data that cannot be compared.

    References
    ----------
    DELVE manual, section 8; Nadeau and Bengio (2003), Machine Learning 52.

    Examples
    --------
    >>> found = compare([[1.0, 2.0, 3.0], [3.0, 6.0, 9.0]], [[0.0, 0.0, 0.0], [3.0, 6.0, 9.0]])
    >>> found.difference, round(found.p, 3), str(found.verdict)
    (1.0, 0.5, 'not significant')
    """
    arguments = locals()
    setting = _setting(level, adjust)
    if other is not None:
        return _of_arrays(data, other, arguments, setting)
    if isinstance(data, Archive):
        remedy = "say archive.compare('/DATASET')"
        raise Fault("data", "a table of scores, arrays, or results of scikit-learn", "an archive", remedy)
    options = options_of_call(arguments)
    if folds := cross_validated(data, metric):
        stray = [name for name in OF_COLUMNS if getattr(options, name) != getattr(NO_OPTIONS, name)]
        if not stray:
            return _of_folds(folds, options, setting)
        if folds.is_program:
            remedy = "say metric= for the scorer to use" if "value" in stray else "leave it out"
            expected = "this argument only for a table of scores"
            raise Fault(stray[0], expected, "results of scikit-learn", remedy)
    file = score_file(data, options)
    archive = archive_of(file)
    comparisons = archive.compare(loss=usual_loss(archive), setting=setting)
    if not comparisons.num_rows:
        raise DelveError(f"data: expected two methods on a dataset, found fewer. {file.reading.text}")
    return Comparison(comparisons, setting, archive.measures, readings=(file.reading,))


def _setting(level: float, adjust: str) -> Setting:
    try:
        return Setting(checked_level(level), checked_adjustment(adjust))
    except ValueError as error:
        raise DelveError(str(error)) from None


def _of_folds(folds: CrossValidated, options: ScoreOptions, setting: Setting) -> Comparison:
    """Compare scores of the folds of one dataset. Raises Fault if nothing shows how they were drawn."""
    count, splits = len(next(iter(folds.scores.values()))), folds.splits
    is_open = splits is None and options.design is None and options.share is None
    if is_open and folds.is_program:
        raise question(count)
    if is_open:
        splits = RunDesign(Scheme.UNKNOWN, 1, count, assumed=False), None
    by_convention = folds.is_program and options.higher_is_better is None
    share = options.share
    if share is None and splits and options.design in BY_SHARE:
        _, share = splits
    options = replace(
        options,
        metric=None,
        higher_is_better=True if by_convention else options.higher_is_better,
        share=share,
    )
    file = score_file(folds.frame, options)
    reading = file.reading.decided("direction", "source") if by_convention else file.reading
    if splits is not None and options.design is None and share is None:
        file = replace(file, design=splits[0])
        role = Role("design", splits[0].words, "source", option="design")
        reading = replace(
            reading, roles=tuple(role if one.role == "design" else one for one in reading.roles)
        )
    archive = archive_of(replace(file, reading=reading))
    comparisons = archive.compare(loss=usual_loss(archive), setting=setting)
    if not comparisons.num_rows:
        raise DelveError(f"data: expected two methods, found fewer. {reading.text}")
    return Comparison(comparisons, setting, archive.measures, readings=(reading,))


def _of_arrays(data: Any, other: Any, arguments: Mapping[str, Any], setting: Setting) -> Comparison:
    options = options_of_call(arguments)
    for name in ScoreOptions.__dataclass_fields__:
        if name not in OF_ARRAY_PAIRS and getattr(options, name) != getattr(NO_OPTIONS, name):
            raise Fault(name, "this argument only for a table of scores", "two arrays", "leave it out")
    arrays = [_losses(one, name) for one, name in ((data, "data"), (other, "other"))]
    chosen, notes = _design(arguments["design"], arguments["share"], len(arrays[0]))
    measure = column_measure(OF_ARRAYS, False)
    if arguments["higher_is_better"]:
        measure = column_measure(SCORE, True)
    table = _compared(arrays, arguments["names"], chosen, setting, measure)
    return Comparison(table, setting, {measure.key: measure}, notes)


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
    """Return a design by its name, and a note about it."""
    if name is None:
        return Design(HIERARCHICAL), ()
    scheme = named_design(name, instances, test_share=share)
    selection = COMMON if name in (COMMON, Scheme.CASES) else HIERARCHICAL
    notes = () if scheme.kind == Scheme.DISJOINT else (f"design: {scheme.words}",)
    return Design(selection, scheme.kind, scheme.share), notes


def _compared(
    arrays: Sequence[Floats], names: tuple[str, str], design: Design, setting: Setting, measure: Measure
) -> pa.Table:
    first, second = (one.shape for one in arrays)
    if first != second:
        raise DelveError(f"other: expected losses of shape {first}, for the cases of data, found {second}")
    if design.scheme == Scheme.LEAVE_ONE_OUT and first[1] != 1:
        raise DelveError(
            f"data: expected one test case per training set (the one left out), found {first[1]}"
        )
    if first[1] == 1 and not design.overlaps:
        actual = (
            "one value each: say design='cross-validation' for the folds of one, design='resampled' with "
            "share= the share of cases in a test set, or design='resampled' and share=0 for independent means"
        )
        raise DelveError(f"data: expected test cases of each training set for this design, found {actual}")
    called: Sequence[object] = names
    for name in called:
        if not isinstance(name, str) or not is_name(name):
            raise DelveError(f"names: expected {NAME}, found {shortened(repr(name))}")
    if len(names) != 2:
        raise DelveError(f"names: expected two, found {len(names)}")
    if len(set(names)) < 2:
        raise DelveError(f"names: expected two different names, found {names[0]!r} twice")
    rows = [
        _PLACE | {"method": name, "loss": measure.key, "instance": number, "values": values.tolist()}
        for name, losses in zip(names, arrays, strict=True)
        for number, values in enumerate(losses)
    ]
    task = dict.fromkeys(SCHEMAS["tasks"].names) | _PLACE
    task |= {"test_set_selection": design.selection, "scheme": design.scheme, "share": design.share}
    units = {("losses", "losses", "task", measure.key): 1.0}
    tables = table_of(rows, SCHEMAS["losses"]), table_of([task], SCHEMAS["tasks"])
    higher = measure.higher_is_better
    of_cases = {measure.key: replace(LOSS_SPECS["S"], key=measure.key, higher_is_better=higher)}
    return compare_all(*tables, units, setting=setting, measures=of_cases)
