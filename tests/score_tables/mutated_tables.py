"""Good tables of scores with one fault each, drawn with fixed seeds, and every reading of them that is right."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from tests.word_lists import listed

__all__ = ["MUTATIONS", "Cells", "Mutated", "describe", "mutated_table"]

Cells = dict[tuple[str, str, str], float]
"""Values by (dataset, method, fold), missing ones left out."""
Readings = tuple[Cells, ...]
"""What may be read; a message is always right."""

MARKS = ("", "NA", "nan", "?", "-", "null", "N/A")
DATASETS = ("iris", "wine", "glass", "heart", "sonar", "letter", "vowel", "yeast", "zoo")
METHODS = ("svm", "forest", "knn", "mlp", "boosting", "ridge")


@dataclass(frozen=True)
class Grid:
    """A table of texts. shape: long, wide or turned; decimal: the sign before decimals in the file; options: what
    is said of it; has_folds: is there a column of folds (the third one of a long table)?"""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    shape: str
    separator: str = ","
    decimal: str = "."
    options: tuple[tuple[str, Any], ...] = ()
    is_quoted: bool = False
    has_folds: bool = False

    @property
    def first_value(self) -> int:
        """The place of the first column of values."""
        return len(self.header) - 1 if self.shape == "long" else 1

    def text(self) -> str:
        """The table as its file has it."""
        out = io.StringIO()
        quoting = csv.QUOTE_ALL if self.is_quoted else csv.QUOTE_MINIMAL
        writer = csv.writer(out, delimiter=self.separator, quoting=quoting, lineterminator="\n")
        writer.writerow(self.header)
        writer.writerows(self.rows)
        return out.getvalue()

    @property
    def data(self) -> bytes:
        return self.text().encode()

    def cells(self) -> Cells | None:
        """The values that the table says; None where a value is none, or one run has two."""
        cells: Cells = {}
        for row in self.rows:
            for place in range(self.first_value, len(row)):
                key = self._key(row, place)
                value = _number(row[place], self.decimal)
                if value is None or key in cells:
                    return None
                cells[key] = value
        return {key: value for key, value in cells.items() if not np.isnan(value)}

    def _key(self, row: Sequence[str], place: int) -> tuple[str, str, str]:
        if self.shape == "long":
            return row[0].strip(), row[1].strip(), row[2].strip() if self.has_folds else ""
        names = row[0].strip(), self.header[place].strip()
        return (*names, "") if self.shape == "wide" else (names[1], names[0], "")

    def with_cell(self, row: int, place: int, text: str) -> "Grid":
        """Return the table with another text in a cell."""
        cells = list(self.rows[row])
        cells[place] = text
        return self.with_row(row, cells)

    def without_row(self, row: int) -> "Grid":
        return replace(self, rows=(*self.rows[:row], *self.rows[row + 1 :]))

    def with_row(self, row: int, cells: Sequence[str]) -> "Grid":
        """Return the table with other cells in a row."""
        return replace(self, rows=(*self.rows[:row], tuple(cells), *self.rows[row + 1 :]))


def _number(text: str, decimal: str) -> float | None:
    """Return a value, NaN for the mark of a missing one, None for anything else."""
    plain = text.strip()
    if plain in MARKS:
        return float("nan")
    if decimal == "," and "." in plain:
        return None
    try:
        value = float(plain.replace(decimal, "."))
    except ValueError:
        return None
    return value if np.isfinite(value) and "_" not in plain else None


class Mutated(NamedTuple):
    """data: of the file; name: its name; options: what is said; readings: what may be read, besides a message;
    told: what may be read where it is told that a row is left out."""

    seed: int
    title: str
    data: bytes
    name: str
    options: dict[str, Any]
    readings: Readings
    told: Readings = ()


class _Change(NamedTuple):
    """What a mutation makes: the file, and readings of it. name: of the file where it is another one; told: see
    `Mutated`."""

    data: bytes
    readings: Sequence[Cells | None]
    name: str = ""
    told: Sequence[Cells | None] = ()


Mutate = Callable[[Grid, np.random.Generator], _Change | None]
MUTATIONS: dict[str, tuple[Mutate, float]] = {}


def mutation(title: str, *, weight: float = 1.0) -> Callable[[Mutate], Mutate]:
    """Register a kind of mutation; weight: how often it is drawn."""

    def register(mutate: Mutate) -> Mutate:
        MUTATIONS[title] = mutate, weight
        return mutate

    return register


def mutated_table(seed: int) -> Mutated:
    """Return the table of a seed."""
    rng = np.random.default_rng([6000, seed])
    titles = list(MUTATIONS)
    weights = np.array([weight for _, weight in MUTATIONS.values()])
    for _ in range(100):
        grid = _good_table(rng)
        title = titles[int(rng.choice(len(titles), p=weights / weights.sum()))]
        change = MUTATIONS[title][0](grid, rng)
        if change is not None:
            readings, told = (
                tuple(one for one in some if one is not None) for some in (change.readings, change.told)
            )
            name = change.name or ("results.tsv" if grid.separator == "\t" else "results.csv")
            return Mutated(seed, title, change.data, name, dict(grid.options), readings, told)
    raise RuntimeError(f"no mutation applies for the seed {seed}")


def _good_table(rng: np.random.Generator) -> Grid:
    """Return a table that says one thing only."""
    tasks = rng.choice(DATASETS, int(rng.integers(4, 8)), replace=False).tolist()
    methods = rng.choice(METHODS, int(rng.integers(3, 6)), replace=False).tolist()
    kind = str(rng.choice(["long", "folds", "wide", "turned", "loss", "percent"]))
    folds = int(rng.integers(2, 5)) if kind == "folds" else 1
    values = rng.uniform(0.5, 0.95, (len(tasks), 1, 1)) + rng.normal(
        0, 0.02, (len(tasks), len(methods), folds)
    )
    if kind == "loss":
        values = values * 10.0 ** rng.integers(-5, 4, (len(tasks), 1, 1))
    elif kind == "percent":
        values = np.clip(values * 100, 2, 99.9)
    form = {"loss": "%.5g", "percent": "%.2f"}.get(kind, "%.4f")
    separator, decimal = [(",", "."), (",", "."), ("\t", "."), (";", "."), (";", ",")][int(rng.integers(5))]
    is_quoted = bool(rng.random() < 0.15)

    def text(value: float) -> str:
        return (form % value).replace(".", decimal)

    if kind in ("long", "folds"):
        rows = [
            (task, method, *((str(fold),) if kind == "folds" else ()), text(values[n, m, fold]))
            for n, task in enumerate(tasks)
            for m, method in enumerate(methods)
            for fold in range(folds)
        ]
        metric = str(rng.choice(["accuracy", "auc", "f1"]))
        header = ("dataset", "method", *(("fold",) if kind == "folds" else ()), metric)
        return Grid(header, tuple(rows), "long", separator, decimal, (), is_quoted, kind == "folds")
    options = (("higher_is_better", kind != "loss"),)
    if kind == "turned":
        rows = [
            (method, *(text(values[n, m, 0]) for n in range(len(tasks)))) for m, method in enumerate(methods)
        ]
        return Grid(("method", *tasks), tuple(rows), "turned", separator, decimal, options, is_quoted)
    rows = [(task, *(text(values[n, m, 0]) for m in range(len(methods)))) for n, task in enumerate(tasks)]
    return Grid(("dataset", *methods), tuple(rows), "wide", separator, decimal, options, is_quoted)


def _of_grid(grid: Grid, *others: Cells | None) -> _Change:
    """Return the file of a table that says what it says."""
    return _Change(grid.data, (grid.cells(), *others))


def _of_lines(lines: Sequence[str], *readings: Cells | None) -> _Change:
    """Return the file of some lines."""
    return _Change(("\n".join(lines) + "\n").encode(), readings)


def _straightforward(data: bytes, grid: Grid, encoding: str = "utf-8-sig") -> Cells | None:
    """Return what pandas reads of a text, with columns by their places as they were in the good table."""
    try:
        text = data.decode(encoding)
        frame = pd.read_csv(io.StringIO(text), sep=grid.separator, dtype=str, keep_default_na=False)
    except (ValueError, pd.errors.ParserError, csv.Error):
        return None
    if "\0" in text:
        return None
    if not isinstance(frame.index, pd.RangeIndex):
        frame = frame.reset_index()
    rows = tuple(tuple(str(cell) for cell in row) for row in frame.fillna("").to_numpy().tolist())
    return replace(grid, header=tuple(map(str, frame.columns)), rows=rows).cells()


def _unclear(data: bytes, grid: Grid) -> _Change:
    """Return a file that nobody can be sure of: what pandas reads, what it was before, or a message."""
    readings = [_straightforward(data, grid), grid.cells()]
    if not _is_utf_8(data):
        readings = [_straightforward(data, grid, encoding) for encoding in ("cp1252", "latin-1")]
    return _Change(data, readings)


def _is_utf_8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _place(grid: Grid, rng: np.random.Generator) -> tuple[int, int]:
    """Return a cell with a value."""
    row = int(rng.integers(len(grid.rows)))
    return row, int(rng.integers(grid.first_value, len(grid.header)))


# Cells.


@mutation("a value is missing", weight=2)
def missing_value(grid: Grid, rng: np.random.Generator) -> _Change:
    return _of_grid(grid.with_cell(*_place(grid, rng), str(rng.choice(MARKS))))


@mutation("a digit is another one", weight=2)
def other_digit(grid: Grid, rng: np.random.Generator) -> _Change:
    row, place = _place(grid, rng)
    text = grid.rows[row][place]
    digits = [at for at, letter in enumerate(text) if letter.isdigit()]
    at = int(rng.choice(digits))
    return _of_grid(grid.with_cell(row, place, text[:at] + str(int(rng.integers(10))) + text[at + 1 :]))


@mutation("a sign before a value")
def sign(grid: Grid, rng: np.random.Generator) -> _Change:
    row, place = _place(grid, rng)
    before = str(rng.choice(["+", "-"]))
    return _of_grid(grid.with_cell(row, place, before + grid.rows[row][place]))


NO_NUMBERS = listed("abc  0x1A  0.8.1  --0.8  0.8f  1_000  O.83  0 83  #REF!  =A1  0,8,3  8e  {0.5}")


@mutation("a word where a value should be", weight=2)
def word(grid: Grid, rng: np.random.Generator) -> _Change:
    # Of one cell nobody knows the number: only a message says so.
    changed = grid.with_cell(*_place(grid, rng), str(rng.choice(NO_NUMBERS)))
    return _Change(changed.data, ())


@mutation("a failed run")
def failed_run(grid: Grid, rng: np.random.Generator) -> _Change:
    row, place = _place(grid, rng)
    changed = grid.with_cell(
        row, place, str(rng.choice(["inf", "timeout", "OOM", "failed", "1e400", "Infinity"]))
    )
    return _Change(changed.data, (grid.with_cell(row, place, "").cells(),))


@mutation("a number of 5,000 digits", weight=0.5)
def many_digits(grid: Grid, rng: np.random.Generator) -> _Change:
    row, place = _place(grid, rng)
    text = "".join(rng.choice(list("123456789"), 5000).tolist())
    if rng.random() < 0.5:
        return _of_grid(grid.with_cell(row, place, f"0{grid.decimal}{text}"))
    changed = grid.with_cell(row, place, text)
    # Beyond the largest float: a run without a value, as infinity is.
    return _Change(changed.data, (grid.with_cell(row, place, "").cells(),))


@mutation("a number with other signs")
def other_signs(grid: Grid, rng: np.random.Generator) -> _Change | None:
    row, place = _place(grid, rng)
    text = grid.rows[row][place]
    plain = text.replace(grid.decimal, ".")
    ways = {
        "the other decimal sign": plain.replace(".", "," if grid.decimal == "." else "."),
        "an exponent": f"{float(plain):.10e}".replace(".", grid.decimal),
        "blanks around it": f"  {text} ",
        "a hard blank behind it": f"{text}\u00a0",
        "digits of another script": text.translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")),
        "bold": f"**{text}**",
        "a spread": f"{text} ± 0{grid.decimal}01",
        "another minus": f"\u2212{text}",
    }
    title = str(rng.choice(list(ways)))
    changed = grid.with_cell(row, place, ways[title])
    values = [f"-{text}" if title == "another minus" else text]
    if title == "the other decimal sign" and len(plain.partition(".")[2]) == 3:
        values.append(plain.replace(".", ""))  # as a sign of thousands
    readings = [grid.with_cell(row, place, value).cells() for value in values]
    return _Change(changed.data, readings)


@mutation("a per cent sign")
def per_cent(grid: Grid, rng: np.random.Generator) -> _Change:
    row, place = _place(grid, rng)
    value = float(grid.rows[row][place].replace(grid.decimal, "."))
    is_fraction = value < 1 and dict(grid.options).get("higher_is_better", True)
    text = f"{value * 100:.6g}" if is_fraction else f"{value:.6g}"
    changed = grid.with_cell(row, place, text.replace(".", grid.decimal) + "%")
    is_per_cent = is_fraction or dict(grid.options).get("higher_is_better", True)
    hundredth = grid.with_cell(row, place, f"{value / 100!r}".replace(".", grid.decimal))
    return _Change(changed.data, (grid.cells() if is_per_cent else hundredth.cells(),))


@mutation("thousands with their signs", weight=0.5)
def thousands(grid: Grid, rng: np.random.Generator) -> _Change | None:
    if dict(grid.options).get("higher_is_better") is not False:
        return None
    row, place = _place(grid, rng)
    value = float(rng.integers(10_000, 9_999_999)) / 10
    text = f"{value:,.1f}"
    if grid.decimal == ",":
        text = text.replace(",", "_").replace(".", ",").replace("_", ".")
    plain = f"{value:.1f}".replace(".", grid.decimal)
    return _Change(grid.with_cell(row, place, text).data, (grid.with_cell(row, place, plain).cells(),))


@mutation("a row in per cent")
def other_scale(grid: Grid, rng: np.random.Generator) -> _Change | None:
    values = (grid.cells() or {}).values()
    if grid.shape == "long" or max(values) > 1 or dict(grid.options).get("higher_is_better") is False:
        return None
    row = int(rng.integers(len(grid.rows)))
    name, *texts = grid.rows[row]
    scaled = [
        f"{100 * float(text.replace(grid.decimal, '.')):.2f}".replace(".", grid.decimal) for text in texts
    ]
    changed = grid.with_row(row, [name, *scaled])
    return _Change(changed.data, (grid.cells(),) if grid.shape != "long" else ())


# Names.


@mutation("another name of a dataset or method")
def other_name(grid: Grid, rng: np.random.Generator) -> _Change:
    row = int(rng.integers(len(grid.rows)))
    place = int(rng.integers(2)) if grid.shape == "long" else 0
    name = grid.rows[row][place]
    at = int(rng.integers(len(name)))
    other = str(
        rng.choice([name[:at] + "x" + name[at:], name.upper(), f"{name} 2", f"{name}_b", "é" + name, "日本"])
    )
    return _of_grid(grid.with_cell(row, place, other))


@mutation("a name without letters")
def name_without_letters(grid: Grid, rng: np.random.Generator) -> _Change:
    row = int(rng.integers(len(grid.rows)))
    name = str(rng.choice(["", " ", "NA", "-", "7", "0.5", "nan", "None"]))
    changed = grid.with_cell(row, 0, name)
    return _Change(changed.data, (changed.cells(),), told=(grid.without_row(row).cells(),))


@mutation("a column's name is damaged", weight=2)
def damaged_header(grid: Grid, rng: np.random.Generator) -> _Change:
    place = int(rng.integers(len(grid.header)))
    name = grid.header[place]
    other = str(
        rng.choice(["", name + "x", name[1:], name[:-1], name.upper(), f" {name}", f"{name} ", "?", "1"])
    )
    changed = replace(grid, header=(*grid.header[:place], other, *grid.header[place + 1 :]))
    readings = [changed.cells()]
    if grid.shape == "long" or place == 0:
        # Without its corner, a row of a turned table may as well stand for a dataset.
        readings += [
            grid.cells(),
            replace(changed, shape="wide" if grid.shape == "turned" else grid.shape).cells(),
        ]
    return _Change(changed.data, readings)


@mutation("a column's name twice")
def repeated_header(grid: Grid, rng: np.random.Generator) -> _Change:
    one, other = rng.choice(len(grid.header), 2, replace=False).tolist()
    header = list(grid.header)
    header[one] = header[other]
    return _Change(replace(grid, header=tuple(header)).data, ())


@mutation("no header")
def no_header(grid: Grid, rng: np.random.Generator) -> _Change:
    text = grid.text().split("\n", 1)[1]
    return _Change(text.encode(), (_straightforward(text.encode(), grid),))


@mutation("a header of more than 64 KiB", weight=0.05)
def huge_header(grid: Grid, rng: np.random.Generator) -> _Change | None:
    if grid.shape == "long":
        return None
    values = [f"{value:.4f}".replace(".", grid.decimal) for value in rng.uniform(0.5, 0.9, 400)]
    names = [f"{'long name of a column ' * 8}{n}" for n in range(400)]
    rows = tuple((*row, *values[n:], *values[:n]) for n, row in enumerate(grid.rows))
    return _of_grid(replace(grid, header=(*grid.header, *names), rows=rows))


# Lines and columns.


@mutation("a line is gone")
def deleted_line(grid: Grid, rng: np.random.Generator) -> _Change:
    row = int(rng.integers(len(grid.rows)))
    return _of_grid(grid.without_row(row))


@mutation("a line twice")
def repeated_line(grid: Grid, rng: np.random.Generator) -> _Change:
    row, at = (int(rng.integers(len(grid.rows))) for _ in range(2))
    changed = replace(grid, rows=(*grid.rows[:at], grid.rows[row], *grid.rows[at:]))
    return _Change(changed.data, (grid.cells(),))


@mutation("a line twice with another value")
def contradicting_line(grid: Grid, rng: np.random.Generator) -> _Change:
    row, place = _place(grid, rng)
    cells = list(grid.rows[row])
    cells[place] = f"{0.123:.3f}".replace(".", grid.decimal)
    return _Change(replace(grid, rows=(*grid.rows, tuple(cells))).data, ())


@mutation("a column of scores is gone")
def deleted_column(grid: Grid, rng: np.random.Generator) -> _Change:
    place = int(rng.integers(grid.first_value, len(grid.header)))

    def without(cells: Sequence[str]) -> tuple[str, ...]:
        return (*cells[:place], *cells[place + 1 :])

    changed = replace(grid, header=without(grid.header), rows=tuple(map(without, grid.rows)))
    # Without its only column of scores, a long table says nothing.
    return _Change(changed.data, () if grid.shape == "long" else (changed.cells(),))


@mutation("a column twice")
def repeated_column(grid: Grid, rng: np.random.Generator) -> _Change:
    place = int(rng.integers(grid.first_value, len(grid.header)))
    rows = tuple((*row, row[place]) for row in grid.rows)
    return _Change(replace(grid, header=(*grid.header, grid.header[place]), rows=rows).data, (grid.cells(),))


@mutation("a cell too few", weight=2)
def short_line(grid: Grid, rng: np.random.Generator) -> _Change:
    row, place = int(rng.integers(len(grid.rows))), int(rng.integers(len(grid.header)))
    cells = grid.rows[row]
    data = grid.with_row(row, (*cells[:place], *cells[place + 1 :])).data
    if place == len(cells) - 1:
        return _Change(data, (grid.with_cell(row, place, "").cells(),))
    return _Change(data, ())


@mutation("a cell too many", weight=2)
def long_line(grid: Grid, rng: np.random.Generator) -> _Change:
    row, place = int(rng.integers(len(grid.rows))), int(rng.integers(len(grid.header) + 1))
    cells = grid.rows[row]
    text = str(rng.choice(["", "0.5", "x", cells[min(place, len(cells) - 1)]]))
    changed = grid.with_row(row, (*cells[:place], text, *cells[place:]))
    readings = (grid.cells(),) if place == len(cells) and not text else ()
    return _Change(changed.data, readings)


@mutation("another separator in a line")
def other_separator(grid: Grid, rng: np.random.Generator) -> _Change:
    lines = grid.text().splitlines()
    at = int(rng.integers(len(lines)))
    lines[at] = lines[at].replace(grid.separator, str(rng.choice([";", "\t", "|", " ", ","])))
    return _of_lines(lines, grid.cells())


@mutation("the header again")
def header_again(grid: Grid, rng: np.random.Generator) -> _Change:
    lines = grid.text().splitlines()
    lines.insert(int(rng.integers(2, len(lines) + 1)), lines[0])
    return _of_lines(lines, grid.cells())


@mutation("blank lines")
def blank_lines(grid: Grid, rng: np.random.Generator) -> _Change:
    lines = grid.text().splitlines()
    for _ in range(int(rng.integers(1, 4))):
        lines.insert(int(rng.integers(len(lines) + 1)), str(rng.choice(["", "  ", "\t"])))
    return _of_lines(lines, grid.cells())


@mutation("a comment")
def comment(grid: Grid, rng: np.random.Generator) -> _Change:
    lines = grid.text().splitlines()
    at = int(rng.choice([0, int(rng.integers(len(lines) + 1))]))
    lines.insert(at, str(rng.choice(["# made by a script", "#", "# accuracies, 3 seeds", "// no comment"])))
    return _of_lines(lines, grid.cells())


@mutation("a row begins with #")
def hash_row(grid: Grid, rng: np.random.Generator) -> _Change:
    row = int(rng.integers(len(grid.rows)))
    return _of_grid(grid.with_cell(row, 0, "#" + str(rng.choice(["2", " 2", "x"]))))


@mutation("lines of another system")
def other_lines(grid: Grid, rng: np.random.Generator) -> _Change:
    text = grid.text()
    kind = str(rng.choice(["\r\n", "\r", "mixed", "no end"]))
    if kind == "mixed":
        lines = text.splitlines()
        text = "".join(line + str(rng.choice(["\n", "\r\n"])) for line in lines)
    elif kind == "no end":
        text = text.rstrip("\n")
    else:
        text = text.replace("\n", kind)
    return _Change(text.encode(), (grid.cells(),))


@mutation("a file that is cut off", weight=1.5)
def cut(grid: Grid, rng: np.random.Generator) -> _Change:
    data = grid.data
    data = data[: int(rng.integers(len(data) // 3, len(data)))]
    return _Change(data, (_straightforward(data, grid),))


@mutation("a row of means")
def means(grid: Grid, rng: np.random.Generator) -> _Change | None:
    if grid.shape != "wide":
        return None
    values = np.array([[float(text.replace(grid.decimal, ".")) for text in row[1:]] for row in grid.rows])
    name = str(rng.choice(["Average", "mean", "Mean accuracy", "AVG"]))
    shift = float(rng.choice([0, 0.05]))
    texts = [f"{value:.6g}".replace(".", grid.decimal) for value in values.mean(axis=0) * (1 + shift)]
    changed = replace(grid, rows=(*grid.rows, (name, *texts)))
    # What agrees with its name is a summary; what does not is a dataset, or a question.
    return _Change(changed.data, (changed.cells(),) if shift else (grid.cells(),))


# Quotes, bytes and encodings.


@mutation("a quote that is not closed", weight=1.5)
def lone_quote(grid: Grid, rng: np.random.Generator) -> _Change:
    text = grid.text()
    at = int(rng.integers(len(text)))
    data = (text[:at] + str(rng.choice(['"', '""', "'", '"""'])) + text[at:]).encode()
    return _unclear(data, grid)


