"""A random seed of its own for every task instance. Source: DELVE manual, sections 7.4 and 8.1."""

from hashlib import sha256

import numpy as np

from delvecore.model import Task

__all__ = ["instance_generator", "instance_seed"]


def instance_seed(method: str, task: Task, instance: int) -> int:
    """Return the seed of a method on one instance: the first 63 bits of the SHA-256 hash of their names.

    Nothing else enters, so the seed does not depend on what else is run, or in which order.
    """
    names = f"{method}{task.path}/{instance}"
    return int.from_bytes(sha256(names.encode()).digest()[:8], "big") >> 1


def instance_generator(seed: int) -> np.random.Generator:
    """Return the random numbers that a seed stands for."""
    return np.random.Generator(np.random.PCG64(seed))
