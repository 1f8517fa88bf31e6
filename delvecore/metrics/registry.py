"""All metrics that can be computed: those of this project, and those that other packages bring."""

from functools import lru_cache
from importlib.metadata import entry_points

from delvecore.errors import DelveError
from delvecore.metrics import classification, regression, times  # noqa: F401 - they register their metrics
from delvecore.metrics.metric import FUNCTIONS, METRIC_SPECS, Measure, MetricSpec

GROUP = "delvecore.metrics"
"""The group of the entry points of other packages; each is a `Measure`."""
OWN: dict[str, Measure] = {}
"""Those that were added in this process, by name; see `own.add_metric`."""
USUAL = {"beta": 1.0}
"""Numbers that an option has where it is not said."""


def spec_named(name: str) -> MetricSpec | None:
    """Return the metric that a name, or another name of it, stands for; None for none."""
    named = (spec for spec in METRIC_SPECS.values() if name in spec.aliases)
    return METRIC_SPECS.get(name) or next(named, None)


@lru_cache(maxsize=1)
def measures() -> dict[str, Measure]:
    """Return all metrics by name: the project's own first, then those of entry points, in the order of names.
    Raises DelveError for an entry point that is no Measure, or whose name is taken."""
    found = {name: Measure(spec, FUNCTIONS[name]) for name, spec in METRIC_SPECS.items()}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        measure = point.load()
        if not isinstance(measure, Measure) or not isinstance(measure.spec, MetricSpec):
            raise DelveError(f"{point.value}: expected a delvecore.metrics.metric.Measure, found another")
        if spec_named(measure.spec.name) is not None:
            raise DelveError(f"{point.value}: expected a name of its own, found {measure.spec.name!r}")
        found.setdefault(measure.spec.name, measure)
    return found | OWN


@lru_cache(maxsize=1000)
def find_measure(text: str) -> Measure | None:
    """Return the metric that a name with its options stands for, such as `F:beta=2` or `rec:positive=yes`;
    None where there is none of this name. Raises DelveError for options that it does not take."""
    name, *said = text.split(":")
    spec = spec_named(name)
    measure = measures().get(spec.name if spec else name)
    if measure is None:
        return None
    pairs = [part.partition("=") for part in said]
    for key, _, value in pairs:
        if key not in measure.spec.options or not value or "/" in value:
            takes = " or ".join(f"{option}=..." for option in measure.spec.options) or "none"
            raise DelveError(f"{text}: expected options of {measure.spec.name}: {takes}, found {key!r}")
    kept = {key: value for key, _, value in pairs if not _is_usual(key, value)}
    return Measure(measure.spec, measure.function, tuple(sorted(kept.items())))


def with_setting(measure: Measure, key: str, value: str) -> Measure:
    """Return a metric with one setting changed; an empty value takes it away. Its name says it to commands,
    in the address and in tables. Raises DelveError for a setting that it does not take."""
    said = {**dict(measure.options), key: value}
    name = ":".join([measure.spec.name, *(f"{one}={text}" for one, text in said.items() if text)])
    return find_measure(name) or measure


def _is_usual(key: str, value: str) -> bool:
    """Does an option say what holds without it?"""
    try:
        return key in USUAL and float(value) == USUAL[key]
    except ValueError:
        return False
