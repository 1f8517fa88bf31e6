"""Archives in a bucket of Google Cloud Storage, read from a small server that gives what its API gives."""

import http.server
import json
import threading
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

import delvecore
from delvecore.errors import DelveError
from delvecore.remote.buckets import fault_of
from delvecore.score_tables.options import ScoreOptions
from tests.archives import small_archive
from tests.remote.far import tables
from tests.scores_files import wide_csv

pytestmark = pytest.mark.slow
FOLDER = "/storage/v1/b/bucket"


class Google(http.server.BaseHTTPRequestHandler):
    """Answers for one bucket, whose objects are the files of the server's directory."""

    protocol_version, wbufsize, disable_nagle_algorithm = "HTTP/1.1", 1 << 16, True

    def do_GET(self):
        asked = urlsplit(self.path)
        self.server.asked.append(self.path)
        name = unquote(asked.path.removeprefix(f"{FOLDER}/o").lstrip("/"))
        file = self.server.directory / name
        if asked.path == FOLDER:
            self.answer(json.dumps({"kind": "storage#bucket", "name": "bucket"}).encode())
        elif asked.path == f"{FOLDER}/o":
            prefix = parse_qs(asked.query).get("prefix", [""])[0]
            self.answer(json.dumps({"kind": "storage#objects", "items": self.items(prefix)}).encode())
        elif not asked.path.startswith(FOLDER) or not file.is_file():
            self.answer(b'{"error": {"code": 404, "message": "Not Found"}}', status=404)
        elif "alt=media" in asked.query:
            self.answer(file.read_bytes())
        else:
            self.answer(json.dumps(self.item(name)).encode())

    def items(self, prefix):
        root = self.server.directory
        names = sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())
        return [self.item(name) for name in names if name.startswith(prefix)]

    def item(self, name):
        size = (self.server.directory / name).stat().st_size
        facts = {
            "bucket": "bucket",
            "name": name,
            "size": str(size),
            "generation": "1",
            "metageneration": "1",
        }
        return facts | {"kind": "storage#object", "updated": "2026-01-02T03:04:05.678Z"}

    def answer(self, data, *, status=200):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


@pytest.fixture
def google(tmp_path, monkeypatch):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Google) as server:
        server.daemon_threads = True
        server.directory, server.asked = Path(tmp_path) / "bucket", []
        server.directory.mkdir()
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        monkeypatch.setenv("STORAGE_EMULATOR_HOST", f"http://127.0.0.1:{server.server_port}")
        yield server
        server.shutdown()


def test_an_archive_in_a_bucket_of_google_has_the_tables_of_the_same_archive_here(google):
    root = small_archive(google.directory)
    state = delvecore.open("gs://bucket/delve-small").state
    assert tables(delvecore.open("gs://bucket/delve-small")) == tables(delvecore.open(root))
    google.asked.clear()
    assert delvecore.open("gs://bucket/delve-small").state == state
    assert not [target for target in google.asked if "alt=media" in target]


def test_a_table_of_scores_in_a_bucket_of_google_is_read_as_one_here(google):
    table = wide_csv(google.directory / "wide.csv")
    options = ScoreOptions(higher_is_better=False)
    far = delvecore.open("gs://bucket/wide.csv", scores=options)
    assert far.results.equals(delvecore.open(table, scores=options).results)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "Could not create a OAuth2 access token to authenticate. CURL error [6]",
            "no credentials; sign in, or",
        ),
        ("PerformWork() - CURL error [6]=Could not resolve hostname", "no connection; check the network and"),
        ("something new\nthat nobody knows", "an error there (something new that nobody knows); try again"),
    ],
)
def test_errors_of_arrow_become_one_clear_line(text, line):
    told = str(fault_of("gs://bucket/x", OSError(text)))
    assert told.startswith(f"gs://bucket/x: expected what can be read, found {line}")


@pytest.mark.parametrize(
    ("address", "found"), [("gs://bucket/nothing", "nothing there"), ("gs://nowhere/delve", "no such bucket")]
)
def test_what_google_does_not_have_is_one_clear_line(google, address, found):
    with pytest.raises(DelveError, match=f"{address}: expected .*, found {found}; check the address"):
        delvecore.open(address)
