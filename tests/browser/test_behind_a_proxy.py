"""The dashboard behind nginx with a prefix, TLS and a token, by the settings that docs/hosting.md gives."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.archives import small_archive
from tests.browser.conftest import ROOT, free_port, start_server

pytestmark = [pytest.mark.slow, pytest.mark.browser]

NAME = "delve.example.org"
TOKEN = "a-token-of-24-characters"
MAIN = """pid {directory}/nginx.pid;
error_log {directory}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {directory}/body;
    proxy_temp_path {directory}/proxy;
    fastcgi_temp_path {directory}/fastcgi;
    uwsgi_temp_path {directory}/uwsgi;
    scgi_temp_path {directory}/scgi;
    include {directory}/delve.conf;
}}
"""


def own_certificate(directory: Path) -> None:
    files = ["-keyout", str(directory / "delve.key"), "-out", str(directory / "delve.pem")]
    asked = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    subprocess.run([*asked, *files], check=True, capture_output=True)


def settings(directory: Path, server: int, plain: int, port: int) -> str:
    """Return the settings as they are documented, with other ports and places."""
    text = (ROOT / "docs" / "hosting" / "nginx.conf").read_text()
    for documented, here in (
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"),
        ("https://$host$request_uri", f"https://$host:{port}$request_uri"),
        ("/etc/ssl/certs/delve.pem", str(directory / "delve.pem")),
        ("/etc/ssl/private/delve.key", str(directory / "delve.key")),
        ("http://127.0.0.1:8501", f"http://127.0.0.1:{server}"),
    ):
        assert documented in text
        text = text.replace(documented, here)
    return text


@pytest.fixture
def proxied(tmp_path) -> Iterator[tuple[int, int]]:
    """A dashboard behind nginx; yields the ports of nginx, without TLS and with it."""
    nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if nginx is None or shutil.which("openssl") is None:
        missing = "nginx and openssl are needed (Debian: apt-get install nginx-light openssl)"
        (pytest.fail if os.environ.get("DELVE_REQUIRE_NGINX") == "1" else pytest.skip)(missing)
    options = f"--base-path /delve --trusted-host {NAME} --token".split()
    server, address = start_server(tmp_path, small_archive(tmp_path), *options, token=TOKEN, prefix="/delve")
    plain, port = free_port(), free_port()
    own_certificate(tmp_path)
    (tmp_path / "delve.conf").write_text(settings(tmp_path, int(address.rsplit(":", 1)[1]), plain, port))
    (tmp_path / "nginx.conf").write_text(MAIN.format(directory=tmp_path))
    proxy = subprocess.Popen([nginx, "-c", str(tmp_path / "nginx.conf"), "-g", "daemon off;"])
    yield plain, port
    for process in (proxy, server):
        process.terminate()
        process.wait(30)


def test_pages_open_through_a_proxy_with_prefix_tls_and_token(browser, proxied):
    plain, port = proxied
    context = browser.new_context(ignore_https_errors=True)
    page = context.new_page()
    refused = []
    page.on(
        "response", lambda one: refused.append((one.status, one.url)) if one.status in (401, 403) else None
    )
    page.goto(f"http://{NAME}:{plain}/delve/compare?task=/demo/age/std.8&token={TOKEN}")
    page.get_by_role("heading", level=1, name="Which of these methods is better").wait_for(timeout=60_000)
    assert page.url.startswith(f"https://{NAME}:{port}/delve/compare?task=")
    assert TOKEN not in page.url
    (kept,) = [one for one in context.cookies() if one["name"].startswith("delve-token")]
    assert (kept["path"], kept["secure"], kept["httpOnly"], kept["sameSite"]) == ("/delve", True, True, "Lax")
    page.get_by_role("link", name="Datasets").click()
    page.get_by_role("heading", level=1, name="Which data").wait_for(timeout=60_000)
    assert page.url.startswith(f"https://{NAME}:{port}/delve/datasets")
    assert refused == []
    context.close()
