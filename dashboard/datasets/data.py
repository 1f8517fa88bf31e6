"""Cached tables about one dataset, made from the archive: see `dashboard.server.archive` for the rules."""

import pandas as pd
import pyarrow as pa

from dashboard.datasets import distributions, encoded
from dashboard.datasets.case_map import case_map as made_case_map
from dashboard.datasets.figures.case_map import CaseMap
from dashboard.datasets.filters import Row
from dashboard.datasets.prototask_view import PrototaskView, read_prototask_view
from dashboard.server import archive as opened
from delvecore.errors import DelveError

__all__ = [
    "attribute_row",
    "attribute_table",
    "case_map",
    "cases_or_reason",
    "dataset_row",
    "dataset_table",
    "distribution_table",
    "encoded_or_reason",
    "first_cases",
    "prior_table",
    "prototask_view",
    "rows_of",
]

FIRST_CASES = 200


def rows_of(state: str, table: str, dataset: str, prototask: str | None = None) -> list[Row]:
    """Return the rows of one dataset, or of one prototask, in the archive's order."""
    return [
        row
        for row in opened.rows(state, table)
        if row["dataset"] == dataset and prototask in (None, row.get("prototask"))
    ]


def dataset_row(state: str, dataset: str) -> Row:
    """Return the row of a dataset that exists."""
    return rows_of(state, "datasets", dataset)[0]


def attribute_row(state: str, dataset: str, attribute: str) -> Row:
    """Return the row of an attribute that exists."""
    return next(row for row in rows_of(state, "attributes", dataset) if row["attribute"] == attribute)


@opened.cached
def dataset_table(state: str) -> pd.DataFrame:
    """All datasets as the list shows them, one row each, in the archive's order."""
    methods = {
        row["dataset"]: sum(
            any(path.startswith(f"/{row['dataset']}/") for path in paths)
            for paths in opened.tasks_done(state).values()
        )
        for row in opened.rows(state, "datasets")
    }
    table = [
        {
            "dataset": row["dataset"],
            "task types": ", ".join(row["task_types"] or ()),
            "cases": row["cases"],
            "attributes": row["attributes"],
            "missing": _share(row["missing_values"], row["cases"], row["attributes"]),
            "methods": methods[row["dataset"]],
            "origin": row["origin"],
            "usage": row["usage"],
            "prototasks": len(row["prototasks"] or ()),
            "title": row["title"],
        }
        for row in opened.rows(state, "datasets")
    ]
    return pd.DataFrame(table).astype({"cases": "Int64"}) if table else pd.DataFrame(table)


def _share(part: float | None, *whole: int | None) -> float | None:
    if part is None:
        return None
    for size in whole:
        if not size:
            return None
        part /= size
    return part


@opened.cached
def cases_or_reason(state: str, dataset: str) -> tuple[pa.Table | None, str | None]:
    """Return (cases, None), or (None, why they cannot be read)."""
    try:
        return opened.archive_of(state).cases(dataset), None
    except DelveError as error:
        return None, str(error)


@opened.cached
def first_cases(state: str, dataset: str) -> pd.DataFrame:
    """The first cases, values with what is said about missing and censored ones right behind."""
    cases, _ = cases_or_reason(state, dataset)
    table = cases.slice(0, FIRST_CASES) if cases is not None else pa.table({})
    names = [name for name in table.column_names if not name.endswith((" missing", " censored"))]
    order = [
        column
        for name in names
        for column in (name, f"{name} missing", f"{name} censored")
        if column in table.column_names
    ]
    return table.select(order).to_pandas(types_mapper=_nullable)


def _nullable(kind: pa.DataType) -> pd.Int64Dtype | None:
    return pd.Int64Dtype() if kind == pa.int64() else None


@opened.cached
def attribute_table(state: str, dataset: str) -> pd.DataFrame:
    """Everything about the attributes, with the distribution of each as a list of counts."""
    cases, _ = cases_or_reason(state, dataset)
    table = []
    for row in rows_of(state, "attributes", dataset):
        table.append(
            {
                "number": row["number"],
                "attribute": row["attribute"],
                "distribution": distributions.miniature(cases, row) if cases is not None else [],
                "kind": row["kind"],
                "control": row["control"],
                "range": row["range"],
                "minimum": row["minimum"],
                "maximum": row["maximum"],
                "missing": _share(row["missing"], cases.num_rows if cases is not None else None),
                "reasons": distributions.beside_text(cases, row["attribute"], "missing"),
                "censored": _share(row["censored"], cases.num_rows if cases is not None else None),
                "bounds": distributions.beside_text(cases, row["attribute"], "censored"),
                "description": row["description"],
            }
        )
    return pd.DataFrame(table)


@opened.cached
def distribution_table(state: str, dataset: str, attribute: str) -> pd.DataFrame:
    """Counts of one attribute's values: see `dashboard.datasets.distributions`."""
    cases, _ = cases_or_reason(state, dataset)
    if cases is None:
        return pd.DataFrame(columns=distributions.COLUMNS)
    return distributions.distribution_table(cases, attribute_row(state, dataset, attribute))


@opened.cached
def prototask_view(state: str, dataset: str, prototask: str) -> PrototaskView:
    """How the tasks of a prototask use its cases, and what is special: see `prototask_view`."""
    tasks = rows_of(state, "tasks", dataset, prototask)
    return read_prototask_view(opened.archive_of(state).hierarchy, dataset, prototask, tasks)


@opened.cached
def case_map(state: str, dataset: str, prototask: str) -> CaseMap:
    """Which cases go to which set, for each training size: see `dashboard.datasets.case_map`."""
    view = prototask_view(state, dataset, prototask)
    return made_case_map(view.tasks, view.case_count)


@opened.cached
def prior_table(state: str, dataset: str, prototask: str) -> pd.DataFrame:
    """The priors of a prototask side by side: see `dashboard.datasets.encoded`."""
    return encoded.prior_table(rows_of(state, "priors", dataset, prototask))


@opened.cached
def encoded_or_reason(
    state: str, dataset: str, prototask: str, prior: str, training_size: int, cases: int
) -> tuple[pd.DataFrame | None, str | None]:
    """Return (real cases encoded, None), or (None, why they cannot be)."""
    archive = opened.archive_of(state)
    try:
        table = encoded.encoded_cases_table(archive, dataset, prototask, prior, training_size, cases=cases)
    except DelveError as error:
        return None, str(error)
    return table, None
