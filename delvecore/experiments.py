"""Experiments: run estimators on data, as `delve run`, and return an archive and a verdict."""

import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd

import delvecore
from delvecore.encoding.prototask_cases import PrototaskCases
from delvecore.errors import DelveError, shortened
from delvecore.importers.attributes import Role
from delvecore.importers.experiment_data import (
    FEW,
    Place,
    check_target,
    leak_warnings,
    left_out_notes,
    plan_dataset,
    shown_name,
    stored_names,
    write_planned,
)
from delvecore.importers.experiment_designs import choose_design
from delvecore.importers.in_memory import (
    category_values,
    named_datasets,
    restored,
)
from delvecore.importers.plan import (
    MOST_INSTANCES,
    ImportOptions,
    ImportPlan,
)
from delvecore.library.arguments import checked_arguments
from delvecore.library.experiment_result import Experiment
from delvecore.methods.objects import EstimatorMethod, PlainData
from delvecore.model import CATEGORICAL_TYPES
from delvecore.names import StoredNames, is_name
from delvecore.packaging.staging import target_directory
from delvecore.parallel.processes import usable_cores
from delvecore.progress import Progress
from delvecore.readers.hierarchy import Hierarchy
from delvecore.runner.choice import IMPUTE, choose_tasks, coding_choice
from delvecore.runner.one_instance import InstanceOutcome, Request
from delvecore.runner.runs import PlannedRun, connect_cluster, plan_run, run_methods
from delvecore.writers.files import describe_method

AS_NEEDED = "as needed"
"""Codings only for estimators that do not accept the columns of the data unchanged."""
LONGEST_SHOWN = 80


@checked_arguments
def experiment(
    methods: Any,
    datasets: Any,
    *,
    target: str | Mapping[str, str] | None = None,
    groups: Any = None,
    order: Any = None,
    sizes: Sequence[int] = (),
    instances: int = MOST_INSTANCES,
    design: Any = None,
    codings: str | None = AS_NEEDED,
    jobs: int | None = None,
    into: str | os.PathLike[str] | None = None,
    scheduler: str | None = None,
    types: Mapping[str, str] | None = None,
    seed: int = 1,
    quiet: bool = False,
) -> Experiment:
    """Run estimators on datasets, with several training sets each, and compare them.

    Parameters
    ----------
    methods : mapping of str to object, or sequence of objects
        Estimators by the names of the methods: objects with `fit` and `predict`. In a list, estimators are
        named after their classes. Probabilities of `predict_proba` are kept if there are any. A
        `random_state` is kept; if it is None, each training set has a different seed.
    datasets : mapping of str to object, or one dataset
        By name: a data frame of any library, the result of scikit-learn's `load_*` and `fetch_*`, a pair
        (inputs, target), or the path of a CSV, Parquet or ARFF file.
    target : str, or mapping of str to str
        The column to predict, or one for each dataset that does not define it.
    groups : str or sequence, or mapping of str to either, optional
        The column of groups of cases, such as patients, or a group for each case. No group has cases in both
        a training set and its test set. False: cases are independent, without a warning about repeated ids.
    order : str or sequence, or mapping of str to either, optional
        The column of times, or a time for each case, or "rows" for rows in order of time. Windows then train
        on the past only. False: the order has no meaning.
    sizes : sequence of int
        Numbers of training cases, in training sets that share no cases. A size is omitted for a dataset
        without two separate training sets, and `notes` report it.
    instances : int
        Largest number of training sets of each size.
    design : int, str or splitter, optional
        A number of folds; the sets of a splitter of scikit-learn, such as `KFold(5)` or `TimeSeriesSplit()`;
        or a plan such as `"cv folds=10 repeats=3"`, `"holdout test=0.3 repeats=20"`, `"e0 samples=50"`,
        `"loo"` or `"growing windows=10"`. By default, datasets of up to 4,096 cases have ten folds,
        stratified for classes, and larger datasets have training sets that share no cases. Tests of designs
        that share cases are corrected for the overlap.
    codings : str, optional
        Encoding of attributes. By default, estimators receive the columns of the data unchanged. If the data
        have categories or missing values that an estimator does not support, it receives encoded columns, and
        `notes` report it. `"impute"`, `"default"` (see `delve run --codings`) or a file encode for all
        estimators, None for none.
    jobs : int, optional
        Number of processes; None means one for each core.
    into : path, optional
        A delve directory for data and results. A new directory is created if its name begins with `delve`.
        Complete results there are not run again, so an interrupted experiment continues. Without it, data and
        results are temporary.
    scheduler : str, optional
        The address of a Dask scheduler with workers for the computation, which must share the directory
        `into`.
    types : mapping of str to str, optional
        Types of columns by name, see `delve import --type`: `{"grade": "nominal"}` treats numbers as classes.
    seed : int
        Seed of the random order of cases, and of a random design.
    quiet : bool
        Whether to hide the progress on standard error.

    Returns
    -------
    Experiment
        The archive, a sentence, rankings, failures.

    Raises
    ------
    DelveError
        If an object is not an estimator or not data, if a target is absent or could be either classes or
        numbers, if the cases do not allow the design, or if the directory has other data or results of other
        settings under the same name.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.dummy import DummyRegressor
    >>> from sklearn.linear_model import Ridge
    >>> found = experiment({"ridge": Ridge(), "mean": DummyRegressor()}, {"diabetes": load_diabetes()},
    ...                    sizes=[32], instances=4, jobs=1, quiet=True)
    >>> found.failures, found.to_frame()["method"].unique().tolist()
    ((), ['mean', 'ridge'])
    """
    estimators = _named_estimators(methods)
    named = named_datasets(datasets)
    method_names = stored_names("methods", estimators)
    dataset_names = stored_names("datasets", named)
    learners = {name: EstimatorMethod(method_names.stored(name), one) for name, one in estimators.items()}
    made: list[ImportPlan] = []
    for name, thing in named.items():
        chosen = choose_design(
            design, seed=seed, sizes=sizes, is_ordered=_for(order, name) not in (None, False)
        )
        options = ImportOptions(types=types or {}, seed=seed, sizes=tuple(sizes), instances=instances)
        try:
            planned = plan_dataset(
                name,
                thing,
                stored=dataset_names.stored(name),
                target=_for(target, name),
                groups=_for(groups, name),
                order=_for(order, name),
                options=options,
                design=chosen,
            )
            made.append(planned)
            check_target(made[-1], learners.values())
        except DelveError as error:
            raise error if name in str(error) else DelveError(f"{name}: {error}") from None
    temporary = None if into else tempfile.TemporaryDirectory(prefix="delve-experiment-")
    wanted = os.fspath(into) if into else os.path.join(temporary.name if temporary else "", "delve")
    with target_directory(wanted, (), os.getcwd()) as root:
        runs, notes = _plan_runs(root, made, learners, codings, method_names, lasting=temporary is None)
        failures, failed = _run(
            runs, method_names, dataset_names, jobs=jobs, scheduler=scheduler, quiet=quiet
        )
    archive = delvecore.open(root, cache=temporary is None)
    return Experiment(
        archive,
        root,
        tuple(failures),
        (*leak_warnings(made), *notes),
        tuple(leak_warnings(made, serious=True)),
        sum(run.instances + run.complete for run in runs),
        tuple(failed),
        method_names,
        dataset_names,
        temporary,
    )


