"""All methods of an archive compared, pair by pair, on every task and loss."""

import numpy as np
import pyarrow as pa

from delvecore.statistics.choose import DEFAULT_LEVEL
from delvecore.statistics.kinds import Floats, Whole
from delvecore.statistics.losses.blocks import (
    Block,
    Standardizers,
    constants_by_block,
    designs_by_task,
    key_columns,
    read_losses,
    standardized_by_block,
    to_arrow,
)
from delvecore.statistics.losses.comparisons import (
    PairComparisons,
    compare_many,
    confidence_bounds,
    remark_notes,
)
from delvecore.statistics.losses.mean_squares import mean_squares_many
from delvecore.statistics.losses.pieces import Piece, analyse_pieces, compare_block
from delvecore.statistics.losses.results import RESULTS, result_table
from delvecore.statistics.losses.standardization import standardized_spread
from delvecore.statistics.notes import Note, words_of
from delvecore.tables import COMPARISONS

__all__ = ["RESULTS", "compare_all", "compare_many", "mean_squares_many", "result_table"]

_About = tuple[tuple[Note, ...], tuple[str, str]]
_REPORTED = (
    "mean_a",
    "mean_b",
    "difference",
    "standard_error",
    "sd_training",
    "sd_cases",
    "sd_residual",
    "statistic",
    "df1",
    "df2",
    "p",
)


def compare_all(
    losses: pa.Table,
    tasks: pa.Table,
    standardizers: Standardizers,
    *,
    loss: str | None = None,
    level: float = DEFAULT_LEVEL,
) -> pa.Table:
    """Which methods differ, on which task, by how much, and is it sure? One row a task x loss x pair.

    losses: one row a method x task x loss x instance, sorted as `read_losses` needs it. tasks: has the column
    `test_set_selection`. standardizers: see `constants_by_block`. loss: only this one. Returns a table with
    the schema `COMPARISONS`, in the order of `losses`; difference is a less b, so that below zero a is
    better.

    Methods are compared on the instances that both have; `note` says when those are not all, `notes` the
    same as codes (see `notes.Note`). A pair that
    cannot be compared has a row of nulls and its reason. lower, upper: see `confidence_bounds`, with
    confidence `level`. Source: DELVE manual, sections 8.1 to 8.3.
    """
    data = read_losses(losses, loss=loss)
    designs = designs_by_task(tasks)
    pieces: list[Piece] = []
    for number, block in enumerate(data.blocks):
        if len(block.methods) > 1:
            pieces.extend(compare_block(data, number, block, designs.get(block.task)))
    if not pieces:
        return COMPARISONS.empty_table()
    origin, found = analyse_pieces(pieces)
    index = np.array([piece.block for piece in pieces])[origin]
    constants = constants_by_block(data.blocks, standardizers)
    columns = key_columns(data.blocks, index) | _method_columns(data.blocks, index, found)
    columns |= to_arrow(_numbers(pieces, origin, found, level), COMPARISONS)
    columns |= to_arrow(_standardized(found, data.blocks, index, constants), COMPARISONS)
    columns |= {"test": _tests(pieces, origin, found)} | _notes(data.blocks, pieces, origin, found)
    return pa.table({name: columns[name] for name in COMPARISONS.names}, schema=COMPARISONS)


def _method_columns(blocks: tuple[Block, ...], index: Whole, found: PairComparisons) -> dict[str, pa.Array]:
    names = pa.array([name for block in blocks for name in block.methods], pa.string())
    first_name = np.cumsum([0, *(len(block.methods) for block in blocks)])[index]
    methods = {"method_a": found.first, "method_b": found.second}
    return {column: names.take(pa.array(first_name + method)) for column, method in methods.items()}


def _numbers(pieces: list[Piece], origin: Whole, found: PairComparisons, level: float) -> dict[str, Floats]:
    shown = [(piece.instances, np.nan if piece.unequal else piece.test_cases) for piece in pieces]
    sizes = np.array(shown, dtype=float)[origin]
    lower, upper = confidence_bounds(found, level=level)
    counted = {"instances": sizes[:, 0], "test_cases": sizes[:, 1], "lower": lower, "upper": upper}
    return counted | {name: getattr(found, name) for name in _REPORTED}


def _standardized(
    found: PairComparisons, blocks: tuple[Block, ...], index: Whole, constants: list[float | None]
) -> dict[str, Floats]:
    values = {"standardized_difference": found.difference, "standardized_error": found.standard_error}
    columns = {"standardizer": np.array(constants, dtype=float)[index]}
    for name, value in values.items():
        columns[name] = standardized_by_block(standardized_spread, value, blocks, index, constants)
    return columns


def _tests(pieces: list[Piece], origin: Whole, found: PairComparisons) -> pa.Array:
    is_common = np.array([piece.design == "common" for piece in pieces])[origin]
    return pa.array(["t", "F"]).take(pa.array(is_common.astype(np.int8), mask=np.isnan(found.p)))


def _notes(
    blocks: tuple[Block, ...], pieces: list[Piece], origin: Whole, found: PairComparisons
) -> dict[str, pa.Array]:
    """Return the notes as codes and in words; words are made once for what is said of many rows."""
    said: dict[_About, int] = {}
    of_piece = np.array([said.setdefault(_about(blocks, piece), len(said)) for piece in pieces])
    combined = found.remarks * len(said) + of_piece[origin]
    distinct, where = np.unique(combined, return_inverse=True)
    known, rows = list(said), pa.array(where)
    codes: list[list[str]] = []
    texts: list[str | None] = []
    for code in distinct.tolist():
        remarks, number = divmod(code, len(said))
        own, methods = known[number]
        notes = (*own, *remark_notes(remarks))
        codes.append(list(map(str, notes)))
        texts.append(words_of(notes, methods=methods))
    return {
        "note": pa.array(texts, pa.string()).take(rows),
        "notes": pa.array(codes, COMPARISONS.field("notes").type).take(rows),
    }


def _about(blocks: tuple[Block, ...], piece: Piece) -> _About:
    """Return the notes of a piece, and its methods where it is one pair with notes."""
    if not piece.notes or len(piece) > 1:
        return piece.notes, ("", "")
    methods, pairs = blocks[piece.block].methods, piece.pairs
    return piece.notes, (methods[pairs.first[0]], methods[pairs.second[0]])
