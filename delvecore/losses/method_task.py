"""A method on a task: codings, constants, true targets, and the test cases that count in a loss.

Files in the method's directories take precedence. Absent files are replaced from the dataset, with the same
rounding, so that losses do not depend on the presence of `targets.n` and `normalize.n`.

A case with a missing target counts in no loss. A case with a censored target counts only in log probability
loss, by the probability beyond the bound. All instances count the same number of cases: the first ones, up to
the number of the instance with the fewest. This depends on the data only, so all methods are tested on the
same cases. Source: DELVE manual, section 3.3 (missing and censored values), with decisions of this
program."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from delvecore.encoding.codes import CODES
from delvecore.encoding.codings import code_of, column_names, task_codings
from delvecore.encoding.encode import TaskPlan, encoded_texts, plan_task
from delvecore.encoding.instances import Instance, test_union
from delvecore.encoding.normalization import Constants
from delvecore.encoding.prototask_cases import PrototaskCases, held_cases
from delvecore.errors import DelveError, Fault
from delvecore.losses.functions import read_loss_matrix
from delvecore.losses.predictions import WordTable, decode_targets, parse_table
from delvecore.losses.spec import is_logarithmic
from delvecore.model import Attribute, Coding, Dataset, Prior, Prototask, Task
from delvecore.number_format.columns import CodeColumn, NumberColumn, numbers_of
from delvecore.readers.cases import Column, make_column
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.prior import parse_codings
from delvecore.readers.results import CONSTANTS, LossMatrix, parse_normalization
from delvecore.readers.specifications import read_task

CODING_USED = "Coding-used"


def missing_targets(targets: Sequence[Column]) -> np.ndarray:
    """Return a mask of the cases with a missing target."""
    mask: np.ndarray = np.any([column.missing for column in targets], axis=0)
    return mask


def unknown_targets(targets: Sequence[Column], loss: str) -> np.ndarray:
    """Return a mask of the cases that a loss cannot use: those with a missing or censored target."""
    mask = missing_targets(targets)
    if not is_logarithmic(loss):
        mask |= np.any([column.censored != 0 for column in targets], axis=0)
    return mask


def counted_positions(unknown: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return the positions, ascending, of the test cases of each instance that count.

    unknown: masks of `unknown_targets`, one per instance. If they are all False, all cases count."""
    if not any(one.any() for one in unknown):
        return [np.arange(len(one)) for one in unknown]
    fewest = min(int((~one).sum()) for one in unknown)
    return [np.flatnonzero(~one)[:fewest] for one in unknown]


def plan_positions(cases: PrototaskCases, instances: Sequence[Instance], loss: str) -> list[np.ndarray]:
    """Return `counted_positions` of a loss for the instances of a task, from its cases."""
    unknown = unknown_targets([cases.columns[number] for number in cases.prototask.targets], loss)
    return counted_positions([unknown[instance.test] for instance in instances])


def _column(words: Sequence[str]) -> Column:
    """Return a column with these words. Words of numbers or codes are not parsed again."""
    if isinstance(words, NumberColumn):
        none = np.zeros(len(words), dtype=np.int8)
        return Column(words, words.numbers, none.astype(bool), none)
    if isinstance(words, CodeColumn):
        few, places = make_column(words.table), words.places
        return Column(words, few.numbers[places], few.missing[places], few.censored[places])
    return replace(make_column(words), words=words)


