"""The session of a command: active hierarchy, warnings, output and exit codes."""

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from delvecore.cli.support.manual import ClassicParser, ManualParser
from delvecore.errors import DelveError
from delvecore.locations import default_directories, with_addresses
from delvecore.names import lines_shown, shown
from delvecore.readers.hierarchy import Hierarchy, active_directories, half_installed
from delvecore.readers.regular_files import enclosing_directory
from delvecore.writers.files import write_atomically

INTERRUPTED, PIPE_CLOSED = 130, 141
"""The exit codes that a shell gives for SIGINT and SIGPIPE."""


class Session(NamedTuple):
    """One run of a command.

    The hierarchy stops at the first fault.

    Attributes
    ----------
    warnings : set of str
        Warnings issued so far.
    """

    command: str
    hierarchy: Hierarchy
    working_directory: str
    warnings: set[str]

    def warn(self, message: object) -> None:
        """Report omitted items once, in one line on standard error."""
        line = f"{self.command}: warning: {shown(' '.join(str(message).split()))}"
        if line not in self.warnings:
            self.warnings.add(line)
            print(line, file=sys.stderr)

    @property
    def tolerant(self) -> Hierarchy:
        """The same hierarchy, but with warnings instead of errors, for commands that list."""
        return self.hierarchy.reporting(self.warn)

    def locate(self, argument: str, *, part: str) -> tuple[str, ...]:
        """Return an argument's names below `data` or `methods`. Raises DelveError if it is outside both."""
        return self.hierarchy.locate(argument, self.working_directory, part=part)


Action = Callable[[Session, Namespace], int | None]


def current_directory() -> str:
    """Return the current directory, or the shell's name for it if only that is in a delve directory.

    The two differ if a delve directory has symbolic links to data or methods elsewhere."""
    real, named = os.getcwd(), os.environ.get("PWD", "")
    if enclosing_directory(real) or not os.path.isabs(named) or not os.path.isdir(named):
        return real
    return named if os.path.samefile(real, named) else real


def active_hierarchy(working_directory: str, *, follow_links: bool = False) -> Hierarchy:
    """Return the active delve directories: manual, appendix C. Raises DelveError if there is none."""
    delve_path = os.environ.get("DELVE_PATH")
    roots = active_directories(working_directory, delve_path, default_directories())
    if not roots:
        raise DelveError("expected an active delve directory, found none; go into one or set DELVE_PATH")
    return Hierarchy(roots, follow_links=follow_links)


def run(command: Callable[[], ClassicParser], action: Action, arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0, or 1 after one line on standard error.

    action: may return an exit code; arguments: None means those of the process. Handles -h, -v and completion
    by a shell, and never prints a traceback."""
    parser = command()
    answer_shell(parser)

    def act() -> int:
        try:
            options = parser.parse(sys.argv[1:] if arguments is None else arguments)
        except SystemExit as end:  # after -h and -v
            return int(end.code or 0)
        directory = current_directory()
        hierarchy = active_hierarchy(directory, follow_links=options.follow_links)
        session = Session(parser.prog, hierarchy, directory, set())
        for fault in chain.from_iterable(map(half_installed, session.hierarchy.roots)):
            session.warn(fault)
        return action(session, options) or 0

    return run_guarded(parser.prog, act)


def answer_shell(parser: ManualParser) -> None:
    """Print completions for the shell with argcomplete if it asks for them, and end the process."""
    if "_ARGCOMPLETE" in os.environ:
        import argcomplete

        argcomplete.autocomplete(parser, always_complete_options=False)


def run_guarded(name: str, act: Callable[[], int]) -> int:
    """Return the exit code of a command; an error becomes one line that begins with its name."""
    if hasattr(sys.stdout, "reconfigure"):
        # A file name or text that the terminal cannot encode must not cause a traceback.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = act()
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        _discard_output()
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return _fail(name, "interrupted", code=INTERRUPTED)
    except DelveError as error:
        return _fail(name, str(error))
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _fail(name, f"{where}{(error.strerror or str(error)).lower()}")


def _fail(name: str, message: str, *, code: int = 1) -> int:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_output()
    print(f"{name}: {shown(with_addresses(' '.join(message.split())))}", file=sys.stderr)
    return code


def _discard_output() -> None:
    """Redirect standard output to the null device, so that the interpreter's last flush cannot fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, sys.stdout.fileno())
    except OSError:
        pass  # a stand-in without a file descriptor has nothing left to flush
    finally:
        os.close(nowhere)


def print_lines(text: str) -> None:
    """Print lines without control characters that could affect a terminal."""
    print(lines_shown(text))


def print_text(text: str) -> None:
    """Print lines, with `+-` for ± and `?` for other characters that the terminal's encoding lacks."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.replace("±", "+-").encode(encoding, "replace").decode(encoding)
    print_lines(text.rstrip("\n"))


STANDARD_OUTPUT = "-"


def print_bytes(pieces: Iterable[bytes]) -> None:
    """Print bytes unchanged, after all earlier output."""
    sys.stdout.flush()
    sys.stdout.buffer.writelines(pieces)
    sys.stdout.buffer.flush()


def check_new(path: str) -> None:
    """Raise DelveError if the file to write exists already."""
    if path != STANDARD_OUTPUT and os.path.lexists(path):
        raise DelveError(f"{path}: expected no file yet, found one; name another with --output")


def write_new(pieces: Iterable[bytes], path: str, *, summary: str) -> None:
    """Write a file and report its contents, or print the contents."""
    if path == STANDARD_OUTPUT:
        print_bytes(pieces)
        return
    write_atomically(path, pieces, alone=False)
    print_lines(f"{path}: {summary}")
