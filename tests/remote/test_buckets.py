"""Archives and scores in a bucket, read from a real server of Amazon's language, and from a small one that
gives what Google's API gives."""

import http.server
import json
import shutil
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pyarrow.compute
import pyarrow.csv
import pyarrow.parquet
import pytest

import delvecore
from delvecore.cli.dinfo import main as dinfo
from delvecore.cli.mstats import main as mstats
from delvecore.cli.subcommands.rank import main as rank
from delvecore.errors import DelveError
from delvecore.remote import buckets, stores
from delvecore.remote.buckets import fault_of
from tests.archives import small_archive
from tests.remote.conftest import free_port, serving
from tests.remote.far import fetched, tables
from tests.scores_files import folds_csv, wide_csv

pytestmark = pytest.mark.slow
ADDRESS = "s3://bucket/delve-small"


@pytest.fixture
def root(tmp_path):
    return small_archive(tmp_path / "here")


@pytest.fixture
def bucket(s3, root):
    s3.put(root, "bucket/delve-small")
    return s3


@pytest.fixture
def disconnect(monkeypatch):
    """Call it, and nothing answers any more."""

    def cut():
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{free_port()}")
        monkeypatch.setattr(buckets, "TRIES", 1)
        stores.store_of.cache_clear()

    return cut


def asked_since(bucket, before):
    return bucket.asked()[len(before) :]


def test_an_archive_in_a_bucket_has_the_tables_of_the_same_archive_here(bucket, root):
    assert tables(delvecore.open(ADDRESS)) == tables(delvecore.open(root))


def test_the_second_opening_asks_for_the_listing_alone(bucket):
    state = delvecore.open(ADDRESS).state
    before = bucket.asked()
    assert delvecore.open(ADDRESS).state == state
    asked = asked_since(bucket, before)
    assert len(asked) == 1
    assert asked[0].startswith("GET /bucket?list-type=2")


def test_of_one_changed_object_only_that_one_is_read_again(bucket, root):
    before_change = tables(delvecore.open(ADDRESS))
    changed = "methods/one/demo/age/std.8/loss.S.0"
    (root / changed).write_text("9\n9\n9\n9.125\n")  # of another size: times of this store have whole seconds
    bucket.put(root / changed, f"bucket/delve-small/{changed}")
    before = bucket.asked()
    after = tables(delvecore.open(ADDRESS))
    read = [
        line for line in asked_since(bucket, before) if line.startswith("GET") and "list-type" not in line
    ]
    assert read == [f"GET /bucket/delve-small/{changed}"]
    assert after == tables(delvecore.open(root)) != before_change


def test_what_is_removed_from_a_bucket_is_gone(bucket, root):
    delvecore.open(ADDRESS)
    bucket.system.delete_dir("bucket/delve-small/methods/two")
    assert delvecore.open(ADDRESS).methods["method"].to_pylist() == ["one"]
    assert not [name for name in fetched() if name == "two.txt"]


def test_files_in_a_bucket_are_what_they_are_here(s3, root, tmp_path):
    shutil.make_archive(str(root), "gztar", root.parent, root.name)
    s3.put(root.parent / "delve-small.tar.gz", "bucket/delve-small.tar.gz")
    assert tables(delvecore.open("s3://bucket/delve-small.tar.gz")) == tables(delvecore.open(root))
    table = pyarrow.csv.read_csv(folds_csv(tmp_path / "scores.csv"))
    here = tmp_path / "parts"
    for part, rows in (("a", table.slice(0, 20)), ("b", table.slice(20))):
        (here / part).mkdir(parents=True)
        pyarrow.parquet.write_table(rows, here / part / "part.parquet")
    s3.put(here, "bucket/parts")
    s3.put(here / "a" / "part.parquet", "bucket/one.parquet")
    partitioned = tmp_path / "partitioned"
    for method in ("svm", "forest"):
        rows = table.filter(pyarrow.compute.equal(table["method"], method)).drop_columns(["method"])
        (partitioned / f"method={method}").mkdir(parents=True)
        pyarrow.parquet.write_table(rows, partitioned / f"method={method}" / "part.parquet")
    s3.put(partitioned, "bucket/partitioned")
    harness = tmp_path / "harness"
    for number, model in enumerate(("one", "two")):
        results = {task: {"acc,none": 0.5 + 0.1 * number} for task in ("arc", "piqa")}
        document = {"results": results, "versions": {}, "model_name": model, "n-shot": {}}
        (harness / model).mkdir(parents=True)
        (harness / model / "results.json").write_text(json.dumps(document))
    s3.put(harness, "bucket/harness")
    places = {name: tmp_path / name for name in ("parts", "partitioned", "harness")}
    for place, near in {**places, "one.parquet": here / "a" / "part.parquet"}.items():
        assert delvecore.open(f"s3://bucket/{place}").results.equals(delvecore.open(near).results)
    loss = delvecore.open("s3://bucket/parts", where={"fold": "0"})
    assert loss.results.equals(delvecore.open(here, where={"fold": "0"}).results)


