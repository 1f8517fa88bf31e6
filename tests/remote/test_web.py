"""Archives and scores behind a web server: Python's own here, and nginx with both of its listings."""

import os
import shutil
import subprocess
import time
from pathlib import Path
from urllib import request

import pyarrow.csv
import pyarrow.parquet
import pytest

import delvecore
from delvecore.errors import DelveError
from delvecore.remote import stores
from delvecore.remote import web as room
from delvecore.remote.web import names_in
from tests.archives import small_archive
from tests.remote.conftest import Web, free_port
from tests.remote.far import fetched, kept_text, tables
from tests.scores_files import folds_csv

pytestmark = pytest.mark.slow

HERE = "https://host/delve/data/"


@pytest.fixture
def root(tmp_path):
    return small_archive(tmp_path / "served")


def test_an_archive_behind_a_web_server_has_the_tables_of_the_same_archive_here(web, root):
    assert tables(delvecore.open(f"{web.address}/delve-small/")) == tables(delvecore.open(root))


def test_the_second_opening_gets_lists_and_no_file(web, root):
    state = delvecore.open(f"{web.address}/delve-small/").state
    web.asked.clear()
    assert delvecore.open(f"{web.address}/delve-small/").state == state
    assert web.asked
    assert all(line.startswith("HEAD") or line.endswith("/") for line in web.asked)


def test_of_one_changed_file_only_that_one_is_got_again(web, root):
    delvecore.open(f"{web.address}/delve-small/")
    changed = root / "methods/one/demo/age/std.8/loss.S.0"
    changed.write_text("9\n9\n9\n9.5\n")
    web.asked.clear()
    assert tables(delvecore.open(f"{web.address}/delve-small/")) == tables(delvecore.open(root))
    got = [line for line in web.asked if line.startswith("GET") and not line.endswith("/")]
    assert got == ["GET /delve-small/methods/one/demo/age/std.8/loss.S.0"]


def test_a_file_that_is_too_young_for_its_time_is_got_again(web, root, monkeypatch):
    monkeypatch.setattr(stores, "YOUNG", 3600)
    delvecore.open(f"{web.address}/delve-small/")
    changed = root / "methods/one/demo/age/std.8/loss.S.0"
    changed.write_text(changed.read_text().replace("1", "7", 1))
    assert tables(delvecore.open(f"{web.address}/delve-small/")) == tables(delvecore.open(root))


def test_an_archive_file_and_a_parquet_file_are_read_by_their_addresses(web, root, tmp_path):
    shutil.make_archive(str(root), "gztar", root.parent, root.name)
    address = f"{web.address}/delve-small.tar.gz"
    assert tables(delvecore.open(address)) == tables(delvecore.open(root))
    assert web.asked == ["GET /delve-small.tar.gz"] * 2  # what it is, and what is in it
    delvecore.open(address)
    assert len(web.asked) == 3
    table = folds_csv(tmp_path / "served" / "scores.csv")
    pyarrow.parquet.write_table(pyarrow.csv.read_csv(table), table.with_suffix(".parquet"))
    far = delvecore.open(f"{web.address}/scores.parquet")
    assert far.results.equals(delvecore.open(table).results)


def test_a_server_need_not_say_the_size_of_a_table(web, tmp_path):
    web.says_sizes = False
    table = folds_csv(tmp_path / "served" / "scores.csv")
    assert delvecore.open(f"{web.address}/scores.csv").results.equals(delvecore.open(table).results)


def test_signatures_are_used_and_neither_kept_nor_told(web, tmp_path):
    folds_csv(tmp_path / "served" / "scores.csv")
    address = f"{web.address}/scores.csv?Signature=verysecret"
    archive = delvecore.open(address)
    assert "GET /scores.csv?Signature=verysecret" in web.asked
    assert "verysecret" not in kept_text() + repr(archive.sources)
    web.status = 403
    with pytest.raises(DelveError) as told:
        delvecore.open(address)
    assert f"{web.address}/scores.csv: expected what can be read, found no permission" in str(told.value)
    assert "verysecret" not in str(told.value)


def test_an_address_with_a_password_is_refused_without_showing_it():
    with pytest.raises(DelveError, match=r"^https://host\.example/delve/: .*; put it into ~/.netrc$") as told:
        delvecore.open("https://me:verysecret@host.example/delve/")
    assert "verysecret" not in str(told.value)


def test_names_and_passwords_come_from_the_users_file(web, root, tmp_path, monkeypatch):
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password verysecret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    delvecore.open(f"{web.address}/delve-small/")
    assert set(web.signed) == {"Basic bWU6dmVyeXNlY3JldA=="}  # base64 of me:verysecret
    assert "verysecret" not in kept_text()


def test_the_proxy_of_the_environment_is_asked(web, monkeypatch):
    monkeypatch.setenv("http_proxy", web.address)
    with pytest.raises(DelveError, match=r"http://host\.example/delve/: .*, found nothing"):
        delvecore.open("http://host.example/delve/")
    assert web.asked == ["GET http://host.example/delve/"]


def test_a_way_to_another_host_is_told_and_not_taken(web, root, tmp_path):
    with Web(tmp_path / "served") as other:
        web.away = other.address
        with pytest.raises(
            DelveError, match=f"found a redirection to {other.address}/delve-small/; give that"
        ):
            delvecore.open(f"{web.address}/delve-small/")
        assert not other.asked


