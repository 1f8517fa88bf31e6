"""Settings and secrets of other projects, in the working directory or the user's home, change nothing."""

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
from streamlit.auth_util import get_signing_secret
print(get_signing_secret() == "of-others")
from dashboard.server.asgi import content_security_policy
print(content_security_policy())
"""
OURS = [
    "None 20 None False Inter, sans-serif",
    "8599 127.0.0.1 False app/static/Inter-Regular.woff2",
    "False",
]
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


def test_settings_that_lie_about_neither_stop_the_server_nor_change_it_and_its_policy_is_closed(
    tmp_path, monkeypatch
):
    secrets = '[auth]\ncookie_secret = "of-others"\n'
    for name, settings in (("here", "broken [[[ =\n"), ("home", OTHERS)):
        files = {".streamlit/config.toml": settings, ".streamlit/secrets.toml": secrets}
        write_tree(tmp_path / name, files)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    done = subprocess.run(
        [sys.executable, "-c", PRINT], cwd=tmp_path / "here", capture_output=True, text=True
    )
    *lines, policy = done.stdout.splitlines()
    assert (lines, done.stderr) == (OURS, "")
    assert "default-src 'self'" in policy
    assert "sha256-" in policy
    assert "unsafe-eval'" not in policy.replace("'wasm-unsafe-eval'", "")
    assert "http" not in policy