@mutation("a name with separators, quotes and line ends")
def name_with_signs(grid: Grid, rng: np.random.Generator) -> _Change:
    row = int(rng.integers(len(grid.rows)))
    name = grid.rows[row][0] + str(rng.choice([", 2", "; 2", "\t2", ' "2"', " | 2", "'s", " (2)", ": 2"]))
    return _of_grid(grid.with_cell(row, 0, name))


@mutation("a byte is another one", weight=3)
def other_byte(grid: Grid, rng: np.random.Generator) -> _Change:
    data = bytearray(grid.data)
    data[int(rng.integers(len(data)))] = int(rng.choice([rng.integers(32, 127), rng.integers(256)]))
    return _unclear(bytes(data), grid)


@mutation("a byte is gone", weight=3)
def deleted_byte(grid: Grid, rng: np.random.Generator) -> _Change:
    data = grid.data
    at = int(rng.integers(len(data)))
    return _unclear(data[:at] + data[at + 1 :], grid)


@mutation("a byte too many", weight=3)
def inserted_byte(grid: Grid, rng: np.random.Generator) -> _Change:
    data = grid.data
    at = int(rng.integers(len(data)))
    byte = int(rng.choice([ord(grid.separator), ord('"'), 10, 32, int(rng.integers(32, 127))]))
    return _unclear(data[:at] + bytes([byte]) + data[at:], grid)


