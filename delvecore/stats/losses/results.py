"""The table of results: expected losses of methods on tasks, their errors, and standardized losses.

The table of losses is read as blocks: all methods on one task under one loss, as views of one array of
numbers.

Standardized losses are in units of a baseline that ignores the inputs, whose loss is about 1 (L: 0). The
constant of a loss and task is in `Test-set-stats`: the baseline's loss, or for L the number to add to the raw
loss. A metric has no baseline: its constant is 1. Source: DELVE manual, sections 5.3
and 8.3."""

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, pairwise
from math import isfinite
from typing import TypeAlias, TypeVar

import numpy as np
import pyarrow as pa

from delvecore.losses.spec import NO_MEASURES, is_logarithmic, measure_named
from delvecore.measures import Measure, Measures
from delvecore.model import TaskId
from delvecore.number_format.columns import NumberLists
from delvecore.stats.array_types import Floats, Mask, Whole
from delvecore.stats.designs import Design
from delvecore.stats.losses.anova import (
    MeanSquares,
    as_arrays,
    components,
    harmonic_mean,
    mean_squares,
    mean_squares_many,
)
from delvecore.stats.losses.case_tests import case_errors, units_of_cases
from delvecore.stats.losses.resampled_t import correct_for_overlap, instance_squares
from delvecore.tables import RESULTS, TASK_AND_LOSS, rows_of

KEY = tuple(TASK_AND_LOSS)
Key = tuple[str, str, str, str, int, str]
"""Values of the columns KEY."""


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """One task and loss: the methods in order, and the rows of method k as starts[k] up to starts[k + 1]."""

    key: Key
    methods: tuple[str, ...]
    starts: Whole

    @property
    def task(self) -> TaskId:
        return TaskId(*self.key[:3])

    @property
    def loss(self) -> str:
        return self.key[-1]


