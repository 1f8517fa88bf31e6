"""The scores of several files as those of one."""

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa

from delvecore.errors import ParseError
from delvecore.losses.metrics import Metric
from delvecore.readers.scores.assembling import Scores
from delvecore.readers.scores.batches.codes import Codes
from delvecore.readers.scores.checks import twice
from delvecore.readers.scores.columns import Column
from delvecore.readers.scores.instances import design_of
from delvecore.readers.scores.records import Guess, ScoreDesign, ScoreFile, ScoreOptions
from delvecore.readers.scores.remarks import Remarks

__all__ = ["merged", "of_files"]


def of_files(count: int) -> Guess:
    """Return that so many files were taken for one table."""
    return Guess("files", f"{count} tables")


def merged(files: Sequence[ScoreFile], source: str, options: ScoreOptions) -> ScoreFile:
    """Return the scores of several files together. ParseError for a score that two of them hold, or for a
    metric that goes another way in another file."""
    if len(files) == 1:
        return files[0]
    rows = pa.concat_tables([file.rows for file in files]).unify_dictionaries().combine_chunks()
    again = twice(_scores(rows))
    if again is not None:
        row = rows.slice(again[1], 1).to_pylist()[0]
        told = ", ".join(filter(None, (row[name] for name in ("dataset", "method", "instance", "metric"))))
        place = _file_of(files, again[1])
        expected, found = "one score for each dataset, method, instance and metric", f"a second one of {told}"
        raise ParseError(
            place, None, expected, found, f"remove one; the first is in {_file_of(files, again[0])}"
        )
    design, guesses = _design(files, rows["instance"].unique().to_pylist(), options)
    return ScoreFile(
        source=source,
        rows=rows,
        metrics=_metrics(files, source),
        guesses=(
            of_files(len(files)),
            *_once(guess for file in files for guess in file.guesses),
            *guesses,
        ),
        notices=tuple(notice for file in files for notice in file.notices),
        factors={name: levels for file in files for name, levels in file.factors.items()},
        families={name: family for file in files for name, family in file.families.items()},
        sizes={name: size for file in files for name, size in file.sizes.items()},
        design=design,
    )


def _design(
    files: Sequence[ScoreFile], instances: Sequence[str], options: ScoreOptions
) -> tuple[ScoreDesign, list[Guess]]:
    """Return how instances lie to each other, also where each file holds one, and what was guessed."""
    known = max((file.design for file in files), key=lambda design: design.folds * design.repeats)
    if known.kind != "single" or not all(instances):
        return known, []
    labels = [dict(part.rpartition(" ")[::2] for part in label.split(", ")) for label in instances]
    kinds = list(labels[0])
    columns = [Column(kind, pa.array([label.get(kind) for label in labels])) for kind in kinds]
    remarks = Remarks()
    return design_of(columns, options, remarks), remarks.guesses


def _once(guesses: Iterable[Guess]) -> tuple[Guess, ...]:
    return tuple(dict.fromkeys(guesses))


def _file_of(files: Sequence[ScoreFile], row: int) -> str:
    """Return the source of the file that a row of all comes from."""
    ends = np.cumsum([file.rows.num_rows for file in files])
    return files[int(np.searchsorted(ends, row, side="right"))].source


def _metrics(files: Sequence[ScoreFile], source: str) -> tuple[Metric, ...]:
    found: dict[str, Metric] = {}
    for metric in (metric for file in files for metric in file.metrics):
        first = found.setdefault(metric.name, metric)
        if first.higher_is_better != metric.higher_is_better:
            raise ParseError(source, None, f"one direction of {metric.name}", "both", "open the files apart")
        if first.best != metric.best:
            best = None if None in (first.best, metric.best) else max(first.best or 0.0, metric.best or 0.0)
            found[metric.name] = metric._replace(best=best)
    return tuple(found.values())


def _scores(rows: pa.Table) -> Scores:
    names = {}
    for name in ("dataset", "method", "instance", "metric"):
        column = rows[name].chunk(0)
        names[name] = Codes(column.indices.to_numpy().astype(np.int32), tuple(column.dictionary.to_pylist()))
    count = rows.num_rows
    return Scores(**names, value=np.zeros(count), lines=np.arange(count), measured={})
