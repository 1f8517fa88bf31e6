"""The tab of the page Compare for training sets: the losses on each, and what makes differences unsure."""

import pandas as pd
import streamlit as st

from dashboard.compare import tables
from dashboard.compare.choice import Request
from dashboard.compare.figures.error_bars import ErrorShare, error_bars_figure
from dashboard.compare.figures.instances import InstanceLoss, instances_figure
from dashboard.frame import page, words
from dashboard.frame.glossary import help_for
from dashboard.server import archive as opened

__all__ = ["show_training_sets"]


def show_training_sets(request: Request) -> None:
    """Show the losses by training set, and what makes the differences unsure."""
    left, right = st.columns(2, gap="medium")
    with left:
        st.subheader("Is it so on every training set?", anchor=False, help=help_for("task instance"))
        st.caption("A mark a training set; a line joins the same training set.")
        page.figure_block(
            opened.figure(instances_figure, tables.instance_losses, request),
            pd.DataFrame(tables.instance_losses(request).lines, columns=InstanceLoss._fields),
            name=request.file_name("training-sets"),
            key="training-sets",
            alt="Mean loss of each method on each training set, joined by training set",
        )
    with right:
        st.subheader("Where does the doubt come from?", anchor=False, help=help_for("standard error"))
        reference = words.escape(request.reference)
        st.caption(f"Shares in the squared standard error of the difference to **{reference}**.")
        page.figure_block(
            opened.figure(error_bars_figure, tables.sources_of_error, request),
            pd.DataFrame(tables.sources_of_error(request).lines, columns=ErrorShare._fields),
            name=request.file_name("error-sources"),
            key="error-sources",
            alt=f"Shares of the squared standard error of each difference to {request.reference}",
        )
