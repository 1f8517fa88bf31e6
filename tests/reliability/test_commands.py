"""Any command on any damaged archive ends in time with a proper exit, and says what is wrong in lines."""

import random
from pathlib import Path

import pytest

from tests.archives import feature_archive
from tests.properties.mangling import whole_archive
from tests.properties.test_no_traceback import run
from tests.reliability.fuzzing import files_below, limited, times
from tests.reliability.test_opens import spoil_one

pytestmark = pytest.mark.slow
SMALL = (
    *("dinfo -a /demo", "dinfo -a /demo/age", "dinfo -t /demo/shade/std.4", "dcheck /demo", "dcheck -q /"),
    *(
        "mcheck -q /one",
        "mcheck /two",
        "mstats /one",
        "mstats -c two /one",
        "mstats -l S /one/demo/age/std.8",
    ),
    *(
        "minfo /one/demo/age/std.8",
        "minfo -a /one/demo",
        "mtable /demo",
        "mtable -l S",
        "mls /one",
        "dls /demo/age",
    ),
    *("mloss -q demo", "mgendata -q demo/age/std.8", "mgendir /demo", "dgenproto -q ../../data/demo/shade"),
    *("delve table", "delve rank", "delve classes /demo/shade", "delve check", "delve run --list"),
)
FEATURES = (
    *("dinfo -a /speech", "dcheck /river", "dcheck /", "mcheck -q /bold", "mstats /bold", "mtable /shapes"),
    *("mgendata -q bold/speech/word/std.4", "mloss -q bold/river", "mloss -q -l Z0.2N bold/shapes"),
    *("minfo /bold/river/flow/std.15", "mstats -c careful /bold", "delve table", "delve rank"),
)


@pytest.mark.parametrize(
    ("make", "calls"), [("small", SMALL), ("features", FEATURES)], ids=["small", "features"]
)
def test_no_traceback_and_no_hang(make, calls, tmp_path, monkeypatch):
    monkeypatch.setenv("DELVE_PATH", "")
    monkeypatch.setenv("PAGER", "cat")
    root: Path = whole_archive(tmp_path, monkeypatch) if make == "small" else feature_archive(tmp_path)
    monkeypatch.chdir(root / ("methods/one" if make == "small" else "methods"))
    files = files_below(root)
    held = {path: path.read_bytes() for path in files}
    for case in times(10_000):
        chance = random.Random(case)
        spoiled, _ = spoil_one(root, files, chance)
        call = chance.choice(calls).split()
        with limited(f"case {case}: {call} with {spoiled}"):
            outcome = run(call[0], call[1:])
        assert is_proper(*outcome), f"case {case}: {call} with {spoiled}: {outcome}"
        restore(root, held)


def is_proper(code: int, out: str, err: str) -> bool:
    """An exit code that the manual pages name, no traceback, nothing that a terminal would obey."""
    lines = [line for text in (out, err) for line in text.replace("\t", " ").split("\n")]
    return code in (0, 1, 2) and "Traceback" not in err and all(line.isprintable() for line in lines)


def restore(root: Path, held: dict[Path, bytes]) -> None:
    """Undo the damage and what the command made."""
    for path in files_below(root):
        if path not in held:
            path.unlink()
    for path, content in held.items():
        if not path.exists() or path.read_bytes() != content:
            path.write_bytes(content)