@mutation("a NUL")
def nul(grid: Grid, rng: np.random.Generator) -> _Change:
    data = grid.data
    at = int(rng.integers(len(data)))
    return _Change(data[:at] + b"\0" * int(rng.choice([1, 1, 8])) + data[at:], ())


@mutation("two encodings")
def two_encodings(grid: Grid, rng: np.random.Generator) -> _Change:
    one, other = rng.choice(len(grid.rows), 2, replace=False).tolist()
    changed = grid.with_cell(one, 0, "Überblick").with_cell(other, 0, "café")
    return _Change(changed.data.replace("Überblick".encode(), "Überblick".encode("latin-1")), ())


@mutation("Latin-1")
def latin_1(grid: Grid, rng: np.random.Generator) -> _Change:
    changed = grid.with_cell(int(rng.integers(len(grid.rows))), 0, "café crème")
    return _Change(changed.text().encode("latin-1"), (changed.cells(),))


@mutation("a byte-order mark before other bytes")
def wrong_mark(grid: Grid, rng: np.random.Generator) -> _Change:
    text = grid.text()
    utf_8 = b"\xef\xbb\xbf"
    marks = [b"\xff\xfe", b"\xfe\xff", utf_8, b"\xff\xfe\x00\x00", 2 * utf_8, b"\xff", utf_8]
    at = int(rng.integers(len(marks)))
    data = marks[at] + text.encode("utf-16-le" if at == 2 else "utf-8")
    # The letter ÿ of Latin-1 may begin a name.
    letter = replace(grid, header=("ÿ" + grid.header[0], *grid.header[1:]))
    shown = replace(letter, shape="wide" if grid.shape == "turned" else grid.shape)
    readings = {4: (grid.cells(),), 5: (letter.cells(), shown.cells()), 6: (grid.cells(),)}
    return _Change(data, readings.get(at, ()))


