"""Slow steps that are prepared before a request: imports, and losses and metrics of the archive.

Another process reads and computes them at a low priority, and stores them in the cache."""

import contextlib
import importlib

from dashboard.server import archive as opened
from delvecore.archive import keep_losses
from delvecore.archive.metrics import is_kept
from delvecore.errors import DelveError
from delvecore.methods import SHIPPED, load_method
from delvecore.parallel.processes import LOW_PRIORITY, Worker

MOST_RESULTS = 20_000
"""Largest number of results of an archive for which something is computed in advance."""
LONGEST_OPENING = 3600.0
"""Seconds to wait for the reading of the archive."""


def prepare() -> None:
    """Prepare until all is done, or until the program ends its workers."""
    importlib.import_module("pandas.io.formats.style")  # of tables with rows in bold
    for method in SHIPPED:  # Pages ask a method why it has no result, unless its extra is missing.
        with contextlib.suppress(DelveError):
            load_method(method)
    archive = opened.open_archive(patience=LONGEST_OPENING).archive
    if archive is None or opened.cache_base() is None or archive.results.num_rows > MOST_RESULTS:
        return
    kept = set[str]()
    # If a process dies or is ended, the rest is computed on request.
    not_done = contextlib.suppress(DelveError, OSError, RuntimeError)
    with not_done, Worker(niceness=LOW_PRIORITY) as worker:
        worker.submit(keep_losses, archive.paths, follow_links=opened.follows_links()).result()
        for name in opened.metrics_offered(archive):
            if name not in kept and not is_kept(archive, name):
                kept.update(opened.keep_by(worker, archive, name))
