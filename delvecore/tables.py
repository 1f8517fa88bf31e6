"""The Arrow tables of an archive and those derived from it: fixed schemas, and rows made from model objects.

Every table has the same columns in the same order for every archive; a table without content has no rows,
and unknown values are null. `docs/tables.md` documents the columns of an archive's tables."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from delvecore.errors import ParseError

_Columns = dict[str, pa.DataType]


def _schema(*groups: _Columns) -> pa.Schema:
    return pa.schema([field for columns in groups for field in columns.items()])


def _texts(names: str) -> _Columns:
    return dict.fromkeys(names.split(), pa.string())


def _wholes(names: str) -> _Columns:
    return dict.fromkeys(names.split(), pa.int64())


def _reals(names: str) -> _Columns:
    return dict.fromkeys(names.split(), pa.float64())


def _flags(names: str) -> _Columns:
    return dict.fromkeys(names.split(), pa.bool_())


def _lists(columns: _Columns) -> _Columns:
    """Return columns of lists of these types."""
    return {name: pa.list_(kind) for name, kind in columns.items()}


TASK_AND_LOSS = _texts("dataset prototask task prior") | _wholes("training_size") | _texts("loss")
"""Columns that identify a task and a loss."""
_RESULT = _texts("method") | {name: kind for name, kind in TASK_AND_LOSS.items() if name != "loss"}
"""Columns that identify the method and the task of a row."""
SCHEMAS = {
    "datasets": _schema(
        _texts("dataset title origin usage order"),
        _wholes("attributes cases"),
        _flags("commonality"),
        _wholes("missing_values censored_values"),
        _lists(_texts("task_types prototasks")),
        _texts("summary"),
        _lists(_texts("documents")),
        _texts("directory"),
        _wholes("groups"),
    ),
    "attributes": _schema(
        _texts("dataset"),
        _wholes("number"),
        _texts("attribute control range kind"),
        _lists(_texts("categories")),
        _texts("description"),
        _wholes("missing censored"),
        _reals("minimum maximum"),
    ),
    "prototasks": _schema(
        _texts("dataset prototask origin cases order"),
        _lists(_texts("inputs targets")),
        _wholes("test_set_size"),
        _lists(_wholes("training_set_sizes")),
        _texts("test_set_selection"),
        _wholes("maximum_instances"),
        _texts("task_type"),
        _wholes("case_count"),
        _lists(_texts("priors")),
        _texts("summary"),
        _wholes("maximum_dependency_range"),
        _flags("stratified"),
        _lists(_texts("transformations")),
    ),
    "priors": _schema(
        _texts("dataset prototask prior"),
        _wholes("number"),
        _texts("attribute role levels type options default_coding default_options"),
        _lists(_texts("columns")),
        _texts("dependency_strength"),
        _wholes("dependency_range"),
    ),
    "tasks": _schema(
        _texts("dataset prototask task prior"),
        _wholes("training_size"),
        _texts("test_set_selection task_type"),
        _wholes("instances test_cases"),
        _flags("standard"),
        _wholes("unused_cases gap_cases"),
        _texts("balance overlap scheme"),
        _reals("share"),
        _lists(_wholes("case_groups")),
    ),
    "methods": _schema(
        _texts("method summary"), _lists(_texts("documents")), _wholes("tasks"), _lists(_texts("directories"))
    ),
    "codings": _schema(
        _texts("method dataset prototask task"),
        _wholes("number"),
        _texts("attribute role coding options"),
        _lists(_texts("columns")),
        _flags("differs"),
    ),
    "results": _schema(
        _RESULT,
        _texts("loss"),
        _wholes("instances test_cases"),
        _reals("mean standard_error sd_training sd_cases sd_residual"),
        _reals("standardizer standardized_mean standardized_error"),
        _lists(_texts("notes")),
    ),
    "losses": _schema(_RESULT, _texts("loss"), _wholes("instance"), _lists(_reals("values"))),
    "costs": _schema(_RESULT, _wholes("instance"), _reals("seconds megabytes testing_seconds")),
    "problems": _schema(_texts("kind source"), _wholes("line"), _texts("expected found remedy message")),
}
"""Schemas of the tables of an archive, by name."""
RESULTS, PROBLEMS = SCHEMAS["results"], SCHEMAS["problems"]
Row = dict[str, Any]
"""One row of a table by the names of its columns, whose types are in the table's schema."""
Tables = dict[str, pa.Table]
PLACE = ("method", "dataset", "prototask", "task")
LOSS_ORDER = ("dataset", "prototask", "prior", "training_size", "loss", "method", "instance")
"""Columns by which the losses are sorted."""
_UNIT = _texts("unit")
UNITS = _schema(_UNIT, _texts("state"))
READ = {name: pa.schema([*_schema(_UNIT), *schema]) for name, schema in SCHEMAS.items() if name != "results"}
READ["standardizers"] = _schema(_UNIT, _texts(" ".join(PLACE)), _texts("loss"), _reals("standardizer"))
"""Tables read from each unit of an archive's files, with the unit of each row."""
STORED = {**READ, "units": UNITS, "results": RESULTS}
"""Tables of an archive that are kept between runs."""
PUBLISHED = _schema(
    _RESULT,
    _texts("measure"),
    _reals("mean deviation"),
    _wholes("runs"),
    _texts("source where"),
)
COMPARISONS = _schema(
    TASK_AND_LOSS,
    _texts("method_a method_b"),
    _wholes("instances test_cases"),
    _reals("mean_a mean_b difference standard_error sd_training sd_cases sd_residual"),
    _texts("test"),
    _reals("statistic df1 df2 p p_delve p_adjusted"),
    _texts("adjustment"),
    _wholes("compared"),
    _reals("lower upper"),
    _texts("verdict"),
    _reals("standardizer standardized_difference standardized_error"),
    _texts("note"),
    _lists(_texts("notes")),
)
SCORES = _schema(_texts("task method loss"), _wholes("training_set"), _reals("score"))
"""task: `/dataset/prototask/task`; training_set: from 0; score: mean over the test cases, null for none."""
_WORD = pa.dictionary(pa.int32(), pa.string())
SCORE_ROWS = _schema(
    dict.fromkeys(("dataset", "method", "instance", "metric"), _WORD),
    _reals("value spread seconds megabytes"),
)
"""Scores as in their files. instance: such as `fold 3`, empty if there is only one; value: as in the file,
null for a missing or failed one; spread: the standard deviation next to it (`a ± b`), null for none."""
CASE_ROWS = pa.schema([*SCORE_ROWS, *_schema({"case": _WORD, "group": _WORD})])
"""Scores of test cases. case: its name; group: name of the cases kept together with it, null for none."""
_CELL = _lists(_texts("levels")) | _wholes("training_size") | _texts("dataset prototask prior task")
"""The cell of a row in the grid of a task-array; `dataset` and the columns after it are null in holes."""
ARRAY_ESTIMATES = _schema(
    _CELL,
    _texts("method loss"),
    _wholes("instances"),
    _reals("standardized_mean standardized_error"),
    _texts("reference"),
    _reals("difference difference_error p p_adjusted"),
    _texts("test verdict note missing"),
)
ARRAY_DIFFERENCES = _schema(
    _CELL,
    _texts("method reference loss"),
    _reals("difference difference_error p p_adjusted"),
    _texts("test verdict note"),
)
ARRAY_WINNERS = _schema(
    _CELL,
    _texts("loss best"),
    _reals("standardized_mean standardized_error"),
    _wholes("instances"),
    _lists(_texts("not_worse") | _reals("not_worse_p") | _texts("worse") | _reals("worse_p")),
    _lists(_texts("untested without_results")),
    _wholes("significant_pairs tested_pairs"),
    _texts("note"),
)
ARRAY_TALLIES = _schema(_texts("method other loss"), _wholes("better worse not_significant not_tested"))
"""Count the tasks, or datasets, of an array on which a method is significantly better or worse than
another."""
ARRAY_EFFECTS = _schema(
    _texts("method loss scale kind term"),
    _lists(_texts("factors")),
    _texts("contrast"),
    _reals("effect standard_error degrees lower upper ratio sum_of_squares share noise_share"),
    _wholes("df"),
    _reals("f df1 df2 p p_adjusted"),
    _wholes("tasks"),
    _lists(_texts("left_out")),
    _texts("note"),
    _lists(_texts("contrasted")),
)
LEARNING_SLOPES = _schema(
    _lists(_texts("levels")),
    _texts("dataset prototask prior method loss scale"),
    _reals("slope standard_error degrees lower upper p p_adjusted ratio"),
    _lists(_wholes("sizes")),
    _texts("note"),
)
_SPENT = _wholes("instances") | _reals("median_seconds total_seconds most_megabytes")
ARRAY_COSTS = _schema(
    _CELL, _texts("method loss"), _SPENT, _reals("standardized_mean standardized_error"), _texts("missing")
)
METHOD_COSTS = _schema(
    _texts("method loss"),
    _wholes("tasks"),
    _SPENT,
    _reals("mean_loss"),
    _wholes("compared_tasks"),
    _texts("note"),
)