def _plan_runs(
    root: str,
    made: Sequence[ImportPlan],
    learners: Mapping[str, EstimatorMethod],
    codings: str | None,
    names: StoredNames,
    *,
    lasting: bool,
) -> tuple[list[PlannedRun], list[str]]:
    """Write the datasets and the descriptions of the methods; return the planned runs, and notes. Raises
    DelveError."""
    notes: list[str] = []
    places: list[Place] = []
    for one in made:
        try:
            places += write_planned(one, root, notes)
        except DelveError as error:
            name = shown_name(one)
            raise error if name in str(error) else DelveError(f"{name}: {error}") from None
    for one in made:
        notes += left_out_notes(one)
    _take_plain(learners, made, codings, notes)
    hierarchy = Hierarchy([root])
    choice = coding_choice(IMPUTE if codings in (None, AS_NEEDED) else codings)
    (tasks, faults), cases = choose_tasks(hierarchy, places), dict[str, PrototaskCases]()
    runs = [
        plan_run(hierarchy, one, tasks, root, faults=faults, cases=cases, codings=choice, lasting=lasting)
        for one in learners.values()
    ]
    refused = [
        f"{names.shown(run.method.name)}: not run on {path}: {why}."
        for run in runs
        for path, why in run.refused_prototasks.items()
    ]
    if not any(run.work or run.complete or run.faults for run in runs):
        raise DelveError(f"methods: expected one for the targets, found none. {' '.join(refused)}")
    for name, learner in learners.items():
        describe_method(
            os.path.join(root, "methods", learner.name),
            learner.settings
            | {"inputs": "as in the data" if codings is None else codings}
            | ({} if name == learner.name else {"name": name}),
            summary=f"{learner.settings['estimator']}\n",
            sources={},
            remedy="give the estimator another name, or choose another directory with into=",
        )
    return runs, [*notes, *refused]


def _for(argument: Any, name: str) -> Any:
    """Return an argument's value for one dataset; the argument is a value for all datasets or a mapping by
    name."""
    return argument.get(name) if isinstance(argument, Mapping) else argument


