"""Draw the figures of gallery.md from the lines that stand there: `python -m docs.draw_gallery`."""

import re
import sys
from pathlib import Path
from typing import Any

from delvecore.plots.pictures import can_draw, picture

__all__ = ["PICTURES", "lines_of_figures", "main"]

PAGE = Path(__file__).with_name("gallery.md")
PICTURES = PAGE.with_name("pictures") / "gallery"
_BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
_FIGURE = re.compile(r"(?P<call>.+?)  # (?P<name>\w+)\n", re.DOTALL)


def lines_of_figures(page: str) -> tuple[str, dict[str, str]]:
    """Return what comes first, and the expression that makes each figure by its name."""
    first, *others = _BLOCK.findall(page)
    matches = filter(None, map(_FIGURE.fullmatch, others))
    return first, {one["name"]: one["call"] for one in matches}


def main() -> int:
    """Draw all figures; return 1 where there is no browser to draw them."""
    if not can_draw():
        print("no Chromium is found (Debian: apt-get install chromium)", file=sys.stderr)
        return 1
    first, calls = lines_of_figures(PAGE.read_text())
    known: dict[str, Any] = {}
    exec(first, known)
    for name, call in calls.items():
        (PICTURES / f"{name}.svg").write_bytes(picture(eval(call, known), "svg"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
