"""Draw the house from its imports: `python -m docs.draw_architecture` writes it into docs/architecture.md.

A room of the core is a part of `delvecore`, a room of the dashboard a folder of it. An arrow leads from one
to another that it imports; arrows to the ground floor, and those that follow from others, are left out.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.test_architecture import FLOORS, PACKAGES, PAGES, all_imports, module_name, source_files

__all__ = ["drawn", "main", "picture"]

DOCUMENT = Path(__file__).with_name("architecture.md")
START, END = "```mermaid\n", "```\n"
PAGE = "a page"
"""All pages are one room in the picture: none imports another."""


def main() -> int:
    """Write the picture into the document; return 0."""
    DOCUMENT.write_text(drawn(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


def drawn(text: str) -> str:
    """Return the document with the picture of today's imports."""
    before, _, rest = text.partition(START)
    return before + START + picture() + END + rest.partition(END)[2]


def picture() -> str:
    """Return the rooms on their floors and what each imports, as Mermaid text."""
    uses = _without_detours(_uses())
    lines = ["graph BT"]
    for number, floor in enumerate(FLOORS):
        lines += [f"  subgraph floor{number}[floor {number}]", *_nodes(sorted(floor)), "  end"]
    lines += ["  subgraph dashboard", *_nodes([PAGE, "app", "frame", "server"]), "  end"]
    lines += [f"  {_key(one)} --> {_key(other)}" for one in sorted(uses) for other in sorted(uses[one])]
    return "\n".join(lines) + "\n"


def _nodes(rooms: list[str]) -> Iterator[str]:
    return (f"    {_key(room)}[{room}]" for room in rooms)


def _key(room: str) -> str:
    return room.replace(" ", "_").replace(".", "_")


def _room(name: str) -> str | None:
    """Return the room of a module or of a name in it; None for packages themselves and what others wrote."""
    package, *parts = name.split(".")
    if package not in PACKAGES or not parts:
        return None
    if package == "dashboard":
        return PAGE if parts[0] in PAGES else parts[0]
    known = set().union(*FLOORS)
    return next((room for room in (".".join(parts[:2]), parts[0]) if room in known), None)


def _uses() -> dict[str, set[str]]:
    """Return the rooms above the ground floor that each room imports."""
    found: dict[str, set[str]] = {}
    for path in source_files(*PACKAGES):
        if (room := _room(module_name(path))) is not None:
            others = {other for used in all_imports(path) if (other := _room(used)) is not None}
            found.setdefault(room, set()).update(others - FLOORS[0] - {room})
    found["commands"] -= {"server"}  # `delve dashboard` starts it
    return {room: others for room, others in found.items() if room not in FLOORS[0]}


def _without_detours(uses: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return the arrows without those that a longer way says as well."""
    reached = {room: _reached(uses, room) for room in uses}
    return {
        one: {
            other
            for other in others
            if not any(other in reached[via] and via not in reached[other] for via in others - {other})
        }
        for one, others in uses.items()
    }


def _reached(uses: Mapping[str, set[str]], start: str) -> set[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        for other in uses.get(waiting.pop(), set()) - seen:
            seen.add(other)
            waiting.append(other)
    return seen


if __name__ == "__main__":
    sys.exit(main())
