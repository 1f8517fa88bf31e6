"""All methods of an archive compared, pair by pair, on every task and loss."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from itertools import combinations

import numpy as np
import pyarrow as pa

from delvecore.statistics.anova import DESIGNS, MeanSquares
from delvecore.statistics.blocks import (
    Block,
    Losses,
    constants_by_block,
    designs_by_task,
    key_columns,
    read_losses,
    standardized_by_block,
    to_arrow,
)
from delvecore.statistics.comparisons import (
    PairComparisons,
    analyse_pairs,
    compare_many,
    confidence_bounds,
    remark_text,
)
from delvecore.statistics.mean_squares import PairSquares, mean_squares_many, pair_mean_squares
from delvecore.statistics.results import RESULTS, result_table
from delvecore.statistics.standardization import standardized_spread

__all__ = ["COMPARISONS", "RESULTS", "compare_all", "compare_many", "mean_squares_many", "result_table"]

COMPARISONS = pa.schema(
    [
        ("dataset", pa.string()),
        ("prototask", pa.string()),
        ("task", pa.string()),
        ("prior", pa.string()),
        ("training_size", pa.int64()),
        ("loss", pa.string()),
        ("method_a", pa.string()),
        ("method_b", pa.string()),
        ("instances", pa.int64()),
        ("test_cases", pa.int64()),
        ("mean_a", pa.float64()),
        ("mean_b", pa.float64()),
        ("difference", pa.float64()),
        ("standard_error", pa.float64()),
        ("sd_training", pa.float64()),
        ("sd_cases", pa.float64()),
        ("sd_residual", pa.float64()),
        ("test", pa.string()),
        ("statistic", pa.float64()),
        ("df1", pa.float64()),
        ("df2", pa.float64()),
        ("p", pa.float64()),
        ("lower", pa.float64()),
        ("upper", pa.float64()),
        ("standardizer", pa.float64()),
        ("standardized_difference", pa.float64()),
        ("standardized_error", pa.float64()),
        ("note", pa.string()),
    ]
)
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
_UNKNOWN_TASK = "not tested: the task is not specified, so its test set selection is unknown"


@dataclass(frozen=True, slots=True)
class _Piece:
    """Pairs of one block that are analysed alike. design: None if they are not; the note says why."""

    block: int
    design: str | None
    instances: float
    test_cases: float
    pairs: PairSquares
    note: str | None = None

    def __len__(self) -> int:
        return len(self.pairs.first)


def compare_all(
    losses: pa.Table,
    tasks: pa.Table,
    standardizers: Mapping | pa.Table,
    *,
    loss: str | None = None,
    level: float = 0.95,
) -> pa.Table:
    """Which methods differ, on which task, by how much, and is it sure? One row a task x loss x pair.

    losses: one row a method x task x loss x instance, sorted as `read_losses` needs it. tasks: has the column
    `test_set_selection`. standardizers: see `constants_by_block`. loss: only this one. Returns a table with
    the schema `COMPARISONS`, in the order of `losses`; difference is a less b, so that below zero a is
    better.

    Methods are compared on the instances that both have; `note` says when those are not all. A pair that
    cannot be compared has a row of nulls and its reason. lower, upper: see `confidence_bounds`, with
    confidence `level`. Source: DELVE manual, sections 8.1 to 8.3.
    """
    data = read_losses(losses, loss=loss)
    designs = designs_by_task(tasks)
    pieces = []
    for number, block in enumerate(data.blocks):
        if len(block.methods) > 1:
            pieces.extend(_compare_block(data, number, block, designs.get(block.task)))
    if not pieces:
        return COMPARISONS.empty_table()
    origin, found = _analyse(pieces)
    index = np.array([piece.block for piece in pieces])[origin]
    constants = constants_by_block(data.blocks, standardizers)
    columns = key_columns(data.blocks, index) | _method_columns(data.blocks, index, found)
    columns |= to_arrow(_numbers(pieces, origin, found, level), COMPARISONS)
    columns |= to_arrow(_standardized(found, data.blocks, index, constants), COMPARISONS)
    columns |= {"test": _tests(pieces, origin, found), "note": _notes(pieces, origin, found)}
    return pa.table({name: columns[name] for name in COMPARISONS.names}, schema=COMPARISONS)


def _compare_block(data: Losses, number: int, block: Block, design: str | None) -> Iterator[_Piece]:
    stack = data.stack(block)
    if stack is not None:
        yield _compare_stack(number, stack, design)
        return
    by_method = [data.by_instance(block, method) for method in range(len(block.methods))]
    for (a, losses_a), (b, losses_b) in combinations(enumerate(by_method), 2):
        shared = sorted(losses_a.keys() & losses_b.keys())
        rows_a, rows_b = [losses_a[i] for i in shared], [losses_b[i] for i in shared]
        problem = _mismatch(shared, rows_a, rows_b, block.methods[a], block.methods[b])
        if problem:
            yield _Piece(number, None, np.nan, np.nan, _unknown_pair(a, b), problem)
            continue
        piece = _compare_stack(number, np.array([rows_a, rows_b]), design)
        pairs = piece.pairs._replace(first=np.array([a]), second=np.array([b]))
        yield replace(piece, pairs=pairs, note=_joined(_subset(shared, losses_a, losses_b), piece.note))


def _compare_stack(number: int, stack: np.ndarray, design: str | None) -> _Piece:
    _, instances, test_cases = stack.shape
    pairs = pair_mean_squares(stack, design=design or "hierarchical")
    return _Piece(number, design, instances, test_cases, pairs, None if design else _UNKNOWN_TASK)


def _unknown_pair(a: int, b: int) -> PairSquares:
    unknown = np.array([np.nan])
    squares = MeanSquares(unknown, unknown, None, unknown)
    return PairSquares(np.array([a]), np.array([b]), unknown, unknown, squares, np.array([False]))


def _mismatch(shared: list[int], rows_a: list, rows_b: list, name_a: str, name_b: str) -> str | None:
    """Why can two methods not be compared on the instances that both have? None if they can."""
    if not shared:
        return "not compared: no instance in common"
    for instance, a, b in zip(shared, rows_a, rows_b, strict=True):
        if len(a) != len(b):
            return f"not compared: in instance {instance} {name_a} has {len(a)} losses, {name_b} {len(b)}"
    lengths = sorted(set(map(len, rows_a)))
    if len(lengths) > 1 or 0 in lengths:
        return f"not compared: the instances have {' and '.join(map(str, lengths))} test cases"
    return None


def _subset(shared: list[int], losses_a: dict, losses_b: dict) -> str | None:
    if len(shared) == len(losses_a) == len(losses_b):
        return None
    count = "1 instance" if len(shared) == 1 else f"{len(shared)} instances"
    return f"compared on the {count} in common, of {len(losses_a)} and {len(losses_b)}"


def _joined(*notes: str | None) -> str | None:
    return "; ".join(note for note in notes if note) or None


def _analyse(pieces: list[_Piece]) -> tuple[np.ndarray, PairComparisons]:
    """Return the piece of each row, ascending, and the rows; all pieces of a design are analysed at once."""
    found, origins = [], []
    for design in (*DESIGNS, None):
        numbers = [number for number, piece in enumerate(pieces) if piece.design == design]
        if numbers:
            some = [pieces[number] for number in numbers]
            counts = [len(piece) for piece in some]
            origins.append(np.repeat(numbers, counts))
            found.append(_analyse_alike(some, counts, design))
    origin = np.concatenate(origins)
    order = np.argsort(origin, kind="stable")
    names = [field.name for field in fields(PairComparisons)]
    columns = [np.concatenate([getattr(part, name) for part in found])[order] for name in names]
    return origin[order], PairComparisons(*columns)


def _analyse_alike(pieces: list[_Piece], counts: list[int], design: str | None) -> PairComparisons:
    pairs = PairSquares(*_concatenated([piece.pairs for piece in pieces]))
    if design is None:
        unknown = np.full((10, len(pairs.first)), np.nan)
        no_remarks = np.zeros(len(pairs.first), dtype=int)
        return PairComparisons(*pairs[:4], pairs.squares.mean, *unknown, no_remarks)
    instances = np.repeat([piece.instances for piece in pieces], counts)
    test_cases = np.repeat([piece.test_cases for piece in pieces], counts)
    return analyse_pairs(pairs, design=design, instances=instances, test_cases=test_cases)


def _concatenated(records: list[tuple]) -> Iterator:
    """Concatenate records of arrays, of None, or of such records, field by field."""
    for values in zip(*records, strict=True):
        if isinstance(values[0], MeanSquares):
            yield MeanSquares(*_concatenated(values))
        else:
            yield None if values[0] is None else np.concatenate(values)


def _method_columns(
    blocks: tuple[Block, ...], index: np.ndarray, found: PairComparisons
) -> dict[str, pa.Array]:
    names = pa.array([name for block in blocks for name in block.methods], pa.string())
    first_name = np.cumsum([0, *(len(block.methods) for block in blocks)])[index]
    methods = {"method_a": found.first, "method_b": found.second}
    return {column: names.take(pa.array(first_name + method)) for column, method in methods.items()}


def _numbers(pieces: list, origin: np.ndarray, found: PairComparisons, level: float) -> dict[str, np.ndarray]:
    sizes = np.array([(piece.instances, piece.test_cases) for piece in pieces], dtype=float)[origin]
    lower, upper = confidence_bounds(found, level=level)
    counted = {"instances": sizes[:, 0], "test_cases": sizes[:, 1], "lower": lower, "upper": upper}
    return counted | {name: getattr(found, name) for name in _REPORTED}


def _standardized(
    found: PairComparisons, blocks: tuple[Block, ...], index: np.ndarray, constants: list[float | None]
) -> dict[str, np.ndarray]:
    values = {"standardized_difference": found.difference, "standardized_error": found.standard_error}
    columns = {"standardizer": np.array(constants, dtype=float)[index]}
    for name, value in values.items():
        columns[name] = standardized_by_block(standardized_spread, value, blocks, index, constants)
    return columns


def _tests(pieces: list[_Piece], origin: np.ndarray, found: PairComparisons) -> pa.Array:
    is_common = np.array([piece.design == "common" for piece in pieces])[origin]
    return pa.array(["t", "F"]).take(pa.array(is_common.astype(np.int8), mask=np.isnan(found.p)))


def _notes(pieces: list[_Piece], origin: np.ndarray, found: PairComparisons) -> pa.Array:
    notes = sorted({piece.note for piece in pieces if piece.note})
    number = {note: k + 1 for k, note in enumerate(notes)} | {None: 0}
    of_piece = np.array([number[piece.note] for piece in pieces])
    combined = found.remarks * (len(notes) + 1) + of_piece[origin]
    distinct, where = np.unique(combined, return_inverse=True)
    parts = (divmod(code, len(notes) + 1) for code in distinct.tolist())
    texts = [_joined(([None, *notes])[note], remark_text(remarks)) for remarks, note in parts]
    return pa.array(texts, pa.string()).take(pa.array(where))
