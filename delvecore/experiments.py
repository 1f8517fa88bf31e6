"""Experiments: estimators and data in, an archive and a verdict out, run as `delve run` does."""

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa

import delvecore
from delvecore.archive import Archive
from delvecore.archive.views import under
from delvecore.atomic_io import scratch_directory
from delvecore.encoding.prototask_cases import PrototaskCases, prototask_cases
from delvecore.encoding.task_instances import planned_listing
from delvecore.errors import DelveError, Fault, shortened, words_of_system
from delvecore.importers.case_files import open_source
from delvecore.importers.dataset_writer import PRIOR, new_dataset, write_dataset
from delvecore.importers.plan import (
    DATASET_NAME,
    MOST_INSTANCES,
    ImportOptions,
    ImportPlan,
    is_dataset_name,
    plan_import,
)
from delvecore.importers.source import Source, bunch_source, frame_source
from delvecore.library.comparison import Comparison
from delvecore.library.ranking import Ranking, rank
from delvecore.losses.spec import loss_preference
from delvecore.methods.objects import EstimatorMethod
from delvecore.model import ImportedOrder, Prototask, place_names, task_name
from delvecore.names import LONGEST_NAME, NAME, is_name
from delvecore.packaging.staging import choose_target
from delvecore.parallel.processes import usable_cores
from delvecore.plan import ORDERED, Plan, parse_plan
from delvecore.progress import Progress
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.instances import INSTANCE_SUFFIX
from delvecore.readers.specifications import prototask_names, read_dataset, read_prototask
from delvecore.runner.choice import IMPUTE, choose_tasks, coding_choice
from delvecore.runner.runs import PlannedRun, Step, connect_cluster, plan_run, run_methods
from delvecore.score_tables.reading import to_pandas
from delvecore.stats.choose import DEFAULT_SETTING, Setting
from delvecore.tables import distinct_rows
from delvecore.writers.files import describe_method

if TYPE_CHECKING:
    from delvecore.plots.figure import PlotlyFigure


MADE_OF = "Made-of"
"""The file in a dataset's `Source` that says of which data and settings it was made."""
SAVING = ".delve-saving-"
"""How a directory is named that is being saved."""
METHOD_NAME = f"{NAME}, of at most {LONGEST_NAME} bytes, without /, not first a dot"
Place = tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Experiment:
    """What `experiment` found.

    archive: the data and all results, as any archive; path: its delve directory; failures: what went wrong,
    one message each; notes: what was left out, and why. In a notebook it shows itself: a sentence, a diagram
    and a table for each kind of target."""

    archive: Archive
    path: str
    failures: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    _directory: "tempfile.TemporaryDirectory[str] | None" = field(default=None, repr=False)

    @cached_property
    def answers(self) -> tuple[Ranking | Comparison, ...]:
        """A ranking over all datasets with numeric targets under squared error, and one over those with
        classes under 0-1 loss; of one dataset alone, a comparison of all pairs on its tasks. Kinds of targets
        with results of one method only have none."""
        return tuple(
            self.rank(loss=loss, places=places) if len(places) > 1 else self.compare(places[0], loss=loss)
            for loss, places, methods in self._kinds
            if len(methods) > 1
        )

    @cached_property
    def _kinds(self) -> list[tuple[str, list[str], set[str]]]:
        """For each kind of target: the loss that is shown, the places of datasets, methods with results."""
        wanted: dict[str, str] = {}
        for dataset, loss in distinct_rows(self.archive.results, ("dataset", "loss")):
            wanted[dataset] = min(wanted.get(dataset, loss), loss, key=loss_preference)
        found: dict[str, set[tuple[str, str]]] = {}
        for dataset, method in distinct_rows(self.archive.results, ("dataset", "method")):
            found.setdefault(wanted[dataset], set()).add((f"/{dataset}", method))
        return [
            (loss, sorted({place for place, _ in rows}), {method for _, method in rows})
            for loss, rows in sorted(found.items())
        ]

    @property
    def sentence(self) -> str:
        """Which methods are better, and how sure is it? One sentence for each kind of target."""
        alone = [
            f"On {', '.join(places)} only {', '.join(methods)} has results: nothing is compared."
            for _, places, methods in self._kinds
            if len(methods) == 1
        ]
        return "\n".join([*(one.sentence for one in self.answers), *alone]) or "No method has results."

    def rank(self, *, loss: str | None = None, places: Sequence[str] = (), **options: Any) -> Ranking:
        """Rank the methods over the tasks; options: those of `delvecore.rank`. Raises DelveError."""
        return rank(self.archive, loss=loss, places=places, **options)

    def compare(
        self, place: str = "/", *, loss: str | None = None, setting: Setting = DEFAULT_SETTING
    ) -> Comparison:
        """Compare all pairs of methods on each task at or below a place; see `Archive.compare`."""
        names = place_names(place)
        archive, loss = under(self.archive, loss, [names] if names else [])
        return Comparison(archive.compare(place, loss=loss, setting=setting), setting, archive.measures)

    def to_frame(self) -> pd.DataFrame:
        """Return a row a method, task and loss, with its expected loss and standard error."""
        return self.archive.to_frame("results")

    def diagram(self, *, width: float | None = None) -> "PlotlyFigure":
        """Return the critical-difference diagram of the first ranking. Raises DelveError where results are of
        one dataset only."""
        for one in self.answers:
            if isinstance(one, Ranking):
                return one.diagram(width=width)
        raise DelveError("diagram: expected results on two datasets of one kind or more, found fewer")

    def save(self, path: str | os.PathLike[str]) -> str:
        """Copy data and results to a new delve directory, which `delve dashboard PATH` and `open` read.

        path: new, its name begins with `delve`; it is there whole or not at all. Raises DelveError for
        another one, and where it cannot be written."""
        target = os.path.abspath(os.path.expanduser(os.fspath(path)))
        if os.path.lexists(target) or not os.path.basename(target).startswith("delve"):
            found = "something there" if os.path.lexists(target) else "another name"
            raise DelveError(f"{path}: expected a new path whose name begins with delve, found {found}")
        above = os.path.dirname(target)
        while not os.path.isdir(above):
            above = os.path.dirname(above)
        try:
            with scratch_directory(SAVING, above) as beside:
                copy = shutil.copytree(self.path, os.path.join(beside, "delve"))
                os.sync()
                os.makedirs(os.path.dirname(target), exist_ok=True)
                os.rename(copy, target)
        except shutil.Error as error:  # of all files that could not be copied: (source, copy, reason)
            reasons = {reason.partition(": '")[0].partition("] ")[2].lower() for *_, reason in error.args[0]}
            raise Fault(target, "to save the experiment there", ", ".join(sorted(reasons))) from None
        except OSError as error:
            raise Fault(target, "to save the experiment there", words_of_system(error)) from None
        return target

    def _repr_html_(self) -> str:
        told = "".join(f"<p>{escape(line)}</p>\n" for line in (*self.notes, *self.failures))
        return "\n".join(one._repr_html_() for one in self.answers) + told

    def __repr__(self) -> str:
        told = "\n".join([*self.notes, *self.failures])
        return "\n\n".join([*map(repr, self.answers), *([told] if told else [])]) or self.sentence


