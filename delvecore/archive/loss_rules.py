"""What the data say of a task's loss files: how many losses there must be, and which matrix they need."""

from collections.abc import Iterator

from delvecore.archive.dataset_unit import DatasetUnit
from delvecore.archive.snapshot import Unit
from delvecore.encoding.prototask_cases import PrototaskCases, prototask_cases
from delvecore.encoding.task_instances import task_instances
from delvecore.errors import DelveError, ParseError, Report
from delvecore.losses.applicability import is_allowed
from delvecore.losses.counted_cases import plan_positions
from delvecore.losses.matrices import read_loss_matrix
from delvecore.losses.spec import Loss, is_logarithmic, parse_loss
from delvecore.model import Dataset, Prior, Prototask
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import read_task

__all__ = ["LossRules"]


class LossRules:
    """Rules for the loss files of many tasks; what was worked out for one method serves the others.

    hierarchy: the archive's directories; datasets: what was read of them, by name.
    """

    def __init__(self, hierarchy: Hierarchy, datasets: dict[str, DatasetUnit]) -> None:
        self.hierarchy, self.datasets = hierarchy, datasets
        self._cases: dict[str, PrototaskCases] = {}
        self._lengths: dict[tuple[object, ...], tuple[int, ...] | None] = {}
        self._seen: set[tuple[str, ...]] = set()

    def lengths(
        self, unit: Unit, loss: str, instances: int | None, test_cases: int | None
    ) -> tuple[int, ...] | None:
        """How many losses has each instance of the unit's task? None where the data do not say.

        test_cases: of each instance, None where they differ or are not known; those whose targets are missing
        or censored do not count in every loss.
        """
        _, _, name, prototask, task = unit.names
        sizes = self.datasets[name].test_sizes.get((prototask, task))
        if sizes is None and test_cases is not None and instances is not None:
            sizes = (test_cases,) * instances
        if sizes is None or not self._has_unknown_targets(name, prototask):
            return sizes
        key = (*unit.names[2:], is_logarithmic(loss))
        if key not in self._lengths:
            self._lengths[key] = self._counted(unit.names[2:], loss)
        return self._lengths[key]

    def check_matrix(self, unit: Unit, loss: str, report: Report) -> None:
        """Report, once for a task's prototask and prior, why a loss matrix cannot be had."""
        name, prototask_name, _ = unit.names[2:]
        key = (name, prototask_name, unit.task[0], loss)
        read = self.datasets[name]
        prototask, prior = read.prototasks.get(prototask_name), read.priors.get(key[1:3])
        known = parse_loss(loss)
        if known is None or not known.matrix or key in self._seen or prototask is None or prior is None:
            return
        self._seen.add(key)
        for fault in self._matrix_faults(unit, known, read.known, prototask, prior):
            report(fault)

    def _matrix_faults(
        self, unit: Unit, loss: Loss, dataset: Dataset, prototask: Prototask, prior: Prior
    ) -> Iterator[ParseError]:
        place = unit.directories[0]
        if not is_allowed(loss.name, prototask, prior):
            remedy = "a loss matrix needs a single categorical target"
            yield ParseError(
                place, None, "losses that the targets allow", repr(loss.name), remedy, kind="results"
            )
            return
        try:
            read_loss_matrix(self.hierarchy, prototask, dataset.attribute(prototask.targets[0]), loss.name)
        except ParseError as error:
            yield error
        except DelveError:
            expected = f"the loss matrix {loss.matrix} beside Prototask.spec"
            yield ParseError(place, None, expected, "none", "add it", kind="results")

    def _has_unknown_targets(self, name: str, prototask_name: str) -> bool:
        read = self.datasets[name]
        if read.cases is None or prototask_name not in read.prototasks:
            return False
        columns = [read.cases.columns[number] for number in read.prototasks[prototask_name].targets]
        return any(column.missing.any() or column.censored.any() for column in columns)

    def _counted(self, task: tuple[str, ...], loss: str) -> tuple[int, ...] | None:
        try:
            dataset, prototask, _, found = read_task(self.hierarchy, *task)
            if prototask.path not in self._cases:
                self._cases[prototask.path] = prototask_cases(self.hierarchy, dataset, prototask)
            cases = self._cases[prototask.path]
            positions = plan_positions(cases, task_instances(self.hierarchy, cases, found), loss)
        except DelveError:
            return None  # why is among the archive's problems
        return tuple(map(len, positions))