def table_of(rows: Sequence[Mapping[str, object]], schema: pa.Schema) -> pa.Table:
    """Return dictionaries as a table of this schema. Missing and unknown keys raise KeyError."""
    for row in rows:
        if row.keys() != set(schema.names):
            raise KeyError(f"row has {sorted(row)}, table has {sorted(schema.names)}")
    return pa.Table.from_pylist(list(rows), schema=schema)


def problem_table(errors: Iterable[ParseError]) -> pa.Table:
    """Return faults as the table of problems."""
    rows = [{**error.problem._asdict(), "message": error.problem.message} for error in errors]
    return table_of(rows, PROBLEMS)


def with_unit(table: pa.Table, unit: str | None) -> pa.Table:
    """Return a table with the unit of an archive's files that its rows come from, None for several units."""
    return table.add_column(0, READ["problems"].field("unit"), pa.array([unit] * table.num_rows, pa.string()))


def grouped_by(table: pa.Table, names: Sequence[str]) -> pa.TableGroupBy:
    """Return a table grouped by these columns, with groups in the order of their first rows.

    It uses no threads, because those of Arrow can end a process with an error (apache/arrow, issue 34314)."""
    return table.group_by(list(names), use_threads=False)


def rows_of(table: pa.Table, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Return the rows of some columns as tuples of Python values."""
    return zip(*(table[name].to_pylist() for name in names), strict=True)


def values_of(table: pa.Table, name: str) -> list[Any]:
    """Return the values of a column as Python values, one per row."""
    values: list[Any] = table[name].to_pylist()
    return values


def values_in(table: pa.Table, name: str) -> list[Any]:
    """Return the values of a column, each once, in the order of their first rows."""
    values: list[Any] = table[name].unique().to_pylist()
    return values


def distinct_rows(table: pa.Table, names: Sequence[str]) -> set[tuple[str, ...]]:
    """Return the distinct rows of these text columns."""
    return set(rows_of(grouped_by(table.select(list(names)), names).aggregate([]), names))
