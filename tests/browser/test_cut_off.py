"""Every page, in a network that nothing leaves: there is no other way out than the loopback, which leads nowhere."""

import os
import shutil
import subprocess
import sys

import pytest

from tests.browser.conftest import ROOT

ALONE = ["unshare", "--net", "--map-root-user"]


def test_every_page_opens_without_a_network(browser, tmp_path):
    if shutil.which("unshare") is None or subprocess.run([*ALONE, "true"], capture_output=True).returncode:
        pytest.skip("a network of its own needs Linux, and leave to make one")
    done = subprocess.run(
        [*ALONE, sys.executable, "-m", "tests.browser.pages_cut_off", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "every page opened" in done.stdout
