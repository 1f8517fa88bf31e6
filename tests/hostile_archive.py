"""A delve directory in which everything that can have a name has a hostile one."""

import re
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path

from tests.archives import AGE, AGE_PRIOR, DATASET, SHADE, SHADE_PRIOR, case_lines, losses, write_tree
from tests.hostile_names import PRINTED_NAMES

__all__ = ["ARRAY", "DATASET_NAME", "DIRECTORY_NAMES", "hostile_archive"]

DIRECTORY_NAMES = [
    n for n in PRINTED_NAMES if not set(n) & {"/", "\0"} and n[0] != "." and len(n.encode()) < 256
]
"""Those that a directory can have."""
ATTRIBUTES = ("=1+1", "https://evil.example/a", ":material/home:", "<b>", "$$x$$")
COLORS = ("www.evil.example", "+1+cmd|x", "<img/src=x>", "**x**", "$(id)")
TITLE = "<script>alert(1)</script> ![x](https://evil.example/t.png) :material/home: $x$ https://evil.example"
DATASET_NAME, ARRAY = "www.evil.example", "![x](https:evil.example)"
ARRAY_SPEC = """Title: {title}
Factors:
  {factor}  {level}: {label} | 2: {other}
Members:
  {dataset}/age/std    {level}
  {dataset}/age/vague  2
"""


def hostile_archive(
    parent: Path, methods: Sequence[str] = tuple(DIRECTORY_NAMES), name: str = "delve-hostile"
) -> Path:
    """A dataset, attributes, categories, methods, a task-array, its factors and levels, titles and comments."""
    spec, cases, shade_prior, age_prior = DATASET, case_lines(), SHADE_PRIOR, AGE_PRIOR
    renamed = dict(zip(("female", "male", "pink", "blue", "red"), COLORS, strict=True))
    old = re.compile(r"\b(?:female|male|pink|blue|red)\b")
    spec, cases, age_prior, shade_prior = (
        old.sub(lambda m: renamed[m[0]], text) for text in (spec, cases, age_prior, shade_prior)
    )
    for old, new in zip(("SEX", "AGE", "KIDS", "HOUR", "SHADE"), ATTRIBUTES, strict=True):
        spec = spec.replace(f" {old} ", f" {new} ")
    spec = spec.replace("A small example", TITLE).replace("Age in years", TITLE)
    shade = SHADE.replace("SEX AGE KIDS", "1 2 3").replace("SHADE", "5")
    data = f"data/{DATASET_NAME}"
    files = {
        f"{data}/Dataset.spec": spec,
        f"{data}/Dataset.data": cases,
        f"{data}/Summary": TITLE,
        f"{data}/Source/{ARRAY}": TITLE,
        f"{data}/age/Prototask.spec": AGE,
        f"{data}/age/std.prior": age_prior,
        f"{data}/age/vague.prior": age_prior,
        f"{data}/shade/Prototask.spec": shade,
        f"{data}/shade/std.prior": shade_prior,
        f"{data}/shade/Random-order": "".join(f"{(n * 5) % 24 + 1}\n" for n in range(24)),
        f"data/{ARRAY}/Array.spec": ARRAY_SPEC.format(
            title=TITLE,
            factor=":red[x]",
            level="<b>",
            label=TITLE.replace("|", ""),
            other="a@evil.example",
            dataset=DATASET_NAME,
        ),
    }
    guesses = cycle(COLORS[2:])
    for number, method in enumerate(methods):
        place = f"methods/{method}"
        files[f"{place}/Summary"] = TITLE
        files[f"{place}/Source/{ARRAY}"] = TITLE
        for task in ("std.8", "vague.8"):
            for instance in range(2):
                files[f"{place}/{DATASET_NAME}/age/{task}/loss.S.{instance}"] = losses(
                    instance, 4, 1 + number % 7
                )
        for instance in range(4):
            files[f"{place}/{DATASET_NAME}/shade/std.4/guess.{instance}"] = "".join(
                f"{next(guesses)}\n" for _ in range(6)
            )
    return write_tree(parent / name, files)
