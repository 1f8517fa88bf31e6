"""Two header rows, the upper one of which has merged or repeated cells."""

import math
from collections.abc import Sequence

import pandas as pd

from delvecore.score_tables.cells import parse_cell
from delvecore.score_tables.names import DATASETS, DEVIATIONS, MEANS, METHODS, METRICS, is_called, is_metric
from delvecore.score_tables.sources.known import holds_numbers, stacked

_STATISTICS = (*MEANS, *DEVIATIONS, "±", "best", "worst", "min", "max", "median")


def multi_header(frame: pd.DataFrame) -> pd.DataFrame | None:
    """Join two header rows; None where a table has not two, of which the upper one has merged cells.

    frame: the rows of a sheet or file without a header, whose index is kept; or a frame whose columns have
    two levels. Where one row names metrics, or means and spreads, each becomes a column, and the names in the
    other row a column of their own; else the names of both are joined by `/`."""
    level_names = ["", ""]
    if isinstance(frame.columns, pd.MultiIndex):
        level_names, frame = [str(name or "") for name in frame.columns.names][:2], _with_header(frame)
    if len(frame) < 3 or len(frame.columns) < 3:
        return None
    cells = frame.head(3).astype(object).where(frame.head(3).notna(), "").map(lambda cell: str(cell).strip())
    upper, lower, below = (cells.iloc[row].tolist() for row in range(3))
    start = next((at for at, pair in enumerate(zip(upper, lower, strict=True)) if at and all(pair)), 0)
    groups, single = _names_above(upper, lower, start)
    if not start or not groups:
        return None
    titles, body = [lower[at] or upper[at] for at in range(start)], frame.iloc[2:]
    has_index_names = any(below[:start]) and not any(below[start:])  # pandas writes them in a third row
    if has_index_names:
        titles, body = below[:start], frame.iloc[3:]
    if upper[0] and lower[0] and (has_index_names or is_called(lower[0], METRICS)):
        level_names, titles[0] = [upper[0], lower[0]], titles[0] if has_index_names else ""
    titles += [upper[at] for at in single]
    if len({*titles}) < len(titles) or not all(holds_numbers(body.iloc[:, at]) for at in groups):
        return None
    if any(_holds_fractions(body.iloc[:, at]) for at in range(start)):  # scores with one name above
        return None
    places = [*range(start), *single]
    body = body.set_axis(range(len(frame.columns)), axis=1)
    for at in range(start - 1):  # merged cells of rows
        body[at] = body[at].replace("", None).ffill()
    body = body.rename(columns=dict(zip(places, titles, strict=True)))
    inner = next((at for at in (1, 0) if all(_is_score(pair[at]) for pair in groups.values())), None)
    if inner is None:  # families above datasets, or datasets above horizons; else nothing says what names are
        under = [pair[1] for pair in groups.values()]
        is_clear = len({*under}) == len(under) or all(map(_is_number, under))
        joined = {at: "/".join(pair) for at, pair in groups.items()}
        is_clear = is_clear and len({*joined.values()}) == len(joined) and not any(map(_is_score, under))
        return body.rename(columns=joined) if is_clear else None
    if all(any(is_called(title, known) for title in titles) for known in (METHODS, DATASETS)):
        joined = {at: " ".join(pair if inner else pair[::-1]) for at, pair in groups.items()}
        return body.rename(columns=joined)  # rows have both names: a column a metric and its mean or spread
    parts: dict[str, dict[int, str]] = {}
    for at, pair in groups.items():
        parts.setdefault(pair[1 - inner], {})[at] = pair[inner]
    if len({tuple(sorted(part.values())) for part in parts.values()}) > 1:
        return None
    return stacked(body, parts, level_names[1 - inner] or _role_across(titles)).infer_objects()


def _with_header(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of a frame below those of its column levels."""
    if not isinstance(frame.index, pd.RangeIndex):
        frame = frame.reset_index(names=[name or "" for name in frame.index.names])
    header = pd.DataFrame([*zip(*frame.columns, strict=True)], dtype=object)
    body = frame.astype(object).set_axis(header.columns, axis=1)
    return pd.concat([header, body], ignore_index=True) if len(header) == 2 else header


def _names_above(
    upper: Sequence[str], lower: Sequence[str], start: int
) -> tuple[dict[int, tuple[str, str]], list[int]]:
    """The two names above columns, merged cells continued, and the columns with one name. No names without
    merged or repeated cells, or where names are numbers that do not repeat."""
    groups, single, name = {}, [], ""
    for at in range(start, len(upper)):
        name = upper[at] or name
        if upper[at] and not lower[at]:
            single.append(at)
        elif name and lower[at]:
            groups[at] = (name, lower[at])
        else:
            return {}, []
    below = {above: [two for one, two in groups.values() if one == above] for above, _ in groups.values()}
    repeats = len(below) > 1 and len({*map(tuple, below.values())}) == 1
    numbers = [any(_is_number(pair[level]) for pair in groups.values()) for level in (0, 1)]
    if len(below) == len(groups) or numbers[0] or (numbers[1] and not repeats):
        return {}, []
    return groups, single


def _holds_fractions(series: pd.Series) -> bool:
    numbers = pd.to_numeric(series, errors="coerce")
    return bool((numbers % 1 != 0)[numbers.notna()].any())


def _is_number(name: str) -> bool:
    """Is a name a number, and not a word such as `Error` that may stand for a failed run?"""
    cell = parse_cell(name)
    return cell is not None and not math.isnan(cell.value)


def _is_score(name: str) -> bool:
    return is_metric(name.rstrip("↑↓ ")) or name.lower() in _STATISTICS


def _role_across(titles: Sequence[str]) -> str:
    """What the names across are called, by what the rows are called."""
    if any(is_called(title, METHODS) for title in titles):
        return "dataset"
    return "method" if any(is_called(title, DATASETS) for title in titles) else "column"
