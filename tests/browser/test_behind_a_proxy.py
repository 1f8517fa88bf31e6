"""The dashboard behind nginx with a prefix, TLS and a token, by the settings that docs/hosting.md gives."""

import os
import re
from collections.abc import Iterator

import pytest

from benchmarks.hosted import NAME, TOKEN, find_nginx, running_nginx
from tests.archives import small_archive
from tests.browser.conftest import free_port, start_server

pytestmark = [pytest.mark.slow, pytest.mark.browser]


def nginx_or_skip() -> str:
    nginx = find_nginx()
    if nginx is None:
        missing = "nginx and openssl are needed (Debian: apt-get install nginx-light openssl)"
        (pytest.fail if os.environ.get("DELVE_REQUIRE_NGINX") == "1" else pytest.skip)(missing)
    return nginx


@pytest.fixture
def proxied(tmp_path) -> Iterator[tuple[int, int]]:
    """A dashboard behind nginx; yields the ports of nginx, without TLS and with it."""
    nginx = nginx_or_skip()
    options = f"--base-path /delve --trusted-host {NAME} --trusted-proxy 127.0.0.1 --token".split()
    server, address = start_server(tmp_path, small_archive(tmp_path), *options, token=TOKEN, prefix="/delve")
    plain, port = free_port(), free_port()
    with running_nginx(nginx, tmp_path, int(address.rsplit(":", 1)[1]), plain, port):
        yield plain, port
    server.terminate()
    server.wait(30)


def test_pages_open_through_a_proxy_with_prefix_tls_and_token(browser, proxied):
    plain, port = proxied
    context = browser.new_context(ignore_https_errors=True)
    page = context.new_page()
    refused, asked = [], []
    page.on("request", lambda one: asked.append(one.url))
    page.goto(f"http://{NAME}:{plain}/delve/compare?task=/demo/age/std.8#token={TOKEN}")
    page.get_by_role("heading", level=1, name="on /demo/age/std.8").wait_for(timeout=60_000)
    assert page.url.startswith(f"https://{NAME}:{port}/delve/compare?task=")
    assert TOKEN not in "".join([page.url, *asked])
    page.on(
        "response", lambda one: refused.append((one.status, one.url)) if one.status in (401, 403) else None
    )
    (kept,) = [one for one in context.cookies() if one["name"].startswith("delve-token")]
    assert (kept["path"], kept["secure"], kept["httpOnly"], kept["sameSite"]) == ("/delve", True, True, "Lax")
    page.get_by_role("link", name="Datasets").click()
    page.get_by_role("heading", level=1, name=re.compile("dataset")).wait_for(timeout=60_000)
    assert page.url.startswith(f"https://{NAME}:{port}/delve/datasets")
    assert refused == []
    context.close()


def test_the_form_takes_a_token_and_says_what_is_wrong_with_another(browser, proxied):
    _, port = proxied
    context = browser.new_context(ignore_https_errors=True)
    page = context.new_page()
    page.goto(f"https://{NAME}:{port}/delve/compare?task=/demo/age/std.8")
    page.get_by_text("printed it when it started").wait_for()
    for wrong in ("a-wrong-token", "ключ"):
        page.get_by_label("Token").fill(wrong)
        page.get_by_role("button", name="Open").click()
        page.get_by_role("alert").filter(has_text="This is not the token.").wait_for()
        page.evaluate("document.querySelector('[role=alert]').textContent = ''")
    page.get_by_label("Token").fill(TOKEN)
    page.get_by_role("button", name="Open").click()
    page.get_by_role("heading", level=1, name="on /demo/age/std.8").wait_for(timeout=60_000)
    assert page.url.endswith("/delve/compare?task=/demo/age/std.8")
    context.close()
