"""The expected loss of every method on every task: the results table of an archive."""

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from delvecore.statistics.kinds import Floats, Whole
from delvecore.statistics.losses.anova import components
from delvecore.statistics.losses.blocks import (
    Block,
    Losses,
    Standardizers,
    constants_by_block,
    designs_by_task,
    key_columns,
    read_losses,
    standardized_by_block,
    to_arrow,
)
from delvecore.statistics.losses.mean_squares import mean_squares_many
from delvecore.statistics.losses.standardization import standardized_mean, standardized_spread
from delvecore.statistics.losses.unequal import estimate_unequal
from delvecore.tables import RESULTS

__all__ = ["RESULTS", "result_table"]

_NUMBERS = ("instances", "test_cases", "mean", "standard_error", "sd_training", "sd_cases", "sd_residual")


def result_table(losses: pa.Table, tasks: pa.Table, standardizers: Standardizers) -> pa.Table:
    """What is the expected loss of each method on each task, and how sure is it?

    One row a method x task x loss. losses: one row a method x task x loss x instance, sorted as `read_losses`
    needs it. tasks: has the column `test_set_selection`. standardizers: see `constants_by_block`. Returns a
    table with the schema `RESULTS`.

    A null says that there is no such number: no errors with one instance, one test case, infinite losses, or
    a task that is not in `tasks`; no `test_cases` where a method's instances differ in length, and no mean
    either unless test sets are disjoint (see `unequal`); no `sd_cases` for disjoint test sets. Negative
    variance components are zero. Source: DELVE manual, sections 8.1 to 8.3.
    """
    data = read_losses(losses)
    designs = designs_by_task(tasks)
    pieces = [_estimates(data, block, designs.get(block.task)) for block in data.blocks]
    numbers = np.concatenate([np.empty((len(_NUMBERS), 0)), *pieces], axis=1)
    columns = dict(zip(_NUMBERS, numbers, strict=True))
    index = np.repeat(np.arange(len(data.blocks)), [len(block.methods) for block in data.blocks])
    columns |= _standardized(columns, data.blocks, index, constants_by_block(data.blocks, standardizers))
    methods = pa.array([name for block in data.blocks for name in block.methods], pa.string())
    names = {"method": methods} | key_columns(data.blocks, index)
    return pa.table(names | to_arrow(columns, RESULTS), schema=RESULTS)


def _standardized(
    columns: Mapping[str, Floats], blocks: tuple[Block, ...], index: Whole, constants: Sequence[float | None]
) -> dict[str, Floats]:
    mean = standardized_by_block(standardized_mean, columns["mean"], blocks, index, constants)
    error = standardized_by_block(standardized_spread, columns["standard_error"], blocks, index, constants)
    standardizer = np.array(constants, dtype=float)[index]
    return {"standardizer": standardizer, "standardized_mean": mean, "standardized_error": error}


def _estimates(data: Losses, block: Block, design: str | None) -> Floats:
    """Return the columns `_NUMBERS` for the block's methods, not a number where there is none."""
    stack = data.stack(block)
    if stack is not None:
        return _estimates_of_stack(stack, design)
    by_method = (data.by_instance(block, method) for method in range(len(block.methods)))
    return np.concatenate([_estimates_of_method(list(rows.values()), design) for rows in by_method], axis=1)


def _estimates_of_method(rows: list[Floats], design: str | None) -> Floats:
    lengths = set(map(len, rows))
    if len(lengths) == 1 and 0 not in lengths:
        return _estimates_of_stack(np.stack(rows)[None], design)
    if design != "hierarchical" or 0 in lengths:
        return np.array([len(rows)] + [np.nan] * (len(_NUMBERS) - 1))[:, None]
    found = estimate_unequal([row.tolist() for row in rows])
    numbers = (getattr(found, name) for name in _NUMBERS)
    return np.array([np.nan if value is None else value for value in numbers], dtype=float)[:, None]


def _estimates_of_stack(stack: Floats, design: str | None) -> Floats:
    methods, instances, test_cases = stack.shape
    squares = mean_squares_many(stack, design=design or "hierarchical")
    sizes = np.full((2, methods), [[instances], [test_cases]], dtype=float)
    if design is None:
        return np.vstack([sizes, squares.mean, np.full((4, methods), np.nan)])
    with np.errstate(invalid="ignore"):
        found = components(squares, design=design, instances=instances, test_cases=test_cases)
    cases = np.full(methods, np.nan) if found.cases is None else found.cases
    variances = np.array([found.error_variance, found.training, cases, found.residual])
    # An infinite variance means losses too large to be squared, not a large error.
    variances[:, ~np.isfinite(found.error_variance)] = np.nan
    return np.vstack([sizes, squares.mean, variances**0.5])
