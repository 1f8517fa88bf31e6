"""Metrics in the archive that pages show: computed when somebody asks for one, once for all visitors."""

from collections.abc import Collection

import streamlit as st

from dashboard.server import archive as opened
from delvecore.archive.metrics.available import (
    Facts,
    classes_of,
    measurable,
    task_facts_of_metrics,
    with_classes,
)
from delvecore.archive.metrics.metric_columns import MeasuredLoss, measured

__all__ = ["classes_offered", "metrics_offered", "with_metric"]

MOST = 3
"""So many archives with a metric are kept besides those that somebody sees."""


def with_metric(state: str, loss: str) -> MeasuredLoss:
    """Return the archive with a metric. Raises DelveError where it has no value anywhere."""
    with st.spinner("Computing the metric"):
        found = _measured(state, loss)
    opened.remember(found.archive)
    return found


@st.cache_resource(show_spinner=False, max_entries=MOST)
def _measured(state: str, loss: str) -> MeasuredLoss:
    return measured(opened.archive_of(state), loss)


def metrics_offered(state: str, tasks: Collection[str] | None = None) -> tuple[str, ...]:
    """Return the metrics that can be had on some of these tasks, full paths, or on any; where their targets
    have the same classes also those that need a setting."""
    places = None if tasks is None else {_place(path) for path in tasks}
    return with_classes(measurable(_facts(state), places), classes_offered(state, tasks))


def classes_offered(state: str, tasks: Collection[str] | None = None) -> tuple[str, ...]:
    """Return the classes that the targets of all these tasks, full paths, have; none where they differ."""
    return _classes(state, None if tasks is None else frozenset(tasks))


@opened.cached
def _classes(state: str, tasks: frozenset[str] | None) -> tuple[str, ...]:
    return classes_of(opened.archive_of(state), None if tasks is None else {_place(path) for path in tasks})


def _place(path: str) -> tuple[str, str, str]:
    dataset, prototask, task = path.strip("/").split("/")
    return dataset, prototask, task


@opened.cached
def _facts(state: str) -> Facts:
    return task_facts_of_metrics(opened.archive_of(state))
