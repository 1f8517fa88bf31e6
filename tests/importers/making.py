"""Datasets imported from small texts, and what a check says of them."""

from pathlib import Path

from delvecore.checks.datasets import dataset_problems
from delvecore.importers.case_files import open_source
from delvecore.importers.dataset_writer import write_import
from delvecore.importers.plan import ImportOptions, ImportPlan, plan_import
from delvecore.readers.hierarchy import Hierarchy

CARS = """id,maker,doors,weight,airbag,made,owner,fuel,wheels,price
{}"""
FUELS = ("diesel", "petrol", "", "natural gas")


def cars(count: int = 60) -> str:
    """Cases with a counter, categories, dates, texts, missing values and a constant."""
    lines = (
        f"{n + 1},maker {n % 3},{2 + n % 4},{900 + n * 37 % 500}.5,{n % 2},2020-01-{1 + n % 28:02},"
        f"owner {n * 7919 % 1009},{FUELS[n % 4]},4,{'NA' if n % 20 == 7 else 1000 + n * 91 % 700}"
        for n in range(count)
    )
    return CARS.format("\n".join(lines) + "\n")


def delve_directory(parent: Path, name: str = "delve-own") -> Path:
    root = parent / name
    for part in ("data", "methods"):
        (root / part).mkdir(parents=True)
    return root


def planned(path: Path, text: str | bytes | None = None, **options: object) -> ImportPlan:
    """What an import of a file would make, written with the text first."""
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return plan_import(open_source(str(path)), ImportOptions(**options))


def imported(root: Path, path: Path, text: str | None = None, **options: object) -> ImportPlan:
    plan = planned(path, text, **options)
    write_import(plan, str(root))
    return plan


def column(plan: ImportPlan, name: str):
    return next(one for one in plan.columns if one.source == name)


def problems(root: Path, name: str) -> list[str]:
    return [problem.message for problem in dataset_problems(Hierarchy([str(root)]), name)]
