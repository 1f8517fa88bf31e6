"""A whole small archive, and ways to spoil one of its files."""

from pathlib import Path

from hypothesis import strategies as st

from delvecore.commands import mgendata, mloss
from tests.archives import small_archive, write_tree

AGE, SHADE = "methods/one/demo/age/std.8", "methods/one/demo/shade/std.4"
WORDS = (
    b"nan inf -Inf 1e400 1_0 0x10 -1 0 1e-320 ? ?why : 3: :3 :: @ @1 @99999999999999999999 # #x \\ [0,1) (1,1] ]( , .. "
    b"0..Inf 5..1 1..99999999 Inf..-Inf Order: Inputs: Attributes: a=b = passive= unit=0 missing=mean order=a,b "
    b"\xc2\xb2 \xe2\x85\xa7 \xd9\xa3 \xef\xbb\xbf \xff \x00 \x1b[0m \xe2\x80\xa8"
).split()
GAPS = [b"\n", b"\r\n", b" ", b"\t", b"\n\n", b" \\\n", b"9" * 5000, b"x" * 3000, b"1 " * 500]


def whole_archive(parent: Path, monkeypatch) -> Path:
    """The small archive with orders, codings, data files, predictions and a loss matrix; its methods run."""
    root = small_archive(parent)
    write_tree(
        root,
        {
            "data/demo/shade/costs": "0 1 2\n1 0 1\n2 1 0\n1 1 1\n",
            "data/demo/age/std.5.instances": "Instance: 0\nTraining: 1-5\nTest: 6-9 12\n",
            "methods/one/encoding": "AGE nm-sqr center=1\nSEX copy\n",
            **{f"{AGE}/cguess.{n}": "0.5\n-1\n2\n0\n" for n in range(2)},
            **{f"{AGE}/clptarg.{n}": "-0.5\n-1\n-2\n0\n" for n in range(2)},
            **{f"{SHADE}/prob.{n}": "0.5 0.25 0.25\n" * 6 for n in range(4)},
            **{f"{SHADE}/guess.Mcosts.{n}": "pink\nred\n?\n" * 2 for n in range(4)},
        },
    )
    monkeypatch.chdir(root / "methods/one")
    for place in (AGE, SHADE):
        assert mgendata.main(["-q", str(root / place)]) == 0
        assert mloss.main(["-q", str(root / place)]) == 0
    return root


@st.composite
def spoiled(draw, content: bytes):
    """Return content with some damage: bytes, tokens, lines or words changed, moved, cut or doubled."""
    for _ in range(draw(st.integers(1, 3))):
        content = draw(st.sampled_from([_bytes, _token, _line, _word, _cut]))(draw, content)
    return content


def _place(draw, size):
    return draw(st.integers(0, max(size, 0)))


def _bytes(draw, content):
    start = _place(draw, len(content))
    return content[:start] + draw(st.binary(max_size=4)) + content[start + draw(st.integers(0, 3)) :]


def _token(draw, content):
    start = _place(draw, len(content))
    return content[:start] + draw(st.sampled_from([*WORDS, *GAPS])) + content[start:]


def _line(draw, content):
    lines = content.split(b"\n")
    place = _place(draw, len(lines) - 1)
    other = lines[_place(draw, len(lines) - 1)]
    changed = draw(
        st.sampled_from([[], [lines[place], lines[place]], [other], [lines[place] + b" " + other]])
    )
    return b"\n".join([*lines[:place], *changed, *lines[place + 1 :]])


def _word(draw, content):
    words = content.split(b" ")
    place = _place(draw, len(words) - 1)
    changed = draw(st.sampled_from([[], [draw(st.sampled_from([*WORDS, *GAPS]))], [words[place]] * 2]))
    return b" ".join([*words[:place], *changed, *words[place + 1 :]])


def _cut(draw, content):
    return content[: _place(draw, len(content))]
