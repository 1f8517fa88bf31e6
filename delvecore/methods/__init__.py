"""Learning methods that ship with the project, by name. Each is imported at its first use.

`delvecore.methods.protocol` describes the interface of a method. Source: DELVE manual, section 7."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import NamedTuple

from delvecore.errors import DelveError
from delvecore.methods.objects import method_from
from delvecore.methods.protocol import Method

__all__ = ["METHODS", "SHIPPED", "distribution_of", "is_method", "load_method", "plug_ins"]


class Parameter(NamedTuple):
    """A parameter of a method.

    Attributes
    ----------
    read : Callable[[str], str]
        Returns a value in its usual spelling, in letters, digits, + and dots. Raises ValueError for any
        other text.
    allowed : str
        Description of the permitted values.
    """

    name: str
    default: str
    allowed: str
    read: Callable[[str], str]


def one_of(name: str, *values: str) -> Parameter:
    """Return a parameter with these permitted values; the first is the default."""

    def read(text: str) -> str:
        if text not in values:
            raise ValueError(text)
        return text

    return Parameter(name, values[0], f"{', '.join(values[:-1])} or {values[-1]}", read)


def base_name(text: str) -> str:
    """Return the name of the method itself: `rprop` of `rprop(stop=GL5)`."""
    return text.partition("(")[0].strip()


def parse_name(text: str) -> tuple[str, dict[str, str]]:
    """Return the name of a method and its explicit parameters. Raises DelveError if parentheses do
    not close, or if a parameter has no value or appears twice.

    >>> parse_name("rprop(topology=16+8, stop=GL5)")
    ('rprop', {'topology': '16+8', 'stop': 'GL5'})
    """
    name, opening, rest = text.strip().partition("(")
    if not opening:
        return name, {}
    values: dict[str, str] = {}
    for part in rest.removesuffix(")").split(",") if rest.strip(" )") else ():
        key, equals, value = (word.strip() for word in part.partition("="))
        if not (key and equals and value) or key in values:
            raise DelveError(
                f"{text}: expected NAME(PARAMETER=VALUE, ...), each once, found {part.strip()!r}"
            )
        values[key] = value
    if not rest.endswith(")"):
        raise DelveError(f"{text}: expected ) at the end, found none")
    return name.strip(), values


def all_values(name: str, parameters: Sequence[Parameter], explicit: Mapping[str, object]) -> dict[str, str]:
    """Return the value of each parameter of a method, defaults included.

    explicit: values by name, texts or numbers. Raises DelveError for an unknown parameter or value."""
    by_name = {one.name: one for one in parameters}
    if stray := [key for key in explicit if key not in by_name]:
        expected = f"one of the parameters {', '.join(by_name)}" if by_name else "no parameters"
        raise DelveError(f"{name}: expected {expected}, found {stray[0]!r}")
    values = {key: one.default for key, one in by_name.items()}
    for key, value in explicit.items():
        try:
            values[key] = by_name[key].read(str(value))
        except ValueError:
            raise DelveError(f"{name}: expected {key}={by_name[key].allowed}, found {str(value)!r}") from None
    return values


GROUP = "delvecore.methods"


class RegisteredMethod(NamedTuple):
    """Class, purpose and modules of a method.

    The modules are names in `delvecore.methods`, first the one of the class. They are kept with the results.

    Attributes
    ----------
    in_archive : bool
        Whether the archive that comes with the program has its results.
    parameters : tuple of Parameter
        Parameters of its class that users choose.
    fixed : mapping of str to str
        Parameters of its class without a choice.
    """

    class_name: str
    purpose: str
    module: str
    common: tuple[str, ...] = ("standard", "protocol", "stopwatch", "targets")
    in_archive: bool = True
    parameters: tuple[Parameter, ...] = ()
    fixed: Mapping[str, str] = {}

    @property
    def modules(self) -> tuple[str, ...]:
        return self.module, *self.common


def _rprop(purpose: str, parameters: tuple[Parameter, ...] = (), **fixed: str) -> RegisteredMethod:
    return RegisteredMethod("Rprop", purpose, "rprop", in_archive=False, parameters=parameters, fixed=fixed)


def _hidden_nodes(text: str) -> str:
    """Return `16+8`, or `16` of `16+0`, or a word."""
    layers = text.removesuffix("+0").split("+")
    if text not in ("pivot", "none") and not all(one.isdecimal() and 0 < int(one) < 10_000 for one in layers):
        raise ValueError(text)
    return "+".join(one.lstrip("0") for one in layers)


def _stop(text: str) -> str:
    from delvecore.methods.rprop import read_stop  # NumPy only where it is needed

    return "+".join(f"{name}{limit:g}" for name, limit in read_stop(text))


NETWORK = (
    Parameter(
        "topology", "pivot", "pivot (that of table 7), none, or hidden nodes such as 16+8", _hidden_nodes
    ),
    one_of("outputs", "pivot", "linear", "sigmoid")._replace(
        allowed="pivot (those of table 7, linear for any other topology), linear or sigmoid"
    ),
    one_of("shortcuts", "all", "none"),
    one_of("rates", "pivot", "linear", "search"),
    Parameter("stop", "GL2", "criteria joined by +, each once: GL5, UP8, PQ3, with other numbers too", _stop),
)
"""Parameters of PROBEN1's networks, which docs/proben1.md explains."""
METHODS = {
    "base-1": RegisteredMethod(
        "Base1",
        "baseline that ignores the inputs: mean, median, frequencies",
        "base_1",
        ("protocol", "stopwatch", "targets"),
    ),
    "lin-1": RegisteredMethod("Lin1", "linear and logistic regression", "lin_1"),
    "knn-cv-1": RegisteredMethod("KnnCv1", "nearest neighbors, their number by leave-one-out", "knn_cv_1"),
    "gp-1": RegisteredMethod("Gp1", "Gaussian process regression", "gp_1"),
    "rf-1": RegisteredMethod("Rf1", "random forest (needs scikit-learn)", "ensembles"),
    "ridge-cv-1": RegisteredMethod(
        "RidgeCv1", "ridge regression, penalty by leave-one-out (needs scikit-learn)", "regressions"
    ),
    "lasso-cv-1": RegisteredMethod(
        "LassoCv1", "lasso, penalty by cross-validation (needs scikit-learn)", "regressions"
    ),
    "cart-1": RegisteredMethod("Cart1", "pruned decision tree (needs scikit-learn)", "cart_1"),
    "et-1": RegisteredMethod("Et1", "extremely randomized trees (needs scikit-learn)", "ensembles"),
    "gbt-1": RegisteredMethod("Gbt1", "gradient-boosted trees (needs scikit-learn)", "ensembles"),
    "svr-cv-1": RegisteredMethod("SvrCv1", "support vector regression (needs scikit-learn)", "regressions"),
    "mlp-ese-1": RegisteredMethod("MlpEse1", "committee of networks that stop early", "mlp_ese_1"),
    "rprop": _rprop("PROBEN1's networks, by parameters", NETWORK),
    "rprop-linear-1": _rprop(
        "PROBEN1's linear network, stopped by a validation set",
        name="rprop-linear-1",
        topology="none",
        rates="linear",
        stop="GL5",
    ),
    "rprop-pivot-1": _rprop("PROBEN1's pivot network, with shortcut connections", name="rprop-pivot-1"),
    "rprop-noshortcut-1": _rprop(
        "PROBEN1's pivot network without shortcut connections", name="rprop-noshortcut-1", shortcuts="none"
    ),
}
SHIPPED = tuple(name for name, method in METHODS.items() if method.in_archive)
"""The methods with results in the archive."""


