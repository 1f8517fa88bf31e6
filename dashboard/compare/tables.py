"""What the figures of the Compare page draw: finished records, in the unit that was chosen.

Made once for a request, for the figure and for the numbers below it.
"""

import math

import numpy as np

from dashboard.compare import data, verdict
from dashboard.compare.choice import Request
from dashboard.compare.figures.case_histogram import CaseBin, CaseHistogram
from dashboard.compare.figures.differences import REFERENCE, Difference, Differences
from dashboard.compare.figures.error_bars import ErrorShare, ErrorSources
from dashboard.compare.figures.estimates import Estimate, Estimates
from dashboard.compare.figures.instances import InstanceLoss, InstanceLosses
from dashboard.compare.figures.pair_matrix import Cell, PairMatrix
from dashboard.frame import theme, words
from dashboard.server import archive as opened
from delvecore.statistics.losses.error_sources import error_sources
from delvecore.statistics.losses.standardization import standardized_mean, standardized_spread

__all__ = [
    "MOST_COLOURS",
    "bins",
    "case_histogram",
    "differences",
    "estimates",
    "instance_losses",
    "looks",
    "pair_matrix",
    "sources_of_error",
]

MOST_COLOURS = 8
BINS = 61
INSIDE = 0.99
FEW_VALUES = 12


def looks(request: Request) -> dict[str, theme.MethodStyle]:
    """Return the looks of the methods chosen; beyond eight, the later ones are grey."""
    styles = opened.method_styles(request.state)
    return {
        name: styles[name] if place < MOST_COLOURS else styles[name].grey()
        for place, name in enumerate(request.methods)
    }


def _axis(request: Request, *, difference: bool = False) -> str:
    return words.loss_axis(request.loss, standardized=request.is_standardized, difference=difference)


def _known(value: float | None) -> float:
    return math.nan if value is None else float(value)


@opened.cached
def estimates(request: Request) -> Estimates:
    """The expected loss of each method."""
    mean, error = (request.column(name) for name in ("mean", "standard_error"))
    lines = tuple(
        Estimate(
            row["method"], _known(row[mean]), _known(row[error]), text=words.with_error(row[mean], row[error])
        )
        for row in data.chosen_estimates(request)
    )
    baseline = words.loss_baseline(request.loss) if request.is_standardized else None
    return Estimates(lines, looks(request), _axis(request), baseline)


@opened.cached
def differences(request: Request) -> Differences:
    """Each method less the reference, the reference itself with zeros."""
    pairs = {row["method_a"]: row for row in data.pairs_against(request, request.reference)}
    lines = tuple(_difference(request, name, pairs.get(name)) for name in request.methods)
    return Differences(lines, looks(request), _axis(request, difference=True))


def _difference(request: Request, method: str, pair: data.Row | None) -> Difference:
    names = ("difference", "standard_error", "lower", "upper")
    if pair is None:
        numbers = dict.fromkeys(names, math.nan) | {"difference": 0.0, "p": math.nan}
        return Difference(method, request.reference, **numbers, verdict=REFERENCE, text=REFERENCE)
    said = verdict.pair_verdict(pair, request.level)
    text = f"{verdict.probability(pair)}, {said}" if pair["p"] is not None else str(said)
    numbers = {name: _known(pair[request.column(name)]) for name in names}
    return Difference(method, request.reference, **numbers, p=_known(pair["p"]), verdict=said, text=text)


@opened.cached
def pair_matrix(request: Request) -> PairMatrix:
    """All ordered pairs of methods."""
    cells = [_cell(request, pair) for name in request.methods for pair in data.pairs_against(request, name)]
    return PairMatrix(tuple(cells), request.methods)


def _cell(request: Request, pair: data.Row) -> Cell:
    difference, error = (pair[request.column(name)] for name in ("difference", "standard_error"))
    shown = words.number(difference) if error is None else _signed(difference, words.decimals_for(error))
    return Cell(
        pair["method_a"],
        pair["method_b"],
        difference=_known(difference),
        p=_known(pair["p"]),
        verdict=verdict.pair_verdict(pair, request.level),
        shown=shown,
        p_shown=verdict.probability(pair) if pair["p"] is not None else "no p",
    )


def _signed(value: float, decimals: int) -> str:
    return f"{value:+.{decimals}f}".replace("-", "−")


@opened.cached
def instance_losses(request: Request) -> InstanceLosses:
    """Mean loss by task instance; methods and instances in order."""
    found = data.instance_losses(request.state, request.task, request.loss)
    lines = tuple(
        InstanceLoss(name, instance, _known(_in_unit(request, value)))
        for name in request.methods
        for instance, value in sorted(found[name].items())
    )
    return InstanceLosses(lines, looks(request), _axis(request))


def _in_unit(request: Request, value: float) -> float | None:
    """Return a mean loss in the unit asked for."""
    if not request.is_standardized:
        return value
    return standardized_mean(request.loss, value, data.constant_of(request))


@opened.cached
def sources_of_error(request: Request) -> ErrorSources:
    """What makes each difference to the reference unsure: manual equations 3 and 12.

    Differences without a standard error are left out; so are those with a standard error of zero.
    """
    lines: list[ErrorShare] = []
    for pair in data.pairs_against(request, request.reference):
        names = ("sd_training", "sd_cases", "sd_residual", "instances", "test_cases", "standard_error")
        parts = error_sources(**{name: pair[name] for name in names})
        total = pair["standard_error"] ** 2 if parts else 0
        if parts and total:
            shares = {name: part / total for name, part in parts._asdict().items() if part is not None}
            lines += [ErrorShare(pair["method_a"], name, share, total**0.5) for name, share in shares.items()]
    return ErrorSources(tuple(lines), data.task_of(request).design)


@opened.cached
def case_histogram(request: Request, method: str) -> CaseHistogram:
    """How many test cases have which difference, a method less the reference?

    A value a bin where there are few different ones, else intervals of equal width.
    """
    differences, _ = data.case_losses(request, method)
    values = np.empty(0) if differences is None else differences.difference
    finite = values[np.isfinite(values)]
    if (
        request.is_standardized
        and (spread := standardized_spread(request.loss, finite, data.constant_of(request))) is not None
    ):
        finite = spread
    mean = float(finite.mean()) if len(finite) else math.nan
    names = (method, request.reference)
    return CaseHistogram(tuple(bins(finite)), names, mean, axis=_axis(request, difference=True))


def bins(values: np.ndarray) -> list[CaseBin]:
    """Count values: each by itself where few differ, else in BINS intervals that hold 99 % of them."""
    distinct, counts = np.unique(np.round(values, 12), return_counts=True)
    if len(distinct) <= FEW_VALUES:
        return [
            CaseBin(value, value, count, beyond=False)
            for value, count in zip(distinct.tolist(), counts.tolist(), strict=True)
        ]
    reach = np.quantile(np.abs(values), INSIDE) or np.abs(values).max()
    counts, edges = np.histogram(np.clip(values, -reach, reach), bins=BINS, range=(-reach, reach))
    beyond = [bool((values < -reach).any()), *[False] * (BINS - 2), bool((values > reach).any())]
    return list(map(CaseBin, edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), beyond))
