"""How long do the small commands take from start to end, beside `import pandas`?"""

import os
import sys
import tempfile
from collections.abc import Sequence

from benchmarks.made_archive import DATASETS, METHODS, write_archive
from benchmarks.results import Finding, skipped
from benchmarks.timing import in_turns

SHARE = 1.0
"""The goal: at most this share of what `import pandas` takes."""
PLAIN = {
    name: [sys.executable, "-c", code] for name, code in (("nothing", "pass"), ("pandas", "import pandas"))
}
REQUESTS = {"dinfo": "/made-0", "mstats": "/method-0/made-0/target-0/std.16"}
_NOTE = (
    "Medians of {rounds} turns, each command once a turn, output to nowhere, files in the page cache. The "
    "console script is the one that pip wrote. A Python that does nothing takes {nothing:.1f} ms here."
)


def measure(*, rounds: int = 60) -> list[Finding]:
    """Time start-up alone (`-v`) and a small request, as console scripts and as modules."""
    if not os.path.exists(_script("dinfo")):
        return [
            skipped(
                "start-up of commands", "The project is not installed in this environment: pip install -e ."
            )
        ]
    with tempfile.TemporaryDirectory() as parent:
        root = write_archive(parent, datasets=DATASETS[:1], methods=METHODS[:1])
        return _measure(root, rounds)


def _measure(root, rounds):
    commands = {**PLAIN, **_commands()}
    environment = {**os.environ, "DELVE_PATH": root}
    works = {name: _runner(command, environment) for name, command in commands.items()}
    taken = in_turns(works, rounds=rounds)
    note = _NOTE.format(rounds=rounds, nothing=taken["nothing"] * 1e3)
    return [_finding(name, taken, note) for name in _commands()]


def _script(name):
    return os.path.join(os.path.dirname(sys.executable), name)


def _commands() -> dict[str, list[str]]:
    commands = {}
    for name, path in REQUESTS.items():
        commands[f"`{name} -v`"] = [_script(name), "-v"]
        commands[f"`{name} {path}`"] = [_script(name), path]
        module = f"delvecore.cli.{name}"
        commands[f"`python -m {module} {path}`"] = [sys.executable, "-m", module, path]
    return commands


def _runner(command: Sequence[str], environment: dict[str, str]):
    """Return a function that runs the command with as little around it as possible."""
    nowhere = (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)

    def run() -> None:
        process = os.posix_spawn(command[0], command, environment, file_actions=[nowhere])
        _, status = os.waitpid(process, 0)
        if status:
            raise OSError(f"{' '.join(command)} ended with status {status}")

    return run


def _finding(name, taken, note):
    ratio = taken[name] / taken["pandas"]
    measured, beside = f"{taken[name] * 1e3:.1f} ms", f"`import pandas` {taken['pandas'] * 1e3:.1f} ms"
    return Finding(
        name,
        measured,
        beside,
        f"{ratio:.2f}x as long",
        f"{SHARE:.2f}x",
        ratio <= SHARE,
        note,
    )
