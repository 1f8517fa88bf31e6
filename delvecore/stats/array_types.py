"""Array types for annotations. Modules that load without NumPy import them for type checkers only."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
Mask = NDArray[np.bool_]
Numbers = NDArray[np.float64] | NDArray[np.int64]
Words = NDArray[np.object_] | NDArray[np.str_]
Place = tuple[str | None, str | None, str | None]
"""Dataset, prototask and task."""
Row = dict[str, object]
"""A row of an Arrow table, by column."""
