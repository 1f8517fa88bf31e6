"""Learning methods that ship with the project, by name; each is imported when it is first asked for.

Source: DELVE manual, section 7. What a method must offer is said in `delvecore.methods.protocol`."""

from importlib import import_module
from importlib.metadata import entry_points
from typing import NamedTuple

from delvecore.errors import DelveError
from delvecore.methods.objects import method_from
from delvecore.methods.protocol import Method

__all__ = ["METHODS", "SHIPPED", "PlugIn", "load_method", "plug_ins"]

GROUP = "delvecore.methods"


class RegisteredMethod(NamedTuple):
    """Where a method's class is, one line on what it does, and the modules that define it, names in
    `delvecore.methods`, the class's own first; they are kept with the method's results. in_archive: are
    results on its tasks part of the archive that comes with the program?"""

    class_name: str
    purpose: str
    module: str
    common: tuple[str, ...] = ("standard", "protocol", "targets")
    in_archive: bool = True

    @property
    def modules(self) -> tuple[str, ...]:
        return self.module, *self.common


class PlugIn(NamedTuple):
    """A method that a distribution brings. place: `module:attribute`; distribution: its name and version."""

    place: str
    distribution: str


def _rprop(class_name: str, purpose: str) -> RegisteredMethod:
    common = ("rprop_training", "standard", "protocol", "targets")
    return RegisteredMethod(class_name, purpose, "rprop_1", common, in_archive=False)


METHODS = {
    "base-1": RegisteredMethod(
        "Base1", "ignores the inputs: mean, median, frequencies", "base_1", ("protocol", "targets")
    ),
    "lin-1": RegisteredMethod("Lin1", "linear and logistic regression", "lin_1"),
    "knn-cv-1": RegisteredMethod("KnnCv1", "nearest neighbours, their number by leave-one-out", "knn_cv_1"),
    "gp-1": RegisteredMethod("Gp1", "Gaussian process regression", "gp_1"),
    "rf-1": RegisteredMethod("Rf1", "random forest (needs scikit-learn)", "ensembles"),
    "ridge-cv-1": RegisteredMethod(
        "RidgeCv1", "ridge regression, penalty by leave-one-out (needs scikit-learn)", "regressions"
    ),
    "lasso-cv-1": RegisteredMethod(
        "LassoCv1", "lasso, penalty by cross-validation (needs scikit-learn)", "regressions"
    ),
    "cart-1": RegisteredMethod("Cart1", "one pruned tree (needs scikit-learn)", "cart_1"),
    "et-1": RegisteredMethod("Et1", "extremely randomised trees (needs scikit-learn)", "ensembles"),
    "gbt-1": RegisteredMethod("Gbt1", "gradient-boosted trees (needs scikit-learn)", "ensembles"),
    "svr-cv-1": RegisteredMethod("SvrCv1", "support vector regression (needs scikit-learn)", "regressions"),
    "mlp-ese-1": RegisteredMethod("MlpEse1", "committee of networks that stop early", "mlp_ese_1"),
    "rprop-linear-1": _rprop("RpropLinear1", "PROBEN1's linear network, stopped by a validation set"),
    "rprop-pivot-1": _rprop("RpropPivot1", "PROBEN1's pivot network, with shortcut connections"),
    "rprop-noshortcut-1": _rprop("RpropNoshortcut1", "PROBEN1's pivot network without shortcut connections"),
}
SHIPPED = tuple(name for name, method in METHODS.items() if method.in_archive)
"""The methods with results in the archive."""


def plug_ins() -> dict[str, PlugIn]:
    """Return the plug-ins that are installed, by name of the method, in the order of names: entry points of
    GROUP, whose value is the place of an object; see `delvecore.methods.objects` for what it may be."""
    found: dict[str, PlugIn] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        brought = point.dist
        distribution = f"{brought.name} {brought.version}" if brought else "an unknown distribution"
        found.setdefault(point.name, PlugIn(f"{point.module}:{point.attr}", distribution))
    return found


def load_method(name: str) -> Method:
    """Return a method object by name; DelveError, listing the names, for one that is not registered. Names of
    the project come first, then those of plug-ins."""
    if name in METHODS:
        entry = METHODS[name]
        return getattr(import_module(f"delvecore.methods.{entry.module}"), entry.class_name)()
    found = plug_ins()
    if name not in found:
        known = ", ".join([*METHODS, *found])
        raise DelveError(f"expected a registered method ({known}), found {name!r}")
    return method_from(found[name].place, name)
