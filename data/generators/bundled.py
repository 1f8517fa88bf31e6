"""The datasets that come with scikit-learn, read from the installed package; nothing is fetched."""

from types import ModuleType

__all__ = ["MissingPackageError", "bundled_datasets"]


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
