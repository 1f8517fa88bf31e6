"""Methods that other distributions bring: entry points of the group `delvecore.methods`.

The name of an entry point is that of the method, its value the place of an object, `module:attribute`; see
`delvecore.methods.objects` for what it may be.
"""

from importlib.metadata import entry_points

__all__ = ["GROUP", "PlugIn", "plug_ins"]

GROUP = "delvecore.methods"


class PlugIn:
    """A method that a distribution brings. place: `module:attribute`; distribution: its name and version."""

    def __init__(self, place: str, distribution: str) -> None:
        self.place, self.distribution = place, distribution


def plug_ins() -> dict[str, PlugIn]:
    """Return the plug-ins that are installed, by name of the method, in the order of names."""
    found: dict[str, PlugIn] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        brought = point.dist
        distribution = f"{brought.name} {brought.version}" if brought else "an unknown distribution"
        found.setdefault(point.name, PlugIn(f"{point.module}:{point.attr}", distribution))
    return found
