"""Draw the architecture from the imports, into docs/architecture.md: `python -m docs.draw_architecture`.

A part of the core is a module or folder of `delvecore`; a part of the dashboard is a folder of it. An arrow
leads from a part to one that it imports. Arrows to the lowest layer are left out, and so are those that
follow from others.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.test_architecture import LAYERS, PACKAGES, PAGES, facts, module_name, source_files

__all__ = ["drawn", "main", "picture"]

DOCUMENT = Path(__file__).with_name("architecture.md")
START, END = "```mermaid\n", "```\n"
PAGE = "a page"
"""All pages are one part in the picture: none imports another."""


def main() -> int:
    """Write the picture into the document; return 0."""
    DOCUMENT.write_text(drawn(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


def drawn(text: str) -> str:
    """Return the document with the picture of today's imports."""
    before, _, rest = text.partition(START)
    return before + START + picture() + END + rest.partition(END)[2]


def picture() -> str:
    """Return the parts on their layers and what each imports, as Mermaid text."""
    uses = _without_detours(_uses())
    lines = ["graph BT"]
    for number, layer in enumerate(LAYERS):
        lines += [f"  subgraph layer{number}[layer {number}]", *_nodes(sorted(layer)), "  end"]
    lines += ["  subgraph dashboard", *_nodes([PAGE, "app", "ui", "server"]), "  end"]
    lines += [f"  {_key(one)} --> {_key(other)}" for one in sorted(uses) for other in sorted(uses[one])]
    return "\n".join(lines) + "\n"


def _nodes(parts: list[str]) -> Iterator[str]:
    return (f"    {_key(part)}[{part}]" for part in parts)


def _key(part: str) -> str:
    return part.replace(" ", "_").replace(".", "_")


def _part(name: str) -> str | None:
    """Return the part of a module or of a name in it; None for packages themselves and what others wrote."""
    package, *parts = name.split(".")
    if package not in PACKAGES or not parts:
        return None
    if package == "dashboard":
        return PAGE if parts[0] in PAGES else parts[0]
    known = set().union(*LAYERS)
    return next((part for part in (".".join(parts[:2]), parts[0]) if part in known), None)


def _uses() -> dict[str, set[str]]:
    """Return the parts above the lowest layer that each part imports."""
    uses: dict[str, set[str]] = {}
    for path in source_files(*PACKAGES):
        if (part := _part(module_name(path))) is not None:
            others = {other for used in facts(path).imports if (other := _part(used)) is not None}
            uses.setdefault(part, set()).update(others - LAYERS[0] - {part})
    uses["cli"] -= {"server"}  # `delve dashboard` starts it
    return {part: others for part, others in uses.items() if part not in LAYERS[0]}


def _without_detours(uses: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return the arrows without those that a longer way says as well."""
    reached = {part: _reached(uses, part) for part in uses}
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
