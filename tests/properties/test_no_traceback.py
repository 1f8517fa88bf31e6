"""No input makes a command print a traceback: spoiled files, random bytes, odd arguments.

An exception that a command lets out would be a traceback on the screen; here it fails the test. What a command
says is one line on standard error, or faults on standard output.
"""

import io
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import delvecore
from tests.archives import feature_archive
from tests.properties.mangling import AGE, SHADE, spoiled, whole_archive
from tests.word_lists import listed

pytestmark = pytest.mark.slow

settings_here = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
TASK = "demo/age/std.8"
CALLS = {
    name: listed(calls)
    for name, calls in {
        "Dataset.spec": "dinfo -a /demo  dcheck /demo  mgendata -q demo/age/std.8  dinfo /demo/age/std.8",
        "Dataset.data": "dinfo -a /demo  dcheck /demo  mgendata -q demo/age/std.8  mloss -q demo/age/std.8",
        "Prototask.spec": "dinfo -a /demo/age  dcheck /demo  mgendir /demo  "
        "mgendata -q demo  minfo /one/demo/shade",
        "std.prior": "dinfo /demo/age/std.8  dcheck /demo  mgendata -q demo  minfo /one/demo/age/std.8",
        "std.5.instances": "dinfo /demo/age/std.5  dcheck /demo/age  mcheck -q /one",
        "Random-order": "dcheck /demo/shade  mgendata -q demo/shade  dgenproto -q ../../data/demo/shade",
        "costs": "mloss -q -l Mcosts demo/shade/std.4  mstats -l Mcosts /one/demo/shade/std.4",
        "encoding": "mgendata -q -c encoding demo/age/std.8",
        "Coding-used": "mloss -q demo  minfo /one/demo/age/std.8  "
        "minfo /one/demo/shade/std.4  mcheck -q /one",
        "Test-set-stats": "mstats /one  mcheck -q /one  mstats -c two /one",
        "normalize.0": "mloss -q demo/age/std.8  mcheck -q /one/demo/age",
        "targets.0": "mloss -q demo  mcheck -q /one",
        "cguess.0": "mloss -q demo/age/std.8  mcheck -q /one/demo/age",
        "clptarg.1": "mloss -q demo/age/std.8  mcheck -q /one/demo/age",
        "prob.3": "mloss -q demo/shade/std.4  mcheck -q /one/demo/shade",
        "guess.Mcosts.2": "mloss -q demo/shade/std.4  mcheck -q /one/demo/shade",
        "loss.S.0": "mstats /one  mcheck -q /one  mstats -c two /one  mtable",
        "loss.Q.1": "mstats /one  mcheck -q /one  mtable -l Q",
        "Summary": "mcheck -q /one  mmore /one/Summary",
        "one.txt": "mcheck -q /one",
    }.items()
}
COMMANDS = (
    *("dcheck", "dgenorder", "dgenproto", "dinfo", "dls", "dmore", "mcheck", "mgendata", "mgendir"),
    *("minfo", "mloss", "mls", "mmore", "mstats", "mtable", "delve"),
)
FORBIDDEN = {"dashboard", "install"}
"""Sub-commands of `delve` that serve pages, or fetch what a random word may name."""


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        yield whole_archive(tmp_path_factory.mktemp("whole"), patch)


@pytest.fixture
def copy(archive, tmp_path, monkeypatch):
    """A copy of the whole archive, active; the working directory is that of the method `one`."""
    root = tmp_path / archive.name
    shutil.copytree(archive, root)
    monkeypatch.chdir(root / "methods/one")
    monkeypatch.setenv("DELVE_PATH", "")
    monkeypatch.setenv("PAGER", "cat")
    return root


def run(command: str, arguments: list[str]) -> tuple[int, str, str]:
    """Run a command's main; an exception other than SystemExit gets out."""
    out, err = (
        io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace", newline="\n")
        for _ in range(2)
    )
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = import_module(f"delvecore.cli.{command}").main(arguments)
        except SystemExit as exit_:
            code = exit_.code
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode(errors="replace"))
    return code, *texts


def assert_proper(outcome: tuple[int, str, str]) -> None:
    code, out, err = outcome
    assert code in (0, 1, 2)
    assert "Traceback" not in out + err
    progress = ("checking ", "  ", "/", "demo", ".", "std.")
    errors = [
        line
        for line in err.split("\n")
        if line and ": warning: " not in line and not line.startswith(progress)
    ]
    if code == 1 and errors:
        assert len(errors) == 1, err


def files_named(root: Path, name: str) -> list[Path]:
    return sorted(path for path in root.rglob(name) if path.is_file())


