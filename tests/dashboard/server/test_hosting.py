"""Where and to whom the dashboard is served: what options mean, and what is refused."""

import configparser
import re
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from dashboard.server import sandbox, serve
from dashboard.server.hosting import LOOPBACK, TOKEN_VARIABLE, Hosting, host_name, hosting_of
from delvecore.errors import DelveError


@pytest.fixture(autouse=True)
def without_a_token_of_the_environment(monkeypatch):
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)


def test_this_machine_alone_is_asked_for_no_token():
    for host in (LOOPBACK, "localhost", "::1", "127.0.0.5"):
        assert hosting_of(host=host).token is None
        assert hosting_of(host=host).is_local


@pytest.mark.parametrize(
    "options", [{"host": "0.0.0.0"}, {"host": "::"}, {"installs": True}, {"token": True}]
)
def test_others_and_those_who_may_install_are_asked_for_a_token_that_nobody_guesses(options):
    one, other = hosting_of(**options).token, hosting_of(**options).token
    assert one != other
    assert len(one) >= 32


def test_a_proxy_that_signs_visitors_in_needs_no_token():
    assert hosting_of(host="0.0.0.0", installs=True, token=False).token is None


def test_the_token_of_the_environment_outlasts_the_server(monkeypatch):
    monkeypatch.setenv(TOKEN_VARIABLE, "a-token-of-our-own")
    assert hosting_of(host="0.0.0.0").token == "a-token-of-our-own"
    assert hosting_of().token is None
    assert hosting_of(host="0.0.0.0").address(8501) == f"http://{socket.gethostname()}:8501"  # not printed


@pytest.mark.parametrize("weak", ["fifteen-letters", "lots of letters\n and a line"])
def test_a_token_that_is_easily_guessed_or_no_line_is_refused(monkeypatch, weak):
    monkeypatch.setenv(TOKEN_VARIABLE, weak)
    with pytest.raises(DelveError, match=f"{TOKEN_VARIABLE}: expected 16 or more characters.*openssl"):
        hosting_of(token=True)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"host": "no such host"}, "--host: expected an address of this machine.*'no such host'"),
        ({"prefix": "/a b"}, "--base-path: expected a path such as /delve, found '/a b'"),
        ({"trusted": ["http://delve.example.org"]}, "--trusted-host: expected a name such as"),
        (
            {"proxies": ["proxy.example.org"]},
            "--trusted-proxy: expected an address such as 127.0.0.1.*found 'proxy.ex",
        ),
        ({"proxies": ["*"]}, "--trusted-proxy: expected an address"),
        ({"trusted": ["delve.example.org:443"]}, "without port, found 'delve.example.org:443'"),
    ],
)
def test_what_is_no_address_prefix_or_name_is_refused_with_what_is_expected(options, said):
    with pytest.raises(DelveError, match=said):
        hosting_of(**options)


@pytest.mark.parametrize("prefix", ["delve", "/delve/"])
def test_a_prefix_is_written_with_and_without_strokes(prefix):
    assert hosting_of(prefix=prefix).prefix == "/delve"


def test_the_printed_address_opens_the_pages():
    assert Hosting().address(8501) == "http://127.0.0.1:8501"
    assert Hosting(prefix="/delve").address(8501) == "http://127.0.0.1:8501/delve/"
    assert Hosting(host="::1").address(8501) == "http://[::1]:8501"
    everywhere = Hosting(host="0.0.0.0", token="secret-secret-secret").address(8501, {"mine": "rf-1"})
    assert everywhere == f"http://{socket.gethostname()}:8501/?mine=rf-1#token=secret-secret-secret"


@pytest.mark.parametrize(
    "header",
    [
        "",
        None,
        "a/b",
        "user@127.0.0.1",
        "127.0.0.1:x",
        "127.0.0.1:99999",
        "127.0.0.1?x",
        "127.0.0.1#x",
        "[::1",
    ],
)
def test_what_is_no_host_names_none(header):
    assert host_name(header) is None


def test_it_answers_to_its_own_names_on_any_port_and_to_those_trusted():
    local = Hosting(trusted=("delve.example.org", "*.lab.example.org"))
    for own in ("localhost:8501", "LOCALHOST", "[::1]:8501", "delve.example.org", "a.lab.example.org:443"):
        assert local.answers_to(own), own
    for other in ("lab.example.org", "evil-lab.example.org", "delve.example.org.evil.com", "10.0.0.1"):
        assert not local.answers_to(other), other


def test_where_it_listens_everywhere_a_lent_name_is_not_its_own():
    everywhere = Hosting(host="0.0.0.0")
    for own in ("10.0.0.1:8501", "[fe80::1]", socket.gethostname()):
        assert everywhere.answers_to(own), own
    assert not everywhere.answers_to("rebound.example.org")


def test_the_command_passes_its_options_on(monkeypatch):
    from delvecore.cli import delve

    seen = {}
    monkeypatch.setattr(serve, "serve", lambda paths, **options: seen.update(options))
    words = "dashboard --host 0.0.0.0 --base-path delve --trusted-host a.org --trusted-host b.org"
    words += " --trusted-proxy 10.0.0.0/8 --no-token --metrics"
    assert delve.main(words.split()) == 0
    assert seen["hosting"] == Hosting(
        "0.0.0.0", "/delve", ("a.org", "b.org"), None, True, proxies=("10.0.0.0/8",)
    )


def test_a_token_and_none_are_not_asked_for_together(capsys):
    from delvecore.cli import delve

    with pytest.raises(SystemExit):
        delve.main(["dashboard", "--token", "--no-token"])
    assert re.search("--no-token.*not allowed with.*--token", capsys.readouterr().err)


HOSTING = Path(__file__).resolve().parents[3] / "docs" / "hosting"


def test_systemd_understands_the_unit_that_is_documented(tmp_path):
    systemd = shutil.which("systemd-analyze")
    if systemd is None:
        pytest.skip("systemd-analyze is not here")
    documented = Path(__file__).resolve().parents[3] / "docs" / "hosting" / "delve.service"
    unit = tmp_path / "delve.service"
    unit.write_text(documented.read_text().replace("/opt/delve/bin/delve", shutil.which("true")))
    told = subprocess.run([systemd, "verify", str(unit)], capture_output=True, text=True)
    assert (told.returncode, told.stdout + told.stderr) == (0, "")
    words = [systemd, "security", "--offline=true", "--no-pager", str(unit)]
    told = subprocess.run(words, capture_output=True, text=True)
    exposure = re.search(r"exposure level for delve.service: ([0-9.]+)", told.stdout)
    assert float(exposure[1]) < 3, told.stdout + told.stderr


def test_the_unit_goes_on_after_a_reader_without_memory_and_has_files_for_many_sessions():
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str
    unit.read(HOSTING / "delve.service")
    assert unit["Service"]["OOMPolicy"] == "continue"
    assert int(unit["Service"]["LimitNOFILE"]) == 1 << 16
    memory = int(unit["Service"]["MemoryMax"].removesuffix("G")) << 10
    assert memory >= 2 * sandbox.MEGABYTES  # one reader at a time, the server and its workers
