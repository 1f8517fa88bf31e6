"""Experiments: estimators and data in, an archive and a verdict out, run as `delve run` does."""

import hashlib
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd
import pyarrow as pa

import delvecore
from delvecore.archive import Archive
from delvecore.archive.views import under
from delvecore.atomic_io import scratch_directory
from delvecore.encoding.prototask_cases import PrototaskCases, prototask_cases
from delvecore.errors import DelveError, Fault, shortened, words_of_system
from delvecore.importers.attributes import Reason, file_name
from delvecore.importers.dataset_writer import PRIOR, new_dataset, write_dataset
from delvecore.importers.import_messages import WHY
from delvecore.importers.in_memory import (
    Data,
    in_order,
    input_columns,
    named_datasets,
    read_data,
    restored,
    with_groups,
)
from delvecore.importers.leaks import Sign, signs_of_leaks
from delvecore.importers.plan import (
    MOST_INSTANCES,
    ColumnPlan,
    ImportOptions,
    ImportPlan,
    Role,
    is_dataset_name,
    plan_import,
)
from delvecore.importers.source import Source
from delvecore.library.comparison import Comparison
from delvecore.library.experiment_designs import ChosenDesign, choose_design, listing_of
from delvecore.library.experiment_sentences import FEWEST_DATASETS, needed_datasets, winner_sentences
from delvecore.library.input_tables import Given, Scores, score_table
from delvecore.library.ranking import Ranking, rank
from delvecore.losses.spec import loss_preference
from delvecore.methods.objects import EstimatorMethod, PlainData
from delvecore.model import CATEGORICAL_TYPES, RETAIN, Prototask, place_names, task_name
from delvecore.names import LONGEST_NAME, NAME, is_name
from delvecore.packaging.staging import target_directory
from delvecore.parallel.processes import usable_cores
from delvecore.progress import Progress
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.instances import INSTANCE_SUFFIX
from delvecore.readers.specifications import prototask_names, read_dataset, read_prototask
from delvecore.runner.choice import IMPUTE, choose_tasks, coding_choice
from delvecore.runner.runs import PlannedRun, Step, connect_cluster, plan_run, run_methods
from delvecore.score_tables.options import NOTHING_SAID
from delvecore.stats.choose import DEFAULT_SETTING, Setting
from delvecore.tables import distinct_rows
from delvecore.writers.files import describe_method

if TYPE_CHECKING:
    from delvecore.plots.figure import PlotlyFigure


MADE_OF = "Made-of"
"""The file in a dataset's `Source` that says of which data and settings it was made."""
SAVING = ".delve-saving-"
"""How a directory is named that is being saved."""
AS_NEEDED = "as needed"
"""Codings for estimators that do not take the columns of the data as they are, and no others."""
MOST_CLASSES = 100
"""A numeric target of more whole numbers is not mistaken for classes."""
LONGEST_SHOWN = 80
FEW = 6
"""So many names or values are shown."""
Place = tuple[str, ...]


class Names(dict[str, str]):
    """Names by what they are stored under."""

    def shown(self, stored: str) -> str:
        return self.get(stored, stored)

    def stored(self, shown: str) -> str:
        return next((stored for stored, name in self.items() if name == shown), shown)

    @property
    def are_plain(self) -> bool:
        return all(stored == name for stored, name in self.items())


@dataclass(frozen=True)
class FailedFit:
    """One fit that failed. error: the first line of its message."""

    method: str
    dataset: str
    task: str
    instance: int
    error: str


