"""What every command needs around it: the active hierarchy, warnings, and one clear line for each error."""

import os
import sys
from collections import namedtuple

from delvecore.commands.frame.options import parse_arguments, version_text
from delvecore.errors import DelveError
from delvecore.locations import default_directories
from delvecore.readers.hierarchy import Hierarchy, active_directories, enclosing_directory

__all__ = ["INTERRUPTED", "PIPE_CLOSED", "Session", "active_hierarchy", "current_directory", "run"]

INTERRUPTED = 130
PIPE_CLOSED = 141
"""The exit codes that a shell gives for SIGINT and SIGPIPE."""


class Session(namedtuple("Session", "command hierarchy working_directory warnings")):
    """One run of a command. The hierarchy stops at the first fault; warnings: the set of those given."""

    __slots__ = ()

    def warn(self, message):
        """Say on standard error what was left out, in one line, once."""
        line = f"{self.command}: warning: {' '.join(str(message).split())}"
        if line not in self.warnings:
            self.warnings.add(line)
            print(line, file=sys.stderr)

    @property
    def tolerant(self):
        """The same hierarchy for lists, which a fault must not stop: it warns instead."""
        return Hierarchy(self.hierarchy.roots, report=self.warn)

    def locate(self, argument, *, part):
        """Return the Location in `data` or `methods` that an argument means; DelveError if outside."""
        return self.hierarchy.locate(argument, self.working_directory, part=part)


def current_directory():
    """Return the working directory; under the shell's name for it where only that lies in a delve directory.

    So a delve directory may hold symbolic links to data or methods that lie elsewhere.
    """
    real, named = os.getcwd(), os.environ.get("PWD", "")
    if enclosing_directory(real) or not os.path.isabs(named) or not os.path.isdir(named):
        return real
    return named if os.path.samefile(real, named) else real


def active_hierarchy(working_directory, **options):
    """Return the Hierarchy of the active delve directories: appendix C, "Data and method path names".

    options: report. Raises DelveError where none is active.
    """
    delve_path = os.environ.get("DELVE_PATH")
    roots = active_directories(working_directory, delve_path, default_directories())
    if not roots:
        raise DelveError("expected an active delve directory, found none; go into one or set DELVE_PATH")
    return Hierarchy(roots, **options)


def run(command, action, arguments=None):
    """Run a command and return its exit code: 0, or 1 after one line on standard error.

    command: its Command; action: called with the Session, the options and the other arguments, may return
    an exit code; arguments: those of the process where None. Handles -h and -v, and lets no traceback out.
    """
    if hasattr(sys.stdout, "reconfigure"):
        # A file name or a text that the terminal's encoding lacks must not end in a traceback.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = _dispatch(command, action, sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        _discard_output()
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return _fail(command, "interrupted", code=INTERRUPTED)
    except DelveError as error:
        return _fail(command, str(error))
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _fail(command, f"{where}{(error.strerror or str(error)).lower()}")


def _dispatch(command, action, arguments):
    options, rest = parse_arguments(command, arguments)
    if "h" in options:
        from delvecore.commands.frame.manual import help_text

        print(help_text(command))
    elif "v" in options:
        print(version_text(command))
    else:
        working_directory = current_directory()
        session = Session(command.name, active_hierarchy(working_directory), working_directory, set())
        return action(session, options, rest) or 0
    return 0


def _fail(command, message, *, code=1):
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_output()
    print(f"{command.name}: {' '.join(message.split())}", file=sys.stderr)
    return code


def _discard_output():
    """Point standard output at nothing, so that the interpreter's last flush cannot fail either."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, sys.stdout.fileno())
    except OSError:
        pass  # a stand-in without a file descriptor has nothing left to flush
    finally:
        os.close(nowhere)