@mutation("a byte-order mark between lines", weight=0.5)
def mark_between(grid: Grid, rng: np.random.Generator) -> _Change:
    lines = grid.text().splitlines()
    at = int(rng.integers(1, len(lines)))
    lines[at] = "\ufeff" + lines[at]
    marked = grid.with_cell(at - 1, 0, "\ufeff" + grid.rows[at - 1][0])
    return _of_lines(lines, grid.cells(), marked.cells())


@mutation("bytes that are no table", weight=0.5)
def noise(grid: Grid, rng: np.random.Generator) -> _Change:
    kind = int(rng.integers(5))
    data = rng.integers(0, 256, int(rng.integers(1, 3000)), dtype=np.uint8).tobytes()
    content = [data, b"PK\x03\x04" + data, b"PAR1" + data, b"\x1f\x8b\x08\x00" + data, b""][kind]
    return _Change(content, ())


# JSON.


def _records(grid: Grid) -> list[dict[str, Any]]:
    """Return the rows of a table as objects with numbers."""
    return [
        {
            name: float(text.replace(grid.decimal, ".")) if place >= grid.first_value else text
            for place, (name, text) in enumerate(zip(grid.header, row, strict=True))
        }
        for row in grid.rows
    ]


def _json(content: str, *readings: Cells | None) -> _Change:
    return _Change(content.encode("utf-8", "surrogatepass"), readings, "results.json")


