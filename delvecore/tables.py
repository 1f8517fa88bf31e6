"""The Arrow tables of an archive and those made of it: fixed schemas, and rows made from model objects.

Every table has the same columns in the same order whatever the archive holds; nothing found gives zero rows.
"""

from collections.abc import Mapping, Sequence

import pyarrow as pa

__all__ = [
    "ARRAY_COSTS",
    "ARRAY_DIFFERENCES",
    "ARRAY_EFFECTS",
    "ARRAY_ESTIMATES",
    "ARRAY_WINNERS",
    "ATTRIBUTES",
    "CODINGS",
    "COMPARISONS",
    "COSTS",
    "DATASETS",
    "LEARNING_SLOPES",
    "LOSSES",
    "METHODS",
    "METHOD_COSTS",
    "PRIORS",
    "PROBLEMS",
    "PROTOTASKS",
    "RESULTS",
    "SCHEMAS",
    "SCORES",
    "TASKS",
    "TASK_AND_LOSS",
    "table_of",
]

_TEXT, _WHOLE, _REAL, _YES = pa.string(), pa.int64(), pa.float64(), pa.bool_()
_TEXTS, _WHOLES, _REALS = (pa.list_(kind) for kind in (_TEXT, _WHOLE, _REAL))


def _schema(**fields: pa.DataType) -> pa.Schema:
    return pa.schema([pa.field(name, kind) for name, kind in fields.items()])


def _reals(*names: str) -> dict[str, pa.DataType]:
    return dict.fromkeys(names, _REAL)


