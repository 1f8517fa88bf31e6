"""Every recorded answer of the reading commands of DELVE 1.1, byte for byte."""

import pytest

from delvecore.cli import dinfo, dls, minfo, mls, mstats
from tests.shared import SESSION, shared_cases

TASKS = (
    "titanic/survived/std.20",
    "titanic/survived/std.160",
    "kin-8nm/dist/std.64",
    "kin-8nm/dist/std.1024",
)

# Name of the record: command, directory below the delve directory, arguments.
RECORDS = {
    "dinfo_root": (dinfo, ".", ["/"]),
    "dinfo_titanic": (dinfo, "data", ["titanic"]),
    "dinfo_titanic_a": (dinfo, ".", ["-a", "/titanic"]),
    "dinfo_survived": (dinfo, "data/titanic/survived", []),
    "dinfo_std20": (dinfo, ".", ["/lin/titanic/survived/std.20"]),
    "dinfo_kin": (dinfo, "methods/lin/kin-8nm", ["dist"]),
    "dinfo_kin_task": (dinfo, "methods/lin/kin-8nm/dist/std.64", ["."]),
    "dls": (dls, ".", ["/titanic"]),
    "mls": (mls, "methods/lin/kin-8nm/dist/std.64", []),
    "minfo_root": (minfo, ".", ["/"]),
    "minfo_lin": (minfo, "methods/lin", []),
    "minfo_kin": (minfo, ".", ["/lin/kin-8nm"]),
}
for task in TASKS:
    name = task.replace("/", "_")
    for method in ("lin", "mean"):
        RECORDS[f"minfo_{method}_{name}"] = (minfo, f"methods/{method}/{task}", [])
        RECORDS[f"mstats_{method}_{name}"] = (mstats, f"methods/{method}/{task}", [])
    RECORDS[f"mstats_c_{name}"] = (mstats, f"methods/lin/{task}", ["-c", "mean"])


@pytest.mark.parametrize("record", shared_cases(SESSION, RECORDS))
def test_answer_is_the_recorded_one(record, golden_session, run_command):
    command, directory, arguments = RECORDS[record]
    root = golden_session / "delve-golden"
    outcome = run_command(command.main, *arguments, directory=root / directory, path=root)
    expected = (golden_session / "expected" / f"{record}.out").read_text()
    assert outcome.out == expected
    assert outcome.code == 0


def test_no_record_of_these_commands_is_left_out(golden_session):
    made = ("dinfo", "dls", "minfo", "mls", "mstats")
    recorded = {path.stem for path in (golden_session / "expected").glob("*.out")}
    assert {name for name in recorded if name.startswith(made)} == set(RECORDS)