@mutation("JSON with a value that is missing")
def json_missing(grid: Grid, rng: np.random.Generator) -> _Change:
    records, (row, place) = _records(grid), _place(grid, rng)
    way = str(rng.choice(["null", "gone", "NaN"]))
    if way == "gone":
        del records[row][grid.header[place]]
    else:
        records[row][grid.header[place]] = None if way == "null" else float("nan")
    return _json(json.dumps(records), grid.with_cell(row, place, "").cells())


@mutation("JSON with a value that is none")
def json_other(grid: Grid, rng: np.random.Generator) -> _Change:
    records, (row, place) = _records(grid), _place(grid, rng)
    others: list[Any] = [[0.5], {"mean": 0.5}, "high", True, [], {}, "0.8.1"]
    other = others[int(rng.integers(len(others)))]
    records[row][grid.header[place]] = other
    # An empty list or object is no value; of an object, pandas makes a column of its own.
    readings = [grid.with_cell(row, place, "").cells()] if other in ([], {}) else []
    if isinstance(other, dict) and other and grid.shape != "long":
        name = f"{grid.header[place]}.mean"
        wider = replace(grid, header=(*grid.header, name), rows=tuple((*cells, "") for cells in grid.rows))
        value = f"0{grid.decimal}5"
        readings.append(wider.with_cell(row, place, "").with_cell(row, len(grid.header), value).cells())
    return _json(json.dumps(records), *readings)


