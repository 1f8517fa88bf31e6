"""A figure as Plotly's own dictionaries, and Plotly's figure of it.

Plotly's classes check each part when it is set, which takes ten times as long as drawing. This module keeps
the parts unchecked, and `Figure.plotly` checks them.
"""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any, TypeAlias

import plotly.graph_objects as go

PlotlyFigure: TypeAlias = go.Figure
Part = dict[str, Any]
Trace = dict[str, Any]
"""A trace as Plotly's own dictionary."""


class Figure:
    """Traces and a layout: dictionaries with the names and values of Plotly's reference.

    >>> figure = Figure({"height": 200, "xaxis": {"range": [0, 1]}})
    >>> figure.add_trace({"type": "scatter", "x": [0, 1], "y": [2, 3]})
    >>> figure.update_xaxes(title={"text": "loss"})
    >>> figure.plotly().layout.xaxis.title.text
    'loss'
    """

    def __init__(self, layout: Mapping[str, Any], data: Iterable[Trace] = ()) -> None:
        self.layout: Part = {}
        self.update_layout(**layout)
        self.data: list[Trace] = []
        self.add_traces(data)

    def add_trace(self, trace: Trace) -> None:
        """Add a trace. Plotly chooses parts that are None."""
        self.data.append({name: part for name, part in trace.items() if part is not None})

    def add_traces(self, traces: Iterable[Trace]) -> None:
        for trace in traces:
            self.add_trace(trace)

    def update_layout(self, **parts: Any) -> None:
        """Set parts of the layout. A dictionary changes only its keys; None removes a part."""
        _update(self.layout, parts)

    def update_xaxes(self, **parts: Any) -> None:
        """Set parts of every horizontal axis."""
        self._update_axes("xaxis", parts)

    def update_yaxes(self, **parts: Any) -> None:
        """Set parts of every vertical axis."""
        self._update_axes("yaxis", parts)

    def _update_axes(self, kind: str, parts: Part) -> None:
        for name in self.layout:
            if name.startswith(kind):
                _update(self.layout[name], parts)

    def add_bar(self, **trace: Any) -> None:
        self.add_trace({"type": "bar", **trace})

    def add_shape(self, **shape: Any) -> None:
        self.layout["shapes"] = [*self.layout.get("shapes", ()), shape]

    def add_vline(self, x: float, **shape: Any) -> None:
        """Draw a line at x over the whole height."""
        self.add_shape(type="line", x0=x, x1=x, xref="x", y0=0, y1=1, yref="y domain", **shape)

    def add_hline(self, y: float, **shape: Any) -> None:
        """Draw a line at y over the whole width."""
        self.add_shape(type="line", x0=0, x1=1, xref="x domain", y0=y, y1=y, yref="y", **shape)

    def add_annotations(self, texts: Iterable[Part]) -> None:
        self.layout["annotations"] = [*self.layout.get("annotations", ()), *texts]

    def to_dict(self) -> Part:
        """Return a copy of the traces and the layout."""
        return deepcopy({"data": self.data, "layout": self.layout})

    def plotly(self) -> PlotlyFigure:
        """Return Plotly's figure. Raises ValueError for a part that Plotly does not know."""
        return go.Figure(self.data, self.layout)


def _update(part: Part, changes: Mapping[str, Any]) -> None:
    for name, value in changes.items():
        if value is None:
            part.pop(name, None)
        elif isinstance(value, Mapping):
            _update(part.setdefault(name, {}), value)
        else:
            part[name] = value
