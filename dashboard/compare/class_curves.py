"""What the tab Classes shows of one method's probabilities, and of two methods on the same test cases."""

import math
from collections.abc import Mapping

import pandas as pd
import streamlit as st

from dashboard.compare import alt_text
from dashboard.compare.choice import Request
from dashboard.server.method_styles import look_order
from dashboard.ui import page, selection
from dashboard.ui.commands import command_text
from dashboard.ui.glossary import help_for
from delvecore.plots import theme, words
from delvecore.plots.compare.classes import (
    Bin,
    Ranking,
    RankingPlot,
    ReliabilityPlot,
    ranking_figure,
    reliability_figure,
)
from delvecore.report.rounding import p_text, rounded
from delvecore.stats.classification.curves import Coverage, coverage_curve
from delvecore.stats.classification.pairs import compare_classifiers
from delvecore.stats.classification.summary import ClassificationSummary

__all__ = ["calibration_sentence", "pair_table", "show_curves", "show_pairs_of_classifiers"]

AXES = ("Rates (ROC)", "Counts (coverage)")


def show_curves(request: Request, summary: ClassificationSummary, method: str) -> None:
    """Show the reliability of the probabilities, and the ranking of one class."""
    if all(one.probabilities is None for one in summary.predictions):
        st.caption(
            f"Curves need probabilities of the classes, as in files prob.n; {words.escape(method)} has none."
        )
        return
    style = theme.method_styles(look_order(request.state))[method]
    left, right = st.columns(2, gap="medium")
    with left:
        _show_calibration(request, summary, method, style)
    with right:
        st.subheader("How well are cases ranked?", anchor=False, help=help_for("AUC"))
        place = selection.local(st.selectbox, "Cases of the class", "class", list(summary.classes))
        axes = selection.local(st.segmented_control, "Axes", "axes", list(AXES), required=True)
        plot = RankingPlot(_rankings(summary, place, axes == AXES[1]), axes == AXES[1], style)
        rows = [
            (one.title, *point)
            for one in plot.curves
            for point in zip(one.negatives, one.positives, strict=True)
        ]
        table = pd.DataFrame(rows, columns=["training_set", "false_positives", "true_positives"])
        name = request.file_name("ranking")
        alt = f"Ranking of the cases of {place} by {method}: {alt_text.of_ranking(plot)}"
        page.figure_block(ranking_figure(plot), table, name=name, key="ranking", alt=alt)


def _show_calibration(
    request: Request, summary: ClassificationSummary, method: str, style: theme.MethodStyle
) -> None:
    st.subheader("Do the probabilities come true?", anchor=False, help=help_for("calibration"))
    st.markdown(calibration_sentence(summary, method))
    found = summary.calibration
    if found is None:
        return
    columns = (found.cases, found.said, found.held, found.lower, found.upper)
    bins = tuple(Bin(*row) for row in zip(*(column.tolist() for column in columns), strict=True))
    plot, table = ReliabilityPlot(bins, style), pd.DataFrame(bins, columns=Bin._fields)
    figure, name = reliability_figure(plot), request.file_name("reliability")
    alt = f"Reliability of the probabilities of {method}: {alt_text.of_reliability(plot)}"
    page.figure_block(figure, table, name=name, key="reliability", alt=alt)


def calibration_sentence(summary: ClassificationSummary, method: str) -> str:
    """Say how far the probabilities of a method are from what holds."""
    found, name = summary.calibration, words.escape(method)
    if found is None:
        return f"There are no probabilities of {name} for test cases that are used once."
    sure = "more than chance makes" if found.p < 1 - found.level else "no more than chance may make"
    return (
        f"**The probabilities of {name} are off by {found.error:.3f} on average** "
        f"({found.error_lower:.3f} to {found.error_upper:.3f}), {sure} (by chance {found.chance:.3f}, "
        f"{words.p_value(found.p)})."
    )


def _rankings(summary: ClassificationSummary, name: str, in_counts: bool) -> tuple[Ranking, ...]:
    place, found = summary.classes.index(name), []
    for one in summary.predictions:
        positive = one.actual == place
        if one.probabilities is None or positive.all() or not positive.any():
            continue
        curve = coverage_curve(one.probabilities[:, place], positive)
        found.append(_ranking(f"training set {one.instance}", curve, in_counts))
    return tuple(found)


def _ranking(title: str, curve: Coverage, in_counts: bool) -> Ranking:
    x, y = (curve.negatives, curve.positives) if in_counts else curve.rates
    return Ranking(title, tuple(x.tolist()), tuple(y.tolist()), curve.area)


def pair_table(
    found: Mapping[str, ClassificationSummary], reference: str, *, level: float
) -> pd.DataFrame | str:
    """Each other method against the reference on the same test cases, or why that cannot be said."""
    rows, reasons = [], []
    for name, summary in found.items():
        if name == reference:
            continue
        try:
            pair = compare_classifiers(summary, found[reference], level=level)
        except ValueError as error:
            reasons.append(str(error))
            continue
        area = next(iter(pair.areas), None)
        test = pair.mcnemar
        rows.append([name, test.only_a, test.only_b, p_text(test.mid_p), *_area_cells(area)])
    titles = [
        "Method",
        "Only it right",
        f"Only {reference} right",
        "McNemar p",
        "AUC less its AUC",
        "DeLong p",
    ]
    return pd.DataFrame(rows, columns=titles) if rows else " ".join(dict.fromkeys(reasons))


def _area_cells(area: object) -> list[str]:
    difference, p = getattr(area, "difference", math.nan), getattr(area, "p", math.nan)
    return [rounded(difference, 3), p_text(p)]


def show_pairs_of_classifiers(request: Request, found: Mapping[str, ClassificationSummary]) -> None:
    """Show every method against the reference, where test cases are used once."""
    if request.reference not in found or len(found) < 2:
        return
    st.subheader("Who has more of the same cases right?", anchor=False, help=help_for("McNemar's test"))
    table = pair_table(found, request.reference, level=request.setting.level)
    if isinstance(table, str):
        st.caption(f"There is no such test here: {words.escape(table)}.")
        return
    st.caption(
        f"Against **{words.escape(request.reference)}**: cases that only one of the two has right (McNemar’s "
        f"mid-p), "
        "and areas under the ROC curves of the first class (DeLong). These classifiers on these cases: "
        "nothing is "
        "said of new training sets, and p is not adjusted."
    )
    page.table_block(
        table, name=request.file_name("mcnemar"), alt="Methods against the reference, case by case"
    )
    other = next(name for name in found if name != request.reference)
    line = ["delve", "measures", other, request.task, "--against", request.reference]
    st.code(command_text(*line), language=None)
