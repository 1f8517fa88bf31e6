"""Each benchmark has a help, and a quick run measures something."""

import pytest

from benchmarks.__main__ import BENCHMARKS, PROGRAMS, main
from benchmarks.support import section_of

QUICK = {
    "error-rates": ["--tables", "8", "--processes", "1", "--section", "one-dataset"],
    "experiment": ["--trees", "2"],
    "significance": [],
}
"""Options of a quick run of a program with options of its own."""


@pytest.mark.slow
@pytest.mark.parametrize("name", [*BENCHMARKS, *PROGRAMS])
def test_each_benchmark_has_a_help(name, capsys):
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    assert "usage: python -m benchmarks" in capsys.readouterr().out


@pytest.mark.wide
@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_quick_run_measures_something(name, capsys):
    assert main([name, "--quick"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(f"## {name}\n")
    assert printed.count("\n| ") > 2


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_a_quick_run_of_a_program_prints_its_table(name, capsys):
    assert main([name, *QUICK[name]]) in (0, 1)
    assert len(capsys.readouterr().out.splitlines()) > 2


def test_every_benchmark_with_findings_has_written_results():
    assert [name for name in BENCHMARKS if "| what | this project |" not in section_of(name)] == []


def test_an_unknown_benchmark_is_refused_with_the_names(capsys):
    with pytest.raises(SystemExit):
        main(["nothing"])
    assert "first-start" in capsys.readouterr().err
