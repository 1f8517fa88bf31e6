"""Damage by chance, with fixed seeds: what a disk, an editor or a stranger does to a file.

How many cases are tried is `times(full)`: a small share in the everyday run, all of them where the environment
variable DELVE_RELIABILITY is 1, which is how the figures in `docs/reliability.md` were made.
"""

import contextlib
import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path

__all__ = ["LONGEST", "damaged", "files_below", "limited", "times", "with_damaged_line_ends"]

SHARE = float(os.environ.get("DELVE_RELIABILITY", "0.0004"))
LONGEST = 60
"""Seconds after which a call counts as hanging."""
WORDS = (
    b"nan inf -Inf 1e400 1_0 0x10 -1 0 1e-320 ? ?why : 3: :3 :: @ @1 @99999999999999999999 # #x \\ [0,1) (1,1] ]( , .."
    b" 0..Inf 5..1 1..99999999 Inf..-Inf Order: Inputs: Attributes: a=b = passive= unit=0 missing=mean order=a,b"
    b" \xc2\xb2 \xe2\x85\xa7 \xd9\xa3 \xef\xbb\xbf \xff \x00 \x1b[0m \xe2\x80\xa8 \xe2\x80\xae =cmd --!> \x85 \x0c"
).split(b" ")
GAPS = (b"\n", b"\r\n", b"\r", b" ", b"\t", b"\n\n", b" \\\n", b"9" * 5000, b"x" * 3000, b"1 " * 500)
LINE_ENDS = (
    b"\n",
    b"\r",
    b"\r\n",
    b"\n\r",
    b"\n\n",
    b"",
    b" \n",
    b"\n ",
    b"\x0b",
    b"\x0c",
    b"\x85",
    b"\xe2\x80\xa8\n",
)


def times(full: int, *, least: int = 5) -> range:
    """The numbers of the cases to try, of `full` ones."""
    return range(max(least, round(full * SHARE)))


@contextlib.contextmanager
def limited(what: object) -> Iterator[None]:
    """Fail where the block takes longer than LONGEST seconds."""

    def stop(*_: object) -> None:
        raise AssertionError(f"hangs: {what}")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(LONGEST)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def damaged(content: bytes, chance: random.Random) -> bytes:
    """Return content with one to three kinds of damage."""
    for _ in range(chance.randint(1, 3)):
        content = chance.choice((_bytes, _token, _line, _word, _cut, _bit, _swap))(content, chance)
    return content


def with_damaged_line_ends(content: bytes, chance: random.Random) -> bytes:
    """Return content with some of its line ends changed for others, or for nothing."""
    lines = content.split(b"\n")
    parts = []
    for line in lines[:-1]:
        parts += [line, chance.choice(LINE_ENDS) if chance.random() < 0.15 else b"\n"]
    parts += [lines[-1], *([chance.choice(LINE_ENDS)] if chance.random() < 0.2 else [])]
    return b"".join(parts)


def files_below(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*") if path.is_file())


def _bytes(content: bytes, chance: random.Random) -> bytes:
    start = chance.randint(0, len(content))
    return content[:start] + chance.randbytes(chance.randint(0, 4)) + content[start + chance.randint(0, 3) :]


def _token(content: bytes, chance: random.Random) -> bytes:
    start = chance.randint(0, len(content))
    return content[:start] + chance.choice((*WORDS, *GAPS)) + content[start:]


def _line(content: bytes, chance: random.Random) -> bytes:
    lines = content.split(b"\n")
    place, other = chance.randrange(len(lines)), chance.choice(lines)
    changed = chance.choice(([], [lines[place]] * 2, [other], [lines[place] + b" " + other]))
    return b"\n".join([*lines[:place], *changed, *lines[place + 1 :]])


def _word(content: bytes, chance: random.Random) -> bytes:
    words = content.split(b" ")
    place = chance.randrange(len(words))
    changed = chance.choice(([], [chance.choice((*WORDS, *GAPS))], [words[place]] * 2))
    return b" ".join([*words[:place], *changed, *words[place + 1 :]])


def _cut(content: bytes, chance: random.Random) -> bytes:
    return content[: chance.randint(0, len(content))]


def _bit(content: bytes, chance: random.Random) -> bytes:
    if not content:
        return content
    place = chance.randrange(len(content))
    return content[:place] + bytes([content[place] ^ 1 << chance.randrange(8)]) + content[place + 1 :]


def _swap(content: bytes, chance: random.Random) -> bytes:
    lines = content.split(b"\n")
    if len(lines) > 1:
        first, second = chance.sample(range(len(lines)), 2)
        lines[first], lines[second] = lines[second], lines[first]
    return b"\n".join(lines)
