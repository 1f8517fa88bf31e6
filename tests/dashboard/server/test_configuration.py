"""Settings of other projects, in the working directory or the user's home, change nothing."""

import subprocess
import sys

import pytest

PRINT = """
from dashboard.server.configuration import apply_configuration
apply_configuration(port=8501)
from streamlit import config
print([config.get_option(name) for name in ("server.sslCertFile", "server.maxUploadSize", "theme.base")])
"""


@pytest.mark.parametrize(
    "settings",
    [
        "broken [[[ =\n",
        '[server]\nsslCertFile = "x.pem"\nmaxUploadSize = 999\n[theme]\nbase = "nowhere.toml"\n',
    ],
)
@pytest.mark.parametrize("place", ["here", "home"])
def test_settings_that_lie_about_neither_stop_the_server_nor_change_it(
    tmp_path, monkeypatch, settings, place
):
    for name in ("here", "home"):
        (tmp_path / name).mkdir()
    (tmp_path / place / ".streamlit").mkdir()
    (tmp_path / place / ".streamlit/config.toml").write_text(settings)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    done = subprocess.run(
        [sys.executable, "-c", PRINT], cwd=tmp_path / "here", capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("[None, 20, None]\n", "")


def test_secrets_that_lie_about_are_not_read(tmp_path, monkeypatch):
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit/secrets.toml").write_text('[auth]\ncookie_secret = "of-others"\n')
    monkeypatch.setenv("HOME", str(tmp_path))
    program = f"{PRINT}\nfrom streamlit.auth_util import get_signing_secret\nprint(get_signing_secret() == 'of-others')"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert (done.stdout.splitlines()[-1], done.stderr) == ("False", "")
