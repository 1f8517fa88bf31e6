"""Tables about blocks of losses: the results, and what is known of each block, repeated for its rows."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import TypeAlias

import numpy as np
import pyarrow as pa

from delvecore.losses.spec import metric_of
from delvecore.stats.designs import Design
from delvecore.stats.kinds import Floats, Whole
from delvecore.stats.losses.anova import MeanSquares, components
from delvecore.stats.losses.blocks import KEY, Block, Losses, Task, read_losses
from delvecore.stats.losses.mean_squares import as_arrays, harmonic_mean, mean_squares, mean_squares_many
from delvecore.stats.losses.overlapping import instance_squares, raised
from delvecore.stats.losses.standardization import standardized_mean, standardized_spread
from delvecore.tables import RESULTS, TASK_AND_LOSS

__all__ = [
    "Standardizers",
    "design_of",
    "designs_by_task",
    "key_columns",
    "result_table",
    "standardized_columns",
    "to_arrow",
]

Constants: TypeAlias = Mapping[tuple[str, str, str, str], float | None]
Standardizers: TypeAlias = Constants | pa.Table
"""Of each dataset, prototask, task and loss, where there is one."""


def designs_by_task(tasks: pa.Table, *, loss: str = "S") -> dict[Task, Design | None]:
    """Return each task's design: (dataset, prototask, task) -> Design, None where it is not known. loss: what
    is analysed; of a metric an instance has one number.

    A table without the columns `scheme` and `share` is one of tasks whose instances share no cases."""
    names = ["dataset", "prototask", "task", "test_set_selection"]
    if "scheme" in tasks.column_names:
        names += ["scheme", "share"]
    rows = zip(*(tasks[name].to_pylist() for name in names), strict=True)
    found = {row[:3]: None if None in row[3:] else Design(*row[3:]) for row in rows}
    return {task: _as_judged(design, loss) for task, design in found.items()}


def design_of(block: Block, designs: Mapping[Task, Design | None]) -> Design | None:
    """Return the design by which a block of losses is analysed. designs: of tasks, for losses of cases."""
    return _as_judged(designs.get(block.task), block.loss)


def _as_judged(design: Design | None, loss: str) -> Design | None:
    return design.of_single_numbers if design and metric_of(loss) else design


def standardized_columns(
    blocks: Sequence[Block],
    index: Whole,
    standardizers: Standardizers,
    *,
    means: dict[str, Floats],
    spreads: dict[str, Floats],
) -> dict[str, Floats]:
    """Return the constant of each row's block, and values in its units; not a number where there is none.

    index: the block of each row, ascending. standardizers: (dataset, prototask, task, loss) -> constant or
    None, or a table of these columns and `standardizer`. means, spreads: by the name of their column."""
    known = _constants(standardizers)
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


def _constants(standardizers: Standardizers) -> Constants:
    if not isinstance(standardizers, pa.Table):
        return standardizers
    names = ("dataset", "prototask", "task", "loss", "standardizer")
    rows = zip(*(standardizers[name].to_pylist() for name in names), strict=True)
    return {row[:4]: row[4] for row in rows}


def key_columns(blocks: Sequence[Block], index: Whole) -> dict[str, pa.Array]:
    """Return the columns `KEY` of a table whose rows belong to the blocks of this index."""
    rows = pa.array(index)
    columns = zip(*(block.key for block in blocks), strict=True) if blocks else ([],) * len(KEY)
    return {
        name: pa.array(values, kind).take(rows)
        for (name, kind), values in zip(TASK_AND_LOSS.items(), columns, strict=True)
    }


def to_arrow(columns: Mapping[str, Floats], schema: pa.Schema) -> dict[str, pa.Array]:
    """Return numeric columns as the schema has them; what is not a number becomes null, an infinity stays."""
    return {
        name: pa.array(values, schema.field(name).type, from_pandas=True) for name, values in columns.items()
    }


AT_ONCE = 1 << 17
"""Losses of small blocks that are estimated together."""
_NUMBERS = ("instances", "test_cases", "mean", "standard_error", "sd_training", "sd_cases", "sd_residual")


def result_table(losses: pa.Table, tasks: pa.Table, standardizers: Standardizers) -> pa.Table:
    """What is the expected loss of each method on each task, and how sure is it?

    One row a method x task x loss. losses: one row a method x task x loss x instance, sorted as `read_losses`
    needs it. tasks: has the column `test_set_selection`. standardizers: see `standardized_columns`. Returns a
    table with the schema `RESULTS`.

    A null says that there is no such number: no errors with one instance, one test case, infinite losses, or
    a task that is not in `tasks`; no `test_cases` where a method's instances differ in length, and no mean
    either unless test sets are disjoint (see `mean_squares`); no `sd_cases` for disjoint test sets. Negative
    variance components are zero. Where instances share cases the error is corrected, as `notes` say, and
    there are no standard deviations. Source: DELVE manual, sections 8.1 to 8.3; see `overlapping`."""
    data, designs = read_losses(losses), designs_by_task(tasks)
    if not data.blocks:
        return RESULTS.empty_table()
    numbers = zip(*_estimated(data, designs), strict=True)
    columns = {name: np.concatenate(parts) for name, parts in zip(_NUMBERS, numbers, strict=True)}
    index = np.repeat(np.arange(len(data.blocks)), [len(block.methods) for block in data.blocks])
    means = {"standardized_mean": columns["mean"]}
    spreads = {"standardized_error": columns["standard_error"]}
    columns |= standardized_columns(data.blocks, index, standardizers, means=means, spreads=spreads)
    found = to_arrow(columns, RESULTS) | key_columns(data.blocks, index)
    found["method"] = pa.array([name for block in data.blocks for name in block.methods], pa.string())
    found["notes"] = _notes(data.blocks, index, designs)
    return pa.table(found, schema=RESULTS)


def _estimated(data: Losses, designs: Mapping[Task, Design | None]) -> Iterator[Floats]:
    """Yield the columns `_NUMBERS` for the methods of one block after another, of many small ones that are
    alike at once."""
    for design, run in groupby(data.blocks, lambda block: design_of(block, designs)):
        for _, alike in groupby(run, lambda block: (len(block.methods), block.starts[-1] - block.starts[0])):
            blocks = list(alike)
            first, last = blocks[0].starts[0], blocks[0].starts[-1]
            size = max(1, AT_ONCE // max(int(data.lists.lengths[first:last].sum()), 1))
            for start in range(0, len(blocks), size):
                yield from _estimates_of_alike(data, blocks[start : start + size], design)


def _estimates_of_alike(data: Losses, blocks: Sequence[Block], design: Design | None) -> list[Floats]:
    """Return the estimates of blocks that follow each other: a method's do not depend on the others'."""
    methods = tuple(chain.from_iterable(block.methods for block in blocks))
    starts = (*chain.from_iterable(block.starts[:-1] for block in blocks), blocks[-1].starts[-1])
    one = Block(blocks[0].key, methods, starts)
    if len(blocks) == 1 or (design and design.resubstitutes) or (stack := data.stack(one)) is None:
        return [_estimates(data, block, design) for block in blocks]
    return [_estimates_of_stack(stack, design)]


def _estimates(data: Losses, block: Block, design: Design | None) -> Floats:
    """Return the columns `_NUMBERS` for the block's methods, not a number where there is none."""
    stack = None if design and design.resubstitutes else data.stack(block)
    if stack is not None:
        return _estimates_of_stack(stack, design)
    by_method = [_rows(data.by_instance(block, method), design) for method in range(len(block.methods))]
    return np.concatenate([_estimates_of_method(rows, design) for rows in by_method], axis=1)


