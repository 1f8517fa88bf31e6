"""What the figures of the Compare page draw: finished records, in the unit that was chosen.

Made once for a request, for the figure and for the numbers below it."""

import math

import numpy as np

from dashboard.compare import data, verdict
from dashboard.compare.choice import Request
from dashboard.server import archive as opened
from dashboard.server.method_styles import look_order
from delvecore.losses.published import PUBLISHED_SIGN, PublishedValue
from delvecore.losses.spec import is_higher_better, shown_value
from delvecore.plots import theme, words
from delvecore.plots.compare.method_rows import (
    REFERENCE,
    Difference,
    ErrorShare,
    ErrorSources,
    Estimate,
    InstanceLoss,
    Lines,
)
from delvecore.plots.compare.pairs import CaseBin, CaseHistogram, Cell, PairMatrix
from delvecore.stats.choose import Verdict
from delvecore.stats.losses.anova import error_sources
from delvecore.stats.losses.standardization import standardized_mean, standardized_spread

__all__ = [
    *("bins", "case_histogram", "differences", "estimates"),
    *("instance_losses", "pair_matrix", "sources_of_error"),
]

BINS = 61
INSIDE = 0.99
FEW_VALUES = 12
ELSEWHERE = "published, not tested"


def _looks(request: Request) -> dict[str, theme.MethodStyle]:
    """Return the looks of the methods chosen; beyond eight, the later ones are grey."""
    known, kept = look_order(request.state), [request.reference]
    styles = theme.styles_of(request.methods, known=known, never_grey=kept)
    elsewhere = {one.method + PUBLISHED_SIGN: theme.ELSEWHERE for one in data.published(request)}
    return {**dict(zip(request.methods, styles, strict=True)), **elsewhere}


def _axis(request: Request, *, difference: bool = False) -> str:
    return words.value_axis(request.loss, standardized=request.is_standardized, difference=difference)


def _known(value: float | None) -> float:
    return math.nan if value is None else float(value)


@opened.cached
def estimates(request: Request) -> Lines[Estimate]:
    """The expected loss of each method."""
    columns = ("method", request.column("mean"), request.column("standard_error"))
    shown = map(data.in_its_metric, data.chosen_estimates(request))
    rows = ([row[name] for name in columns] for row in shown)
    lines = tuple(
        Estimate(name, _known(mean), _known(error), words.with_error(mean, error))
        for name, mean, error in rows
    )
    baseline = words.loss_baseline(request.loss) if request.is_standardized else None
    published = tuple(_published(request, one) for one in data.published(request))
    return Lines((*lines, *published), _looks(request), _axis(request), baseline)


def _published(request: Request, value: PublishedValue) -> Estimate:
    """Return a published result as a row; its bar is the standard deviation over its runs."""
    spread, mean = value.deviation, shown_value(request.loss, value.mean)
    decimals = words.decimals_for(spread)
    text = f"{mean:.{decimals}f}" + (f" (SD {spread:.{decimals}f})" if spread else "")
    return Estimate(
        value.method + PUBLISHED_SIGN,
        mean,
        _known(spread),
        text=text.replace("-", "−"),
        source=value.origin,
    )


@opened.cached
def differences(request: Request) -> Lines[Difference]:
    """Each method less the reference, the reference itself with zeros."""
    pairs = {row["method_a"]: row for row in data.shown_pairs(request, request.reference)}
    lines = [_difference(request, name, pairs.get(name)) for name in request.methods]
    lines += [_not_tested(request, one.method + PUBLISHED_SIGN) for one in data.published(request)]
    axis = _axis(request, difference=True)
    return Lines(tuple(lines), _looks(request), axis, is_higher=is_higher_better(request.loss))


