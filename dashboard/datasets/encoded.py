"""What do priors make of attributes: default codings side by side, and real cases as a method sees them."""

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from dashboard.datasets.filters import Row
from delvecore.archive import Archive
from delvecore.encoding.encode import TaskPlan, plan_task
from delvecore.encoding.instances import Instance
from delvecore.encoding.prototask_cases import prototask_cases
from delvecore.readers.specifications import read_dataset, read_prior, read_prototask

__all__ = ["encoded_cases_table", "prior_table"]

PARTS = {"type": "type", "levels": "relevance or noise", "default_coding": "coding"}


def prior_table(rows: Sequence[Row]) -> pd.DataFrame:
    """Put the priors of one prototask side by side, an attribute a row.

    rows: of the priors table, one prototask. Columns: attribute, role, and for each prior its type, its
    relevance or noise, its default coding with options, and the number of columns that it makes.
    """
    table: dict[tuple[str, int], dict[str, Any]] = {}
    for row in rows:
        line = table.setdefault(
            (row["role"], row["number"]), {"attribute": row["attribute"], "role": row["role"]}
        )
        for name, title in PARTS.items():
            line[f"{row['prior']}: {title}"] = row[name]
        options = [text for text in (row["options"], row["default_options"]) if text]
        line[f"{row['prior']}: options"] = " ".join(dict.fromkeys(options))
        line[f"{row['prior']}: columns"] = len(row["columns"])
    return pd.DataFrame(list(table.values()))


def encoded_cases_table(
    archive: Archive, dataset: str, prototask: str, prior: str, training_size: int, *, cases: int
) -> pd.DataFrame:
    """Encode the first cases of training set 0 by default codings, one encoded column a row.

    Columns: column, role, attribute, and for each case its value as recorded and its code.
    Raises DelveError where the files do not allow it.
    """
    hierarchy = archive.hierarchy
    facts = read_dataset(hierarchy, dataset)
    problem = read_prototask(hierarchy, facts, prototask)
    assumed = read_prior(hierarchy, facts, problem, prior)
    used = prototask_cases(hierarchy, facts, problem)
    plan = plan_task(hierarchy, used, assumed, training_size)
    instance = plan.instances[0]
    table: list[dict[str, Any]] = []
    for role, numbers in (("input", plan.inputs), ("target", plan.targets)):
        for number in numbers:
            table += _rows_of(plan, instance, role, number, cases)
    return pd.DataFrame(table)


def _rows_of(
    plan: TaskPlan, instance: Instance, role: str, number: int, cases: int
) -> Iterator[dict[str, Any]]:
    attribute, positions = plan.cases.dataset.attribute(number), instance.training[:cases]
    words = [plan.cases.columns[number].words[position] for position in positions]
    columns = plan.texts((number,), positions, plan.constants(instance), instance.training)
    numbers = plan.cases.case_numbers[positions]
    for name, codes in zip(plan.names((number,)), columns, strict=True):
        row: dict[str, Any] = {"column": name, "role": role, "attribute": attribute.name}
        for case, word, code in zip(numbers, words, codes, strict=True):
            row |= {f"case {case}": word, f"case {case} coded": code}
        yield row
