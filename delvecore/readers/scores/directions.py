"""Which metrics are there, in which direction do they go? Never guessed where the name does not say it."""

from collections.abc import Mapping

from delvecore.errors import Fault
from delvecore.losses.metrics import Metric, known_metric
from delvecore.readers.scores.records import ScoreOptions, UnknownDirection
from delvecore.readers.scores.remarks import Remarks

__all__ = ["directed"]

OPTION = "--higher-is-better, --lower-is-better"


def directed(
    largest: Mapping[str, float],
    *,
    given: Mapping[str, Metric],
    source: str,
    options: ScoreOptions,
    remarks: Remarks,
) -> tuple[Metric, ...]:
    """Return the metrics whose direction is known; unknown ones are left out beside known ones.

    largest: the largest value of each metric, by name; given: what the source says of them. Raises
    UnknownDirection where none is known and nothing is said, Fault where it is not clear what is meant."""
    known = {name: given.get(name) or known_metric(name) for name in largest}
    unknown = tuple(name for name, metric in known.items() if metric is None)
    if options.higher_is_better is not None:
        named = unknown or tuple(known)
        if len(named) > 1 and not unknown:
            expected, found = "one metric whose direction is said", ", ".join(map(repr, known))
            raise Fault(source, expected, found, "choose one with --value", is_file=True)
        known |= {name: _said(name, known[name], options.higher_is_better) for name in named}
        unknown = ()
    if len(unknown) == len(known):
        raise UnknownDirection(source, unknown)
    remedy = "choose them with --value and say --higher-is-better or --lower-is-better"
    remarks.leave("metric", unknown, "their direction is not known", remedy=remedy)
    usable = [_in_per_cent(metric, largest[name]) for name, metric in known.items() if metric is not None]
    if options.higher_is_better is None:
        for one in usable:
            word = "higher" if one.higher_is_better else "lower"
            remarks.guess("direction", f"{one.name}: {word} is better", option=OPTION)
    return tuple(usable)


def _said(name: str, known: Metric | None, higher_is_better: bool) -> Metric:
    if known is not None and known.higher_is_better == higher_is_better:
        return known
    return Metric(name, higher_is_better)


def _in_per_cent(metric: Metric, largest: float) -> Metric:
    """Return a metric that is at most 1 as one in per cent, where its values are beyond 1."""
    if metric.best != 1 or largest <= 1 + 1e-6:
        return metric
    return metric._replace(best=100.0 if largest <= 100 + 1e-6 else None)
