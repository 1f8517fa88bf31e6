"""A stranger's first ten minutes: a fresh clone, and nothing but README.md."""

import re
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from docs.run_blocks import ROOT, blocks_of, environment, run

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("git") is None, reason="no git")]


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    target = tmp_path_factory.mktemp("fresh") / "delve-browser"
    cloned = subprocess.run(["git", "clone", "-q", str(ROOT), str(target)], capture_output=True, text=True)
    if cloned.returncode:
        pytest.skip(f"this is no git repository: {cloned.stderr}")
    return target


def test_ten_minutes_need_fewer_than_ten_commands(clone):
    commands = [command.text for block in blocks_of(readme(clone)) for command in block.commands()]
    assert len(commands) < 10
    assert any("pip install -e ." in command for command in commands)


def test_scores_are_ranked_a_figure_is_saved_and_two_methods_run_on_an_imported_dataset(clone, tmp_path):
    outcome = run(readme(clone), tmp_path.resolve(), {"PYTHONPATH": str(clone), "DELVE_PATH": ""}, clone)
    answers = {re.sub(r"delve (\w+).*", r"\1", command.text): answer for command, answer in outcome}
    assert "has the best mean rank" in outcome[0][1]
    assert (clone / "diagram.html").stat().st_size > 10_000
    assert (clone / "delve-mine" / "data" / "cars" / "Dataset.data").is_file()
    assert [name for name in ("lin-1", "knn-cv-1") if f"{name}: " not in answers["run"]] == []
    assert [name for name in ("lin-1", "knn-cv-1") if name not in answers["rank"]] == []


def test_the_dashboard_opens_on_the_scores(clone, tmp_path):
    command = next(
        command.text
        for block in blocks_of(readme(clone))
        for command in block.commands()
        if command.text.startswith("delve dashboard docs/")
    )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    variables = environment(tmp_path) | {"PYTHONPATH": str(clone)}
    del variables["DELVE_PATH"]
    words = ["bash", "-c", f"exec {command} --no-browser --port {port}"]
    server = subprocess.Popen(words, cwd=clone, env=variables, stdout=subprocess.DEVNULL)
    try:
        assert answers_soon(f"http://127.0.0.1:{port}/_stcore/health")
    finally:
        server.terminate()
        server.wait(30)


def readme(clone: Path) -> str:
    return (clone / "README.md").read_text(encoding="utf-8")


def answers_soon(address: str) -> bool:
    for _ in range(120):
        try:
            return urllib.request.urlopen(address, timeout=5).read() == b"ok"
        except (urllib.error.URLError, OSError):
            time.sleep(0.5)
    return False
