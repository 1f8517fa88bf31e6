"""Every page, in a network that nothing leaves: there is no other way out than the loopback, which leads nowhere."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# The loopback of a new network is down; 0x8914 is SIOCSIFFLAGS of Linux, and the flags are IFF_UP and IFF_RUNNING.
CUT_OFF = """
import fcntl, socket, struct, sys
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
    fcntl.ioctl(one, 0x8914, struct.pack("16sh14x", b"lo", 0x1 | 0x40))
with socket.socket() as one:
    one.settimeout(5)
    try:
        one.connect(("192.0.2.1", 80))
    except OSError as error:
        assert error.errno == 101, error
    else:
        sys.exit("the network is not cut off")
import pytest
sys.exit(pytest.main(sys.argv[1:]))
"""
ALONE = ["unshare", "--net", "--map-root-user"]


def test_every_page_opens_without_a_network(browser, tmp_path):
    if shutil.which("unshare") is None or subprocess.run([*ALONE, "true"], capture_output=True).returncode:
        pytest.skip("a network of its own needs Linux, and leave to make one")
    tests = ["tests/browser/test_every_page.py", "-k", "test_every_full_page_works"]
    plain = ["-n", "0", "-p", "no:cacheprovider", "--basetemp", str(tmp_path / "own")]
    done = subprocess.run(
        [*ALONE, sys.executable, "-c", CUT_OFF, *tests, *plain],
        cwd=ROOT,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "DELVE_REQUIRE_BROWSER": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "1 passed" in done.stdout