def _difference(request: Request, method: str, pair: data.Row | None) -> Difference:
    names = ("difference", "standard_error", "lower", "upper")
    if pair is None:
        numbers = dict.fromkeys(names, math.nan) | {"difference": 0.0, "p": math.nan}
        return Difference(method, request.reference, **numbers, verdict=REFERENCE, text=REFERENCE)
    said = verdict.pair_verdict(pair)
    text = f"{verdict.probability(pair)}, {said}" if pair["p"] is not None else str(said)
    numbers = {name: _known(pair[request.column(name)]) for name in names}
    return Difference(
        method, request.reference, **numbers, p=_known(pair["p_adjusted"]), verdict=said, text=text
    )


def _not_tested(request: Request, method: str) -> Difference:
    """Return the row of a published result, which is not compared."""
    nothing = dict.fromkeys(("difference", "standard_error", "lower", "upper", "p"), math.nan)
    return Difference(method, request.reference, **nothing, verdict=Verdict.NOT_TESTED, text=ELSEWHERE)


@opened.cached
def pair_matrix(request: Request) -> PairMatrix:
    """All ordered pairs of methods."""
    cells = [_cell(request, pair) for pair in data.shown_pairs(request, *request.methods)]
    return PairMatrix(tuple(cells), request.methods, is_higher_better(request.loss))


def _cell(request: Request, pair: data.Row) -> Cell:
    difference, error = (pair[request.column(name)] for name in ("difference", "standard_error"))
    shown = words.number(difference)
    if error is not None:
        shown = f"{difference:+.{words.decimals_for(error)}f}".replace("-", "−")
    p, p_shown = _known(pair["p_adjusted"]), verdict.probability(pair) if pair["p"] is not None else "no p"
    said = verdict.pair_verdict(pair)
    names = (pair["method_a"], pair["method_b"])
    return Cell(*names, _known(difference), p, verdict=said, shown=shown, p_shown=p_shown)


@opened.cached
def instance_losses(request: Request) -> Lines[InstanceLoss]:
    """Mean loss by task instance; methods and instances in order."""
    found = data.instance_losses(request.state, request.task, request.loss)
    constant = data.constant_of(request)
    lines = []
    for name in request.methods:
        for instance, kept in sorted(found[name].items()):
            loss = shown_value(request.loss, kept)
            value = standardized_mean(request.loss, loss, constant) if request.is_standardized else loss
            lines.append(InstanceLoss(name, instance, _known(value)))
    return Lines(tuple(lines), _looks(request), _axis(request))


@opened.cached
def sources_of_error(request: Request) -> ErrorSources:
    """What makes each difference to the reference unsure: manual equations 3 and 12.

    Differences without a standard error are left out; so are those with a standard error of zero."""
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

    A value a bin where there are few different ones, else intervals of equal width."""
    differences, _ = data.case_losses(request, method)
    values = np.empty(0) if differences is None else differences.difference
    finite = values[np.isfinite(values)]
    if request.is_standardized:
        spread = standardized_spread(request.loss, finite, data.constant_of(request))
        finite = finite if spread is None else spread
    mean = float(finite.mean()) if len(finite) else math.nan
    names = (method, request.reference)
    return CaseHistogram(tuple(bins(finite)), names, mean, axis=_axis(request, difference=True))


def bins(values: np.ndarray) -> list[CaseBin]:
    """Count values: each by itself where few differ, else in BINS intervals that hold 99 % of them."""
    distinct, counts = np.unique(np.round(values, 12), return_counts=True)
    if len(distinct) <= FEW_VALUES:
        pairs = zip(distinct.tolist(), counts.tolist(), strict=True)
        return [CaseBin(value, value, count, beyond=False) for value, count in pairs]
    reach = np.quantile(np.abs(values), INSIDE) or np.abs(values).max()
    counts, edges = np.histogram(np.clip(values, -reach, reach), bins=BINS, range=(-reach, reach))
    beyond = [bool((values < -reach).any()), *[False] * (BINS - 2), bool((values > reach).any())]
    return list(map(CaseBin, edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), beyond))
