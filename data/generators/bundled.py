"""The datasets that come with scikit-learn, read from the installed package; nothing is fetched."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

from generators.files import original_number
from generators.one_task import OneTask, one_task_files


class MissingPackageError(RuntimeError):
    """A package that only the rebuilding needs is not installed."""


def bundled_datasets() -> ModuleType:
    """Return `sklearn.datasets`; MissingPackageError says in one line what to install."""
    try:
        from sklearn import datasets
    except ImportError:
        message = "scikit-learn is needed to rebuild this dataset: pip install scikit-learn"
        raise MissingPackageError(message) from None
    return datasets


def bundled_files(
    dataset: OneTask, load: str, target_word: Callable[[Any], str] = original_number, **options: object
) -> dict[str, str]:
    """Return the texts of all files of a dataset by name. load: the function of `sklearn.datasets` that gives
    its cases, in the order of the source; target_word: returns the word of a target; options: of load."""
    bundled = getattr(bundled_datasets(), load)(**options)
    rows = zip(bundled.data, bundled.target, strict=True)
    return one_task_files(
        dataset, [[*map(original_number, inputs), target_word(label)] for inputs, label in rows]
    )
