"""Finished tables for the figures and tables of the Compare page, in the unit that was chosen.

Functions of the archive's state and small values, as `data.figure` needs them. The attrs of a table hold
what its figure writes beside the numbers: `axis` (title of the loss axis), `baseline` and `baseline_text`
(None for raw losses).
"""

import math

import numpy as np
import pandas as pd

from dashboard.compare import data as compare_data
from dashboard.compare import verdict
from dashboard.compare.verdict import STANDARDIZED
from dashboard.frame import theme, words
from dashboard.server import archive as opened
from delvecore.statistics.losses.error_sources import error_sources
from delvecore.statistics.losses.standardization import standardized_spread

__all__ = [
    "MOST_COLOURS",
    "bins",
    "case_histogram",
    "difference_table",
    "error_source_table",
    "estimate_table",
    "instance_table",
    "pair_matrix_table",
    "styled",
]

MOST_COLOURS = 8
BINS = 61
INSIDE = 0.99
FEW_VALUES = 12


def styled(state: str, methods: tuple[str, ...]) -> dict[str, theme.MethodStyle]:
    """Return the looks of the methods chosen; beyond eight, the later ones are grey."""
    styles = opened.method_styles(state)
    return {
        name: styles[name] if place < MOST_COLOURS else styles[name].grey()
        for place, name in enumerate(methods)
    }


def _look(state, methods, names):
    styles = styled(state, methods)
    return {"colour": [styles[n].colour for n in names], "symbol": [styles[n].symbol for n in names]}


def _prefix(unit):
    return "standardized_" if unit == STANDARDIZED else ""


def _attrs(loss, unit, *, difference=False):
    standard = unit == STANDARDIZED
    known = words.loss_words(loss)
    return {
        "axis": words.loss_axis(loss, standardized=standard, difference=difference),
        "baseline": known.baseline_value if standard and known else None,
        "baseline_text": known.baseline if standard and known else None,
        "unit": unit,
    }


def estimate_table(state: str, task: str, loss: str, methods: tuple[str, ...], unit: str) -> pd.DataFrame:
    """Expected loss of each method: method, loss, standard_error, text, colour, symbol; order of methods."""
    rows = {row["method"]: row for row in compare_data.estimates(state, task, loss)}
    mean = f"{_prefix(unit)}mean"
    error = "standardized_error" if unit == STANDARDIZED else "standard_error"
    found = [rows[name] for name in methods]
    table = pd.DataFrame(
        {
            "method": methods,
            "loss": [row[mean] for row in found],
            "standard_error": [row[error] for row in found],
            "text": [words.with_error(row[mean], row[error]) for row in found],
            **_look(state, methods, methods),
        }
    ).astype({"loss": float, "standard_error": float})
    table.attrs = _attrs(loss, unit)
    return table


def difference_table(
    state: str, task: str, loss: str, methods: tuple[str, ...], reference: str, level: float, unit: str
) -> pd.DataFrame:
    """Each method less the reference, in the order of methods, the reference itself with zeros.

    Columns method, reference, difference, standard_error, lower, upper, p, verdict, text, colour, symbol.
    """
    found = compare_data.pairs(state, task, loss, level)
    pairs = {row["method_a"]: row for row in compare_data.pairs_against(found, reference, methods)}
    prefix = _prefix(unit)
    error = "standardized_error" if unit == STANDARDIZED else "standard_error"
    rows = []
    for name in methods:
        row = pairs.get(name)
        if row is None:
            rows.append((name, reference, 0.0, None, None, None, None, "reference", "reference"))
            continue
        said = verdict.pair_verdict(row, level)
        text = f"{verdict.probability(row)}, {said}" if row["p"] is not None else said
        values = [row[f"{prefix}{key}"] for key in ("difference", "lower", "upper")]
        rows.append((name, reference, values[0], row[error], *values[1:], row["p"], said, text))
    names = ["method", "reference", "difference", "standard_error", "lower", "upper", "p", "verdict", "text"]
    numbers = dict.fromkeys(names[2:7], float)
    table = pd.DataFrame(rows, columns=names).astype(numbers).assign(**_look(state, methods, methods))
    table.attrs = _attrs(loss, unit, difference=True) | {"level": level}
    return table


