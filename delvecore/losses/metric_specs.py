"""The metrics that are computed here: one number of an instance, made of all of its test cases together.

Losses of cases have letters and stand in `losses.spec`; what a metric is called, its formula, its direction
and what it is made of stand here, one record each, and every list and table of metrics comes from them. The
functions are in `delvecore.metrics`. Sources: classificationMetrics and regressionMetrics of the R package
performanceEstimation, whose names are names here; PROBEN1, section 2.6; scikit-learn; Hyndman and Koehler
2006 (MASE)."""

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["CLASSES", "METRIC_SPECS", "NUMBERS", "MetricSpec", "spec_named"]

CLASSES, NUMBERS = "classes", "numbers"
"""What the targets are: one categorical target, or numbers."""
R, PROBEN1, SKLEARN = "performanceEstimation", "PROBEN1", "scikit-learn"


class MetricSpec(NamedTuple):
    """needs: what it is made of, by the kind of target that it is for: letters of losses of cases, or some of
    `classes` (their names), `outputs` (plain ones, where there are some), `table` (of actual and predicted
    classes), `probabilities`, `guesses`, `targets`, `training` (targets of the training set), `previous` (the
    target before that of each test case), `order` (cases that have one), `span` (of the values that a target
    may have), `matrix` (of benefits); needs_said:
    where an option is said. higher_is_better: None where neither is; best: the value that none is better
    than, None without a bound; aliases: other names; options: what may be said behind the name, as in
    `F:beta=2`; has_two: of one class against all others, which must be named where there are more than two.
    """

    name: str
    title: str
    formula: str
    needs: Mapping[str, tuple[str, ...]]
    higher_is_better: bool | None = True
    best: float | None = 1.0
    unit: str = "share"
    origin: str = R
    aliases: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    has_two: bool = False
    needs_said: tuple[str, ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of target that it is for."""
        return tuple(self.needs)

    @property
    def direction(self) -> str:
        """Which values are better: `higher`, `lower` or `neither`?"""
        if self.higher_is_better is None:
            return "neither"
        return "higher" if self.higher_is_better else "lower"

    @property
    def is_ranked(self) -> bool:
        """Can methods be ranked by it?"""
        return self.higher_is_better is not None

    def turned(self, *, unit: str | None = None) -> "MetricSpec":
        """Return it with lower values as the better ones, from 0 on."""
        return self._replace(higher_is_better=False, best=0.0, unit=unit or self.unit)


def _classes(name: str, title: str, formula: str, needs: str) -> MetricSpec:
    return MetricSpec(name, title, formula, {CLASSES: tuple(needs.split())})


def _of_two(name: str, title: str, formula: str, *aliases: str) -> MetricSpec:
    """Return a metric of one class against all others."""
    found = _classes(name, title, formula, "table")
    return found._replace(aliases=aliases, options=("positive",), has_two=True)


def _numbers(name: str, title: str, formula: str, needs: str) -> MetricSpec:
    return MetricSpec(name, title, formula, {NUMBERS: tuple(needs.split())}, unit="none").turned()


_F = "(1 + b²) TP / ((1 + b²) TP + b² FN + FP), b = beta"
_OF_CLASSES = (
    _classes("acc", "accuracy", "share of cases with p = t", "Z")._replace(aliases=("accuracy", "microF")),
    _classes("err", "error rate", "1 - acc", "Z").turned(),
    _classes("totU", "total utility", "sum of B[p, t] over the cases", "table matrix")._replace(
        best=None, unit="of the matrix", aliases=("utility",), options=("benefits", "matrix")
    ),
    _of_two("tpr", "true positive rate", "TP / P", "rec", "sens", "recall", "sensitivity"),
    _of_two("tnr", "true negative rate", "TN / N", "spec", "specificity"),
    _of_two("fpr", "false positive rate", "FP / N").turned(),
    _of_two("fnr", "false negative rate", "FN / P").turned(),
    _of_two("prec", "precision", "TP / (TP + FP)", "ppv", "precision"),
    _of_two("npv", "negative predicted value", "TN / (TN + FN)"),
    _of_two("fdr", "false discovery rate", "FP / (TP + FP)").turned(),
    _of_two("for", "false omission rate", "FN / (TN + FN)").turned(),
    _of_two("plr", "positive likelihood ratio", "tpr / fpr")._replace(best=None, unit="ratio"),
    _of_two("nlr", "negative likelihood ratio", "fnr / tnr").turned(unit="ratio"),
    _of_two("dor", "diagnostic odds ratio", "plr / nlr")._replace(best=None, unit="ratio"),
    _of_two("rpp", "rate of positive predictions", "(TP + FP) / n")._replace(
        higher_is_better=None, best=None
    ),
    _of_two("lift", "lift", "TP / (P (TP + FP))")._replace(best=None, unit="per case"),
    _of_two("F", "F measure", _F, "f1", "F1")._replace(options=("positive", "beta")),
    _classes("macroF", "mean F of the classes", "mean of F over the classes", "table")._replace(
        aliases=("f1_macro",), options=("beta",)
    ),
    _classes("macroRec", "mean recall of the classes", "mean of tpr over the classes", "table")._replace(
        aliases=("balanced_accuracy", "recall_macro")
    ),
    _classes("macroPrec", "mean precision of the classes", "mean of prec over the classes", "table")._replace(
        aliases=("precision_macro",)
    ),
    _classes("mcc", "Matthews’ correlation", "correlation of p and t", "table")._replace(origin=SKLEARN),
    _classes("kappa", "Cohen’s kappa", "(acc - c) / (1 - c), c by chance", "table")._replace(origin=SKLEARN),
    _classes(
        "auc", "area under the ROC curve", "pairs ranked right, mean over the classes", "table probabilities"
    )._replace(origin=SKLEARN, aliases=("roc_auc",)),
    _classes("logloss", "log loss", "mean of -ln q(t)", "L")
    .turned(unit="nats")
    ._replace(origin=SKLEARN, aliases=("log_loss",)),
    _classes("brier", "Brier score", "mean of Σ (q - [t])²", "Q")
    .turned(unit="none")
    ._replace(origin=SKLEARN),
    _classes("cep", "classification error in percent", "100 × wrong / n", "Z")
    .turned(unit="%")
    ._replace(
        origin=PROBEN1,
        aliases=("classification-error",),
        options=("accept",),
        needs_said=("table", "probabilities"),
    ),
    _classes("reject", "rejected cases in percent", "100 × rejected / n", "table probabilities")
    .turned(unit="%")
    ._replace(origin=PROBEN1, options=("accept",)),
    _classes("sep", "squared error percentage", "100 (o_max - o_min) / (O n) Σ Σ (o - t)²", "")
    .turned(unit="%")
    ._replace(
        needs={CLASSES: ("Q", "classes", "outputs"), NUMBERS: ("S", "span")},
        origin=PROBEN1,
        aliases=("squared-error-percentage",),
    ),
)
_OF_NUMBERS = (
    _numbers("mae", "mean absolute error", "Σ |t - p| / n", "A")._replace(unit="of the target"),
    _numbers("mse", "mean squared error", "Σ (t - p)² / n", "S")._replace(unit="its square"),
    _numbers("rmse", "root mean squared error", "√ mse", "S")._replace(unit="of the target"),
    _numbers("mape", "mean absolute percentage error", "Σ |t - p| / |t| / n", "A targets"),
    _numbers("smape", "symmetric mape", "Σ 2 |t - p| / (|t| + |p|) / n", "guesses targets")._replace(
        origin="M3 competition"
    ),
    _numbers("nmse", "normalized mse", "Σ (t - p)² / Σ (t - ȳ)²", "S targets training"),
    _numbers("nmae", "normalized mae", "Σ |t - p| / Σ |t - ȳ|", "A targets training"),
    _numbers("theil", "Theil’s U", "Σ (t - p)² / Σ (t - t′)²", "S targets previous"),
    _numbers("r2", "coefficient of determination", "1 - Σ (t - p)² / Σ (t - t̄)²", "S targets")._replace(
        higher_is_better=True, best=1.0, origin=SKLEARN
    ),
    _numbers("medae", "median absolute error", "median of |t - p|", "A")._replace(
        unit="of the target", origin=SKLEARN
    ),
    _numbers("maxae", "largest absolute error", "largest |t - p|", "A")._replace(
        unit="of the target", origin=SKLEARN
    ),
    _numbers("mase", "mean absolute scaled error", "mae / mean of |y - y′|", "A training order")._replace(
        origin="Hyndman and Koehler"
    ),
    _numbers("mda", "directional accuracy", "share of cases with sign(p - t′) = sign(t - t′)", "")._replace(
        needs={NUMBERS: ("guesses", "targets", "previous", "order")},
        higher_is_better=True,
        best=1.0,
        unit="share",
        origin="forecasting",
    ),
)
METRIC_SPECS = {spec.name: spec for spec in (*_OF_CLASSES, *_OF_NUMBERS)}
"""{name: what is known of the metric}, those of classes first."""
_BY_ALIAS = {alias: spec for spec in METRIC_SPECS.values() for alias in spec.aliases}


def spec_named(name: str) -> MetricSpec | None:
    """Return the metric that a name, or another name of it, stands for; None for none."""
    return METRIC_SPECS.get(name) or _BY_ALIAS.get(name)
