"""Archive files fetched from the web: http and https alone, no more than asked for, all or nothing."""

import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from delvecore.errors import DelveError
from delvecore.packaging.install import fetch, has_scheme

CONTENT = bytes(range(256)) * 4000


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        answer = getattr(self, "answer_" + self.path.strip("/").partition(".")[0], None)
        if answer is None:
            self.send_error(404)
        else:
            answer()

    def answer_whole(self, *, announced=True, sent=CONTENT):
        self.send_response(200)
        if announced:
            self.send_header("Content-Length", str(len(CONTENT)))
        self.end_headers()
        self.wfile.write(sent)

    def answer_cut(self):
        self.answer_whole(sent=CONTENT[:1000])

    def answer_unannounced(self):
        self.answer_whole(announced=False)

    def _redirect(self, to):
        self.send_response(302)
        self.send_header("Location", to)
        self.end_headers()

    def answer_moved(self):
        self._redirect("/whole.tar.gz")

    def answer_far(self):
        steps = self.path.count("/")
        self._redirect("/moved" if steps > 4 else self.path + "/on")

    def answer_file(self):
        self._redirect("file:///etc/passwd")

    def answer_ftp(self):
        self._redirect("ftp://127.0.0.1/x")

    def answer_round(self):
        self._redirect("/round")

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{running.server_address[1]}"
        running.shutdown()


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")


def test_a_file_is_fetched_whole_with_progress(server, tmp_path):
    shares = []
    fetch(f"{server}/whole.tar.gz", str(tmp_path / "a"), notify=shares.append)
    assert (tmp_path / "a").read_bytes() == CONTENT
    assert shares[-1] == 1
    for place in ("moved", "far.tar.gz"):
        fetch(f"{server}/{place}", str(tmp_path / place))
        assert (tmp_path / place).read_bytes() == CONTENT


@pytest.mark.parametrize("place", ["whole", "unannounced"])
def test_no_more_is_taken_than_asked_for(place, server, tmp_path):
    with pytest.raises(DelveError, match="expected at most 5,000 bytes, found more; fetch it by hand"):
        fetch(f"{server}/{place}", str(tmp_path / "a"), most=5000)


def test_a_connection_that_is_cut_is_no_file(server, tmp_path):
    with pytest.raises(DelveError, match="expected 1,024,000 bytes, found 1,000: the connection was cut"):
        fetch(f"{server}/cut", str(tmp_path / "a"))


def test_an_error_of_the_server_is_told(server, tmp_path):
    with pytest.raises(DelveError, match="found the answer 404 Not Found; check the address"):
        fetch(f"{server}/none", str(tmp_path / "a"))


@pytest.mark.parametrize("address", ["ftp://host/x", "file:///etc/passwd", "data://x"])
def test_other_schemes_are_refused(address, tmp_path):
    assert has_scheme(address)
    with pytest.raises(DelveError, match="expected an address with http or https, found"):
        fetch(address, str(tmp_path / "a"))


@pytest.mark.parametrize("place", ["file", "ftp", "round"])
def test_no_redirection_leads_to_another_scheme_or_in_a_circle(place, server, tmp_path):
    with pytest.raises(DelveError, match="expected an"):
        fetch(f"{server}/{place}", str(tmp_path / "a"))
    assert not (tmp_path / "a").exists()


def test_offline_says_what_to_do(tmp_path):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with pytest.raises(DelveError) as error:
        fetch(f"http://127.0.0.1:{port}/demo.tar.gz", str(tmp_path / "a"))
    assert "found no connection (" in str(error.value)
    assert str(error.value).endswith("or fetch the file otherwise and give its path")


@pytest.mark.parametrize("address", ["http://", "http://[x", "http://a b/", "http://127.0.0.1:x/"])
def test_odd_addresses_are_one_line_errors(address, tmp_path):
    with pytest.raises(DelveError):
        fetch(address, str(tmp_path / "a"))