def _rows(by_instance: dict[int, Floats], design: Design | None) -> list[Floats]:
    """Return the losses of each instance; none where one is missing without which there is no mean."""
    lacking = design and design.resubstitutes and 0 not in by_instance
    return [np.empty(0)] if lacking else list(by_instance.values())


def _estimates_of_method(rows: list[Floats], design: Design | None) -> Floats:
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
    if design and design.overlaps and not design.is_common:
        return _estimates_of_overlap(stack.reshape(methods, -1), np.full(instances, test_cases), design)
    squares = mean_squares_many(stack, design=design.selection if design else "hierarchical")
    sizes = np.full((2, methods), [[instances], [test_cases]], dtype=float)
    if design is None:
        return np.vstack([sizes, squares.mean, np.full((4, methods), np.nan)])
    columns = _columns(sizes, raised(squares, instances, design), test_cases)
    columns[-3:] = np.nan if design.overlaps else columns[-3:]
    return columns


def _columns(sizes: Floats, squares: MeanSquares[Floats], test_cases: float) -> Floats:
    """Return the columns `_NUMBERS`. sizes: instances and test cases, as they are shown."""
    with np.errstate(invalid="ignore"):
        found = components(squares, instances=sizes[0], test_cases=test_cases)
    cases = np.full(len(squares.mean), np.nan) if found.cases is None else found.cases
    variances = np.array([found.error_variance, found.training, cases, found.residual])
    # An infinite variance means losses too large to be squared, not a large error.
    variances[:, ~np.isfinite(found.error_variance)] = np.nan
    return np.vstack([sizes, squares.mean, variances**0.5])


def _estimates_of_overlap(losses: Floats, sizes: Whole, design: Design) -> Floats:
    """losses, sizes: as for `instance_squares`. How training sets and cases vary is not known."""
    squares, instances = instance_squares(losses, sizes, design), len(sizes)
    found = components(squares, instances=instances, test_cases=harmonic_mean(sizes))
    shown = float(sizes[0]) if (sizes == sizes[0]).all() else np.nan
    error = np.where(np.isfinite(found.error_variance), found.error_variance, np.nan) ** 0.5
    numbers = np.full((len(_NUMBERS), len(losses)), np.nan)
    numbers[:4] = np.broadcast_arrays(instances, shown, squares.mean, error)
    return numbers


def _notes(blocks: Sequence[Block], index: Whole, designs: Mapping[Task, Design | None]) -> pa.Array:
    found = [design_of(block, designs) for block in blocks]
    said = {design: [str(design.note)] if design and design.note else [] for design in set(found)}
    lists = pa.array([said[design] for design in found], RESULTS.field("notes").type)
    return lists.take(pa.array(index))
