"""Learning methods that ship with the project, by name; each is imported when it is first asked for.

Source: DELVE manual, section 7. What a method must offer is said in `delvecore.methods.protocol`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from delvecore.errors import DelveError

if TYPE_CHECKING:
    from delvecore.methods.protocol import Method

__all__ = ["METHODS", "RegisteredMethod", "load_method"]


class RegisteredMethod:
    """Where a method's class is, one line on what it does, and the modules that define it.

    modules: names in `delvecore.methods`, the class's own first; they are kept with the method's results.
    """

    def __init__(self, class_name: str, purpose: str, *modules: str) -> None:
        self.class_name, self.purpose, self.modules = class_name, purpose, modules


COMMON = ("protocol", "targets", "distributions")
STANDARD = ("standard", "inputs", *COMMON)
SCIKIT = ("scikit", *STANDARD)
METHODS = {
    "base-1": RegisteredMethod("Base1", "ignores the inputs: mean, median, frequencies", "base_1", *COMMON),
    "lin-1": RegisteredMethod(
        "Lin1", "linear and logistic regression", "lin_1", "logistic", "inputs", *COMMON
    ),
    "knn-cv-1": RegisteredMethod(
        "KnnCv1", "nearest neighbours, their number by leave-one-out", "knn_cv_1", *STANDARD
    ),
    "gp-1": RegisteredMethod("Gp1", "Gaussian process regression", "gp_1", "inputs", *COMMON),
    "rf-1": RegisteredMethod("Rf1", "random forest (needs scikit-learn)", "rf_1", *SCIKIT),
    "ridge-cv-1": RegisteredMethod(
        "RidgeCv1", "ridge regression, penalty by leave-one-out (needs scikit-learn)", "ridge_cv_1", *SCIKIT
    ),
    "lasso-cv-1": RegisteredMethod(
        "LassoCv1", "lasso, penalty by cross-validation (needs scikit-learn)", "lasso_cv_1", *SCIKIT
    ),
    "cart-1": RegisteredMethod("Cart1", "one pruned tree (needs scikit-learn)", "cart_1", "pruning", *SCIKIT),
    "et-1": RegisteredMethod("Et1", "extremely randomised trees (needs scikit-learn)", "et_1", *SCIKIT),
    "gbt-1": RegisteredMethod("Gbt1", "gradient-boosted trees (needs scikit-learn)", "gbt_1", *SCIKIT),
    "svr-cv-1": RegisteredMethod(
        "SvrCv1", "support vector regression (needs scikit-learn)", "svr_cv_1", *SCIKIT
    ),
    "mlp-ese-1": RegisteredMethod(
        "MlpEse1", "committee of networks that stop early", "mlp_ese_1", "networks", *STANDARD
    ),
}


def load_method(name: str) -> "Method":
    """Return a method object by name; DelveError, listing the names, for one that is not registered.

    Names of the project come first, then those of plug-ins.
    """
    if name in METHODS:
        entry = METHODS[name]
        return getattr(import_module(f"delvecore.methods.{entry.modules[0]}"), entry.class_name)()
    from delvecore.methods.plug_ins import plug_ins

    found = plug_ins()
    if name not in found:
        known = ", ".join([*METHODS, *found])
        raise DelveError(f"expected a registered method ({known}), found {name!r}")
    from delvecore.methods.objects import method_from

    return method_from(found[name].place, name)
