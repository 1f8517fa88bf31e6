"""Server, settings and the delve command."""

import shutil
import socket
import sys
from pathlib import Path

import pytest

from dashboard.leaderboard import data
from dashboard.server import archive as opened
from dashboard.server import asgi, configuration, serve
from dashboard.ui import page
from delvecore.cli import delve
from delvecore.errors import DelveError
from tests.dashboard.array_archive import array_archive


def test_every_font_and_picture_of_the_settings_is_there():
    options = configuration.read_options(configuration.configuration_file())
    for face in options["theme.fontFaces"]:
        assert (configuration.PACKAGE / "static" / Path(face["url"]).name).is_file()
    for name in ("mark.svg", "wordmark.svg", "page.css", "Inter-OFL.txt"):
        assert (configuration.PACKAGE / "static" / name).is_file()


def test_a_taken_port_is_refused_with_a_remedy_and_without_a_wish_a_free_one_is_chosen():
    assert serve.FIRST_PORT <= serve.choose_port() < serve.FIRST_PORT + serve.PORTS_TRIED
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(DelveError, match=f"port {port} is in use .*--port"):
            serve.choose_port(port)


def test_wrong_usage_is_said_in_one_line(capsys):
    assert delve.main([]) == 2
    assert delve.main(["dance"]) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert "expected one of " in last
    assert "found 'dance'" in last
    assert all(command in last for command in delve.COMMANDS)


@pytest.mark.parametrize("port", ["0", "65536", "８５０１"])
def test_ports_are_whole_numbers_in_range(port, capsys):
    with pytest.raises(SystemExit):
        delve.main(["dashboard", "--port", port])
    assert "expected a whole number from 1 to 65535" in capsys.readouterr().err


def test_no_page_shadows_a_library(small, run_page, monkeypatch):
    # Streamlit puts the folder of the script first, in which `tables` and `datasets` lie.
    seen = []
    prepare = page.prepare
    monkeypatch.setattr(page, "prepare", lambda: seen.append(list(sys.path)) or prepare())
    for name in ("leaderboard", "tables"):
        run_page(name)
    assert seen
    assert [path for path in seen if str(configuration.PACKAGE) in path] == []


@pytest.mark.slow
def test_what_a_page_draws_at_the_start_is_drawn_before_the_first_visitor_asks(tmp_path, monkeypatch):
    root = array_archive(tmp_path)
    shutil.rmtree(root / "methods/quince")  # it has no costs
    opened.choose_paths([str(root)])
    assert opened.open_archive(patience=60.0).archive is not None
    drawn = []
    for name in ("places_figure", "costs_figure"):
        monkeypatch.setattr(data, name, lambda *_, name=name: drawn.append(name))
    asgi.warm_up()
    assert drawn == ["places_figure", "costs_figure"]
