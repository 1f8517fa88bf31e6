"""The line that says how far a long command is."""

import io

import pytest

from delvecore.progress import Progress, Steps, bar_text, duration_text


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def clock(*times: float):
    return iter(times).__next__


@pytest.mark.parametrize(("seconds", "text"), [(35.4, "0:35"), (59.6, "1:00"), (3725, "1:02:05")])
def test_durations_are_minutes_and_seconds(seconds: float, text: str):
    assert duration_text(seconds) == text


def test_time_left_is_in_proportion_to_what_is_done():
    # A quarter is done after 10 seconds: 30 seconds are left.
    stream = io.StringIO()
    Progress(stream, clock=clock(100.0, 110.0)).show("task", 0.25)
    assert stream.getvalue() == "task   25%  0:30 left\n"


@pytest.mark.parametrize(("share", "filled"), [(0.02, 0), (0.5, 10), (0.99, 20)])
def test_bar_is_filled_from_the_left(share: float, filled: int):
    assert bar_text(share) == "[" + "#" * filled + "-" * (20 - filled) + "]"


def test_a_terminal_sees_one_line_drawn_again_and_removed():
    stream = Terminal()
    progress = Progress(stream, clock=clock(0.0, 1.0, 2.0))
    progress.show("task", 0.5, " instance 10", whole=False)
    progress.show("task", 1.0)
    progress.clear()
    first, second, last, _ = stream.getvalue().split("\r")[1:]
    assert first == "[##########----------]  50%  0:01 left  task instance 10"
    assert second.rstrip() == "[####################] 100%  0:00 left  task"
    assert len(second) == len(first), "what is left of a longer line is covered"
    assert last.strip() == ""


def test_quiet_hides_progress_but_not_messages():
    stream = io.StringIO()
    progress = Progress(stream, quiet=True, clock=clock(0.0))
    progress.show("task", 0.5)
    progress.say("a fault")
    assert stream.getvalue() == "a fault\n"


def work(progress: Steps) -> None:
    with progress:
        progress.part("./demo/age/std.4", line="./demo/age/std.4", steps=2)
        progress.step("segmenting cases...")
        progress.step("encoding instance 0 training data...")
        progress.part("./demo/age/std.8", line=None)


def test_steps_are_a_bar_on_a_terminal_that_is_gone_at_the_end():
    stream = Terminal()
    work(Steps(stream, parts=2, clock=lambda: 0.0))
    *drawn, _, end = stream.getvalue().split("\r")[1:]
    assert [text.rstrip() for text in drawn] == [
        "[--------------------]   0%  0:00 left  ./demo/age/std.4",
        "[--------------------]   0%  0:00 left  ./demo/age/std.4 segmenting cases...",
        "[#####---------------]  25%  0:00 left  ./demo/age/std.4 encoding instance 0 tr",
        "[##########----------]  50%  0:00 left  ./demo/age/std.8",
    ]
    assert end == ""


def test_bar_is_removed_before_an_error_is_printed():
    stream = Terminal()

    def fail() -> None:
        with Steps(stream, parts=1) as progress:
            progress.part("a task")
            raise ValueError("an error")

    with pytest.raises(ValueError, match="an error"):
        fail()
    assert stream.getvalue().endswith("\r")