@dataclass(frozen=True, slots=True)
class Losses:
    """All losses; row r of `lists` holds those of one instance."""

    blocks: tuple[Block, ...]
    instances: Whole
    lists: NumberLists

    def stack(self, block: Block) -> Floats | None:
        """Return the block's losses as (methods, instances, test cases), None if methods are not alike."""
        start, stop = block.starts[0], block.starts[-1]
        methods, rows = len(block.methods), stop - start
        if rows % methods or (np.diff(block.starts) != rows // methods).any():
            return None
        instances = self.instances[start:stop].reshape(methods, -1)
        lengths = self.lists.lengths[start:stop]
        if lengths[0] == 0 or (lengths != lengths[0]).any() or (instances != instances[0]).any():
            return None
        return self.lists.span(start, stop).reshape(methods, rows // methods, lengths[0])

    def by_instance(self, block: Block, method: int) -> dict[int, Floats]:
        """Return the losses of the block's method number `method`, by instance."""
        rows = range(block.starts[method], block.starts[method + 1])
        return {int(self.instances[r]): self.lists.span(r, r + 1) for r in rows}


def read_losses(losses: pa.Table, *, loss: str | None = None) -> Losses:
    """Group the rows into blocks and locate their numbers, without copying any losses.

    losses: one row per method x task x loss x instance, sorted by dataset, prototask, prior, training_size,
    loss, method, instance. loss: select the blocks of this loss. Raises ValueError if the rows are not sorted
    or if a value is null."""
    lists, instances = NumberLists(losses["values"]), losses["instance"].to_numpy()
    if not losses.num_rows:
        return Losses((), instances, lists)
    new_task = functools.reduce(np.logical_or, (_changes(losses[name]) for name in KEY))
    run_starts = np.flatnonzero(new_task | _changes(losses["method"]))
    block_starts = np.flatnonzero(new_task[run_starts])
    keys = list(rows_of(losses.select(KEY).take(run_starts[block_starts]), KEY))
    bounds = [*block_starts.tolist(), len(run_starts)]
    coded, rows = _coded(losses["method"].take(pa.array(run_starts))), np.append(run_starts, losses.num_rows)
    names = np.array(coded.chunk(0).dictionary.to_pylist(), dtype=object)[_indices(coded)]
    blocks = tuple(
        Block(key, tuple(names[first:last]), rows[first : last + 1])
        for key, (first, last) in zip(keys, pairwise(bounds), strict=True)
    )
    if len(set(keys)) < len(keys) or any(len(set(one.methods)) < len(one.methods) for one in blocks):
        raise ValueError("the losses table must be sorted by dataset, prototask, task, loss and method")
    return Losses(tuple(one for one in blocks if loss in (None, one.loss)), instances, lists)


def _changes(column: pa.ChunkedArray) -> Mask:
    """Return the rows in which the column differs from the previous row. The first row counts as a change."""
    if column.null_count:
        raise ValueError("the losses table has nulls among its keys")
    codes = column.to_numpy() if pa.types.is_integer(column.type) else _indices(_coded(column))
    changed = np.ones(len(codes), dtype=bool)
    np.not_equal(codes[1:], codes[:-1], out=changed[1:])
    return changed


def _coded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column of words as numbers of one dictionary."""
    return column.unify_dictionaries() if pa.types.is_dictionary(column.type) else column.dictionary_encode()


def _indices(coded: pa.ChunkedArray) -> Whole:
    return np.concatenate([np.empty(0, dtype=np.int8), *(chunk.indices.to_numpy() for chunk in coded.chunks)])


Number = TypeVar("Number", float, "Floats")


def usable_constant(loss: str, constant: float | None) -> float | None:
    """Return the constant if it can standardize this loss, otherwise None.

    None without a constant, for one that is not finite, and for a divisor of zero."""
    if constant is None or not isfinite(constant):
        return None
    return constant if constant != 0 or is_logarithmic(loss) else None


def standardized_mean(loss: str, mean: Number | None, constant: float | None) -> Number | None:
    """Standardized loss: an expected loss in units of the baseline. L adds the constant, others divide by it.

    mean: a float, an array, or None if missing. Returns None if the constant cannot be used.

    Examples
    --------
    >>> standardized_mean("S", 3.0, 2.0)
    1.5
    """
    constant = usable_constant(loss, constant)
    if mean is None or constant is None:
        return None
    return mean + constant if is_logarithmic(loss) else mean / constant


def standardized_spread(loss: str, value: Number | None, constant: float | None) -> Number | None:
    """Difference, standard error or standard deviation in units of the baseline.

    Like `standardized_mean`, but L is unchanged, because a constant added to two losses cancels in their
    difference.
    """
    constant = usable_constant(loss, constant)
    if value is None or constant is None:
        return None
    return value if is_logarithmic(loss) else value / constant


Constants: TypeAlias = Mapping[tuple[str, str, str, str], float | None]
Standardizers: TypeAlias = Constants | pa.Table
"""Constants by dataset, prototask, task and loss, if known."""


def designs_by_task(tasks: pa.Table, *, measure: Measure | None = None) -> dict[TaskId, Design | None]:
    """Return each task's design: (dataset, prototask, task) -> Design, None if unknown.

    measure: analyzed measure, None for losses of test cases; a metric has one number per instance. Without
    the columns `scheme` and `share`, instances share no cases."""
    names = ["dataset", "prototask", "task", "test_set_selection"]
    if "scheme" in tasks.column_names:
        names += ["scheme", "share"]
    has_groups = "case_groups" in tasks.column_names
    groups = tasks["case_groups"].to_pylist() if has_groups else [None] * tasks.num_rows
    designs = {
        TaskId(*row[:3]): None if None in row[3:] else Design(*row[3:])._replace(groups=tuple(numbers or ()))
        for row, numbers in zip(rows_of(tasks, names), groups, strict=True)
    }
    return {task: _as_judged(design, measure) for task, design in designs.items()}


Designs = Mapping[TaskId, Design | None]


def design_of(block: Block, designs: Designs, measures: Measures = NO_MEASURES) -> Design | None:
    """Return the design for the analysis of a block of losses.

    designs: designs of tasks, for losses of cases.
    """
    return _as_judged(designs.get(block.task), measure_named(block.loss, measures))


def _as_judged(design: Design | None, measure: Measure | None) -> Design | None:
    is_single = measure is not None and not measure.is_loss
    return design.of_single_numbers if design and is_single else design


def standardized_columns(
    blocks: Sequence[Block],
    index: Whole,
    standardizers: Standardizers,
    *,
    means: dict[str, Floats],
    spreads: dict[str, Floats],
) -> dict[str, Floats]:
    """Return the constant of each row's block, and values in its units; NaN if missing.

    index: the block of each row, ascending. standardizers: (dataset, prototask, task, loss) -> constant or
    None, or a table of these columns and `standardizer`. means, spreads: by the name of their column."""
    known = standardizers
    if isinstance(known, pa.Table):
        names = ("dataset", "prototask", "task", "loss", "standardizer")
        known = {row[:4]: row[4] for row in rows_of(known, names)}
    constants = [known.get((*block.task, block.loss)) for block in blocks]
    columns = {"standardizer": np.array(constants, dtype=float)[index]}
    bounds = np.searchsorted(index, np.arange(len(blocks) + 1)).tolist()
    for name, values in (means | spreads).items():
        standardized = standardized_mean if name in means else standardized_spread
        columns[name] = np.full(len(values), np.nan)
        for block, constant, start, stop in zip(blocks, constants, bounds, bounds[1:], strict=False):
            part = standardized(block.loss, values[start:stop], constant)
            if part is not None:
                columns[name][start:stop] = part
    return columns


def key_columns(blocks: Sequence[Block], index: Whole) -> dict[str, pa.Array]:
    """Return the columns `KEY` of a table whose rows belong to the blocks of this index."""
    rows = pa.array(index)
    columns = zip(*(block.key for block in blocks), strict=True) if blocks else ([],) * len(KEY)
    return {
        name: pa.array(values, kind).take(rows)
        for (name, kind), values in zip(TASK_AND_LOSS.items(), columns, strict=True)
    }


def to_arrow(columns: Mapping[str, Floats], schema: pa.Schema) -> dict[str, pa.Array]:
    """Return numeric columns with the types of a schema. NaN becomes null; an infinity stays."""
    return {
        name: pa.array(values, schema.field(name).type, from_pandas=True) for name, values in columns.items()
    }


AT_ONCE = 1 << 17
"""Maximum number of losses of small blocks that are estimated together."""
_NUMBERS = ("instances", "test_cases", "mean", "standard_error", "sd_training", "sd_cases", "sd_residual")


def result_table(
    losses: pa.Table, tasks: pa.Table, standardizers: Standardizers, measures: Measures = NO_MEASURES
) -> pa.Table:
    """Expected losses of methods on tasks, with standard errors: one row per method x task x loss.

    losses: one row per method x task x loss x instance, sorted as `read_losses` needs it. tasks: has the
    column `test_set_selection`. standardizers: see `standardized_columns`. measures: measures that are not
    losses of DELVE. Returns a table with the schema `RESULTS`, in the unit and direction of each measure.

    A null marks a missing number. There are no errors with one instance, one test case, infinite losses, or a
    task that is not in `tasks`. `test_cases` is null if a method's instances differ in length; so is the
    mean, unless test sets are disjoint (see `mean_squares`). There is no `sd_cases` for disjoint test sets.
    Negative variance components are zero. If instances share cases, the error is corrected, as `notes` state,
    and there are no standard deviations. Source: DELVE manual, sections 8.1 to 8.3; see `resampled_t`.
    """
    data, by_task = read_losses(losses), designs_by_task(tasks)
    designs = [design_of(block, by_task, measures) for block in data.blocks]
    if not data.blocks:
        return RESULTS.empty_table()
    numbers = zip(*_estimated(data, designs), strict=True)
    columns = {name: np.concatenate(parts) for name, parts in zip(_NUMBERS, numbers, strict=True)}
    index = np.repeat(np.arange(len(data.blocks)), [len(block.methods) for block in data.blocks])
    means = {"standardized_mean": columns["mean"]}
    spreads = {"standardized_error": columns["standard_error"]}
    columns |= standardized_columns(data.blocks, index, standardizers, means=means, spreads=spreads)
    result_columns = to_arrow(columns, RESULTS) | key_columns(data.blocks, index)
    result_columns["method"] = pa.array(
        [name for block in data.blocks for name in block.methods], pa.string()
    )
    notes = [[str(design.note)] if design and design.note else [] for design in designs]
    result_columns["notes"] = pa.array(notes, RESULTS.field("notes").type).take(pa.array(index))
    return pa.table(result_columns, schema=RESULTS)


def _estimated(data: Losses, designs: Sequence[Design | None]) -> Iterator[Floats]:
    """Yield the columns `_NUMBERS` for the methods of the blocks in order. Small similar blocks are processed
    together."""
    for design, run in groupby(zip(data.blocks, designs, strict=True), lambda pair: pair[1]):
        of_design = [block for block, _ in run]
        for _, alike in groupby(
            of_design, lambda block: (len(block.methods), block.starts[-1] - block.starts[0])
        ):
            blocks = list(alike)
            first, last = blocks[0].starts[0], blocks[0].starts[-1]
            size = max(1, AT_ONCE // max(int(data.lists.lengths[first:last].sum()), 1))
            for start in range(0, len(blocks), size):
                yield from _estimates_of_alike(data, blocks[start : start + size], design)


def _estimates_of_alike(data: Losses, blocks: Sequence[Block], design: Design | None) -> list[Floats]:
    """Return the estimates of adjacent similar blocks. The estimates of a method do not depend on other
    methods."""
    methods = tuple(chain.from_iterable(block.methods for block in blocks))
    starts = np.concatenate([*(block.starts[:-1] for block in blocks), blocks[-1].starts[-1:]])
    one = Block(blocks[0].key, methods, starts)
    if len(blocks) == 1 or (design and design.resubstitutes) or (stack := data.stack(one)) is None:
        return [_estimates(data, block, design) for block in blocks]
    return [_estimates_of_stack(stack, design)]


def _estimates(data: Losses, block: Block, design: Design | None) -> Floats:
    """Return the columns `_NUMBERS` for the block's methods, NaN if missing."""
    stack = None if design and design.resubstitutes else data.stack(block)
    if stack is not None:
        return _estimates_of_stack(stack, design)
    by_method = []
    for method in range(len(block.methods)):
        losses = data.by_instance(block, method)
        # Without resubstitution there is no mean.
        lacking = design and design.resubstitutes and 0 not in losses
        by_method.append([np.empty(0)] if lacking else list(losses.values()))
    return np.concatenate([method_estimates(rows, design) for rows in by_method], axis=1)


def method_estimates(rows: Sequence[Floats], design: Design | None) -> Floats:
    """Return the columns `_NUMBERS`, with one row, of a method with these losses by instance."""
    lengths = set(map(len, rows))
    if len(lengths) == 1 and 0 not in lengths:
        return _estimates_of_stack(np.stack(rows)[None], design)
    if design is None or design.is_common or 0 in lengths:
        return np.array([len(rows)] + [np.nan] * (len(_NUMBERS) - 1))[:, None]
    if design.overlaps:
        return _estimates_of_overlap(np.concatenate(rows)[None], np.array(list(map(len, rows))), design)
    squares = as_arrays(mean_squares(rows, design="hierarchical"))
    sizes = np.array([[len(rows)], [np.nan]])
    return _columns(sizes, squares, harmonic_mean(np.array(list(map(len, rows)))))


def _estimates_of_stack(stack: Floats, design: Design | None) -> Floats:
    methods, instances, test_cases = stack.shape
    if design and design.tests_cases(instances):
        means = stack.mean(axis=1)
        errors = case_errors(*units_of_cases(means, design.groups))
        counts = np.full((2, methods), [[instances], [test_cases]], dtype=float)
        return np.vstack([counts, means.mean(axis=1), errors, np.full((3, methods), np.nan)])
    if design and design.overlaps and not design.is_common:
        return _estimates_of_overlap(stack.reshape(methods, -1), np.full(instances, test_cases), design)
    squares = mean_squares_many(stack, design=design.selection if design else "hierarchical")
    sizes = np.full((2, methods), [[instances], [test_cases]], dtype=float)
    if design is None:
        return np.vstack([sizes, squares.mean, np.full((4, methods), np.nan)])
    columns = _columns(sizes, correct_for_overlap(squares, instances, design), test_cases)
    columns[-3:] = np.nan if design.overlaps else columns[-3:]
    return columns


def _columns(sizes: Floats, squares: MeanSquares[Floats], test_cases: float) -> Floats:
    """Return the columns `_NUMBERS`. sizes: displayed numbers of instances and test cases."""
    with np.errstate(invalid="ignore"):
        variance_components, error_variance = components(squares, instances=sizes[0], test_cases=test_cases)
    cases = (
        np.full(len(squares.mean), np.nan) if variance_components.cases is None else variance_components.cases
    )
    variances = np.array([error_variance, variance_components.training, cases, variance_components.residual])
    # An infinite variance means losses too large to be squared, not a large error.
    variances[:, ~np.isfinite(error_variance)] = np.nan
    return np.vstack([sizes, squares.mean, variances**0.5])


def _estimates_of_overlap(losses: Floats, sizes: Whole, design: Design) -> Floats:
    """Return the columns `_NUMBERS` without standard deviations. Arguments as for `instance_squares`."""
    shown = sizes[0] if (sizes == sizes[0]).all() else np.nan
    counts = np.full((2, len(losses)), [[len(sizes)], [shown]], dtype=float)
    columns = _columns(counts, instance_squares(losses, sizes, design), harmonic_mean(sizes))
    columns[-3:] = np.nan
    return columns