@dataclass(frozen=True, eq=False, repr=False)
class Experiment:
    """Results of `experiment`. In a notebook it shows a sentence, and diagrams and tables.

    Attributes
    ----------
    archive : Archive
        The data and all results, as any archive. Names are those of its directories.
    path : str
        Its delve directory.
    failures : tuple of str
        What went wrong, one message each; `failed_fits` has them as a table.
    notes : tuple of str
        What was left out or changed, and why.
    warnings : tuple of str
        Signs that cases are not independent, so that the verdict may be wrong.
    fits : int
        How many fits the experiment has.
    """

    archive: Archive
    path: str
    failures: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    fits: int = 0
    _failed: tuple[FailedFit, ...] = field(default=(), repr=False)
    _methods: Names = field(default_factory=Names, repr=False)
    _datasets: Names = field(default_factory=Names, repr=False)
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
        kinds: dict[str, set[tuple[str, str]]] = {}
        for dataset, method in distinct_rows(self.archive.results, ("dataset", "method")):
            place = f"/{self._datasets.shown(dataset)}"
            kinds.setdefault(wanted[dataset], set()).add((place, self._methods.shown(method)))
        return [
            (loss, sorted({place for place, _ in rows}), {method for _, method in rows})
            for loss, rows in sorted(kinds.items())
        ]

    @property
    def failed_fits(self) -> pd.DataFrame:
        """A row for each fit that failed: method, dataset, task, instance, first line of the error."""
        columns = list(FailedFit.__dataclass_fields__)
        return pd.DataFrame([vars(one) for one in self._failed], columns=columns)

    @property
    def sentence(self) -> str:
        """The winner of each task and overall, after what makes that doubtful; then how it was tested."""
        first = " ".join(
            [*(f"Warning: {line}" for line in self.warnings), *self._failed_line, *self._winners]
        )
        alone = [
            f"On {', '.join(places)} only {', '.join(methods)} has results: nothing is compared."
            for _, places, methods in self._kinds
            if len(methods) == 1
        ]
        lines = [first, *(one.sentence for one in self.answers), *alone]
        return "\n".join(filter(None, lines)) or "No method has results."

    @property
    def _failed_line(self) -> Iterable[str]:
        if self._failed:
            counts = Counter(one.method for one in self._failed)
            listed = ", ".join(f"{name} {count}" for name, count in counts.most_common())
            yield f"{len(self._failed):,} of {self.fits:,} fits failed ({listed}; see failed_fits)."

    @property
    def _winners(self) -> Iterable[str]:
        """For one dataset the winner of each task; for several the winner of each size, and overall."""
        for answer, (loss, places, _) in zip(
            self.answers, (kind for kind in self._kinds if len(kind[2]) > 1), strict=True
        ):
            frame = self.to_frame()
            rows = frame[(frame["loss"] == loss) & frame["dataset"].isin([one[1:] for one in places])]
            if isinstance(answer, Comparison):
                pairs = answer.table.to_pylist()
                yield from winner_sentences(rows.to_dict("records"), pairs, answer.setting)
                continue
            yield from _winners_by_size(rows)
            yield answer.sentence.partition(". ")[0] + "."
            yield from needed_datasets(answer.analysis, answer.report_of.verdicts)
            if len(places) < FEWEST_DATASETS:
                yield f"A test needs {FEWEST_DATASETS} datasets or more; compare({places[0]!r}) tests one."

    def rank(self, *, loss: str | None = None, places: Sequence[str] = (), **options: Any) -> Ranking:
        """Rank the methods over the tasks. Without loss and places it is the ranking of `sentence`.

        options: those of `delvecore.rank`. Raises DelveError."""
        if loss is None and not places:
            ranked = [kind for kind in self._kinds if len(kind[2]) > 1 and len(kind[1]) > 1]
            loss, places = (ranked[0][0], ranked[0][1]) if ranked else (None, ())
        stored = ["/".join(("", *self._stored_place(place))) for place in places]
        if self._methods.are_plain and self._datasets.are_plain:
            return rank(self.archive, loss=loss, places=stored, **options)
        kept = [options[name] for name in ("control",) if options.get(name)]
        kept += [options["keep"]] if isinstance(options.get("keep"), str) else list(options.get("keep", ()))
        keep = tuple(map(self._methods.stored, kept))
        given = Given(replace(NOTHING_SAID, keep=keep), loss=loss, places=stored, keep=keep)
        return rank(self._renamed_scores(score_table(self.archive, given)), **options)

    def _renamed_scores(self, scores: Scores) -> Scores:
        table, shown = scores.table, self._datasets.shown
        tasks = {
            path: "/".join(("", shown(path.split("/")[1]), *path.split("/")[2:])) for path in table.tasks
        }
        units = table.units and table.units._replace(
            datasets=tuple(map(shown, table.units.datasets)), families=tuple(map(shown, table.units.families))
        )
        renamed = replace(
            table,
            tasks=tuple(tasks.values()),
            methods=tuple(map(self._methods.shown, table.methods)),
            paths=table.task_paths,
            units=units,
            runs=table.runs and table.runs.with_names(tasks),
        )
        return scores._replace(table=renamed)

    def compare(
        self, place: str = "/", *, loss: str | None = None, setting: Setting = DEFAULT_SETTING
    ) -> Comparison:
        """Compare all pairs of methods on each task at or below a place; see `Archive.compare`."""
        names = self._stored_place(place)
        archive, loss = under(self.archive, loss, [names] if names else [])
        table = archive.compare("/".join(("", *names)), loss=loss, setting=setting)
        return Comparison(self._renamed(table), setting, archive.measures)

    def _stored_place(self, place: str) -> Place:
        """Return the directories of a place; the name of a dataset may hold slashes."""
        for stored, shown in sorted(self._datasets.items(), key=lambda one: -len(one[1])):
            if place.strip("/") == shown.strip("/") or place.startswith(f"/{shown}/"):
                return (stored, *place_names(place.removeprefix("/")[len(shown) :]))
        return tuple(place_names(place))

    def _renamed(self, table: pa.Table) -> pa.Table:
        """Return a table with the names that the caller gave to methods and datasets."""
        for column in ("method", "method_a", "method_b", "dataset"):
            names = self._datasets if column == "dataset" else self._methods
            if column in table.column_names and not names.are_plain:
                values = [names.shown(value) for value in table[column].to_pylist()]
                place = table.column_names.index(column)
                table = table.set_column(
                    place,
                    table.schema.field(column),
                    pa.array(values, pa.string()).cast(table.schema.field(column).type),
                )
        return table

    def to_frame(self) -> pd.DataFrame:
        """Return a row a method, task and loss, with its expected loss and standard error."""
        frame = self.archive.to_frame("results")
        return frame.assign(
            method=[self._methods.shown(name) for name in frame["method"]],
            dataset=[self._datasets.shown(name) for name in frame["dataset"]],
        )

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
        first = [escape(self.sentence.partition("\n")[0])]
        lines = "".join(f"<p>{escape(line)}</p>\n" for line in (*self.notes, *self.failures))
        return f"<p>{first[0]}</p>\n" + "\n".join(one._repr_html_() for one in self.answers) + lines

    def __repr__(self) -> str:
        lines = "\n".join([*self.notes, *self.failures])
        first = self.sentence.partition("\n")[0]
        return "\n\n".join([first, *map(repr, self.answers), *([lines] if lines else [])])


