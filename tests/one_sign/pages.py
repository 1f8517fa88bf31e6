"""What pages show of a case: running text, and the tables behind figures and downloads, as rows."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

from dashboard.server import archive as opened
from dashboard.ui import blocks
from delvecore.score_tables.options import ScoreOptions
from tests.dashboard.conftest import RunPage
from tests.dashboard.reading import plain
from tests.one_sign.outputs import Row, csv_rows
from tests.one_sign.surfaces import Mean, Pair
from tests.one_sign.tables import Case

LOSS_KEYS = ("loss", "mean_loss", "value", "mean")
"""What a column of values is called where it is not called as the measure is."""


class Shown:
    """A page that was run: its text, {name: rows} of the tables of figures and of others, and {name: text} of
    the files that it offers."""

    def __init__(self, text: str, tables: dict[str, list[Row]], files: dict[str, str]) -> None:
        self.text, self.tables, self.files = text, tables, files

    def rows(self, end: str) -> list[Row]:
        """Return the rows of the one table whose file's name ends like this."""
        rows = [rows for name, rows in self.tables.items() if name.endswith(end)]
        assert len(rows) == 1, (end, list(self.tables))
        return rows[0]

    def file(self, end: str) -> str:
        """Return the one file whose name ends like this."""
        texts = [text for name, text in self.files.items() if name.endswith(end)]
        assert len(texts) == 1, (end, list(self.files))
        return texts[0]


def rows_of(table: pd.DataFrame | pa.Table) -> list[Row]:
    return list(table.to_pylist() if isinstance(table, pa.Table) else table.to_dict("records"))


def run(case: Case, run_page: RunPage, name: str, **parameters: str) -> Shown:
    """Run a page on a case; the tables are those that its numbers and its downloads are made of."""
    tables: dict[str, list[Row]] = {}
    files: dict[str, str] = {}
    figure_block, table_block, download = blocks.figure_block, blocks.table_block, blocks.download

    def with_figure(figure: Any, table: Any, **options: Any) -> Any:
        tables[options["name"]] = rows_of(table)
        return figure_block(figure, table, **options)

    def with_table(table: Any, **options: Any) -> Any:
        tables[options["name"]] = rows_of(table)
        return table_block(table, **options)

    def with_file(label: str, make: Callable[[], str | bytes], file_name: str, **options: Any) -> None:
        if not file_name.endswith(".zip"):
            content = make()
            files[file_name] = content if isinstance(content, str) else content.decode()
        download(label, make, file_name, **options)

    if case.is_loss:
        opened.choose_paths([str(case.directory)])
        parameters |= {"loss": case.name}
    else:
        scores = ScoreOptions(value=(case.name,), higher_is_better=case.higher_is_better)
        opened.choose_paths([case.file()], scores=scores)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(case.directory / "cache"))
        patch.setattr(blocks, "figure_block", with_figure)
        patch.setattr(blocks, "table_block", with_table)
        patch.setattr(blocks, "download", with_file)
        app = run_page(name, **parameters)
    assert not app.error
    return Shown(plain(app), tables, files)


def value_in(row: Row, case: Case, *more: str) -> float:
    """Return the value of the measure in a row of a page."""
    keys = (*more, *LOSS_KEYS, *(() if case.name in ("cost",) else (case.name,)))
    return float(next(row[key] for key in keys if key in row))


@cache
def path_of(case: Case) -> str:
    """Return the task that the Compare page is asked about."""
    return str(case.expected.values.index[0])


def ranking_pairs(shown: Shown) -> Iterator[Pair]:
    for row in shown.rows("-pairs"):
        numbers = row["difference"], None, None, row["verdict"], row["p_adjusted"]
        yield Pair(row["row"], row["column"], None, *numbers)


def pair_numbers(shown: Shown, a: str = "ant", b: str = "bee") -> Iterator[Pair]:
    row = next(row for row in shown.rows("-effects") if row["effect"] == "Mean difference")
    yield Pair(a, b, None, row["estimate"], row["lower"], row["upper"])


def combined_pairs(shown: Shown) -> Iterator[Pair]:
    for row in shown.rows("-task-tests"):
        ends = row["mean"], row["lower"], row["upper"]
        yield Pair(row["method_a"], row["method_b"], None, *ends, is_weighted=True)


def values_means(shown: Shown, case: Case) -> Iterator[Mean]:
    for row in shown.rows("-values"):
        yield Mean(row["method"], row["task"], value_in(row, case))


def estimates_means(shown: Shown, case: Case) -> Iterator[Mean]:
    for row in shown.rows("-overview"):
        yield Mean(row["method"], path_of(case), value_in(row, case))


def difference_pairs(shown: Shown, case: Case) -> Iterator[Pair]:
    for row in shown.rows("-overview"):
        if row["verdict"] != "reference":
            numbers = row["difference"], row["lower"], row["upper"], row["verdict"], row["p_adjusted"]
            yield Pair(row["method"], row["reference"], path_of(case), *numbers)
    for row in shown.tables.get(next((name for name in shown.tables if name.endswith("-matrix")), ""), []):
        numbers = row["difference"], None, None, row["verdict"]
        yield Pair(row["method_a"], row["method_b"], path_of(case), *numbers)
    for name, rows in shown.tables.items():
        for row in rows if name.endswith("-same") else ():
            ends = row["difference"], row["lower"], row["upper"], row["verdict"]
            yield Pair(row["method_a"], row["method_b"], row["task"], *ends)


def estimates_file_means(shown: Shown, case: Case) -> Iterator[Mean]:
    for row in csv_rows(shown.file("-estimates-table.csv")):
        yield Mean(row["method"], path_of(case), row["mean"], raw=True)
        yield Mean(row["method"], path_of(case), row["standardized_mean"])


def file_pairs(shown: Shown, case: Case) -> Iterator[Pair]:
    for row in csv_rows(shown.file("-pairs-table.csv")):
        a, b, path = row["method_a"], row["method_b"], path_of(case)
        yield Pair(a, b, path, row["difference"], row["lower"], row["upper"], raw=True)
        ends = row["standardized_lower"], row["standardized_upper"]
        yield Pair(a, b, path, row["standardized_difference"], *ends)


def training_set_means(shown: Shown, case: Case) -> Iterator[Mean]:
    for row in shown.rows("-training-sets"):
        yield Mean(row["method"], path_of(case), value_in(row, case), f"run {row['instance']}", raw=True)


def cost_means(shown: Shown, case: Case, end: str) -> Iterator[Mean]:
    for row in shown.rows(end):
        yield Mean(row["method"], None, value_in(row, case))


def array_path(row: Row) -> str:
    return "/".join(("", row["dataset"], row["prototask"], row["task"]))


def array_means(shown: Shown, case: Case, end: str) -> Iterator[Mean]:
    for row in shown.rows(end):
        method = row.get("method", row.get("best"))
        yield Mean(method, array_path(row), value_in(row, case, "standardized_mean"))


def array_pairs(shown: Shown, end: str) -> Iterator[Pair]:
    for row in shown.rows(end):
        if row["method"] != row["reference"]:
            numbers = row["difference"], None, None, row["verdict"], row["p_adjusted"]
            yield Pair(row["method"], row["reference"], array_path(row), *numbers)


def method_means(shown: Shown, case: Case, method: str = "bee") -> Iterator[Mean]:
    for row in shown.rows("-losses"):
        yield Mean(method, row["task"], value_in(row, case))
        best = next(
            row[key] for key in (f"best_{case.name}", "best_loss", "best_mean", "best_value") if key in row
        )
        yield Mean(row["best_method"], row["task"], best)