@mutation("JSON that is cut off")
def json_cut(grid: Grid, rng: np.random.Generator) -> _Change:
    text = json.dumps(_records(grid))
    return _json(text[: int(rng.integers(len(text) // 3, len(text)))])


@mutation("JSON with another byte")
def json_byte(grid: Grid, rng: np.random.Generator) -> _Change:
    text = json.dumps(_records(grid))
    at = int(rng.integers(len(text)))
    changed = text[:at] + chr(int(rng.integers(32, 127))) + text[at + 1 :]
    return _json(changed, grid.cells(), _of_records(changed, grid))._replace(told=(_of_named(changed, grid),))


def _of_records(text: str, grid: Grid) -> Cells | None:
    """Return what pandas makes of records; None where they are none, or lack the columns of a long table."""
    try:
        records = json.loads(text)
    except ValueError:
        return None
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        return None
    header = list(dict.fromkeys(name for record in records for name in record))
    if grid.shape == "long":
        header = list(grid.header)
    elif header and header[0] != grid.header[0]:
        return None
    rows = [["" if record.get(name) is None else str(record[name]) for name in header] for record in records]
    return replace(grid, header=tuple(header), rows=tuple(map(tuple, rows)), decimal=".").cells()


def _of_named(text: str, grid: Grid) -> Cells | None:
    """Return what those records say that have names, in the columns of the good table."""
    try:
        records = [
            {name: record[name] for name in grid.header if name in record} for record in json.loads(text)
        ]
    except (TypeError, ValueError):
        return None
    count = 2 if grid.shape == "long" else 1
    return _of_records(json.dumps([one for one in records if set(grid.header[:count]) <= set(one)]), grid)


@mutation("JSON with a key twice")
def json_twice(grid: Grid, rng: np.random.Generator) -> _Change:
    row, place = _place(grid, rng)
    texts = [json.dumps(record) for record in _records(grid)]
    texts[row] = texts[row][:-1] + f", {json.dumps(grid.header[place])}: 0.123}}"
    return _json(f"[{', '.join(texts)}]")


@mutation("JSON 100,000 deep", weight=0.3)
def json_deep(grid: Grid, rng: np.random.Generator) -> _Change:
    opening, closing = [("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")][int(rng.integers(3))]
    depth = 100_000
    end = "1" + closing * depth if rng.random() < 0.7 else ""
    return _json(opening * depth + end)


@mutation("JSON with a number of 5,000 digits", weight=0.5)
def json_digits(grid: Grid, rng: np.random.Generator) -> _Change:
    row, place = _place(grid, rng)
    records: list[dict[str, Any]] = _records(grid)
    records[row][grid.header[place]] = "many digits"
    digits = "7" * 5000
    text = json.dumps(records).replace('"many digits"', digits if rng.random() < 0.5 else f"0.{digits}")
    if "0.777" in text:
        return _json(text, _of_records(text, grid))
    return _json(text, grid.with_cell(row, place, "").cells())


@mutation("JSON with a lone surrogate", weight=0.5)
def json_surrogate(grid: Grid, rng: np.random.Generator) -> _Change:
    records = _records(grid)
    records[int(rng.integers(len(records)))][grid.header[0]] = "name \ud800"
    return _json(json.dumps(records, ensure_ascii=bool(rng.random() < 0.7)))


def describe(table: Mutated) -> str:
    """Return the fault, what is said, and the first lines of a file."""
    shown = table.data[:600].decode("utf-8", "replace")
    return f"seed {table.seed}: {table.title}; {table.options}\n{shown}"
