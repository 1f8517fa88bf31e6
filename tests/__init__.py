"""Tests of DELVE for the browser."""

import os
import sys
from pathlib import Path

from delvecore.parallel.processes import THREADS

# Where Python may not write the bytecode of what it imports, let it write beside the user's other caches: else each
# of the processes that tests start compiles NumPy, SciPy, Streamlit and this project anew, for seconds.
if sys.dont_write_bytecode:
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    sys.dont_write_bytecode = False
    sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(caches / "delve-tests" / "bytecode")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Libraries compute in one thread, before NumPy is imported: pytest has a process for each core.
os.environ.update(dict.fromkeys(THREADS, "1"))