def _winners_by_size(rows: pd.DataFrame) -> Iterable[str]:
    """Yield the method with the best mean rank over datasets, for each of several sizes of training sets."""
    sizes = sorted(set(rows["training_size"]))
    counts = rows.groupby("training_size")["dataset"].nunique()
    shared = [size for size in sizes if counts[size] > 1]
    if len(shared) < 2:
        return
    named = []
    for size in shared:
        part = rows[rows["training_size"] == size]
        ranks = part.groupby(["dataset", "prototask"])["mean"].rank(na_option="bottom")
        means = ranks.groupby(part["method"]).mean()
        named.append(f"{means.idxmin()} with {size} training cases")
    yield f"By size, the best mean rank has {', '.join(named)}."


class _Own(NamedTuple):
    """What the arguments say of one dataset."""

    target: str | None
    groups: Any
    order: Any

    @property
    def has_groups(self) -> bool:
        return self.groups is not None and self.groups is not False

    @property
    def has_order(self) -> bool:
        return self.order is not None and self.order is not False


class _Made(NamedTuple):
    """One dataset of an experiment, before anything is written. name: that of the caller."""

    name: str
    data: Data
    plan: ImportPlan
    design: ChosenDesign
    signs: tuple[Sign, ...]


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
    """Run estimators on data sets, several training sets each, and compare them.

    Parameters
    ----------
    methods : mapping of str to object, or sequence of objects
        Estimators by the names of the methods: anything with `fit` and `predict`. Those of a list have the
        names of their classes. Probabilities of `predict_proba` are kept where there are any. A
        `random_state` is kept; where it is None, each training set has a seed of its own.
    datasets : mapping of str to object, or one dataset
        By name: a data frame of any library, what scikit-learn's `load_*` and `fetch_*` give, a pair
        (inputs, target), or the path of a CSV, Parquet or ARFF file.
    target : str, or mapping of str to str
        The column to predict, or one for each dataset that does not say it itself.
    groups : str or sequence, or mapping of str to either, optional
        The column of groups of cases, such as patients, or a group for each case. No group has cases in a
        training set and its test set. False: cases are independent, so nothing warns of ids that repeat.
    order : str or sequence, or mapping of str to either, optional
        The column of times, or a time for each case, or "rows" for rows in order of time. Windows then train
        on the past only. False: the order means nothing.
    sizes : sequence of int
        Numbers of training cases, in training sets that share no cases. Sizes of which a dataset has no two
        separate training sets are left out for it, and `notes` say so.
    instances : int
        At most so many training sets of each size.
    design : int, str or splitter, optional
        A number of folds; a splitter of scikit-learn, such as `KFold(5)` or `TimeSeriesSplit()`, whose sets
        are taken as they are; or a plan such as `"cv folds=10 repeats=3"`, `"holdout test=0.3 repeats=20"`,
        `"e0 samples=50"`, `"loo"` or `"growing windows=10"`. Without one, datasets of up to 4,096 cases have
        ten folds, stratified for classes, and larger ones have training sets that share no cases. Tests of
        designs that share cases are corrected for the overlap.
    codings : str, optional
        How attributes are encoded. By default estimators get the columns as they are in the data; one that
        takes no categories, or no gaps, gets those of data with such encoded, and `notes` say so.
        `"impute"` and `"default"` as for `delve run --codings`, or a file, encode for all, None for none.
    jobs : int, optional
        Processes; as many as there are cores if None.
    into : path, optional
        A delve directory for data and results, made where it is new and its name begins with `delve`. What
        is complete there is not run again, so an interrupted experiment goes on where it stopped. Without
        it, all is temporary.
    scheduler : str, optional
        The address of a Dask scheduler, whose workers compute; `into` must then be a place that they share.
    types : mapping of str to str, optional
        Types of columns by name, as for `delve import --type`: `{"grade": "nominal"}` makes classes of
        numbers.
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
        For what is no estimator or no data, a target that is not there or may be classes or numbers, a design
        that the cases do not allow, and a directory with other data or results of other settings under the
        same name.

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
    method_names = _stored_names("methods", estimators)
    dataset_names = _stored_names("datasets", named)
    learners = {name: EstimatorMethod(method_names.stored(name), one) for name, one in estimators.items()}
    made: list[_Made] = []
    for name, thing in named.items():
        chosen = choose_design(
            design, seed=seed, sizes=sizes, is_ordered=_for(order, name) not in (None, False)
        )
        options = ImportOptions(types=types or {}, seed=seed, sizes=tuple(sizes), instances=instances)
        own = _Own(_for(target, name), _for(groups, name), _for(order, name))
        try:
            made.append(_planned(name, dataset_names.stored(name), thing, own, options, chosen))
            _check_target(made[-1].plan, learners.values())
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
        (*_warnings(made), *notes),
        tuple(_warnings(made, serious=True)),
        sum(run.instances + run.complete for run in runs),
        tuple(failed),
        method_names,
        dataset_names,
        temporary,
    )


def _plan_runs(
    root: str,
    made: Sequence[_Made],
    learners: Mapping[str, EstimatorMethod],
    codings: str | None,
    names: Names,
    *,
    lasting: bool,
) -> tuple[list[PlannedRun], list[str]]:
    """Write the datasets and what is said of the methods; return what is to be run, and notes. Raises
    DelveError."""
    notes: list[str] = []
    places: list[Place] = []
    for one in made:
        try:
            places += _dataset(one, root, notes)
        except DelveError as error:
            raise error if one.name in str(error) else DelveError(f"{one.name}: {error}") from None
    for one in made:
        notes += _left_out(one)
    _take_plain(learners, made, codings, notes)
    hierarchy = Hierarchy([root])
    choice = coding_choice(IMPUTE if codings in (None, AS_NEEDED) else codings)
    tasks, cases = choose_tasks(hierarchy, places), dict[str, PrototaskCases]()
    runs = [
        plan_run(hierarchy, one, tasks, root, cases=cases, codings=choice, lasting=lasting)
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
    """Return an argument for one dataset, where it may be one for all or a mapping by name."""
    return argument.get(name) if isinstance(argument, Mapping) else argument


def _named_estimators(methods: Any) -> dict[str, Any]:
    """Return estimators by name; those of a list are named by their classes. Raises DelveError for none."""
    if isinstance(methods, Mapping):
        if not methods:
            raise DelveError("methods: expected estimators by name, found none")
        return dict(methods)
    listed = list(methods) if isinstance(methods, list | tuple | set) else [methods]
    if not listed:
        raise DelveError("methods: expected estimators by name, found none")
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


def is_method_name(name: str) -> bool:
    """Can this be the name of a directory of results?"""
    is_text = is_name(name) and bool(name.strip())
    return is_text and "/" not in name and name[0] != "." and len(os.fsencode(name)) <= LONGEST_NAME


def _stored_names(what: str, shown: Iterable[object]) -> Names:
    """Return names of methods or datasets by what they are stored under. Raises Fault for what is none."""
    names = Names()
    taken: set[str] = set()
    for name in shown:
        if not isinstance(name, str) or not is_name(name) or not name.strip():
            raise Fault(what, NAME, shortened(repr(name)), f"give the {what[:-1]} another name")
        is_good = is_dataset_name if what == "datasets" else is_method_name
        stored = name if is_good(name) else _safe(name, what)
        while stored in names or stored in taken:
            stored += "_" if what == "methods" else "-x"
        names[stored] = name
    return names


def _safe(name: str, what: str) -> str:
    """Return a name that a directory can have, as like as possible."""
    if what == "datasets":
        plain = file_name(name)[:100]
        return plain if is_dataset_name(plain) else f"{plain}-data".lstrip("-")
    plain = name.replace("/", "\u2215")
    plain = f"_{plain}" if plain[0] == "." else plain
    while len(os.fsencode(plain)) > LONGEST_NAME - 10:
        plain = plain[:-1]
    return plain


def _planned(
    name: str, stored: str, thing: Any, own: _Own, options: ImportOptions, design: ChosenDesign
) -> _Made:
    """Read a dataset and plan what becomes of its columns. Raises DelveError."""
    data = read_data(name, thing)
    group = time = None
    if own.has_groups:
        data, group = with_groups(data, own.groups)
    if own.has_order:
        data, time = in_order(data, own.order)
    options = _options(options, data.source, name, own.target)._replace(
        name=stored,
        title="" if name == stored else name,
        group=group,
        time=time,
        order=RETAIN if design.keeps_order else None,
    )
    plan = plan_import(data.source, options._replace(sizes=()))
    plan = plan._replace(options=plan.options._replace(sizes=options.sizes))
    settled = {"groups", "copies"} if own.groups is not None else set()
    settled |= {"time"} if own.order is not None or design.goes_along_time else set()
    signs = tuple(sign for sign in signs_of_leaks(plan) if sign.kind not in settled)
    return _Made(name, data, plan, design, signs)


def _options(options: ImportOptions, source: Source, name: str, target: str | None) -> ImportOptions:
    """Return the options of one dataset: a source that says its own target keeps it."""
    columns = {column.name for column in source.columns}
    own = source.targets
    chosen = (target,) if target is not None and (target in columns or not own) else tuple(own)
    if not chosen:
        raise DelveError(
            f"target: expected the column of {name!r} that is to be predicted, found none; say target="
        )
    kept = {column: kind for column, kind in options.types.items() if column in columns}
    return options._replace(targets=chosen, types=kept)


def _check_target(plan: ImportPlan, learners: Iterable[EstimatorMethod]) -> None:
    """Raise Fault for a target that may be classes or numbers, if the estimators make it matter."""
    kinds = {learner.kind for learner in learners}
    for column in plan.columns:
        profile, guess = column.profile, column.guess
        is_open = column.role is Role.TARGET and profile.is_numeric
        if (
            not is_open
            or guess.reason is Reason.ASKED
            or (guess.type in CATEGORICAL_TYPES and guess.range == "")
        ):
            continue
        values = sorted(map(float, profile.values or ()))
        few = 1 < len(values) <= MOST_CLASSES and all(value % 1 == 0 for value in values)
        is_classes = guess.type in CATEGORICAL_TYPES
        if is_classes and guess.reason in (Reason.TWO_VALUES, Reason.CLASSES):
            matters = kinds == {"regressor"}
        else:
            is_repeated = profile.known >= 2 * len(values)
            matters = not is_classes and few and is_repeated and "classifier" in kinds
        if matters:
            listed = ", ".join(f"{value:g}" for value in values[:FEW])
            found = f"{len(values)} whole numbers ({listed}{', ...' * (len(values) > FEW)})"
            name = column.source
            numbers = "integer" if profile.is_whole else "real"
            remedy = f"say types={{{name!r}: 'nominal'}} for classes, or {numbers!r} for numbers"
            raise Fault(f"target {name}", "classes or numbers", found, remedy)


def _dataset(made: _Made, root: str, notes: list[str]) -> list[Place]:
    """Write a dataset unless it is there; return the places of its tasks. Raises Fault for another one."""
    imported = made.plan
    if imported.options.sizes:
        imported = _with_sizes(imported, imported.options.sizes, notes, made.name)
    made_of = _digest(imported, made.design)
    name = imported.name
    for place in Hierarchy([root]).directories("data", name):
        path = os.path.join(place, "Source", MADE_OF)
        if not os.path.isfile(path) or read_text(path) != made_of:
            expected = "the same data and settings as now"
            raise Fault(place, expected, "others", "give the dataset another name, or choose another into=")
        return _places(Hierarchy([root]), name)
    remedy = "give the dataset another name"
    with new_dataset(name, root, remedy=remedy) as directory:
        prototasks = write_dataset(imported, directory)
        with open(os.path.join(directory, "Source", MADE_OF), "x", encoding="utf-8") as file:
            file.write(made_of)
        _write_instances(directory, prototasks, made.design)
    return _places(Hierarchy([root]), name)


def _with_sizes(plan: ImportPlan, sizes: Sequence[int], notes: list[str], name: str) -> ImportPlan:
    """Return a plan with the sizes of which half of the cases make two sets. Raises DelveError for none."""
    known = min(map(plan.known_cases, plan.targets))
    kept = tuple(size for size in sizes if 4 * size <= known)
    if not kept:
        expected = f"sizes up to {known // 4}, a quarter of its {known} cases"
        raise DelveError(f"sizes: {name}: expected {expected}, found {list(sizes)}")
    if left := [size for size in sizes if size not in kept]:
        listed = " and ".join(map(str, left))
        notes.append(
            f"{name}: training sets of {listed} cases are left out: {known} cases do not have two of "
            "them besides a test set of as many."
        )
    plan = plan._replace(options=plan.options._replace(sizes=kept))
    for group in plan.targets:
        plan.options.sizes_for(plan.known_cases(group))
    return plan


def _digest(plan: ImportPlan, design: ChosenDesign) -> str:
    """Return a text that is the same only for the same data, target, types, sizes and design."""
    data = hashlib.sha256()
    for batch in plan.source.batches():
        for column in batch:
            data.update("".join(f"{value}\0" for value in column.to_pylist()).encode())
    options = plan.options
    facts = {
        "data": data.hexdigest(),
        "columns": [(one.source, one.name, str(one.role), one.guess.type) for one in plan.columns],
        "targets": plan.targets,
        "group": plan.group.source if plan.group else "none",
        "order": options.order or "random",
        "sizes": tuple(options.sizes),
        "instances": options.instances,
        "seed": options.seed,
        "design": design.words,
    }
    return "".join(f"{key}: {value}\n" for key, value in facts.items())


def _write_instances(directory: str, prototasks: Sequence[Prototask], design: ChosenDesign) -> None:
    """List the instances of a design beside each prototask, unless they are the standard ones."""
    root = os.path.dirname(os.path.dirname(directory))
    hierarchy = Hierarchy([root])
    for prototask in prototasks:
        dataset = read_dataset(hierarchy, prototask.dataset)
        cases = prototask_cases(hierarchy, dataset, read_prototask(hierarchy, dataset, prototask.name))
        listing = listing_of(design, cases)
        if listing is None:
            continue
        instances, text = listing
        task = task_name(PRIOR, min(len(one.training) for one in instances))
        path = os.path.join(directory, prototask.name, task + INSTANCE_SUFFIX)
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)


def _places(hierarchy: Hierarchy, name: str) -> list[Place]:
    """Return the places that are run: the tasks whose instances are listed, otherwise all of a dataset."""
    listed: list[Place] = [
        (name, prototask, file.removesuffix(INSTANCE_SUFFIX))
        for prototask in prototask_names(hierarchy, name)
        for file in hierarchy.files("data", name, prototask)
        if file.endswith(INSTANCE_SUFFIX)
    ]
    return listed or [(name,)]


def _left_out(made: _Made) -> list[str]:
    """Return a note on the columns that are no inputs, with the reason."""
    columns = [column for column in made.plan.columns if column.role is Role.LEFT_OUT]
    if not columns:
        return []
    listed = ", ".join(f"{column.source} ({WHY[column.guess.reason]})" for column in columns[:FEW])
    more = f" and {len(columns) - FEW} more" if len(columns) > FEW else ""
    can_be = any(column.guess.reason in _MAY_BE_INPUTS for column in columns)
    return [f"{made.name}: left out: {listed}{more}{'; types= makes them inputs' * can_be}."]


def _warnings(made: Iterable[_Made], *, serious: bool = False) -> list[str]:
    """Return the signs that cases are not independent, one message for each kind and dataset."""
    lines = []
    for one in made:
        for kind, remedy in _REMEDIES.items():
            signs = [sign for sign in one.signs if sign.kind == kind and (sign.is_serious or not serious)]
            if signs:
                column = next((sign.column for sign in signs if sign.column), "rows")
                text = "; ".join(sign.text for sign in signs[:FEW])
                lines.append(f"{one.name}: {text}. {remedy.format(column)}")
    return lines


_MAY_BE_INPUTS = (Reason.COUNTER, Reason.TEXT, Reason.GROUP, Reason.TIME)
_REMEDIES = {
    "groups": (
        "Cases of one group may train and test: say groups={0!r}, or groups=False if cases are independent."
    ),
    "copies": (
        "A case may train what its copy tests: say groups= to keep copies together, or groups=False if they "
        "are different cases."
    ),
    "time": (
        "Later cases may train what earlier ones test: say order={0!r} for windows along time, or "
        "order=False if the order means nothing."
    ),
}


def _take_plain(
    learners: Mapping[str, EstimatorMethod], made: Sequence[_Made], codings: str | None, notes: list[str]
) -> None:
    """Give estimators the inputs of the data as they are, unless these have to be encoded."""
    if codings not in (None, AS_NEEDED):
        return
    for one in made:
        columns = input_columns(one.data, one.plan)
        inputs = {column.name: columns[column.name] for column in one.plan.kept if column.role is Role.INPUT}
        targets = [column for column in one.plan.kept if column.role is Role.TARGET]
        labels = {column.name: tuple(columns[column.name].values.values()) for column in targets}
        plain = PlainData(partial(restored, columns=inputs), one.data.is_array, labels)
        kind = (
            "classifier" if all(column.guess.type in CATEGORICAL_TYPES for column in targets) else "regressor"
        )
        for name, learner in learners.items():
            why = "" if codings is None else _why_encoded(learner, one.plan, one.data.dtypes)
            if not why:
                learner.plain[one.plan.name] = plain
            elif learner.kind in (None, kind):
                notes.append(f"{name}: the inputs of {one.name} are encoded, since {why}.")


def _is_category(column: ColumnPlan, learner: EstimatorMethod, dtypes: Mapping[str, Any]) -> bool:
    """Is a column of a type for categories, and does the estimator know types of columns?"""
    return learner.takes_category_types and isinstance(dtypes.get(column.source), pd.CategoricalDtype)


def _why_encoded(learner: EstimatorMethod, plan: ImportPlan, dtypes: Mapping[str, Any]) -> str:
    """Return why an estimator cannot take the inputs as they are, or an empty string."""
    if learner.takes_frames:
        return ""
    inputs = [column for column in plan.kept if column.role is Role.INPUT]
    words = [
        column.source
        for column in inputs
        if not column.profile.is_numeric
        and not (learner.takes_categories or _is_category(column, learner, dtypes))
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
    methods: Names,
    datasets: Names,
    *,
    jobs: int | None,
    scheduler: str | None,
    quiet: bool,
) -> tuple[list[str], list[FailedFit]]:
    """Run what is not complete; return the failures as messages and as a table."""
    bar = Progress(sys.stderr, quiet=quiet)
    steps: list[Step] = []

    def notify(step: Step) -> None:
        steps.extend([step] if step.outcome.failure else [])
        step.show(bar)

    carry_out, workers = connect_cluster(scheduler, runs), jobs or usable_cores()
    # By task, so that each process reads the cases of a dataset once.
    by_task = sorted(
        (replace(run, work=(one,), faults=()) for run in runs for one in run.work),
        key=lambda piece: piece.work[0][0].plan.task.path,
    )
    pieces = [*by_task, *(replace(run, work=()) for run in runs)]
    try:
        failures = run_methods(
            pieces, workers=workers, carry_out=carry_out, notify=notify, imports_main=False
        )
    finally:
        bar.clear()
    messages = {step.message for step in steps}
    failed = [
        FailedFit(
            methods.shown(step.request.method.name),
            datasets.shown(step.request.task.dataset),
            step.request.task.name,
            step.outcome.instance,
            shortened(step.outcome.failure),
        )
        for step in steps
    ]
    named = [f"{methods.shown(step.request.method.name)}{step.message}" for step in steps]
    return [*named, *(failure for failure in failures if failure not in messages)], failed
