"""How long was a network trained on a task, and when was it stopped? The curves of its errors."""

import statistics
from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd
import plotly.graph_objects as go

from delvecore.plots import theme
from delvecore.plots.theme import MethodStyle, Trace
from delvecore.readers.training import TrainingRecord
from delvecore.report import words

HEIGHT = 360


class TrainingCurves(NamedTuple):
    """All that the figure draws. instances: (number, what it says of its training) of each."""

    style: MethodStyle
    instances: tuple[tuple[int, TrainingRecord], ...]

    @property
    def table(self) -> pd.DataFrame:
        """One row an instance: epochs, errors where it was kept, GL when training ended, traversals."""
        kept = [one.kept for _, one in self.instances]
        columns = {
            "instance": [number for number, _ in self.instances],
            "epochs": [one.epochs for _, one in self.instances],
            "relevant": [one.relevant for _, one in self.instances],
            "training": [one.training for one in kept],
            "validation": [one.validation for one in kept],
            "overfit": [one.curve[-1].loss for _, one in self.instances],
            "traversals": [one.traversals for _, one in self.instances],
        }
        return pd.DataFrame(columns)


def training_figure(drawn: TrainingCurves) -> go.Figure:
    """Draw the errors of training and validation sets by epoch, with the epoch whose weights were kept."""
    if not drawn.instances:
        return theme.empty_figure("Nothing is said of its training here", height=160)
    figure = theme.new_figure(height=HEIGHT)
    colours = {"training": theme.GREY, "validation": drawn.style.colour}
    for name, colour in colours.items():
        figure.add_traces(list(_curves(drawn, name, colour)))
    figure.add_traces(list(_marks(drawn)))
    figure.update_xaxes(title_text="Epochs", rangemode="tozero")
    ticks = [digit * 10.0**power for power in range(-4, 4) for digit in (1, 2, 5)]
    figure.update_yaxes(type="log", tickvals=ticks, ticktext=[f"{tick:g}" for tick in ticks])
    theme.title_y_axis_over_legend(figure, "Squared error percentage, log scale")
    figure.update_layout(hovermode="closest")
    return figure


def _curves(drawn: TrainingCurves, name: str, colour: str) -> Iterator[Trace]:
    """Yield the errors of one set, a line an instance."""
    faint = max(0.2, len(drawn.instances) ** -0.5)
    line = {"color": colour, "dash": "dot" if name == "training" else "solid", "width": 2}
    for place, (number, one) in enumerate(drawn.instances):
        epochs, values = [one.epoch for one in one.curve], [getattr(strip, name) for strip in one.curve]
        pairs = zip(epochs, values, strict=True)
        hover = [f"instance {number}, epoch {epoch:,}: {name} error {value:.4g} %" for epoch, value in pairs]
        legend = {"name": f"{name} set", "legendgroup": name, "showlegend": not place}
        yield theme.trace("lines", epochs, values, hover=hover, line=line, opacity=faint, **legend)


def _marks(drawn: TrainingCurves) -> Iterator[Trace]:
    """Yield where the weights were kept, and where training stopped."""
    colour = drawn.style.colour
    looks = (
        ("weights kept", [one.kept for _, one in drawn.instances], {"symbol": "circle", "size": 9}),
        ("stopped", [one.curve[-1] for _, one in drawn.instances], {"symbol": "line-ns-open", "size": 12}),
    )
    for name, strips, look in looks:
        pairs = zip(drawn.instances, strips, strict=True)
        hover = [
            f"instance {number}: {name} at epoch {one.epoch:,}<br>GL {one.loss:.3g} %, P {one.progress:.3g} ‰"
            for (number, _), one in pairs
        ]
        marker = {"color": colour, "line": {"width": 2, "color": colour}, **look}
        places = [one.epoch for one in strips], [one.validation for one in strips]
        yield theme.trace("markers", *places, hover=hover, marker=marker, name=name)


def training_sentence(found: TrainingCurves) -> str:
    """Say how long training took, and what was trained."""
    table, (_, first) = found.table, found.instances[0]
    count = words.count(len(table), "run")
    epochs = f"{_range(table['epochs'])} epochs, kept the weights of epoch {_range(table['relevant'])}"
    crossed = f"{statistics.median(table['traversals'].tolist()):,.0f}"
    return (
        f"**{count}** trained {epochs} and crossed {crossed} connections{' (median)' * (len(table) > 1)}. "
        f"Network: {words.escape(first.network)}; {first.outputs} outputs, {first.weights:,} weights."
    )


def _range(values: pd.Series) -> str:
    low, high = int(values.min()), int(values.max())
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
