"""Progress of a long command: a bar on a terminal, otherwise the lines that the manual shows."""

import os
import time
from collections.abc import Callable
from typing import Self, TextIO

BAR, WIDTH = 20, 80
Clock = Callable[[], float]


class Progress:
    """Shows the share of completed work: a redrawn bar on a terminal, otherwise a line for each part."""

    def __init__(self, stream: TextIO, *, quiet: bool = False, clock: Clock = time.monotonic) -> None:
        self.stream, self.quiet, self.clock = stream, quiet, clock
        self.is_terminal = stream.isatty()
        self.started, self.width = clock(), 0

    def show(self, label: str, share: float, detail: str = "", *, whole: bool = True) -> None:
        """Show the share of completed work, from 0 to 1; without a terminal only completed parts are
        shown."""
        if self.quiet:
            return
        left = (self.clock() - self.started) * (1 - share) / share if share else 0.0
        state = f"{share:4.0%}  {duration_text(left)} left"
        if self.is_terminal:
            text = f"{bar_text(share)} {state}  {label}{detail}"[: _terminal_width(self.stream) - 1]
            self.stream.write("\r" + text.ljust(self.width))
            self.width = len(text)
        elif whole:
            self.stream.write(f"{label}  {state}\n")
        self.stream.flush()

    def say(self, message: str) -> None:
        """Print a separate line, even when quiet."""
        self.clear()
        self.stream.write(message + "\n")
        self.stream.flush()

    def clear(self) -> None:
        if self.width:
            self.stream.write("\r" + " " * self.width + "\r")
            self.stream.flush()
            self.width = 0


class Steps:
    """Progress of a command with several parts that consist of steps, with the lines that the manual shows.

    A terminal shows one bar, which the end of a `with` statement removes. Other streams get a line for each
    part and step."""

    def __init__(self, stream: TextIO, *, parts: int, quiet: bool = False, clock: Clock = time.monotonic):
        self.bar = Progress(stream, quiet=quiet, clock=clock)
        self.parts, self.done = parts, -1
        self.label, self.steps, self.step_count = "", 1, 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.bar.clear()

    def part(self, label: str, *, line: str | None = None, steps: int = 1) -> None:
        """Begin the next part. line: text to print without a bar; steps: see `expect`."""
        self.done += 1
        self.label, self.step_count, self.steps = label, 0, steps
        self._show(line, "")

    def expect(self, steps: int) -> None:
        """Set the approximate number of steps of this part; each step moves the bar."""
        self.steps = max(steps, 1)

    def step(self, line: str) -> None:
        self._show("  " + line, " " + line)
        self.step_count += 1

    def _show(self, line: str | None, detail: str) -> None:
        bar = self.bar
        if bar.is_terminal:
            inside = min(self.step_count / self.steps, 1.0)
            bar.show(self.label, (self.done + inside) / self.parts, detail)
        elif line is not None and not bar.quiet:
            bar.say(line)


def bar_text(share: float) -> str:
    """Return a bar of a fixed width, filled from the left: `[#####---------------]`."""
    filled = round(share * BAR)
    return f"[{'#' * filled}{'-' * (BAR - filled)}]"


def duration_text(seconds: float) -> str:
    """Return a duration as minutes and seconds (`0:35`), or with hours if it is long (`1:02:05`)."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _terminal_width(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or WIDTH
    except (OSError, ValueError, AttributeError):
        return WIDTH