def experiment(
    methods: Mapping[str, object],
    datasets: Mapping[str, Any],
    *,
    target: str | Mapping[str, str] | None = None,
    sizes: Sequence[int] = (),
    instances: int = MOST_INSTANCES,
    design: str | None = None,
    codings: str | None = IMPUTE,
    jobs: int | None = None,
    into: str | os.PathLike[str] | None = None,
    scheduler: str | None = None,
    types: Mapping[str, str] | None = None,
    seed: int = 1,
    quiet: bool = False,
) -> Experiment:
    """Run estimators on data sets, several training sets each, and compare them.

    Parameters
    ----------
    methods : mapping of str to object
        Estimators by the names of the methods: anything with `fit` and `predict`. Probabilities of
        `predict_proba` are kept where there are any.
    datasets : mapping of str to object
        By name: a data frame of any library, what scikit-learn's `load_*` and `fetch_*` give, a pair
        (inputs, target), or the path of a CSV, Parquet or ARFF file.
    target : str, or mapping of str to str
        The column to predict, or one for each dataset that does not say it itself.
    sizes : sequence of int
        Numbers of training cases; without any, sizes that suit each dataset. Sizes of which a dataset has no
        two separate training sets are left out for it, and `notes` say so.
    instances : int
        At most so many training sets of each size.
    design : str, optional
        A plan such as `"cv folds=10 repeats=3"`, `"holdout test=0.3 repeats=20"`, `"e0 samples=50"` or
        `"loo"` in place of sizes and instances; windows, such as `"growing windows=10"`, take the cases in
        the order that they have. Without one, training sets share no cases and all are tested
        on cases that none of them has. Only then are results on training sets independent, as the analysis
        of variance wants them; other designs are tested with a correction for the overlap.
    codings : str, optional
        How attributes are encoded: `"impute"` and `"default"` as for `delve run --codings`, or a file. With
        None estimators get data frames with the columns as they are in the data, missing values included.
    jobs : int, optional
        Processes; as many as there are cores if None.
    into : path, optional
        A delve directory for data and results, made where it is new and its name begins with `delve`. What
        is complete there is not run again, so an interrupted experiment goes on where it stopped. Without
        it, all is temporary.
    scheduler : str, optional
        The address of a Dask scheduler, whose workers compute; `into` must then be a place that they share.
    types : mapping of str to str, optional
        Types of columns by name, as for `delve import --type`.
    seed : int
        Of the random order of cases, and of a design that draws.
    quiet : bool
        Show no progress on standard error?

    Returns
    -------
    Experiment
        The archive, a sentence, rankings, failures.

    Raises
    ------
    DelveError
        For what is no estimator or no data, a name that is none for a directory, a target that is not there,
        and a directory with other data or results of other settings under the same name.

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
    plan = _plan_of(design, seed, sizes=sizes)
    if not methods:
        raise DelveError("methods: expected estimators by name, found none")
    _check_names(methods, datasets)
    learners = [
        EstimatorMethod(name, estimator, takes_frames=codings is None) for name, estimator in methods.items()
    ]
    temporary = None if into else tempfile.TemporaryDirectory(prefix="delve-experiment-")
    wanted = os.fspath(into) if into else os.path.join(temporary.name if temporary else "", "delve")
    root = choose_target(wanted, (), os.getcwd())
    order: ImportedOrder | None = "retain" if plan and plan.kind in ORDERED else None  # windows go along time
    options = ImportOptions(
        types=types or {}, seed=seed, order=order, sizes=tuple(sizes), instances=instances
    )
    notes: list[str] = []
    places: list[Place] = []
    for name, given in datasets.items():
        asked = target.get(name) if isinstance(target, Mapping) else target
        try:
            source = _source(name, given)
            places += _dataset(source, _options(options, source, name, asked), root, plan, notes)
        except DelveError as error:
            raise error if name in str(error) else DelveError(f"{name}: {error}") from None
    if not places:
        raise DelveError("datasets: expected data by name, found none")
    for learner in learners:
        describe_method(
            os.path.join(root, "methods", learner.name),
            learner.settings,
            summary=f"{learner.settings['estimator']}\n",
            sources={},
            remedy="give the estimator another name, or choose another directory with into=",
        )
    hierarchy, choice = Hierarchy([root]), coding_choice(IMPUTE if codings is None else codings)
    chosen = choose_tasks(hierarchy, places)
    cases: dict[str, PrototaskCases] = {}
    runs = [plan_run(hierarchy, one, chosen, root, cases=cases, codings=choice) for one in learners]
    for run in runs:
        refused = run.refused_prototasks.items()
        notes += [f"{run.method.name}: not run on {path}: {why}." for path, why in refused]
    failures = _run(runs, jobs=jobs, scheduler=scheduler, quiet=quiet)
    archive = delvecore.open(root, cache=temporary is None)
    return Experiment(archive, root, tuple(failures), tuple(notes), temporary)


def is_method_name(name: str) -> bool:
    """Can this be the name of a directory of results?"""
    is_text = is_name(name) and bool(name.strip())
    return is_text and "/" not in name and name[0] != "." and len(os.fsencode(name)) <= LONGEST_NAME


def _check_names(methods: Iterable[object], datasets: Iterable[object]) -> None:
    """Raise Fault for a name that a directory of results or data cannot have."""
    for name in methods:
        if not isinstance(name, str) or not is_method_name(name):
            raise Fault("methods", METHOD_NAME, shortened(repr(name)), "give the estimator another name")
    for name in datasets:
        if not isinstance(name, str) or not is_dataset_name(name):
            raise Fault("datasets", DATASET_NAME, shortened(repr(name)), "give the dataset another name")


def _plan_of(design: str | None, seed: int, *, sizes: Sequence[int]) -> Plan | None:
    if design is None:
        return None
    if sizes:
        raise DelveError("sizes: expected none beside design=, which says how many cases train")
    try:
        plan = parse_plan(design)
    except ValueError as error:
        expected, found = error.args
        raise DelveError(f"design: expected {expected}, found {found}") from None
    return plan._replace(seed=seed) if plan.is_drawn and "seed=" not in design else plan


def _source(name: str, given: Any) -> Source:
    """Return data in memory, or a file, as a source of cases. Raises DelveError."""
    if isinstance(given, str | os.PathLike):
        return open_source(os.fspath(given))
    if hasattr(given, "data") and hasattr(given, "target"):
        return bunch_source(given, name)
    if isinstance(given, tuple) and len(given) == 2:
        inputs, values = given
        frame = pd.DataFrame(inputs).rename(columns=str).assign(target=pd.Series(values).to_numpy())
        return frame_source(frame, name)._replace(targets=("target",))
    if isinstance(given, pa.Table):
        return frame_source(given, name)
    return frame_source(to_pandas(given), name)


def _options(options: ImportOptions, source: Source, name: str, target: str | None) -> ImportOptions:
    """Return the options of one dataset: a source that says its own target keeps it."""
    columns = {column.name for column in source.columns}
    own = source.targets
    chosen = (target,) if target is not None and (target in columns or not own) else tuple(own)
    if not chosen:
        raise DelveError(f"target: expected the column of {name!r} that is to be predicted, found none")
    kept = {column: kind for column, kind in options.types.items() if column in columns}
    return options._replace(name=name, targets=chosen, types=kept)


def _dataset(
    source: Source, options: ImportOptions, root: str, plan: Plan | None, notes: list[str]
) -> list[Place]:
    """Write a dataset unless it is there; return the places of its tasks. Raises Fault for another one."""
    imported = plan_import(source, options._replace(sizes=()))
    if options.sizes:
        imported = _with_sizes(imported, options.sizes, notes)
    made_of = _digest(imported, plan)
    name = imported.name
    for place in Hierarchy([root]).directories("data", name):
        path = os.path.join(place, "Source", MADE_OF)
        if not os.path.isfile(path) or read_text(path) != made_of:
            expected = "the same data and settings as now"
            raise Fault(place, expected, "others", "give the dataset another name, or choose another into=")
        return _places(Hierarchy([root]), name, plan)
    remedy = "give the dataset another name"
    with new_dataset(name, root, remedy=remedy) as directory:
        prototasks = write_dataset(imported, directory)
        with open(os.path.join(directory, "Source", MADE_OF), "x", encoding="utf-8") as file:
            file.write(made_of)
        if plan is not None:
            _write_instances(directory, prototasks, plan)
    return _places(Hierarchy([root]), name, plan)


def _with_sizes(plan: ImportPlan, sizes: Sequence[int], notes: list[str]) -> ImportPlan:
    """Return a plan with the sizes of which half of the cases make two sets. Raises DelveError for none."""
    known = min(map(plan.known_cases, plan.targets))
    kept = tuple(size for size in sizes if 4 * size <= known)
    if not kept:
        expected = f"sizes up to {known // 4}, a quarter of its {known} cases"
        raise DelveError(f"sizes: {plan.name}: expected {expected}, found {list(sizes)}")
    if left := [size for size in sizes if size not in kept]:
        listed = " and ".join(map(str, left))
        notes.append(
            f"{plan.name}: training sets of {listed} cases are left out: {known} cases do not have two of "
            "them besides a test set of as many."
        )
    return plan._replace(options=plan.options._replace(sizes=kept))


def _digest(plan: ImportPlan, design: Plan | None) -> str:
    """Return a text that is the same only for the same data, target, types, sizes and design."""
    found = hashlib.sha256()
    for batch in plan.source.batches():
        for column in batch:
            found.update("".join(f"{value}\0" for value in column.to_pylist()).encode())
    options = plan.options
    told = {
        "data": found.hexdigest(),
        "columns": [(one.source, one.name, str(one.role), one.guess.type) for one in plan.columns],
        "targets": plan.targets,
        "sizes": tuple(options.sizes),
        "instances": options.instances,
        "seed": options.seed,
        "design": design.words if design else "separate training sets",
    }
    return "".join(f"{key}: {value}\n" for key, value in told.items())


def _write_instances(directory: str, prototasks: Sequence[Prototask], plan: Plan) -> None:
    """List the instances of a plan beside each prototask."""
    root = os.path.dirname(os.path.dirname(directory))
    hierarchy = Hierarchy([root])
    for prototask in prototasks:
        dataset = read_dataset(hierarchy, prototask.dataset)
        cases = prototask_cases(hierarchy, dataset, read_prototask(hierarchy, dataset, prototask.name))
        instances, text = planned_listing(cases, plan)
        task = task_name(PRIOR, min(len(one.training) for one in instances))
        path = os.path.join(directory, prototask.name, task + INSTANCE_SUFFIX)
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)


def _places(hierarchy: Hierarchy, name: str, plan: Plan | None) -> list[Place]:
    """Return the places that are run: all tasks of a dataset, or those of the design."""
    if plan is None:
        return [(name,)]
    return [
        (name, prototask, file.removesuffix(INSTANCE_SUFFIX))
        for prototask in prototask_names(hierarchy, name)
        for file in hierarchy.files("data", name, prototask)
        if file.endswith(INSTANCE_SUFFIX)
    ]


def _run(runs: Sequence[PlannedRun], *, jobs: int | None, scheduler: str | None, quiet: bool) -> list[str]:
    """Run what is not complete; return the failures."""
    bar = Progress(sys.stderr, quiet=quiet)
    failed: list[Step] = []

    def notify(step: Step) -> None:
        failed.extend([step] if step.outcome.failure else [])
        step.show(bar)

    carry_out, workers = connect_cluster(scheduler, runs), jobs or usable_cores()
    try:
        failures = run_methods(runs, workers=workers, carry_out=carry_out, notify=notify, imports_main=False)
    finally:
        bar.clear()
    messages = {step.message for step in failed}
    named = [f"{step.request.method.name}{step.message}" for step in failed]
    return [*named, *(failure for failure in failures if failure not in messages)]
