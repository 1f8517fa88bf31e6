"""`delve install`: put datasets and methods from archive files or web addresses into a delve directory."""

import contextlib
import os
import signal
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from functools import partial

from delvecore.atomic_io import scratch_directory
from delvecore.cli.support.context import INTERRUPTED, print_lines
from delvecore.cli.support.manual import ManualParser
from delvecore.cli.support.places import active_roots, data_target
from delvecore.locations import PARTS
from delvecore.packaging.install import Installed, fetch, has_scheme, install_archives
from delvecore.progress import Progress
from delvecore.render.numbers import counted

FETCHING = 0.5
"""Share of fetching in the progress, if a file is fetched."""


def main(arguments: Sequence[str]) -> int:
    options = command().parse_args(arguments)
    # A request to end cleans up as Ctrl-C does.
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with _target(options.into) as (into, beside):
            for one in _install(options, into, beside):
                print_lines(_sentence(one, into))
    except KeyboardInterrupt:
        print("\ndelve install: interrupted; nothing was changed", file=sys.stderr)
        return INTERRUPTED
    finally:
        signal.signal(signal.SIGTERM, before)
    return 0


@contextlib.contextmanager
def _target(asked: str | None) -> Iterator[tuple[str, list[str]]]:
    """Provide the delve directory to install into, and the active ones that are read together with it.

    A new directory is removed if nothing was installed."""
    is_new = asked is not None and not os.path.lexists(os.path.expanduser(asked))
    roots, into = active_roots(), data_target(asked)
    is_active = os.path.realpath(into) in map(os.path.realpath, roots)
    try:
        yield into, roots if is_active else []
    finally:
        parts = [os.path.join(into, part) for part in PARTS]
        if is_new and not any(map(os.listdir, parts)):
            for directory in (*parts, into):
                os.rmdir(directory)


def _install(options: Namespace, into: str, beside: list[str]) -> list[Installed]:
    progress = _Steady(sys.stderr, quiet=options.quiet)
    share = FETCHING if any(map(has_scheme, options.sources)) else 0.0

    def notify(name: str, done: float) -> None:
        progress.tell(name, share + (1 - share) * done)

    with scratch_directory("delve-fetch-") as scratch:
        paths = _paths(options.sources, scratch, progress, share)
        installed = install_archives(paths, into, beside=beside, names=options.sources, notify=notify)
    progress.clear()
    return installed


class _Steady(Progress):
    """A progress line that is redrawn only after each percent."""

    shown = -1.0

    def tell(self, source: str, share: float) -> None:
        if share - self.shown >= 0.01 or share >= 1:
            self.show(os.path.basename(source), share, whole=share >= 1)
            self.shown = share


def _paths(sources: Sequence[str], scratch: str, progress: _Steady, share: float) -> list[str]:
    def notify(number: int, arrived: float) -> None:
        progress.tell(sources[number], share * (number + arrived) / len(sources))

    paths = list(sources)
    for number, source in enumerate(sources):
        if has_scheme(source):
            paths[number] = os.path.join(scratch, f"{number}.tar.gz")
            fetch(source, paths[number], notify=partial(notify, number))
    return paths


def _sentence(one: Installed, into: str) -> str:
    parts = [f"{counted(one.added, 'file')} added to {os.path.join(into, one.part, one.name)}"]
    parts += [f"{counted(one.present, 'file')} there already"] * bool(one.present)
    parts += [f"{counted(one.hidden, 'file')} with names that start with a dot left out"] * bool(one.hidden)
    return f"{one.name} ({one.kind}): {', '.join(parts)}"


def command() -> ManualParser:
    parser = ManualParser(
        "delve install",
        "put datasets and methods from archive files into a delve directory",
        description="Put datasets and methods from .tar.gz files, or from http and https addresses of such "
        "files, into a delve directory. Links, devices, paths that lead out of the directory and "
        "files that unpack to an excessive size are refused. A file that would replace a different one "
        "is refused, too. Either everything is installed, or nothing.",
        note="Without --into, they go into the delve directory around the current directory, or "
        "into the first writable one of DELVE_PATH. `delve pack` makes such files.",
        files=(("*.tar.gz", "are files that `delve pack` makes."),),
        examples=(
            ("delve install lin-1-all.tar.gz demo.tar.gz --into ~/delve", "Install a method and a dataset."),
        ),
    )
    parser.add_argument("sources", nargs="+", metavar="FILE|URL", help="an archive file, or its web address")
    meaning = "the delve directory to install into, created if needed"
    parser.add_argument("--into", metavar="DELVE_DIRECTORY", help=meaning)
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    return parser