def _named_estimators(methods: Any) -> dict[str, Any]:
    """Return estimators by name; those in a list are named after their classes. Raises DelveError without
    estimators."""
    if isinstance(methods, Mapping | list | tuple | set) and not methods:
        raise DelveError("methods: expected estimators by name, found none")
    if isinstance(methods, Mapping):
        return dict(methods)
    listed = list(methods) if isinstance(methods, list | tuple | set) else [methods]
    kinds = [_class_name(one) for one in listed]
    texts = [" ".join(repr(one).split()) for one in listed]
    names = []
    for place, kind in enumerate(kinds):
        if kinds.count(kind) == 1:
            names.append(kind)
        elif texts.count(texts[place]) == 1 and len(texts[place]) <= LONGEST_SHOWN and is_name(texts[place]):
            names.append(texts[place])
        else:
            names.append(f"{kind} {kinds[: place + 1].count(kind)}")
    return dict(zip(names, listed, strict=True))


def _class_name(estimator: Any) -> str:
    if isinstance(estimator, type):
        return estimator.__name__
    steps = getattr(estimator, "steps", None)
    parts = [step for _, step in steps] if isinstance(steps, list) else [estimator]
    return " + ".join(type(part).__name__ for part in parts)


def _take_plain(
    learners: Mapping[str, EstimatorMethod],
    made: Sequence[ImportPlan],
    codings: str | None,
    notes: list[str],
) -> None:
    """Give estimators the original inputs, unless these must be encoded."""
    if codings not in (None, AS_NEEDED):
        return
    for one in made:
        values, dtypes = category_values(one), one.source.dtypes
        names = {column.name: column.source for column in one.kept if column.role is Role.INPUT}
        targets = [column for column in one.kept if column.role is Role.TARGET]
        labels = {column.name: tuple(values.get(column.name, {}).values()) for column in targets}
        restore = partial(restored, names=names, dtypes=dtypes, values=values)
        plain = PlainData(restore, one.source.is_array, labels)
        kind = "classifier" if all(column.type in CATEGORICAL_TYPES for column in targets) else "regressor"
        for name, learner in learners.items():
            why = "" if codings is None else _why_encoded(learner, one)
            if not why:
                learner.plain[one.name] = plain
            elif learner.kind in (None, kind):
                notes.append(f"{name}: the inputs of {shown_name(one)} are encoded, since {why}.")


def _why_encoded(learner: EstimatorMethod, plan: ImportPlan) -> str:
    """Return why an estimator cannot use the inputs unchanged, or an empty string."""
    if learner.takes_frames:
        return ""
    inputs, dtypes = [column for column in plan.kept if column.role is Role.INPUT], plan.source.dtypes
    words = [
        column.source
        for column in inputs
        if not column.profile.is_numeric
        and not learner.takes_categories
        and not (learner.takes_category_types and isinstance(dtypes.get(column.source), pd.CategoricalDtype))
    ]
    gaps = [column.source for column in inputs if column.profile.missing and not learner.takes_gaps]
    reasons = []
    if words:
        reasons.append(f"it takes no categories ({_some(words)})")
    if gaps:
        reasons.append(f"it takes no missing values ({_some(gaps)})")
    return " and ".join(reasons)


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:FEW]) + (", ..." if len(names) > FEW else "")


def _run(
    runs: Sequence[PlannedRun],
    methods: StoredNames,
    datasets: StoredNames,
    *,
    jobs: int | None,
    scheduler: str | None,
    quiet: bool,
) -> tuple[list[str], list[tuple[str, str, str, int, str]]]:
    """Run incomplete instances; return the failures as messages and as rows of FAILED_FITS."""
    bar = Progress(sys.stderr, quiet=quiet)
    failed: list[tuple[Request, InstanceOutcome]] = []

    def notify(request: Request, outcome: InstanceOutcome) -> None:
        failed.extend([(request, outcome)] if outcome.failure else [])

    carry_out, workers = connect_cluster(scheduler, runs), jobs or usable_cores()
    # By task, so that each process reads the cases of a dataset once.
    by_task = sorted(
        (replace(run, work=(one,), faults=()) for run in runs for one in run.work),
        key=lambda piece: piece.work[0][0].plan.task.path,
    )
    pieces = [*by_task, *(replace(run, work=()) for run in runs)]
    try:
        failures = run_methods(pieces, workers=workers, carry_out=carry_out, notify=notify, bar=bar)
    finally:
        bar.clear()
    messages = [request.failure_text(outcome.failure) for request, outcome in failed]
    names = [methods.shown(request.method.name) for request, _ in failed]
    rows = [
        (
            name,
            datasets.shown(request.task.dataset),
            request.task.name,
            request.instance,
            shortened(outcome.failure),
        )
        for name, (request, outcome) in zip(names, failed, strict=True)
    ]
    others = [failure for failure in failures if failure not in set(messages)]
    return [*map("".join, zip(names, messages, strict=True)), *others], rows