def test_commands_take_addresses_and_say_what_they_say_of_files_here(bucket, root, run_command, tmp_path):
    run = run_command
    table = wide_csv(tmp_path / "wide.csv")
    bucket.put(table, "bucket/wide.csv")
    for main, *words in ((dinfo, "/demo"), (mstats, "/one/demo/age/std.8")):
        here = run(main, *words, directory=tmp_path, path=root)
        assert run(main, *words, path=ADDRESS) == here
        assert here.code == 0
    lower = "--lower-is-better"
    assert run(rank, "s3://bucket/wide.csv", lower).out == run(rank, str(table), lower).out


@pytest.mark.parametrize(
    ("address", "actual"),
    [
        ("s3://nowhere/delve", "no such bucket; check the address"),
        ("s3://bucket/nothing", "nothing there; check the address"),
        ("s3://bucket/delve-small/data", "neither"),
    ],
)
def test_what_is_not_there_is_one_clear_line(bucket, address, actual):
    with pytest.raises(DelveError) as told:
        delvecore.open(address)
    assert str(told.value).startswith(f"{address}: expected")
    assert actual in str(told.value)


def test_a_store_that_refuses_is_one_clear_line(web, monkeypatch):
    web.status = 403
    monkeypatch.setenv("AWS_ENDPOINT_URL", web.address)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "a-key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "a-secret")
    with pytest.raises(DelveError, match="s3://bucket/delve: expected what can be read, found no permission"):
        delvecore.open("s3://bucket/delve")


def test_without_a_connection_the_line_says_so_and_nothing_is_lost(bucket, disconnect):
    known = delvecore.open(ADDRESS)
    disconnect()
    with pytest.raises(DelveError, match=f"{ADDRESS}: expected what can be read, found no connection"):
        delvecore.open(ADDRESS)
    assert delvecore.open(known.paths).state == known.state  # its copy is as it was


def test_without_a_connection_there_is_no_half_archive(bucket, disconnect):
    disconnect()
    with pytest.raises(DelveError, match="no connection"):
        delvecore.open(ADDRESS)
    assert not fetched()


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
    with serving(http.server.ThreadingHTTPServer(("127.0.0.1", 0), Google)) as server:
        server.daemon_threads = True
        server.directory, server.asked = Path(tmp_path) / "bucket", []
        server.directory.mkdir()
        monkeypatch.setenv("STORAGE_EMULATOR_HOST", f"http://127.0.0.1:{server.server_port}")
        yield server


def test_an_archive_in_a_bucket_of_google_has_the_tables_of_the_same_archive_here(google):
    root = small_archive(google.directory)
    state = delvecore.open("gs://bucket/delve-small").state
    assert tables(delvecore.open("gs://bucket/delve-small")) == tables(delvecore.open(root))
    google.asked.clear()
    assert delvecore.open("gs://bucket/delve-small").state == state
    assert not [target for target in google.asked if "alt=media" in target]


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
    ("address", "actual"),
    [("gs://bucket/nothing", "nothing there"), ("gs://nowhere/delve", "no such bucket")],
)
def test_what_google_does_not_have_is_one_clear_line(google, address, actual):
    with pytest.raises(DelveError, match=f"{address}: expected .*, found {actual}; check the address"):
        delvecore.open(address)
