"""Cases of several datasets built at once, by as many processes as there are cores.

The processes are new ones that are told what the files `Dataset.generator` say. What fails there is left out:
whoever needs the cases builds them himself and then says why they cannot be had.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence

from delvecore.errors import DelveError
from delvecore.locations import package_root
from delvecore.model import Generator
from delvecore.simulators.building import built_file, is_built

__all__ = ["build_ahead"]

PAUSE = 0.05
"""Seconds between two looks at what is built."""
FEWEST = 4
"""So many datasets have to be missing for the start of other processes to pay."""


def build_ahead(wanted: Mapping[str, Generator], *, cores: int | None = None) -> Iterator[str]:
    """Build the cases of generators where they are missing. wanted: by path of the file that names them.

    Yield each path whose cases are there now; what is left then cannot be built, or is left to the caller
    because starting processes does not pay, or because Python cannot be started. cores: those to use, None
    for all that are usable.
    """
    missing = {source: generator for source, generator in wanted.items() if not is_built(generator)}
    cores = cores or _usable_cores()
    if len(missing) < FEWEST or cores < 2 or not sys.executable:
        return
    pairs = list(missing.items())
    workers = [_started(pairs[first::cores]) for first in range(cores)]
    try:
        while missing:
            at_work = any(worker.poll() is None for worker in workers)
            for source in [source for source, generator in missing.items() if is_built(generator)]:
                del missing[source]
                yield source
            if not at_work:
                return
            time.sleep(PAUSE)
    finally:
        for worker in workers:
            worker.terminate()
            worker.wait()


def _started(pairs: Iterable[tuple[str, Generator]]) -> subprocess.Popen[bytes]:
    """Start a process that builds. `-P`: it must not import what lies in the working directory."""
    above = os.path.dirname(package_root())
    paths = os.pathsep.join(filter(None, [above, os.environ.get("PYTHONPATH")]))
    words = [str(word) for source, generator in pairs for word in (source, *generator)]
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "delvecore.simulators.ahead", *words],
        env=os.environ | {"PYTHONPATH": paths},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _build(words: Sequence[str]) -> None:
    """Build what groups of four words describe: a path, and a generator's name, cases and checksum."""
    for source, name, cases, checksum in zip(*[iter(words)] * 4, strict=True):
        try:
            built_file(Generator(name, int(cases), checksum), source)
        except DelveError:
            continue


if __name__ == "__main__":
    _build(sys.argv[1:])