@dataclass(frozen=True)
class MethodTask:
    """A task of a method.

    Attributes
    ----------
    codings : dict of int to Coding
        Codings by attribute number.
    made : TaskPlan or None
        The plan, if it has been made already.
    texts : mapping of str to str or None
        Texts of files that are not written yet, by name. They replace those in the method's directories.
    """

    hierarchy: Hierarchy
    method: str
    dataset: Dataset
    prototask: Prototask
    prior: Prior
    task: Task
    codings: dict[int, Coding]
    made: TaskPlan | None = field(default=None, kw_only=True)
    texts: Mapping[str, str] | None = field(default=None, kw_only=True)

    @property
    def path(self) -> str:
        return f"/{self.method}{self.task.path}"

    @property
    def names(self) -> tuple[str, ...]:
        """The names below `methods`."""
        return self.method, self.task.dataset, self.task.prototask, self.task.name

    @property
    def targets(self) -> list[tuple[Attribute, Coding]]:
        """The targets in the prototask's order, each with its coding."""
        numbers = self.prototask.targets
        return [(self.dataset.attribute(number), self.codings[number]) for number in numbers]

    @property
    def target_types(self) -> list[str]:
        return [self.prior.line(number).type for number in self.prototask.targets]

    @property
    def target_width(self) -> int:
        """Number of columns that encode the targets of a case."""
        return sum(len(column_names(*target)) for target in self.targets)

    @cached_property
    def plan(self) -> TaskPlan:
        """The task's instances and cases, from the files of the dataset."""
        if self.made is not None:
            return self.made
        cases = held_cases(self.hierarchy, self.dataset, self.prototask)
        return plan_task(self.hierarchy, cases, self.prior, self.task.training_size, codings=self.codings)

    def weights(self, instance: int) -> np.ndarray | None:
        """Return the weights of the losses of an instance's test cases, None for equal weights.

        They give equal importance to all values of a stratified target. Source: manual, section 4.2."""
        if not self.prototask.stratified:
            return None
        return self._instance(instance, f"targets.{instance}").weights

    @cached_property
    def files(self) -> dict[str, str]:
        """{plain name: path} of the files in the method's directories."""
        if self.texts is not None:
            return {name: name for name in self.texts}
        return self.hierarchy.files("methods", *self.names)

    def find(self, name: str) -> str | None:
        if self.texts is not None:
            return name if name in self.texts else None
        return self.hierarchy.find("methods", *self.names, name)

    def read(self, path: str) -> str:
        """Return the text of one of `files`, by its path. Raises DelveError."""
        return read_text(path) if self.texts is None else self.texts[path]

    def constants(self, instance: int) -> dict[int, Constants]:
        """Return the normalization constants of targets, from `normalize.n`, otherwise from the dataset.

        Only some codings need them. Raises DelveError if the file lacks one."""
        needed = [target.number for target, coding in self.targets if CODES[coding.coding].is_normalized]
        if not needed:
            return {}
        path = self.find(f"normalize.{instance}")
        if path is None:
            chosen = self._instance(instance, f"normalize.{instance}")
            return self.plan.constants(chosen)
        values = parse_normalization(self.read(path), path)
        try:
            return {number: Constants(*(values[number][name] for name in CONSTANTS)) for number in needed}
        except KeyError:
            expected = f"mean, stdDev, median and absDev of attribute{'s' * (len(needed) > 1)}"
            numbers = " ".join(map(str, needed))
            raise Fault(path, f"{expected} {numbers}", "fewer", "run mgendata", is_file=True) from None

    @cached_property
    def has_unknown_targets(self) -> bool:
        """Can the true target of a test case be missing or censored?

        The answer is from the files of targets, without decoding, or from the dataset if a file is absent."""
        if self._target_files:
            return any("?" in text or ":" in text for text in map(self.read, self._target_files))
        positions = test_union(self.plan.instances)
        columns = [self.plan.cases.columns[number] for number in self.prototask.targets]
        return any((column.missing | (column.censored != 0))[positions].any() for column in columns)

    @cached_property
    def instance_numbers(self) -> list[int]:
        """The numbers of all instances, or of those with targets if the dataset cannot be read."""
        try:
            return [instance.number for instance in self.plan.instances]
        except DelveError:
            return list(range(len(self._target_files)))

    @cached_property
    def _target_files(self) -> list[str]:
        """The files of targets if they exist from instance 0 on without a gap, otherwise none."""
        paths = [path for name, path in self.files.items() if name.startswith("targets.")]
        wanted = [f"targets.{number}" for number in range(len(paths))]
        return [self.files[name] for name in wanted] if self.files.keys() >= set(wanted) else []

    def loss_matrix(self, loss: str) -> LossMatrix:
        """Return the matrix of a loss for the only target; see `read_loss_matrix`."""
        return read_loss_matrix(self.hierarchy, self.prototask, self.targets[0][0], loss)

    def true_targets(self, instance: int) -> list[Column]:
        """Return the true targets of an instance's test cases, a column per target.

        They are decoded from `targets.n`, or without it from the dataset."""
        constants = self.constants(instance)
        path = self.find(f"targets.{instance}") if self.target_width else None
        if path is not None:
            table = parse_table(read_text(path), path, width=self.target_width)
            return list(map(_column, decode_targets(table, self.targets, constants)))
        chosen = self._instance(instance, f"targets.{instance}")
        return [_column(self._target(target, chosen, constants)) for target in self.targets]

    def _target(
        self, target: tuple[Attribute, Coding], instance: Instance, constants: dict[int, Constants]
    ) -> Sequence[str]:
        """Return one target of the test cases, as decoded from `targets.n`."""
        attribute, code = target[0], code_of(*target)
        if code.keeps_words:
            words = self.plan.cases.columns[attribute.number].words
            return [words[position] for position in instance.test.tolist()]
        texts = encoded_texts(self.plan, (attribute.number,), instance.test, constants, instance)
        try:
            codes = np.stack([numbers_of(column) for column in texts], axis=1)
        except ValueError:  # marked bounds are not numbers
            rows = [list(row) for row in zip(*texts, strict=True)]
            table = WordTable(self.path, rows, list(range(1, len(rows) + 1)))
            return decode_targets(table, [target], constants)[0]
        return code.decode(codes, constants.get(attribute.number))

    def _instance(self, number: int, missing: str) -> Instance:
        try:
            instances = self.plan.instances
        except DelveError as error:
            raise Fault(
                self.path, f"{missing}, or the dataset to make it from", f"neither ({error})"
            ) from None
        if number >= len(instances):
            expected = f"an instance from 0 to {len(instances) - 1}"
            raise Fault(self.path, expected, number, "remove its files")
        return instances[number]


def open_method_task(
    hierarchy: Hierarchy, method: str, dataset: str, prototask: str, task: str
) -> MethodTask:
    """Return a method's task by names; without `Coding-used` the default codings. Raises DelveError."""
    described, specified, prior, named = read_task(hierarchy, dataset, prototask, task)
    path = hierarchy.find("methods", method, dataset, prototask, task, CODING_USED)
    return MethodTask(
        hierarchy=hierarchy,
        method=method,
        dataset=described,
        prototask=specified,
        prior=prior,
        task=named,
        codings=used_codings(described, specified, prior, path, text=read_text(path) if path else ""),
    )


def used_codings(
    dataset: Dataset, prototask: Prototask, prior: Prior, path: str | None, *, text: str
) -> dict[int, Coding]:
    """Return the codings of a method's file `Coding-used`, by attribute number, or the default codings.

    path, text: those of the file. Raises DelveError."""
    used = parse_codings(text, dataset, path) if path else None
    try:
        return task_codings(dataset, prototask, prior, used)
    except ValueError as error:
        expected, actual = error.args
        where = path or prototask.path
        raise Fault(where, expected, actual, "run mgendata again", is_file=path is not None) from None
