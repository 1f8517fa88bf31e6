"""Settings of other projects, in the working directory or the user's home, change nothing."""

import subprocess
import sys

import pytest

from tests.archives import write_tree

pytestmark = pytest.mark.slow

PRINT = """
from dashboard.server.configuration import apply_configuration
apply_configuration(port=8599)
from streamlit.config import get_option
print(*map(get_option, ("server.sslCertFile", "server.maxUploadSize", "theme.base", "runner.postScriptGC", "theme.font")))
print(*map(get_option, ("server.port", "server.address", "browser.gatherUsageStats")), get_option("theme.fontFaces")[0]["url"])
"""
OURS = ["None 20 None False Inter, sans-serif", "8599 127.0.0.1 False app/static/Inter-Regular.woff2"]
OTHERS = """
[server]
sslCertFile = "x.pem"
maxUploadSize = 999
[runner]
postScriptGC = true
[theme]
base = "nowhere.toml"
font = "serif"
"""


@pytest.mark.parametrize("settings", ["broken [[[ =\n", OTHERS], ids=["broken", "others"])
def test_settings_that_lie_about_neither_stop_the_server_nor_change_it(tmp_path, monkeypatch, settings):
    for name in ("here", "home"):
        write_tree(tmp_path / name, {".streamlit/config.toml": settings})
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    done = subprocess.run(
        [sys.executable, "-c", PRINT], cwd=tmp_path / "here", capture_output=True, text=True
    )
    assert (done.stdout.splitlines(), done.stderr) == (OURS, "")


def test_secrets_that_lie_about_are_not_read(tmp_path, monkeypatch):
    write_tree(tmp_path, {".streamlit/secrets.toml": '[auth]\ncookie_secret = "of-others"\n'})
    monkeypatch.setenv("HOME", str(tmp_path))
    program = f"{PRINT}\nfrom streamlit.auth_util import get_signing_secret\nprint(get_signing_secret() == 'of-others')"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert (done.stdout.splitlines()[-1], done.stderr) == ("False", "")
