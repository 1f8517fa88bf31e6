"""The line that says how far a long command is."""

import io

import pytest

from delvecore.commands.progress import Progress, duration_text


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def clock(*times: float):
    return iter(times).__next__


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00"), (35.4, "0:35"), (59.6, "1:00"), (125, "2:05"), (3725, "1:02:05")]
)
def test_durations_are_minutes_and_seconds(seconds: float, text: str):
    assert duration_text(seconds) == text


def test_time_left_is_in_proportion_to_what_is_done():
    # A quarter is done after 10 seconds: 30 seconds are left.
    stream = io.StringIO()
    Progress(stream, clock=clock(100.0, 110.0)).show("task", 0.25)
    assert stream.getvalue() == "task   25%  0:30 left\n"


def test_a_terminal_sees_one_line_drawn_again_and_removed():
    stream = Terminal()
    progress = Progress(stream, clock=clock(0.0, 1.0, 2.0))
    progress.show("task", 0.5, " instance 10", whole=False)
    progress.show("task", 1.0)
    progress.clear()
    first, second, last, _ = stream.getvalue().split("\r")[1:]
    assert first == "task instance 10   50%  0:01 left"
    assert second.rstrip() == "task  100%  0:00 left"
    assert len(second) == len(first), "what is left of a longer line is covered"
    assert last.strip() == ""


def test_elsewhere_only_whole_parts_are_shown():
    stream = io.StringIO()
    progress = Progress(stream, clock=clock(0.0, 1.0))
    progress.show("task", 0.5, " instance 0", whole=False)
    assert stream.getvalue() == ""


def test_quiet_hides_progress_but_not_messages():
    stream = io.StringIO()
    progress = Progress(stream, quiet=True, clock=clock(0.0))
    progress.show("task", 0.5)
    progress.say("a fault")
    assert stream.getvalue() == "a fault\n"
