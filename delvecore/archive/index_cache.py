"""What archive files hold, kept between runs: an index says it without unpacking the file again.

An index counts for as long as its file has the same size and times, as within a run.
"""

import hashlib
import json
import os

from delvecore.cache import write_whole
from delvecore.readers.archives.packed import archives_in, known_indexes, remember_index
from delvecore.readers.archives.tar_index import Index
from delvecore.readers.hierarchy import PARTS

__all__ = ["IndexCache"]

DAMAGE = (OSError, ValueError, TypeError, AttributeError)


class IndexCache:
    """The indexes of the archive files in some delve directories.

    base: the cache directory, None for no cache; form: changes when indexes would be made otherwise.
    """

    def __init__(self, base: str | None, form: str, roots: list[str]) -> None:
        self._places = [os.path.join(root, part) for root in roots for part in PARTS]
        name = hashlib.blake2b("\n".join([form, *roots]).encode(), digest_size=16).hexdigest()
        self._path = os.path.join(base, "indexes", f"{name}.json") if base else None
        self._recalled: dict[str, tuple[int, ...]] = {}

    def recall(self) -> None:
        """Make known what was kept; a damaged file counts as absent."""
        if self._path is None:
            return
        try:
            with open(self._path, encoding="utf-8") as file:
                kept = {path: (tuple(mark), Index(*index)) for path, (mark, index) in json.load(file).items()}
        except DAMAGE:
            return
        for path, (mark, index) in kept.items():
            remember_index(path, mark, index)
        self._recalled = {path: mark for path, (mark, _) in kept.items()}

    def keep(self) -> None:
        """Keep what is known now, where it is not what was recalled.

        A cache that cannot be written is told with the tables, which cannot be kept there either.
        """
        if self._path is None:
            return
        found = known_indexes(path for place in self._places for path in archives_in(place))
        if {path: mark for path, (mark, _) in found.items()} != self._recalled:
            try:
                write_whole(self._path, json.dumps(found, separators=(",", ":")).encode())
            except OSError:
                return
