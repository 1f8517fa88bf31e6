"""Programs for trying the runner, as texts in Python."""

import sys
from pathlib import Path

from delvecore.runner.command_method import CommandMethod, program_words

MEAN = """
import os
number = os.environ["DELVE_INSTANCE"]
values = [float(line.split()[-1]) for line in open(f"train.{number}")]
cases = int(os.environ["DELVE_TEST_CASES"])
with open(f"cguess.{number}", "w") as file:
    file.write(f"{sum(values) / len(values)}\\n" * cases)
"""
"""Predicts the mean of the training targets."""

SEEDED = """
import os, random
number = os.environ["DELVE_INSTANCE"]
random.seed(os.environ["DELVE_SEED"])
with open(f"guess.{number}", "w") as file:
    for line in open(f"test.{number}"):
        print(round(random.uniform(20, 40), 2), file=file)
"""
"""Guesses at random."""


def program(directory: Path, text: str, name: str = "program", **options) -> CommandMethod:
    """A method that is a program with this text."""
    path = directory / f"{name}.py"
    path.write_text(text)
    words = program_words(f"{sys.executable} -S -E {path.name}", str(directory))
    return CommandMethod(name, words, (str(options.pop("root", "")),), **options)
