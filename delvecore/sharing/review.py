"""What is wrong with one dataset or method, before it is passed on or after it was taken in?"""

from delvecore.checking.datasets import dataset_problems
from delvecore.checking.methods import method_problems
from delvecore.errors import Problem
from delvecore.readers.hierarchy import Hierarchy

__all__ = ["review"]


def review(hierarchy: Hierarchy, part: str, name: str) -> list[Problem]:
    """Return what `dcheck` finds in a dataset (part `data`) or `mcheck` in a method (part `methods`)."""
    return (dataset_problems if part == "data" else method_problems)(hierarchy, name)
