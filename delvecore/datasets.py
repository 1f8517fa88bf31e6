"""Make datasets from frames, bunches and files, for notebooks and programs: `delve import` for Python."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import pyarrow as pa

from delvecore.importers.case_files import open_source
from delvecore.importers.dataset_writer import write_import
from delvecore.importers.export import export_table
from delvecore.importers.plan import ImportOptions, ImportPlan, plan_import
from delvecore.importers.source import MISSING, Source, bunch_source, frame_source
from delvecore.locations import default_directories
from delvecore.model import ImportedOrder, Prototask, place_names
from delvecore.packaging.staging import choose_target
from delvecore.readers.hierarchy import Hierarchy, active_directories, find_directories

Targets = str | Sequence[str]


GUESSED = ImportOptions(guess_target=True)


def preview(file: str | os.PathLike[str], options: ImportOptions = GUESSED) -> ImportPlan:
    """Return the plan for importing a file of cases. Nothing is written. Raises DelveError."""
    return plan_import(open_source(os.fspath(file)), options)


def from_file(
    file: str | os.PathLike[str], *, target: Targets = (), name: str | None = None, into: str, **more: Any
) -> tuple[Prototask, ...]:
    """Make a dataset from a CSV, Parquet or ARFF file; see `from_frame`."""
    return _made(open_source(os.fspath(file)), target, into, name=name, **more)


def from_frame(
    frame: pd.DataFrame | pa.Table, *, target: Targets, name: str, into: str, **more: Any
) -> tuple[Prototask, ...]:
    """Make a dataset from a pandas DataFrame or an Arrow table; return its prototasks.

    target: a column, or several columns with a prototask for each; `a,b` makes one prototask with both. into:
    a delve directory, which is created if its name starts with `delve`. more: types, missing, seed, order,
    sizes, group: see `importers.plan.ImportOptions`. Raises DelveError if there already is a dataset of this
    name, or if the data do not form one.

    >>> import tempfile
    >>> frame = pd.DataFrame({"x": [n * 7 % 40 for n in range(40)], "y": [n / 2 for n in range(40)]})
    >>> with tempfile.TemporaryDirectory() as place:
    ...     [one.path for one in from_frame(frame, target="y", name="line", into=f"{place}/delve")]
    ['/line/y']
    """
    return _made(frame_source(frame, name), target, into, name=name, **more)


def from_bunch(
    bunch: Any, *, name: str, into: str, target: Targets = (), **more: Any
) -> tuple[Prototask, ...]:
    """Make a dataset from the result of scikit-learn's `load_*` and `fetch_*`; see `from_frame`."""
    return _made(bunch_source(bunch, name), target, into, name=name, **more)


def to_frame(place: str, *, task: str | None = None, archive: str | None = None) -> pd.DataFrame:
    """Return the cases of a dataset (`/demo`) or prototask (`/demo/age`) as a pandas DataFrame.

    task: its name (`std.128`), for columns `instance_0` and so on with `train` or `test`; archive: a delve
    directory, in place of the active ones. Raises DelveError.

    >>> list(to_frame("/demo/age", task="std.512").columns)
    ['SEX', 'SIBLINGS', 'INCOME', 'COLOUR', 'AGE', 'instance_0', 'instance_1']
    """
    if archive:
        roots = find_directories([archive])
    else:
        roots = active_directories(os.getcwd(), os.environ.get("DELVE_PATH"), default_directories())
    return export_table(Hierarchy(roots), place_names(place), task=task).to_pandas()


def _made(
    source: Source,
    target: Targets,
    into: str,
    *,
    name: str | None,
    types: Mapping[str, str] = {},
    missing: Sequence[str] = MISSING,
    seed: int = 1,
    order: ImportedOrder | None = None,
    sizes: Sequence[int] = (),
    group: str | None = None,
) -> tuple[Prototask, ...]:
    targets = (target,) if isinstance(target, str) else tuple(target)
    options = ImportOptions(targets, types, missing, seed, name, order=order, sizes=sizes, group=group)
    directory = choose_target(into, (), os.getcwd(), part="data")
    return write_import(plan_import(source, options), directory)
