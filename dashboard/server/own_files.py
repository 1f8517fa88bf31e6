"""A visitor's own files: scores, cases, and archive files.

They are read in the same way as by `delve rank`, `delve import` and `delve install`.

Functions with a path are called in a process with limits: see `sandbox`."""

import contextlib
import gzip
import io
import os
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import delvecore
from delvecore.answers.similar_data import DataDescription
from delvecore.archive.scores.baseline_units import Constants, raw_losses
from delvecore.archive.scores.opening import ScoreGroup, group_of
from delvecore.errors import DelveError
from delvecore.importers.case_files import open_source
from delvecore.importers.dataset_writer import write_import
from delvecore.importers.plan import ImportOptions, ImportPlan, plan_import
from delvecore.importers.similar_tasks import describe_plan
from delvecore.locations import PARTS
from delvecore.packaging.install import Installed, install_archives
from delvecore.packaging.pack import review
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.tar_archives import Limits
from delvecore.score_tables.options import Question, ScoreOptions
from delvecore.score_tables.reading import read_scores
from delvecore.score_tables.score_file import ScoreFile
from delvecore.score_tables.table_kind import file_kind

ENDINGS = (".csv", ".tsv", ".txt", ".parquet", ".pq", ".arff")
"""Endings of files that may hold cases. They are kept because they determine how a file is read."""


def ending_of(name: str) -> str:
    """Return the file extension of a file that may contain cases; empty for other files."""
    ending = os.path.splitext(name)[1].lower()
    return ending if ending in ENDINGS else ""


Kind = Literal["scores", "cases", "unclear"]


@dataclass(frozen=True, eq=False)
class OwnTable:
    """An added table of scores or cases. It may be unclear which, until the visitor decides.

    Attributes
    ----------
    name, path : str
        File name in the upload, and path on the server.
    why : str
        Why the kind is unclear.
    has_alternative : bool
        Whether it can be read as the other kind, too.
    file, group : ScoreFile or None, ScoreGroup or None
        Contents of a table of scores, None if ambiguous.
    question : Question or None
        Question to answer first.
    is_standardized : bool
        Whether its values are in units of the baseline of each task.
    plan : ImportPlan or None
        The dataset that the cases would become.
    description : DataDescription or None
        Properties of the cases, once the visitor asks for similar tasks.
    """

    kind: Kind
    name: str
    path: str
    why: str = ""
    has_alternative: bool = False
    options: ScoreOptions = field(default_factory=ScoreOptions)
    file: ScoreFile | None = None
    group: ScoreGroup | None = None
    question: Question | None = None
    is_standardized: bool = False
    plan: ImportPlan | None = None
    description: DataDescription | None = None

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods in the file, in its order."""
        return tuple(self.file.rows["method"].unique().to_pylist()) if self.file else ()


def plan_of(path: str, name: str, options: ImportOptions | None = None) -> ImportPlan:
    """Return the plan for importing a file of cases. options: None guesses all of them. Raises DelveError."""
    stem = name.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    plain = "".join(letter for letter in stem if letter.isascii() and (letter.isalnum() or letter in "-_"))
    guessing = ImportOptions(name=plain[:60] or "cases", guess_target=True)
    return plan_import(open_source(path), options or guessing)


def read_own_cases(path: str, name: str, options: ImportOptions | None = None) -> OwnTable:
    """Return the cases of a file. Raises DelveError."""
    return OwnTable("cases", name, path, plan=plan_of(path, name, options))


def read_own_scores(path: str, name: str, options: ScoreOptions | None = None) -> OwnTable:
    """Return the scores of a file, or the question to answer first. Raises DelveError if it has no scores."""
    options = options or ScoreOptions()
    try:
        with open(path, "rb") as content:
            file = read_scores(content, name=name, options=options)
    except Question as question:
        return OwnTable("scores", name, path, options=options, question=question)
    group = group_of([file])._replace(keep=options.keep)
    return OwnTable("scores", name, path, options=options, file=file, group=group)


READERS: Mapping[Kind, Callable[..., OwnTable]] = {"scores": read_own_scores, "cases": read_own_cases}


def read_own_table(path: str, name: str) -> OwnTable:
    """Return the scores or the cases in a file. Raises DelveError if it contains neither."""
    if not ending_of(name):
        return read_own_scores(path, name)
    kind, why = "cases", ""
    with contextlib.suppress(DelveError):  # A file that cannot be read as scores may have cases.
        kind, why = file_kind(path, name=name)
    tables, faults = dict[Kind, OwnTable](), dict[Kind, DelveError]()
    for candidate, read in READERS.items():
        try:
            tables[candidate] = read(path, name)
        except DelveError as error:
            faults[candidate] = error
    if not tables:
        raise faults["cases" if kind == "cases" and why else "scores"]
    if "cases" in tables and kind == "unclear":
        return OwnTable("unclear", name, path, why=why)
    if "cases" in tables and kind == "cases":
        return replace(tables["cases"], has_alternative="scores" in tables)
    if "scores" in faults:
        raise faults["scores"]
    return tables["scores"]


def write_own_dataset(path: str, name: str, *, options: ImportOptions, into: str) -> str:
    """Write a dataset from a file of cases into a delve directory; return its name. Raises DelveError."""
    plan = plan_of(path, name, options)
    write_import(plan, into)
    return plan.name


def describe_own_cases(path: str, name: str, *, options: ImportOptions) -> DataDescription:
    """Describe a file of cases to find similar tasks. Raises DelveError."""
    return describe_plan(plan_of(path, name, options), name)


TAR_BLOCK, TAR_MAGIC = 512, slice(257, 262)


def is_packed(name: str, content: memoryview) -> bool:
    """Is this an archive file of a method or dataset? Decided by its name, otherwise by its first bytes."""
    if name.lower().endswith((".tar.gz", ".tgz")):
        return True
    try:
        with gzip.open(io.BytesIO(content)) as file:
            return file.read(TAR_BLOCK)[TAR_MAGIC] == b"ustar"
    except (OSError, EOFError, zlib.error):
        return False


def unpack_own_archive(
    path: str, name: str, *, into: str, own: str, beside: Sequence[str], limits: Limits
) -> Installed:
    """Install an archive file in a new delve directory, and check it together with earlier additions.

    own: delve directory of earlier additions; beside: further ones that will be shown with it. Raises
    DelveError."""
    for part in PARTS:
        os.makedirs(os.path.join(into, part))
    (installed,) = install_archives([path], into, beside=[own, *beside], limits=limits, names=[name])
    delvecore.open([into, own], cache=False)
    with contextlib.suppress(DelveError):  # the page reports it
        review(Hierarchy([into, own, *beside], report=lambda fault: None), installed.part, installed.name)
    return installed


def group_on(table: OwnTable, constants: Constants) -> ScoreGroup:
    """Return the scores of a table for an archive. Standardized scores are converted to raw losses."""
    if table.file is None or table.group is None:
        raise ValueError(f"expected a table of scores without open questions, found {table.name}")
    if not table.is_standardized:
        return table.group
    file = replace(table.file, rows=raw_losses(table.file, constants))
    return group_of([file])._replace(keep=table.options.keep)
