import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from delvecore.cli.dinfo import main as dinfo
from delvecore.cli.support import context
from delvecore.cli.support.manual import ClassicParser
from delvecore.errors import DelveError

ROOT = Path(__file__).resolve().parents[3]
PARSER = ClassicParser("tell", description="Tell something.")


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (DelveError("first\nsecond"), 1, "tell: first second\n"),
        (FileNotFoundError(2, "No such file or directory", "/x"), 1, "tell: /x: no such file or directory\n"),
        (OSError("odd"), 1, "tell: odd\n"),
        (KeyboardInterrupt(), 130, "tell: interrupted\n"),
        (BrokenPipeError(), 141, ""),
    ],
)
def test_errors_become_one_line_and_an_exit_code(error, code, message, small, run_command, monkeypatch):
    monkeypatch.setattr(context, "_discard_output", lambda: None)

    def action(session: object, options: object) -> None:
        raise error

    outcome = run_command(lambda arguments: context.run(lambda: PARSER, action, arguments))
    assert outcome == (code, "", message)


@pytest.mark.slow
def test_a_reader_that_goes_away_gets_no_traceback(small):
    reader, writer = os.pipe()
    os.close(reader)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    arguments = [sys.executable, "-m", "delvecore.cli.dinfo", "/demo"]
    result = subprocess.run(arguments, env=environment, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (result.returncode, result.stderr) == (141, b"")


@pytest.mark.slow
def test_text_that_the_terminal_cannot_show_is_written_as_escapes(small):
    spec = small / "data/demo/Dataset.spec"
    spec.write_text(spec.read_text().replace("invented", "ausgedächte"), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"}
    arguments = [sys.executable, "-m", "delvecore.cli.dinfo", "-tk", "title", "/demo"]
    result = subprocess.run(arguments, env=environment, capture_output=True, check=True)
    assert result.stdout == b"Twenty-four ausged\\xe4chte people\n"


def test_reports_have_ascii_where_the_terminal_knows_no_more(monkeypatch):
    written = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(written, encoding="ascii"))
    context.print_text("\u00e4 1 ± 2\n")
    sys.stdout.flush()
    assert written.getvalue() == b"? 1 +- 2\n"


def test_data_behind_a_symbolic_link_belong_to_the_delve_directory_that_links_to_them(
    small, tmp_path, run_command, monkeypatch
):
    (small / "data").rename(tmp_path / "elsewhere")
    (small / "data").symlink_to(tmp_path / "elsewhere")
    monkeypatch.setenv("PWD", str(small / "data/demo"))
    outcome = run_command(dinfo, "-k", "dataset", directory=small / "data/demo", path="")
    assert outcome == (0, "Dataset: /demo\n", "")
    monkeypatch.setenv("PWD", str(tmp_path))
    assert run_command(dinfo, path=small).code == 1


def test_no_active_delve_directory_is_said(tmp_path, run_command, monkeypatch):
    monkeypatch.setattr(context, "default_directories", list)
    expected = "dinfo: expected an active delve directory, found none; go into one or set DELVE_PATH\n"
    assert run_command(dinfo, "/", directory=tmp_path) == (1, "", expected)


def test_the_default_directories_serve_without_a_path(small, run_command, monkeypatch):
    monkeypatch.delenv("DELVE_PATH")
    monkeypatch.setattr(context, "default_directories", lambda: [str(small)])
    assert run_command(dinfo, "-t", "/").out == "demo\n"


def test_argcomplete_completes_the_values_of_options(tmp_path):
    line = "delve run --keep a"
    answer = tmp_path / "answer"
    asking = {"_ARGCOMPLETE": "1", "_ARGCOMPLETE_SHELL": "bash", "_ARGCOMPLETE_IFS": "\n", "COMP_LINE": line}
    asking |= {"COMP_POINT": str(len(line)), "_ARGCOMPLETE_STDOUT_FILENAME": str(answer)}
    environment = {**os.environ, **asking, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-m", "delvecore.cli.delve"], env=environment, check=True)
    assert answer.read_text().strip() == "all"


HEAVY = {"pandas", "plotly", "sklearn", "streamlit"}
CALLS = "dinfo /; dls /; dmore /demo/Summary; minfo /; mls /; mmore /line/Summary; mstats -c base /line"
PROGRAM = """
import importlib, json, sys
codes = {}
for call in sys.argv[1].split("; "):
    command, *arguments = call.split()
    codes[command] = importlib.import_module("delvecore.cli." + command).main(arguments)
print(json.dumps([codes, sorted(sys.modules)]), file=sys.stderr)
"""


@pytest.mark.slow
def test_small_commands_import_neither_pandas_nor_plotly_nor_streamlit_nor_scikit_learn(small):
    command = [sys.executable, "-c", PROGRAM, CALLS]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    result = subprocess.run(command, env=environment, capture_output=True, check=True)
    codes, modules = json.loads(result.stderr.splitlines()[-1])
    assert (len(codes), set(codes.values())) == (7, {0})
    assert not HEAVY & set(modules)
