"""The result of an experiment: a sentence, rankings and comparisons, failures, and its archive."""

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa

from delvecore.archive import Archive
from delvecore.archive.views import under
from delvecore.atomic_io import scratch_directory
from delvecore.errors import DelveError, Fault, words_of_system
from delvecore.library.comparison import Comparison
from delvecore.library.experiment_sentences import (
    FEWEST_DATASETS,
    needed_datasets,
    winner_sentences,
    winners_by_size,
)
from delvecore.library.input_tables import Scores, score_table
from delvecore.library.ranking import Ranking, rank
from delvecore.losses.spec import loss_preference
from delvecore.model import place_names
from delvecore.names import StoredNames
from delvecore.number_format.columns import translated
from delvecore.render.numbers import integer
from delvecore.score_tables.options import NO_OPTIONS
from delvecore.stats.choose import DEFAULT_SETTING, Setting
from delvecore.tables import distinct_rows

if TYPE_CHECKING:
    from delvecore.plots.figure import PlotlyFigure

SAVING = ".delve-saving-"
"""Name of a directory that is being saved."""
Place = tuple[str, ...]


FAILED_FITS = ("method", "dataset", "task", "instance", "error")
"""The columns of `Experiment.failed_fits`."""


@dataclass(frozen=True, eq=False, repr=False)
class Experiment:
    """Results of `experiment`. In a notebook it shows a sentence, and diagrams and tables.

    Attributes
    ----------
    archive : Archive
        The data and all results, as an ordinary archive with the names of its directories.
    path : str
        Its delve directory.
    failures : tuple of str
        Messages of failures; `failed_fits` has them as a table.
    notes : tuple of str
        Omissions and changes, with reasons.
    warnings : tuple of str
        Signs that cases are not independent, so that the verdict may be wrong.
    fits : int
        Number of fits in the experiment.
    """

    archive: Archive
    path: str
    failures: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    fits: int = 0
    _failed: tuple[tuple[str, str, str, int, str], ...] = field(default=(), repr=False)
    _methods: StoredNames = field(default_factory=StoredNames, repr=False)
    _datasets: StoredNames = field(default_factory=StoredNames, repr=False)
    _directory: "tempfile.TemporaryDirectory[str] | None" = field(default=None, repr=False)

    @cached_property
    def answers(self) -> tuple[Ranking | Comparison, ...]:
        """Rankings over all datasets with numeric targets (squared error) and with classes (0-1 loss).

        If there is only one dataset with a kind of target, its answer is a comparison of all pairs on its
        tasks. A kind of target with results of only one method has no answer.
        """
        return tuple(
            self.rank(loss=loss, places=places) if len(places) > 1 else self.compare(places[0], loss=loss)
            for loss, places, methods in self._kinds
            if len(methods) > 1
        )

    @cached_property
    def _kinds(self) -> list[tuple[str, list[str], set[str]]]:
        """Return, for each kind of target, the loss to show, the places of datasets, and the methods with
        results."""
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
        """Table of the failed fits: method, dataset, task, instance, first line of the error."""
        return pd.DataFrame(list(self._failed), columns=list(FAILED_FITS))

    @property
    def sentence(self) -> str:
        """The winner of each task and overall, after any warnings; then the tests."""
        first = " ".join(
            [*(f"Warning: {line}" for line in self.warnings), *self._failed_line, *self._winners]
        )
        alone = [
            f"On {', '.join(places)} only {', '.join(methods)} has results, so nothing is compared."
            for _, places, methods in self._kinds
            if len(methods) == 1
        ]
        lines = [first, *(one.sentence for one in self.answers), *alone]
        return "\n".join(filter(None, lines)) or "No method has results."

    @property
    def _failed_line(self) -> Iterable[str]:
        if self._failed:
            counts = Counter(method for method, *_ in self._failed)
            listed = ", ".join(f"{name} {count}" for name, count in counts.most_common())
            yield (
                f"{integer(len(self._failed))} of {integer(self.fits)} fits failed ({listed}; see "
                "failed_fits)."
            )

    @property
    def _winners(self) -> Iterable[str]:
        """Return the winner of each task for one dataset; for several, the winner of each size and
        overall."""
        for answer, (loss, places, _) in zip(
            self.answers, (kind for kind in self._kinds if len(kind[2]) > 1), strict=True
        ):
            frame = self.to_frame()
            rows = frame[(frame["loss"] == loss) & frame["dataset"].isin([one[1:] for one in places])]
            if isinstance(answer, Comparison):
                yield from winner_sentences(rows, answer.table.to_pandas(), answer.setting)
                continue
            yield from winners_by_size(rows)
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
        scores = score_table(self.archive, NO_OPTIONS, loss=loss, places=stored, keep=keep)
        return rank(self._renamed_scores(scores), **options)

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
        """Return the directories of a place. The name of a dataset may contain slashes."""
        for stored, shown in sorted(self._datasets.items(), key=lambda one: -len(one[1])):
            if place.strip("/") == shown.strip("/") or place.startswith(f"/{shown}/"):
                return (stored, *place_names(place.removeprefix("/")[len(shown) :]))
        return tuple(place_names(place))

    def _renamed(self, table: pa.Table) -> pa.Table:
        """Return a table with the names that the caller gave to methods and datasets."""
        for column in ("method", "method_a", "method_b", "dataset"):
            names = self._datasets if column == "dataset" else self._methods
            if column in table.column_names and not names.are_plain:
                field = table.schema.field(column)
                values = translated(table[column], names.shown, pa.string()).cast(field.type)
                table = table.set_column(table.column_names.index(column), field, values)
        return table

    def to_frame(self) -> pd.DataFrame:
        """Return a row per method, task and loss, with its expected loss and standard error."""
        frame = self.archive.to_frame("results")
        return frame.assign(
            method=[self._methods.shown(name) for name in frame["method"]],
            dataset=[self._datasets.shown(name) for name in frame["dataset"]],
        )

    def diagram(self, *, width: float | None = None) -> "PlotlyFigure":
        """Return the critical-difference diagram of the first ranking. Raises DelveError if results are of
        one dataset only."""
        for one in self.answers:
            if isinstance(one, Ranking):
                return one.diagram(width=width)
        raise DelveError("diagram: expected results on two or more datasets of one kind, found fewer")

    def save(self, path: str | os.PathLike[str]) -> str:
        """Copy data and results to a new delve directory, which `delve dashboard PATH` and `open` read.

        path: a new path whose name begins with `delve`. It is written completely or not at all. Raises
        DelveError for another path, or if it cannot be written."""
        target = os.path.abspath(os.path.expanduser(os.fspath(path)))
        if os.path.lexists(target) or not os.path.basename(target).startswith("delve"):
            actual = "an existing one" if os.path.lexists(target) else "another name"
            raise DelveError(f"{path}: expected a new path whose name begins with delve, found {actual}")
        above = os.path.dirname(target)
        while not os.path.isdir(above):
            above = os.path.dirname(above)
        try:
            with scratch_directory(SAVING, above) as beside:
                copy = shutil.copytree(self.path, os.path.join(beside, "delve"))
                os.sync()
                os.makedirs(os.path.dirname(target), exist_ok=True)
                os.rename(copy, target)
        except shutil.Error as error:  # holds (source, copy, reason) for each file that could not be copied
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
