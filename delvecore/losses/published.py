"""Which published figures can stand beside losses of this archive: those that are the same but for a unit.

Source of what measures are: L. Prechelt, PROBEN1, technical report 21/94, Universität Karlsruhe 1994, section
2.6; names are those of `losses.metric_specs`."""

from collections.abc import Callable, Iterable, Mapping
from math import sqrt
from typing import NamedTuple

from delvecore.losses.metric_specs import spec_named
from delvecore.losses.spec import metric_of

__all__ = ["PUBLISHED_SIGN", "PublishedValue", "Targets", "in_loss", "origins_of"]


PUBLISHED_SIGN = "†"
"""Stands behind the name of a method whose figures were published elsewhere."""


class PublishedValue(NamedTuple):
    """A published result in the unit of a loss. deviation: over runs, None where it is not known."""

    method: str
    mean: float
    deviation: float | None
    runs: int | None
    source: str
    where: str

    @property
    def standard_error(self) -> float | None:
        """That of the mean over runs, None where it is not known."""
        return None if self.deviation is None or not self.runs else self.deviation / sqrt(self.runs)

    @property
    def origin(self) -> str:
        """Where it stands: the source, and the place in it."""
        return ", ".join(filter(None, (self.source, self.where)))


def origins_of(values: Iterable[PublishedValue]) -> list[str]:
    """Return a text a source: `A paper, 1999: net (table 2), tree (table 2; table 3)`."""
    found: dict[str, dict[str, dict[str, None]]] = {}
    for one in values:
        places = found.setdefault(one.source, {}).setdefault(one.method, {})
        places |= {one.where: None} if one.where else {}
    return [
        f"{source}: "
        + ", ".join(
            f"{method} ({'; '.join(places)})" if places else method
            for method, places in sorted(methods.items())
        )
        for source, methods in sorted(found.items())
    ]


class Targets(NamedTuple):
    """What a conversion depends on: how many targets a task has, and whether all are numbers from 0 to 1."""

    number: int
    are_shares: bool


class _Line(NamedTuple):
    """The loss is start + slope times the measure."""

    slope: float
    start: float = 0.0


Convert = Callable[[Targets], _Line | None]


def _of_one_target(line: _Line) -> Convert:
    return lambda targets: line if targets.number == 1 else None


def _mean_of_shares(targets: Targets) -> _Line | None:
    """100 (o_max - o_min) / (N P) times the sum of squares, of N outputs from 0 to 1 and P examples."""
    return _Line(targets.number / 100) if targets.are_shares else None


CONVERSIONS: Mapping[tuple[str, str], Convert] = {
    ("sep", "S"): _mean_of_shares,
    ("cep", "Z"): _of_one_target(_Line(0.01)),
    ("err", "Z"): _of_one_target(_Line(1)),
    ("acc", "Z"): _of_one_target(_Line(-1, start=1)),
    ("mse", "S"): _of_one_target(_Line(1)),
    ("mae", "A"): _of_one_target(_Line(1)),
}
"""By (name of the metric, loss)."""


def in_loss(
    measure: str, mean: float, deviation: float | None, *, loss: str, targets: Targets
) -> tuple[float, float | None] | None:
    """Return mean and standard deviation of a measure in the unit of a loss, None where they are not the same
    quantity. A metric's loss is that of its name."""
    metric = metric_of(loss)
    if metric is not None and _called(measure) == _called(metric.name):
        lossy = [float(metric.losses_of(value)) for value in (0.0, 1.0)]
        line: _Line | None = _Line(lossy[1] - lossy[0], start=lossy[0])
    elif measure == loss:
        line = _Line(1)
    else:
        convert = CONVERSIONS.get((_called(measure), loss))
        line = convert(targets) if convert else None
    if line is None:
        return None
    return line.start + line.slope * mean, None if deviation is None else abs(line.slope) * deviation


def _called(measure: str) -> str:
    """Return the name of a metric that has others."""
    spec = spec_named(measure)
    return spec.name if spec else measure