def pair_matrix_table(
    state: str, task: str, loss: str, methods: tuple[str, ...], level: float, unit: str
) -> pd.DataFrame:
    """All ordered pairs of methods: row, column, difference (row less column), p, verdict, text."""
    found = compare_data.pairs(state, task, loss, level)
    rows = []
    for column in methods:
        for pair in compare_data.pairs_against(found, column, methods):
            difference = pair[f"{_prefix(unit)}difference"]
            error = pair["standardized_error" if unit == STANDARDIZED else "standard_error"]
            decimals = words.decimals_for(error)
            shown = words.number(difference) if error is None else _signed(difference, decimals)
            said = verdict.pair_verdict(pair, level)
            p = verdict.probability(pair) if pair["p"] is not None else "no p"
            rows.append((pair["method_a"], column, difference, pair["p"], said, shown, p))
    names = ["row", "column", "difference", "p", "verdict", "shown", "p_shown"]
    table = pd.DataFrame(rows, columns=names).astype({"difference": float, "p": float})
    table.attrs = _attrs(loss, unit, difference=True)
    return table


def _signed(value, decimals):
    return f"{value:+.{decimals}f}".replace("-", "−")


def instance_table(state: str, task: str, loss: str, methods: tuple[str, ...], unit: str) -> pd.DataFrame:
    """Mean loss by task instance: method, instance, loss, colour, symbol; methods and instances in order."""
    found = compare_data.instance_losses(state, task, loss)
    constant = compare_data.estimates(state, task, loss)[0]["standardizer"]
    rows = [
        (name, instance, compare_data.in_unit(value, loss, constant, unit))
        for name in methods
        for instance, value in sorted(found[name].items())
    ]
    table = pd.DataFrame(rows, columns=["method", "instance", "loss"])
    table = table.assign(**_look(state, methods, table["method"]))
    table.attrs = _attrs(loss, unit)
    return table


def error_source_table(
    state: str, task: str, loss: str, methods: tuple[str, ...], reference: str, level: float
) -> pd.DataFrame:
    """What makes each difference to the reference unsure: method, source, share, standard_error.

    share: of the squared standard error, manual equations 3 and 12. Differences without a standard error are
    left out; so are those with a standard error of zero.
    """
    found = compare_data.pairs(state, task, loss, level)
    rows = []
    for pair in compare_data.pairs_against(found, reference, methods):
        names = ("sd_training", "sd_cases", "sd_residual", "instances", "test_cases", "standard_error")
        parts = error_sources(**{name: pair[name] for name in names})
        total = pair["standard_error"] ** 2 if parts else 0
        if total:
            shares = {name: part / total for name, part in parts._asdict().items() if part is not None}
            rows += [(pair["method_a"], source, share, total**0.5) for source, share in shares.items()]
    table = pd.DataFrame(rows, columns=["method", "source", "share", "standard_error"])
    table.attrs = {"reference": reference, "design": compare_data.compared_tasks(state)[task].design}
    return table


def case_histogram(state: str, task: str, loss: str, method_a: str, method_b: str, unit: str) -> pd.DataFrame:
    """How many test cases have which difference a less b? Columns low, high, cases, beyond.

    A value a row (low equals high) where there are few different ones, else intervals of equal width. beyond:
    an interval at an end, which holds the few cases that lie outside, too.
    """
    differences, _ = compare_data.pair_differences(state, task, loss, method_a, method_b)
    values = np.empty(0) if differences is None else differences.difference
    finite = values[np.isfinite(values)]
    if unit == STANDARDIZED:
        constant = compare_data.estimates(state, task, loss)[0]["standardizer"]
        finite = standardized_spread(loss, finite, constant)
    table = pd.DataFrame(bins(finite), columns=["low", "high", "cases", "beyond"])
    table.attrs = _attrs(loss, unit, difference=True) | {
        "mean": float(finite.mean()) if len(finite) else math.nan,
        "left_out": int(len(values) - len(finite)),
        "names": (method_a, method_b),
    }
    return table


def bins(values):
    """Count values: each by itself where few differ, else in BINS intervals that hold 99 % of them.

    Returns (low, high, count, whether an end holds what lies beyond, too).
    """
    distinct, counts = np.unique(np.round(values, 12), return_counts=True)
    if len(distinct) <= FEW_VALUES:
        return [
            (value, value, count, False)
            for value, count in zip(distinct.tolist(), counts.tolist(), strict=True)
        ]
    reach = np.quantile(np.abs(values), INSIDE) or np.abs(values).max()
    counts, edges = np.histogram(np.clip(values, -reach, reach), bins=BINS, range=(-reach, reach))
    beyond = [bool((values < -reach).any()), *[False] * (BINS - 2), bool((values > reach).any())]
    return list(zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), beyond, strict=True))
