"""Published results beside those of an archive: on a task, in the unit of a loss."""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.compute as pc

from delvecore.losses.published import PublishedValue, Targets, in_loss
from delvecore.stats.losses.standardization import standardized_mean, standardized_spread

__all__ = ["published_methods", "published_on", "standardized"]

SHARE = "[0,1]"
"""The range of a target that is a share."""


class WithPublished(Protocol):
    """What is needed of an Archive, which lives above this room."""

    @property
    def published(self) -> pa.Table: ...
    @property
    def prototasks(self) -> pa.Table: ...
    @property
    def attributes(self) -> pa.Table: ...


def published_on(archive: WithPublished, task: tuple[str, str, str], loss: str) -> tuple[PublishedValue, ...]:
    """Return what was published on a task, given by the names of dataset, prototask and task, as far as it is
    the loss in another unit; lowest first."""
    if not archive.published.num_rows:
        return ()
    found = archive.published
    for column, name in zip(("dataset", "prototask", "task"), task, strict=True):
        found = found.filter(pc.equal(found[column], name))
    values = (_value(row, loss, _targets(archive, *task[:2])) for row in found.to_pylist())
    return tuple(sorted(filter(None, values), key=lambda one: (one.mean, one.method)))


def standardized(
    values: Iterable[PublishedValue], *, loss: str, constant: float | None
) -> tuple[PublishedValue, ...]:
    """Return published values in units of the baseline, without those that cannot be."""
    found = []
    for one in values:
        mean = standardized_mean(loss, one.mean, constant)
        if mean is not None:
            spread = standardized_spread(loss, one.deviation, constant)
            found.append(one._replace(mean=mean, deviation=spread))
    return tuple(found)


def published_methods(archive: WithPublished, paths: Collection[str]) -> dict[str, int]:
    """Of which methods was something published on these tasks, and on how many of them? paths: full ones."""
    rows = archive.published.select(["method", "dataset", "prototask", "task"]).to_pylist()
    pairs = {(row["method"], f"/{row['dataset']}/{row['prototask']}/{row['task']}") for row in rows}
    return dict(sorted(Counter(method for method, path in pairs if path in set(paths)).items()))


def _value(row: dict[str, Any], loss: str, targets: Targets) -> PublishedValue | None:
    same = in_loss(row["measure"], row["mean"], row["deviation"], loss=loss, targets=targets)
    if same is None:
        return None
    return PublishedValue(row["method"], *same, runs=row["runs"], source=row["source"], where=row["where"])


def _targets(archive: WithPublished, dataset: str, prototask: str) -> Targets:
    prototasks, attributes = archive.prototasks, archive.attributes
    chosen = pc.and_(pc.equal(prototasks["dataset"], dataset), pc.equal(prototasks["prototask"], prototask))
    names = next((row["targets"] for row in prototasks.filter(chosen).to_pylist()), ())
    of_dataset = attributes.filter(pc.equal(attributes["dataset"], dataset)).to_pylist()
    ranges = {row["attribute"]: row["range"] for row in of_dataset}
    return Targets(len(names), all(ranges.get(name) == SHARE for name in names))