def test_links_to_other_hosts_upwards_and_deeper_are_not_followed():
    page = (
        '<a href="../">up</a><a href="/delve/">top</a><a href="?C=N;O=D">sort</a><a href="demo/">demo/</a>'
        '<a href="//other/delve/data/x">x</a><a href="https://other/y">y</a><a href="a/b">deeper</a>'
        '<a href="%2e%2e/z">z</a><a href="a%2fb">a slash</a><a href="/delve/data/whole%20path">w</a>'
        '<a href="Notes#top">part</a><a href="Notes">Notes</a><a href="mailto:me@host">mail</a>'
    )
    assert names_in(page, HERE) == ["demo/", "whole path", "Notes"]


def test_a_listing_in_json_gives_plain_names_only():
    page = '[{"name": "demo", "type": "directory"}, {"name": "a b", "type": "file"}, {"name": "../x"}, 3]'
    assert names_in(page, HERE) == ["demo/", "a b"]


def test_what_was_cut_in_the_middle_is_told_and_never_kept(web, root):
    web.cut_files = 1
    with pytest.raises(DelveError, match="the connection was cut; try again"):
        delvecore.open(f"{web.address}/delve-small/")
    assert not fetched()
    web.cut_files = 0
    assert tables(delvecore.open(f"{web.address}/delve-small/")) == tables(delvecore.open(root))


def test_an_empty_file_of_an_earlier_version_is_no_copy(web, tmp_path):
    # It had the size and time of the object, no content, and no permission to read.
    folds_csv(tmp_path / "served" / "scores.csv")
    results = delvecore.open(f"{web.address}/scores.csv").results
    copy = Path(stores.local(f"{web.address}/scores.csv", anew=False))
    status = copy.stat()
    copy.write_bytes(bytes(status.st_size))
    copy.chmod(0o200)
    os.utime(copy, ns=(status.st_mtime_ns, status.st_mtime_ns))
    assert delvecore.open(f"{web.address}/scores.csv").results.equals(results)


def test_a_file_that_is_another_whenever_it_is_read_is_told(web, root, monkeypatch):
    def refuse(self, path, known, write):
        raise stores.ChangedError

    monkeypatch.setattr(room.WebServer, "fetch", refuse)
    with pytest.raises(DelveError, match="expected the files that its store lists, found others, again and"):
        delvecore.open(f"{web.address}/delve-small/")


def test_a_list_that_was_cut_is_not_taken_for_a_whole_one(web, root):
    web.cut = 1
    with pytest.raises(DelveError, match=r"/delve-small/: expected .* bytes, .*: the connection was cut"):
        delvecore.open(f"{web.address}/delve-small/")


def test_a_server_that_does_not_answer_in_time_is_one_clear_line(web, monkeypatch):
    monkeypatch.setattr(room, "PATIENCE", 0.1)
    monkeypatch.setattr(room, "TRIES", 1)
    web.wait = 0.5
    with pytest.raises(DelveError, match=f"{web.address}/: expected an answer, found no answer in time"):
        delvecore.open(web.address)


@pytest.mark.parametrize(
    ("status", "actual"),
    [
        (401, "no permission; put the name and password into ~/.netrc"),
        (404, "nothing there; check the address"),
        (501, "the answer 501 Not Implemented; try again"),
    ],
)
def test_a_refusal_is_one_clear_line(web, status, actual, monkeypatch):
    monkeypatch.setattr(room, "TRIES", 1)
    web.status = status
    with pytest.raises(DelveError) as told:
        delvecore.open(f"{web.address}/delve/")
    assert str(told.value) == f"{web.address}/delve/: expected what can be read, found {actual}"


NGINX = """pid {0}/nginx.pid;
error_log {0}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {0}/body; proxy_temp_path {0}/proxy; fastcgi_temp_path {0}/fastcgi;
    uwsgi_temp_path {0}/uwsgi; scgi_temp_path {0}/scgi;
    server {{
        listen 127.0.0.1:{1};
        root {0}/served;
        location / {{ autoindex on; }}
        location /json/ {{ alias {0}/served/; autoindex on; autoindex_format json; }}
    }}
}}
"""


def test_both_listings_of_nginx_are_read(root, tmp_path):
    nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if nginx is None:
        missing = "nginx is needed (Debian: apt-get install nginx-light)"
        (pytest.fail if os.environ.get("DELVE_REQUIRE_NGINX") == "1" else pytest.skip)(missing)
    port = free_port()
    (tmp_path / "nginx.conf").write_text(NGINX.format(tmp_path, port))
    tmp_path.chmod(0o755)
    server = subprocess.Popen([nginx, "-c", str(tmp_path / "nginx.conf"), "-g", "daemon off; user root;"])
    try:
        _wait_for(f"http://127.0.0.1:{port}/")
        wanted = tables(delvecore.open(root))
        assert tables(delvecore.open(f"http://127.0.0.1:{port}/delve-small/")) == wanted
        assert tables(delvecore.open(f"http://127.0.0.1:{port}/json/delve-small/")) == wanted
    finally:
        server.terminate()
        server.wait(30)


def _wait_for(address):
    for _ in range(100):
        try:
            request.urlopen(address, timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)


def test_many_small_files_that_come_slowly_together_have_an_end(web, root, monkeypatch):
    monkeypatch.setattr(stores, "PATIENCE", 0.0)
    monkeypatch.setattr(stores, "SLOWEST", 10**12)
    with pytest.raises(DelveError, match="delve-small/: expected 1,000,000,000,000 bytes a second"):
        delvecore.open(f"{web.address}/delve-small/")
