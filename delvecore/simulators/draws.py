"""Random numbers that are the same on every machine and with every version of NumPy.

NumPy keeps the 64-bit words of a seeded PCG64 the same for ever, but not what its `Generator` makes of them.
So the words are taken raw, and turned into draws by the formulas below.
"""

import numpy as np

__all__ = ["Draws"]


class Draws:
    """A stream of independent draws that the seed alone decides."""

    def __init__(self, seed: int) -> None:
        self._words = np.random.PCG64(seed)

    def uniform(self, *shape: int) -> np.ndarray:
        """Draws from [0, 1): the upper 53 bits of a word, as a fraction."""
        words = self._words.random_raw(int(np.prod(shape))) >> np.uint64(11)
        return words.reshape(shape) * 2.0**-53

    def exponential(self, *shape: int) -> np.ndarray:
        """Draws from the exponential distribution of mean one, by inversion."""
        return -np.log1p(-self.uniform(*shape))

    def normal(self, *shape: int) -> np.ndarray:
        """Draws from the standard normal distribution: the first of each pair of Box and Muller."""
        radius = np.sqrt(2.0 * self.exponential(*shape))
        return radius * np.cos(2.0 * np.pi * self.uniform(*shape))

    def order(self, count: int) -> list[int]:
        """A random order of the indexes 1 to count: the ranks of as many uniform draws."""
        return [int(index) + 1 for index in np.argsort(self.uniform(count), kind="stable")]
