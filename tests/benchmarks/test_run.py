"""The measurements work, each once and small."""

import pytest

from benchmarks.run import main


@pytest.mark.wide
def test_a_small_run_of_the_benchmarks_finds_something_in_each_part():
    assert main(["--smoke"]) == 0
