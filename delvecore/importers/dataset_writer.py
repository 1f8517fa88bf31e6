"""Write the dataset of an import plan into a delve directory, completely or not at all. Nothing is
replaced."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.encoding.prototask_cases import order_lines, random_order
from delvecore.errors import Fault, words_of_system
from delvecore.importers.attributes import ColumnPlan, Role
from delvecore.importers.import_messages import notes_text, summary_text
from delvecore.importers.plan import (
    FEWEST_OF_HIERARCHICAL,
    RESERVED,
    ImportPlan,
    cases_for_testing,
    training_set_sizes,
)
from delvecore.model import CATEGORICAL_TYPES, RANDOM_ORDER, RETAIN, Prior, PriorLine, Prototask
from delvecore.number_format.columns import translated
from delvecore.packaging.staging import move_in, staging_directory
from delvecore.readers.dataset import DATA
from delvecore.readers.hierarchy import Hierarchy
from delvecore.writers.files import dataset_text, prior_text, prototask_text

KNOWN, PRIOR = "Known-targets", "std"
LEVELS = "NLMH"
"""Prior levels for unknown noise and relevance: manual, section 4.3."""
Files = dict[str, Iterator[bytes]]


def write_import(plan: ImportPlan, into: str) -> tuple[Prototask, ...]:
    """Write the dataset of a plan into a delve directory, and return its prototasks. Raises DelveError."""
    with new_dataset(plan.name, into) as directory:
        return write_dataset(plan, directory)


@contextmanager
def new_dataset(name: str, into: str, *, remedy: str = "give another with --name") -> Iterator[str]:
    """Provide a temporary directory for a dataset with its `Source`, and move it into a delve directory at
    the end.

    Raises DelveError if there is a dataset of this name: see `write_import`."""
    with staging_directory(into) as staging:
        for place in Hierarchy([into]).directories("data", name):
            raise Fault(place, "no dataset of this name yet", "one", remedy)
        directory = os.path.join(staging, "data", name)
        os.makedirs(os.path.join(directory, "Source"))
        try:
            yield directory
        except OSError as error:
            raise Fault(into, "to write into it", words_of_system(error)) from None
        move_in(staging, into)


def write_dataset(plan: ImportPlan, directory: str) -> tuple[Prototask, ...]:
    """Write all files of a dataset into its directory (see `new_dataset`), and return its prototasks."""
    missing, groups = _write_data(plan, os.path.join(directory, DATA))
    prototasks = []
    for targets in plan.targets:
        is_known = ~np.logical_or.reduce([missing[name] for name in targets])
        prototask = _prototask(plan, targets, is_known)
        prototasks.append(prototask)
        of_known = None if groups is None else groups[is_known]
        _write_prototask(plan, prototask, is_known, of_known, os.path.join(directory, prototask.name))
    write_new(os.path.join(directory, "Dataset.spec"), dataset_text(plan.dataset))
    write_new(os.path.join(directory, "Summary"), summary_text(plan))
    write_new(os.path.join(directory, "Source", "Notes"), notes_text(plan, prototasks))
    return tuple(prototasks)


def _write_prototask(
    plan: ImportPlan, prototask: Prototask, is_known: np.ndarray, groups: np.ndarray | None, directory: str
) -> None:
    os.mkdir(directory)
    write_new(os.path.join(directory, "Prototask.spec"), prototask_text(prototask))
    write_new(os.path.join(directory, PRIOR + ".prior"), prior_text(_prior(plan, prototask)))
    if not is_known.all():
        numbers = "\n".join(map(str, (np.flatnonzero(is_known) + 1).tolist()))
        write_new(os.path.join(directory, KNOWN), f"# cases whose targets are known\n{numbers}\n")
    if not plan.is_retained:
        order = random_order(int(is_known.sum()), plan.options.seed, groups=groups)
        write_new(os.path.join(directory, RANDOM_ORDER), order_lines(order))


def _prototask(plan: ImportPlan, targets: Sequence[str], is_known: np.ndarray) -> Prototask:
    numbers = {column.name: number for number, column in enumerate(plan.kept, start=1)}
    count = int(is_known.sum())
    training = training_set_sizes(count, plan.options.sizes)
    test = cases_for_testing(count, training[-1], instances=plan.options.instances)
    name = "-".join(targets).replace("/", "-")[:200]
    return Prototask(
        plan.name,
        name + "-task" if name in RESERVED else name,
        origin=plan.options.origin,
        cases="all" if is_known.all() else KNOWN,
        order=RETAIN if plan.is_retained else RANDOM_ORDER,
        inputs=tuple(numbers[column.name] for column in plan.kept if column.role is Role.INPUT),
        targets=tuple(numbers[name] for name in targets),
        test_set_size=test,
        training_set_sizes=training,
        # Test cases of groups are not independent, so each training set has separate groups for testing.
        test_set_selection="hierarchical" if plan.group or test >= FEWEST_OF_HIERARCHICAL else "common",
        maximum_instances=plan.options.instances,
    )


def _prior(plan: ImportPlan, prototask: Prototask) -> Prior:
    lines = []
    for number in prototask.used:
        column = plan.kept[number - 1]
        options = (("unit", column.unit),) if column.unit else ()
        lines.append(PriorLine(number, LEVELS, column.type, options))
    strength = LEVELS if plan.group else None
    return Prior(plan.name, prototask.name, PRIOR, tuple(lines), strength)


def _write_data(plan: ImportPlan, path: str) -> tuple[dict[str, np.ndarray], np.ndarray | None]:
    """Write `Dataset.data`; return ({target: mask of missing values}, number of each case's group or
    None)."""
    kept = [(place, column) for place, column in enumerate(plan.columns) if column.role is not Role.LEFT_OUT]
    gaps = pa.array(list(plan.options.missing), type=pa.string())
    missing: dict[str, list[np.ndarray]] = {name: [] for group in plan.targets for name in group}
    groups = _Groups(plan)
    with open(path, "xb") as file:
        for batch in plan.source.batches():
            words = [_file_words(column, batch[place], gaps) for place, column in kept]
            for (_, column), one in zip(kept, words, strict=True):
                if column.name in missing:
                    missing[column.name].append(pc.equal(one, "?").to_numpy(zero_copy_only=False))
            file.write(_lines([*words, *groups.marks(batch)]))
    return {name: np.concatenate(parts) for name, parts in missing.items()}, groups.numbers


class _Groups:
    """The groups of the cases read so far, with a number per value. A case without a value is a separate
    group."""

    def __init__(self, plan: ImportPlan) -> None:
        self._place = plan.columns.index(plan.group) if plan.group else None
        self._missing = set(plan.options.missing)
        self._codes: dict[object, int] = {}
        self._numbers: list[int] = []

    def marks(self, batch: Sequence[pa.Array]) -> list[pa.Array]:
        """Return the column of commonality indexes of more cases; no column without groups."""
        if self._place is None:
            return []
        words = [None if word is None else word.strip() for word in batch[self._place].to_pylist()]
        first = len(self._numbers)
        keys = [
            ("alone", first + place) if word is None or word in self._missing else word
            for place, word in enumerate(words)
        ]
        numbers = [self._codes.setdefault(key, len(self._codes) + 1) for key in keys]
        self._numbers += numbers
        return [pa.array([f"@{number}" for number in numbers], type=pa.string())]

    @property
    def numbers(self) -> np.ndarray | None:
        return None if self._place is None else np.array(self._numbers, dtype=np.int64)


def _file_words(column: ColumnPlan, words: pa.Array, gaps: pa.Array) -> pa.Array:
    """Return the words of a column in the file."""
    if column.type in CATEGORICAL_TYPES:
        missing = set(gaps.to_pylist())
        of_category = {word: category for word, category in column.words.items() if word not in missing}
        plain = translated(words, lambda word: of_category.get(word.strip(), "?"), pa.string())
        return pc.fill_null(plain, "?")
    if column.profile.is_plain and not column.profile.infinite:
        return words
    trimmed = pc.utf8_trim_whitespace(words)
    unknown = pc.or_(pc.is_in(trimmed, value_set=gaps), pc.is_null(trimmed))
    if column.profile.infinite:
        endless = pc.match_substring_regex(trimmed, r"(?i)^[+-]?inf(inity)?$")
        unknown = pc.or_(unknown, pc.fill_null(endless, True))
    return pc.if_else(unknown, "?", trimmed)


def _lines(columns: Sequence[pa.Array]) -> bytes:
    """Join columns of words to lines."""
    if not len(columns[0]):
        return b""
    lines = pc.binary_join_element_wise(*columns, " ")
    whole = pa.ListArray.from_arrays(pa.array([0, len(lines)], type=pa.int32()), lines)
    text: bytes = pc.binary_join(whole, "\n")[0].as_buffer().to_pybytes()
    return text + b"\n"


def write_new(path: str, content: str | Iterator[bytes]) -> None:
    with open(path, "xb") as file:
        file.writelines([content.encode()] if isinstance(content, str) else content)
