"""Tests of the datasets in `data/`. Importing this package makes the scripts there importable."""

import sys
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "data"
if str(DATA) not in sys.path:
    sys.path.insert(0, str(DATA))
