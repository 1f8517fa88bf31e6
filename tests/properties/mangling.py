"""A whole small archive, and ways to spoil one of its files."""

from pathlib import Path

from hypothesis import strategies as st

from delvecore.cli import mgendata, mloss
from tests.archives import small_archive, write_tree
from tests.reliability.fuzzing import damaged

AGE, SHADE = "methods/one/demo/age/std.8", "methods/one/demo/shade/std.4"


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


def spoiled(content: bytes):
    """Return content with some damage: bytes, tokens, lines or words changed, moved, cut or doubled."""
    return st.builds(damaged, st.just(content), st.randoms(use_true_random=False))