_RESULT = {
    "method": _TEXT,
    "dataset": _TEXT,
    "prototask": _TEXT,
    "task": _TEXT,
    "prior": _TEXT,
    "training_size": _WHOLE,
}
"""Whose results on what a row is about."""
DATASETS = _schema(
    dataset=_TEXT,  # name, as in /name
    title=_TEXT,  # null where the specification has none
    origin=_TEXT,  # natural, cultivated, simulated or artificial
    usage=_TEXT,  # development, assessment, historical or ?
    order=_TEXT,  # informative, uninformative or ?
    attributes=_WHOLE,  # number of attributes
    cases=_WHOLE,  # number of cases; null where the data cannot be read
    commonality=_YES,  # are commonality indexes declared or present?
    missing_values=_WHOLE,  # missing values over all attributes; null without data
    censored_values=_WHOLE,
    task_types=_TEXTS,  # classification, regression
    prototasks=_TEXTS,  # names, sorted
    summary=_TEXT,  # text of Summary; null where there is none
    documents=_TEXTS,  # names of the files in Source, with their folders
    directory=_TEXT,  # true directory of the specification
    groups=_WHOLE,  # different commonality indexes; null without data
)
ATTRIBUTES = _schema(
    dataset=_TEXT,
    number=_WHOLE,
    attribute=_TEXT,
    control=_TEXT,  # c, u or ?
    range=_TEXT,
    kind=_TEXT,  # categorical, integer or real: by the range
    categories=_TEXTS,  # values in order; null for infinite ranges
    description=_TEXT,
    missing=_WHOLE,  # number of cases; null without data
    censored=_WHOLE,
    minimum=_REAL,  # smallest and largest number seen; null for categories
    maximum=_REAL,
)
PROTOTASKS = _schema(
    dataset=_TEXT,
    prototask=_TEXT,
    origin=_TEXT,
    cases=_TEXT,  # all, no missing, or a file
    order=_TEXT,  # retain, or a file
    inputs=_TEXTS,  # attribute names, in the specification's order
    targets=_TEXTS,
    test_set_size=_WHOLE,
    training_set_sizes=_WHOLES,
    test_set_selection=_TEXT,  # hierarchical or common
    maximum_instances=_WHOLE,
    task_type=_TEXT,  # classification, regression or mixed
    case_count=_WHOLE,  # cases used; null without data
    priors=_TEXTS,
    summary=_TEXT,
    maximum_dependency_range=_WHOLE,  # of a sequential prototask, else null
    stratified=_YES,  # have training sets equally many cases of each target value?
    transformations=_TEXTS,  # such as INCOME log
)
PRIORS = _schema(
    dataset=_TEXT,
    prototask=_TEXT,
    prior=_TEXT,
    number=_WHOLE,
    attribute=_TEXT,
    role=_TEXT,  # input or target
    levels=_TEXT,  # of N L M H: relevance of an input, noise of a target
    type=_TEXT,
    options=_TEXT,  # as written, e.g. passive=no
    default_coding=_TEXT,
    default_options=_TEXT,
    columns=_TEXTS,  # names of the encoded columns
    dependency_strength=_TEXT,  # of N L M H, of the whole prior; null where it does not say
    dependency_range=_WHOLE,  # cases, of the whole prior; null where it does not say
)
TASKS = _schema(
    dataset=_TEXT,
    prototask=_TEXT,
    task=_TEXT,  # e.g. std.128
    prior=_TEXT,
    training_size=_WHOLE,
    test_set_selection=_TEXT,
    task_type=_TEXT,
    instances=_WHOLE,  # task instances; null without data
    test_cases=_WHOLE,  # test cases of each instance; null without data, or where instances differ
    standard=_YES,  # false where a file lists the instances
    unused_cases=_WHOLE,  # cases of the prototask that no instance uses; null without data
    gap_cases=_WHOLE,  # those of them that keep dependent cases apart
    balance=_TEXT,  # of stratified test sets: selection or weights; null elsewhere
    overlap=_TEXT,  # which sets of listed instances share cases: training, test, both; null for none
)
METHODS = _schema(
    method=_TEXT,
    summary=_TEXT,
    documents=_TEXTS,  # names of the files in Source, with their folders
    tasks=_WHOLE,  # tasks with results
    directories=_TEXTS,
)
CODINGS = _schema(
    method=_TEXT,
    dataset=_TEXT,
    prototask=_TEXT,
    task=_TEXT,
    number=_WHOLE,
    attribute=_TEXT,
    role=_TEXT,
    coding=_TEXT,
    options=_TEXT,
    columns=_TEXTS,
    differs=_YES,  # from the default coding of the task's prior
)
RESULTS = _schema(
    **_RESULT,
    loss=_TEXT,  # A, L, Q, S or Z, or such as Z0.2N or Mcosts
    instances=_WHOLE,
    test_cases=_WHOLE,  # of each instance
    mean=_REAL,  # estimated expected loss, in the loss's unit; lower is better
    standard_error=_REAL,  # null with one instance
    sd_training=_REAL,
    sd_cases=_REAL,  # null for hierarchical test sets
    sd_residual=_REAL,
    standardizer=_REAL,  # of Test-set-stats; null where undefined
    standardized_mean=_REAL,
    standardized_error=_REAL,
)
LOSSES = _schema(
    **_RESULT,
    loss=_TEXT,
    instance=_WHOLE,  # from 0
    values=pa.list_(pa.float64()),  # one loss a test case, in the order of the test set
)
COSTS = _schema(
    **_RESULT,
    instance=_WHOLE,  # from 0
    seconds=_REAL,  # of the processor, for learning and predicting
    megabytes=_REAL,  # largest size of the process (10**6 bytes); null where the system does not tell
)
PROBLEMS = _schema(
    kind=_TEXT,  # specification, data, results, file or hierarchy
    source=_TEXT,  # path
    line=_WHOLE,  # from 1; null where the whole file is meant
    expected=_TEXT,
    found=_TEXT,
    remedy=_TEXT,
    message=_TEXT,  # all of it in one line
)
TASK_AND_LOSS = {name: kind for name, kind in _RESULT.items() if name != "method"} | {"loss": _TEXT}
"""Which task, under which loss."""
COMPARISONS = _schema(
    **TASK_AND_LOSS,
    method_a=_TEXT,
    method_b=_TEXT,
    instances=_WHOLE,
    test_cases=_WHOLE,
    **_reals("mean_a", "mean_b", "difference", "standard_error", "sd_training", "sd_cases", "sd_residual"),
    test=_TEXT,
    **_reals(
        "statistic",
        "df1",
        "df2",
        "p",
        "lower",
        "upper",
        "standardizer",
        "standardized_difference",
        "standardized_error",
    ),
    note=_TEXT,
    notes=_TEXTS,
)
SCORES = _schema(
    task=_TEXT,  # /dataset/prototask/task
    method=_TEXT,
    loss=_TEXT,
    training_set=_WHOLE,  # from 0
    score=_REAL,  # mean over the test cases; null where there is none
)
_CELL = {"levels": _TEXTS, "training_size": _WHOLE} | dict.fromkeys(
    ("dataset", "prototask", "prior", "task"), _TEXT
)
"""Which cell of the grid of a task-array; dataset and the following are null in its holes."""
ARRAY_ESTIMATES = _schema(
    **_CELL,
    method=_TEXT,
    loss=_TEXT,
    instances=_WHOLE,
    standardized_mean=_REAL,
    standardized_error=_REAL,
    reference=_TEXT,
    **_reals("difference", "difference_error", "p"),
    test=_TEXT,
    note=_TEXT,
    missing=_TEXT,
    compared=_WHOLE,
)
ARRAY_DIFFERENCES = _schema(
    **_CELL,
    method=_TEXT,
    reference=_TEXT,
    loss=_TEXT,
    **_reals("difference", "difference_error", "p", "p_adjusted"),
    test=_TEXT,
    standing=_TEXT,
    note=_TEXT,
)
ARRAY_WINNERS = _schema(
    **_CELL,
    loss=_TEXT,
    best=_TEXT,
    standardized_mean=_REAL,
    standardized_error=_REAL,
    instances=_WHOLE,
    not_worse=_TEXTS,
    not_worse_p=_REALS,
    worse=_TEXTS,
    worse_p=_REALS,
    untested=_TEXTS,
    without_results=_TEXTS,
    note=_TEXT,
)
ARRAY_EFFECTS = _schema(
    method=_TEXT,
    loss=_TEXT,
    scale=_TEXT,
    kind=_TEXT,
    term=_TEXT,
    factors=_TEXTS,
    contrast=_TEXT,
    **_reals(
        "effect",
        "standard_error",
        "degrees",
        "lower",
        "upper",
        "ratio",
        "sum_of_squares",
        "share",
        "noise_share",
    ),
    df=_WHOLE,
    **_reals("f", "df1", "df2", "p"),
    tasks=_WHOLE,
    left_out=_TEXTS,
    note=_TEXT,
    contrasted=_TEXTS,
)
LEARNING_SLOPES = _schema(
    levels=_TEXTS,
    dataset=_TEXT,
    prototask=_TEXT,
    prior=_TEXT,
    method=_TEXT,
    loss=_TEXT,
    scale=_TEXT,
    **_reals("slope", "standard_error", "degrees", "lower", "upper", "p", "ratio"),
    sizes=_WHOLES,
    note=_TEXT,
)
ARRAY_COSTS = _schema(
    **_CELL,
    method=_TEXT,
    loss=_TEXT,
    instances=_WHOLE,
    **_reals("median_seconds", "total_seconds", "most_megabytes", "standardized_mean", "standardized_error"),
    missing=_TEXT,
)
METHOD_COSTS = _schema(
    method=_TEXT,
    loss=_TEXT,
    tasks=_WHOLE,
    instances=_WHOLE,
    **_reals("median_seconds", "total_seconds", "most_megabytes", "mean_loss"),
    compared_tasks=_WHOLE,
    note=_TEXT,
)
SCHEMAS = {
    "datasets": DATASETS,
    "attributes": ATTRIBUTES,
    "prototasks": PROTOTASKS,
    "priors": PRIORS,
    "tasks": TASKS,
    "methods": METHODS,
    "codings": CODINGS,
    "results": RESULTS,
    "losses": LOSSES,
    "costs": COSTS,
    "problems": PROBLEMS,
}


def table_of(rows: Sequence[Mapping[str, object]], schema: pa.Schema) -> pa.Table:
    """Return dictionaries as a table of this schema; a missing key is an error, an unknown one too."""
    names = schema.names
    for row in rows:
        if row.keys() != set(names):
            raise KeyError(f"row has {sorted(row)}, table has {sorted(names)}")
    columns = [pa.array([row[field.name] for row in rows], type=field.type) for field in schema]
    return pa.Table.from_arrays(columns, schema=schema)
