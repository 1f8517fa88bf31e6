"""Draw the figures of statistics.md: `python -m docs.draw_statistics`.

Rates are read from the tables of error-rates.md, so that figures and tables agree."""

import re
import sys
from collections import defaultdict
from collections.abc import Sequence
from html import escape
from pathlib import Path

__all__ = ["PICTURES", "drawn", "main", "table_rows"]

DOCS = Path(__file__).parent
PICTURES = DOCS / "pictures" / "statistics"
BLUE, ORANGE, GRAY, INK = "#2a78d6", "#d9730d", "#e3e5e8", "#30343a"
LEVEL = 0.05


def main() -> int:
    """Write all figures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name, text in drawn().items():
        (PICTURES / f"{name}.svg").write_text(text, encoding="utf-8")
    return 0


def drawn() -> dict[str, str]:
    """Return the figures as SVG, by name."""
    page = (DOCS / "error-rates.md").read_text(encoding="utf-8")
    return {
        "designs": _designs(),
        "verdicts": _verdicts(),
        "overlap": _bars(_overlap_rates(page), ("not corrected", "corrected"), label_width=380),
        "units": _bars(_unit_rates(page), ("each task counts", "the dataset counts once"), label_width=110),
    }


def _designs() -> str:
    """Draw which cases train and test in each instance of four designs."""
    own = ["TTTTTTEE........", "........TTTTTTEE"]
    common = ["TTTTTT......EEEE", "......TTTTTTEEEE"]
    folds = ["".join("E" if case // 4 == fold else "T" for case in range(16)) for fold in range(4)]
    designs = {
        "Hierarchical: a test set for each training set": own,
        "A common test set": common,
        "Four folds: training sets overlap": folds,
        "Four runs on one split: only the seeds differ": ["TTTTTTTTTTTTEEEE"] * 4,
    }
    colors = {"T": BLUE, "E": ORANGE, ".": GRAY}
    parts = []
    for number, (title, rows) in enumerate(designs.items()):
        left, top = 20 + 370 * (number % 2), 30 + 130 * (number // 2)
        parts.append(_text(left, top, title, weight="bold"))
        for row, cells in enumerate(rows):
            parts += [
                _box(left + 20 * case, top + 12 + 19 * row, 18, 15, colors[kind])
                for case, kind in enumerate(cells)
            ]
    legend = (("trains", BLUE), ("tests", ORANGE), ("not used", GRAY))
    parts += _legend(20, 280, legend)
    parts.append(_text(320, 292, "A row is an instance (a run), and a column is a case."))
    return _svg(740, 310, parts)


def _verdicts() -> str:
    """Draw four intervals of a difference, the margin of equivalence, and the verdict of each."""
    zero, unit, margin = 250, 60, 0.8
    rows = (
        (-2.6, -0.6, "A is better"),
        (-1.4, 0.9, "not significant"),
        (-0.5, 0.4, "not significant; as good as each other by the test of equivalence"),
        (0.3, 2.2, "A is worse"),
    )
    parts = [
        _box(zero - margin * unit, 30, 2 * margin * unit, 170, GRAY),
        f'<path d="M{zero} 30V200" stroke="{INK}" stroke-dasharray="4 3"/>',
        _text(zero, 20, "0", anchor="middle"),
        _text(zero, 220, "loss of A less loss of B; gray: margin of practical equivalence", anchor="middle"),
    ]
    for number, (low, high, verdict) in enumerate(rows):
        y, left, right = 50 + 42 * number, zero + unit * low, zero + unit * high
        middle = (left + right) / 2
        parts.append(f'<path d="M{left:g} {y}H{right:g}" stroke="{BLUE}" stroke-width="3"/>')
        parts.append(f'<circle cx="{middle:g}" cy="{y}" r="5" fill="{BLUE}"/>')
        parts.append(_text(405, y + 4, verdict))
    return _svg(850, 235, parts)


def _overlap_rates(page: str) -> list[tuple[str, float, float]]:
    """Return the highest rate of each kind of instances over all learners: plain test, corrected test."""
    rates_by_kind: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for row in table_rows(page, "Instances that share cases", "uncorrected"):
        rates_by_kind[row["instances"]].append((float(row["uncorrected"]), float(row["rate"])))
    return [
        (name, *(max(rates) for rates in zip(*pairs, strict=True))) for name, pairs in rates_by_kind.items()
    ]


def _unit_rates(page: str) -> list[tuple[str, float, float]]:
    """Return the rates of Friedman's test by the number of methods: each task, each dataset."""
    rows = table_rows(page, "Rankings whose tasks are related", "if each task counts")
    return [
        (f"{row['methods']} methods", float(row["if each task counts"]), float(row["Friedman"]))
        for row in rows
        if row["unit"] == "dataset"
    ]


def table_rows(page: str, heading: str, title: str) -> list[dict[str, str]]:
    """Return the rows of the table with a column of this title below a heading."""
    section = re.split(rf"^## {re.escape(heading)}$", page, flags=re.MULTILINE)[1].split("\n## ")[0]
    for table in re.findall(r"(?:^\|.*\n)+", section + "\n", re.MULTILINE):
        titles, _, *rows = (
            [cell.strip() for cell in line.strip("| ").split(" | ")] for line in table.splitlines()
        )
        if title in titles:
            return [dict(zip(titles, row, strict=True)) for row in rows]
    raise ValueError(f"docs/error-rates.md: expected a table with {title!r} below {heading!r}")


def _bars(rows: Sequence[tuple[str, float, float]], names: tuple[str, str], *, label_width: int) -> str:
    """Draw two bars a row: rates from 0 to 1, with a line at the level that the tests promise."""
    width, step = 380, 40
    bottom = 20 + step * len(rows)
    at = label_width + width * LEVEL
    parts = []
    for number, (name, *rates) in enumerate(rows):
        top = 20 + step * number
        parts.append(_text(label_width - 10, top + 20, name, anchor="end"))
        for place, (rate, color) in enumerate(zip(rates, (ORANGE, BLUE), strict=True)):
            y = top + 3 + 15 * place
            parts.append(_box(label_width, y, round(width * rate, 1), 13, color))
            end = max(round(label_width + width * rate, 1), at)
            parts.append(_text(end + 5, y + 11, f"{100 * rate:.1f} %"))
    parts.append(f'<path d="M{at:g} 12V{bottom}" stroke="{INK}" stroke-dasharray="4 3"/>')
    parts.append(_text(at + 4, 14, "5 %"))
    parts += _legend(label_width, bottom + 8, tuple(zip(names, (ORANGE, BLUE), strict=True)))
    return _svg(label_width + width + 70, bottom + 35, parts)


def _legend(left: float, top: float, entries: Sequence[tuple[str, str]]) -> list[str]:
    parts = []
    for name, color in entries:
        parts += [_box(left, top, 14, 14, color), _text(left + 20, top + 12, name)]
        left += 50 + 8 * len(name)
    return parts


def _box(x: float, y: float, width: float, height: float, color: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{color}"/>'


def _text(x: float, y: float, text: str, *, anchor: str = "start", weight: str = "normal") -> str:
    place = f'x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-weight="{weight}"'
    return f"<text {place}>{escape(text)}</text>"


def _svg(width: int, height: int, parts: Sequence[str]) -> str:
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}'
    style = f'font-family="sans-serif" font-size="13" fill="{INK}"'
    return "\n".join([f"{head} {style}>", _box(0, 0, width, height, "#ffffff"), *parts, "</svg>\n"])


if __name__ == "__main__":
    sys.exit(main())
