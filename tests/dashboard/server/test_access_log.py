"""What the server writes down and counts, and that it has nothing of what visitors chose, sent or saw."""

import json
import logging
import os
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from dashboard.server import access_log
from dashboard.server.access_log import ProcessStats, _Visit, write_access_log
from delvecore.errors import DelveError


@pytest.fixture
def lines(tmp_path):
    """Return the lines that were written so far."""
    path = tmp_path / "access.log"
    write_access_log(str(path))
    yield lambda: [json.loads(line) for line in path.read_text().splitlines()]
    for handler in list(access_log.log.handlers):
        access_log.log.removeHandler(handler)
        handler.close()
    access_log.log.setLevel(logging.NOTSET)


def asked(**what) -> bytes:
    message = BackMsg()
    message.rerun_script.query_string = "task=/secret/task"
    for name, value in what.items():
        setattr(message.rerun_script, name, value)
    return message.SerializeToString()


def finished(*parts: str, status=ForwardMsg.FINISHED_SUCCESSFULLY) -> bytes:
    message = ForwardMsg(script_finished=status)
    message.metadata.run.script_run_id = "1"
    message.metadata.run.fragment_ids.extend(parts)
    return message.SerializeToString()


def navigated(path: str) -> bytes:
    message = ForwardMsg()
    message.navigation.page_script_hash = "one"
    page = message.navigation.app_pages.add()
    page.page_script_hash, page.url_pathname, page.page_name = "one", path, path
    return message.SerializeToString()


def test_a_run_of_a_page_is_a_line_without_what_was_asked_for(lines):
    visit = _Visit()
    visit.ask(asked(page_name="compare"))
    visit.answer(navigated("compare"))
    visit.answer(finished())
    (line,) = lines()
    assert {name: line[name] for name in ("page", "part", "status")} == {
        "page": "compare",
        "part": False,
        "status": "ok",
    }
    assert set(line) == {"time", "page", "part", "seconds", "status"}
    assert 0 <= line["seconds"] < 60
    assert line["time"].endswith("+00:00")


def test_a_part_is_a_line_of_its_page_and_what_a_clock_asks_for_is_none(lines):
    visit = _Visit()
    visit.ask(asked())
    visit.answer(navigated("ranking"))
    visit.answer(finished())
    clock = ForwardMsg()
    clock.auto_rerun.fragment_id = "clock"
    visit.answer(clock.SerializeToString())
    visit.ask(asked(fragment_id="clock", is_auto_rerun=True))
    visit.answer(finished("clock", status=ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY))
    visit.ask(asked(fragment_id="figure"))
    visit.answer(finished("clock"))  # of a run that had begun before
    visit.answer(finished("figure", status=ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY))
    assert [(line["page"], line["part"]) for line in lines()] == [("ranking", False), ("ranking", True)]


def test_a_run_that_is_begun_again_is_one_line_and_an_exception_is_a_failure(lines):
    visit = _Visit()
    visit.ask(asked())
    visit.answer(finished(status=ForwardMsg.FINISHED_EARLY_FOR_RERUN))
    fault = ForwardMsg()
    fault.delta.new_element.exception.type = "ValueError"
    visit.answer(fault.SerializeToString())
    visit.answer(finished())
    visit.ask(asked())
    visit.answer(finished())
    assert [line["status"] for line in lines()] == ["failed", "ok"]


def test_a_file_that_is_moved_away_is_made_anew(lines, tmp_path):
    visit = _Visit()
    for _ in range(2):
        visit.ask(asked())
        visit.answer(finished())
        os.rename(tmp_path / "access.log", tmp_path / "access.log.1")
    visit.ask(asked())
    visit.answer(finished())
    assert len(lines()) == 1


def test_a_file_that_cannot_be_written_is_refused(tmp_path):
    with pytest.raises(DelveError, match=r"--access-log: expected a file .*no such file"):
        write_access_log(str(tmp_path / "none" / "access.log"))


def test_counts_have_memory_and_processes():
    stats = ProcessStats().get_stats()
    (memory,), (workers,) = stats["process_resident_memory_bytes"], stats["worker_processes"]
    assert 10 << 20 < memory.value < 100 << 30 or not Path("/proc/self/statm").exists()
    assert workers.value >= 0
