"""Tests of DELVE for the browser."""

import os
import sys
from pathlib import Path

# Where Python may not write the bytecode of what it imports, let it write beside the user's other caches: else each
# of the processes that tests start compiles NumPy, SciPy, Streamlit and this project anew, for seconds.
if sys.dont_write_bytecode:
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    sys.dont_write_bytecode = False
    sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(caches / "delve-tests" / "bytecode")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
