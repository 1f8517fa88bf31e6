"""Highlight one method in a finished figure: black, bold, larger, and over the others.

Figures name the method of each part:
- a trace about one method has its name as `meta`;
- a trace with a mark or a text for each method has the names as `ids`, a line has one for each point;
- an axis with a place for each method has the names in the `meta` of the layout (see `name_places`);
- an annotation about a method has its name as `name`."""

from collections.abc import Sequence

from delvecore.plots.figure import Figure, Part
from delvecore.plots.theme import MINE

WIDER, LARGER = 2.0, 1.5
"""Factors for the width of the method's lines and the size of its marks."""
USUAL_WIDTH, USUAL_SIZE = 2.0, 6.0
"""Defaults of Plotly."""


def name_places(figure: Figure, **axes: Sequence[str]) -> None:
    """Name the methods at the places 0, 1, ... of axes: `name_places(figure, y=methods)`."""
    figure.update_layout(meta={name: list(axes[name]) for name in axes})


def emphasized(figure: Figure, method: str) -> Figure:
    """Return a copy of a figure with the parts of one method black, bold, larger and over the others."""
    drawn = figure.to_dict()
    layout, over = drawn["layout"], []
    for name, methods in (layout.get("meta") or {}).items():
        _embolden_tick(layout.get(f"{name}axis", {}), methods, method)
    for note in layout.get("annotations", ()):
        if note.get("name") == method:
            note["text"] = _bold(note["text"])
    for trace in drawn["data"]:
        if trace.get("meta") == method:
            _strengthen(trace)
        elif method in trace.get("ids", ()):
            over += _strengthen_part(trace, method)
    return Figure(layout, [*drawn["data"], *over])


def _bold(text: str) -> str:
    return text if "<b>" in text else f"<b>{text}</b>"


def _embolden_tick(axis: Part, methods: Sequence[str], method: str) -> None:
    texts = list(axis.get("ticktext", ()))
    if texts and len(texts) == len(methods):
        marked = zip(texts, methods, strict=True)
        axis["ticktext"] = [_bold(text) if name == method else text for text, name in marked]


def _strengthen(trace: Part) -> None:
    """Make a whole trace about the method black and bold."""
    for name in ("marker", "line", "error_x", "error_y"):
        if "color" in trace.get(name, {}):
            trace[name] = {**trace[name], "color": MINE}
    mode = trace.get("mode", "")
    trace |= {"zorder": 1, "opacity": 1}
    if "name" in trace:
        trace["name"] = _bold(trace["name"])
    if "lines" in mode:
        trace["line"] = _wider(trace)
    if "markers" in mode or "lines" not in mode:
        size = trace.get("marker", {}).get("size", USUAL_SIZE)
        sizes = size * LARGER if isinstance(size, int | float) else [one * LARGER for one in size]
        trace["marker"] = {**trace.get("marker", {}), "size": sizes}
    if "text" in mode:
        trace["text"] = [_bold(text) for text in trace["text"]]


def _strengthen_part(trace: Part, method: str) -> list[Part]:
    """Make the method's part of a trace bold; return the traces to draw over all others."""
    is_own, mode = [name == method for name in trace["ids"]], trace["mode"]
    if "text" in mode:
        texts = zip(trace["text"], is_own, strict=True)
        trace["text"] = [_bold(text) if own else text for text, own in texts]
    if "markers" in mode:
        size = trace["marker"].get("size", USUAL_SIZE)
        sizes = [size] * len(is_own) if isinstance(size, int | float) else size
        marked = zip(sizes, is_own, strict=True)
        trace["marker"]["size"] = [one * LARGER if own else one for one, own in marked]
        color = trace["marker"].get("color", MINE)
        colors = [color] * len(is_own) if isinstance(color, str) else color
        marked = zip(colors, is_own, strict=True)
        trace["marker"]["color"] = [MINE if own else one for one, own in marked]
    if "lines" not in mode:
        return []
    own = {axis: [at for at, own in zip(trace[axis], is_own, strict=True) if own] for axis in "xy"}
    line = {**_wider(trace), "color": MINE}
    return [{**{name: trace[name] for name in trace if name != "ids"}, **own, "line": line}]


def _wider(trace: Part) -> Part:
    line = trace.get("line", {})
    return {**line, "width": line.get("width", USUAL_WIDTH) * WIDER}
