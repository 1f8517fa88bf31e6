"""A line on standard error that says how far a long command is."""

import time

__all__ = ["Progress", "duration_text"]


class Progress:
    """Shows `label  42%  0:35 left` on a stream: redrawn on a terminal, else a line for each part."""

    def __init__(self, stream, *, quiet=False, clock=time.monotonic):
        self.stream, self.quiet, self.clock = stream, quiet, clock
        self.started, self.width = clock(), 0

    def show(self, label, share, detail="", *, whole=True):
        """Show how much of the work, between 0 and 1, is done.

        On a terminal, detail follows the label; elsewhere only what is whole is shown.
        """
        if self.quiet:
            return
        if self.stream.isatty():
            text = f"{label}{detail}  {self._state(share)}"
            self.stream.write("\r" + text.ljust(self.width))
            self.width = len(text)
        elif whole:
            self.stream.write(f"{label}  {self._state(share)}\n")
        self.stream.flush()

    def say(self, message):
        """Print a line of its own, even when quiet."""
        self.clear()
        self.stream.write(message + "\n")
        self.stream.flush()

    def clear(self):
        """Remove the line from a terminal."""
        if self.width:
            self.stream.write("\r" + " " * self.width + "\r")
            self.width = 0

    def _state(self, share):
        elapsed = self.clock() - self.started
        left = elapsed * (1 - share) / share if share else 0.0
        return f"{share:4.0%}  {duration_text(left)} left"


def duration_text(seconds):
    """Return a duration as minutes and seconds (`0:35`), with hours where there are some (`1:02:05`)."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
