"""Pieces of comparisons as bytes, to be kept: what is tested is computed of these, whatever the setting."""

import json
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pyarrow as pa

from delvecore.stats.designs import Design
from delvecore.stats.losses.anova import MeanSquares
from delvecore.stats.losses.mean_squares import PairSquares
from delvecore.stats.losses.pieces import Piece
from delvecore.stats.notes import parsed

__all__ = ["bytes_of", "pieces_from"]

_ENDS = ("first", "second", "mean_a", "mean_b")
_FACTS = b"pieces"


def bytes_of(pieces: Sequence[Piece]) -> bytes | None:
    """Return pieces as an Arrow file; None where there are bootstrap samples, which are too many to keep."""
    if not pieces or any(piece.pairs.samples is not None for piece in pieces):
        return None
    table = pa.concat_tables([_table_of(piece.pairs) for piece in pieces])
    facts = json.dumps([_facts_of(piece) for piece in pieces]).encode()
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema.with_metadata({_FACTS: facts})) as writer:
        writer.write_table(table.combine_chunks())
    found: bytes = sink.getvalue().to_pybytes()
    return found


def pieces_from(data: bytes) -> list[Piece]:
    """Return what `bytes_of` has made bytes of."""
    table = pa.ipc.open_file(data).read_all()
    facts = json.loads(table.schema.metadata[_FACTS])
    columns = {name: table[name].to_numpy() for name in table.column_names}
    ends = np.cumsum([0, *(one["pairs"] for one in facts)]).tolist()
    return [
        _piece({name: column[start:stop].copy() for name, column in columns.items()}, **one)
        for (start, stop), one in zip(pairwise(ends), facts, strict=True)
    ]


def _table_of(pairs: PairSquares) -> pa.Table:
    squares = pairs.squares._asdict()
    if squares["cases"] is None:
        squares["cases"] = np.full(len(pairs.first), np.nan)
    return pa.table({name: getattr(pairs, name) for name in (*_ENDS, "identical")} | squares)


def _facts_of(piece: Piece) -> dict[str, object]:
    return {
        "pairs": len(piece),
        "has_cases": piece.pairs.squares.cases is not None,
        "block": piece.block,
        "design": piece.design,
        "instances": piece.instances,
        "test_cases": piece.test_cases,
        "notes": list(map(str, piece.notes)),
        "unequal": piece.unequal,
    }


def _piece(
    columns: dict[str, np.ndarray],
    *,
    pairs: int,
    has_cases: bool,
    block: int,
    design: tuple[str, str, float, bool] | None,
    instances: float,
    test_cases: float,
    notes: Sequence[str],
    unequal: bool,
) -> Piece:
    cases = columns["cases"] if has_cases else None
    squares = MeanSquares(columns["mean"], columns["training"], cases, columns["residual"])
    ends = {name: columns[name] for name in _ENDS}
    found = PairSquares(**ends, squares=squares, identical=columns["identical"])
    known = None if design is None else Design(*design)
    return Piece(block, known, instances, test_cases, found, notes=parsed(notes), unequal=unequal)