def plug_ins() -> dict[str, EntryPoint]:
    """Return the installed entry points of GROUP, by name of the method, in the order of names.

    `delvecore.methods.objects` describes the objects that an entry point may name."""
    points: dict[str, EntryPoint] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        points.setdefault(point.name, point)
    return points


def distribution_of(point: EntryPoint) -> str:
    """Return the name and version of the distribution with an entry point."""
    return f"{point.dist.name} {point.dist.version}" if point.dist else "an unknown distribution"


def is_method(text: str) -> bool:
    """Does a text name a registered method or a plug-in, with or without parameters?"""
    return base_name(text) in METHODS or text in plug_ins()


def load_method(name: str, parameters: Mapping[str, object] | None = None) -> Method:
    """Return a method by its name, which may include parameters: `rprop(stop=GL5)`.

    Methods of the project take precedence over plug-ins. parameters: further parameters. Raises DelveError,
    with the registered names, for an unknown method, and for an unknown parameter or value.
    """
    base = base_name(name)
    if base in METHODS:
        entry, explicit = METHODS[base], {**parse_name(name)[1], **(parameters or {})}
        method = getattr(import_module(f"delvecore.methods.{entry.module}"), entry.class_name)
        values = all_values(base, entry.parameters, explicit)
        if values:
            changed = [one.name for one in entry.parameters if values[one.name] != one.default]
            return method("-".join([base, *(f"{key}-{values[key]}" for key in changed)]), **values)
        return method(**entry.fixed)
    points = plug_ins()
    if name not in points:
        names = ", ".join([*METHODS, *points])
        raise DelveError(f"expected a registered method ({names}), found {name!r}")
    all_values(name, (), parameters or {})
    return method_from(f"{points[name].module}:{points[name].attr}", name)