@pytest.mark.parametrize("name", CALLS)
@settings_here
@given(data=st.data())
def test_a_spoiled_file_makes_no_command_print_a_traceback(copy, name, data):
    path = data.draw(st.sampled_from(files_named(copy, name)), label="file")
    content = path.read_bytes()
    damaged = data.draw(st.one_of(spoiled(content), st.binary(max_size=30)), label="content")
    call = data.draw(st.sampled_from(CALLS[name]), label="command")
    path.write_bytes(damaged)
    try:
        assert_proper(run(call.split()[0], call.split()[1:]))
    finally:
        restore(copy, path, content)


def restore(root: Path, path: Path, content: bytes) -> None:
    """Undo what a command may have made of the archive."""
    path.write_bytes(content)
    for made in (root / "data/demo").glob("*/Prototask.data"):
        made.unlink()


FEATURE_CALLS = listed("""
    dcheck /{0}  dinfo -a /{0}  dinfo -a /{0}/{1}  dinfo /{0}/{1}/{2}  mcheck -q /bold  mstats /bold
    mgendata -q bold/{0}/{1}/{2}  mloss -q bold/{0}/{1}/{2}  mloss -q -l Z0.2N bold/{0}  minfo /bold/{0}/{1}/{2}
    dgenproto -q ../data/{0}/{1}  dgenorder -s 1 ../data/{0}/{1}  mtable /{0}  mstats -c careful /bold
""")
FEATURE_TASKS = [("speech", "word", "std.4"), ("river", "flow", "std.15"), ("shapes", "shape", "std.6")]


@pytest.fixture(scope="module")
def features(tmp_path_factory):
    return feature_archive(tmp_path_factory.mktemp("features"))


@settings(settings_here, max_examples=80)
@given(data=st.data())
def test_spoiled_files_of_every_feature_make_no_command_print_a_traceback(features, monkeypatch, data):
    names = data.draw(st.sampled_from(FEATURE_TASKS), label="task")
    call = data.draw(st.sampled_from(FEATURE_CALLS), label="command").format(*names).split()
    monkeypatch.setenv("DELVE_PATH", "")
    with tempfile.TemporaryDirectory() as parent:
        root = shutil.copytree(features, Path(parent) / features.name)
        places = (root / "data" / names[0], *root.glob(f"methods/*/{names[0]}"))
        files = sorted(path for place in places for path in place.rglob("*") if path.is_file())
        path = data.draw(st.sampled_from(files), label="file")
        path.write_bytes(data.draw(spoiled(path.read_bytes()), label="content"))
        monkeypatch.chdir(root / "methods")
        assert_proper(run(call[0], call[1:]))
        monkeypatch.chdir(features)


WORDS = st.one_of(
    st.sampled_from(
        [
            *listed("""
            /  .  ..  -  --  /demo  /demo/age  /demo/age/std.8  /one  /one/demo  demo  /demo/../x
            /demo/age/std.prior  demo/age/std.8  /one/demo/age/std.8/loss.S.0  ~  /dev/null
            -a  -k  -q  -t  -l  -h  -v  -i  -c  -s  -x  -lS  -atq  S A  Z0.2N
            check  run  pack  --list  --help  title  two  std.8  /demo/age/std.²
            """),
            *("", "\udce9", "a\0b"),
        ]
    ),
    st.text(max_size=12),
    st.integers(-(10**20), 10**20).map(str),
)


@pytest.mark.parametrize("command", COMMANDS)
@settings_here
@given(arguments=st.lists(WORDS, max_size=4))
def test_odd_arguments_make_no_command_print_a_traceback(copy, command, arguments):
    if command == "delve" and FORBIDDEN & set(arguments):
        return
    assert_proper(run(command, arguments))


@pytest.mark.parametrize(
    "place",
    ["", "data", "methods", "data/demo", "data/demo/age", "methods/one", AGE, SHADE, "methods/one/Source"],
)
def test_every_command_without_arguments_in_every_place(copy, monkeypatch, place):
    monkeypatch.chdir(copy / place)
    for command in COMMANDS:
        if command != "delve":
            assert_proper(run(command, []))


@settings_here
@given(data=st.data())
def test_a_spoiled_archive_is_opened_and_every_problem_is_one_line(copy, data):
    names = [name for name in CALLS if name != "encoding"]
    path = data.draw(st.sampled_from(files_named(copy, data.draw(st.sampled_from(names)))), label="file")
    content = path.read_bytes()
    path.write_bytes(data.draw(spoiled(content), label="content"))
    try:
        messages = delvecore.open(copy, cache=False).problems["message"].to_pylist()
        assert all("\n" not in message and message.isprintable() for message in messages)
    finally:
        restore(copy, path, content)


def test_standard_output_that_is_closed_is_no_traceback(copy, monkeypatch):
    code = "import sys; from delvecore.cli.dcheck import main; sys.exit(main(['/demo']))"
    (copy / "data/demo/Dataset.data").write_text("x\n" * 5000)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
