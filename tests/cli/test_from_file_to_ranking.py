"""From files of cases to a ranking with three commands, whatever the files hold; codings of a run."""

import pytest

from delvecore.cli.delve import main
from tests.importers.making import cars, delve_directory, problems

TREES = "height,light,soil,plot,grows\n" + "".join(
    f"{n * 13 % 47 if n % 9 else ''},{'sun' if n % 3 else 'half shade'},{'' if n % 5 else 'clay'},same,{'yn'[n * 7 % 3 > 1]}\n"
    for n in range(80)
)
TIMES = "a;b;c;seconds\n" + "".join(
    f"{n % 7},5;{'NA' if n % 2 else n * 3 % 11};0;{n * 29 % 31},{n % 10}\n" for n in range(70)
)
FILES = {"cars": (cars(80), "price"), "trees": (TREES, "grows"), "times": (TIMES, "seconds")}


def imported(tmp_path, run_command, *names):
    """Such datasets in a delve directory of their own."""
    for name in names:
        text, target = FILES[name]
        (tmp_path / f"{name}.csv").write_text(text)
        given = str(tmp_path / f"{name}.csv"), "--target", target, "--into", str(tmp_path / "delve-own")
        made = run_command(main, "import", *given, path=delve_directory(tmp_path, f"delve-{name}"))
        assert made.code == 0
    return tmp_path / "delve-own"


@pytest.mark.slow
def test_three_files_with_gaps_categories_and_constants_are_ranked_with_three_commands(tmp_path, run_command):
    root = imported(tmp_path, run_command, *FILES)
    assert [problems(root, name) for name in FILES] == [[], [], []]
    ran = run_command(main, "run", "base-1", "knn-cv-1", "cart-1", "/", "-q", "--workers", "1", path=root)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.count(" 0 failed;") == 3
    ranked = run_command(main, "rank", str(root))
    assert ranked.code == 0
    assert "over 4 tasks of 2 datasets" in " ".join(ranked.out.split())


@pytest.mark.slow
def test_what_was_done_stands_in_coding_used_and_a_fault_of_all_instances_is_said_once(tmp_path, run_command):
    root = imported(tmp_path, run_command, "cars")
    refused = run_command(main, "run", "knn-cv-1", "/cars/price", "-q", "--codings", "default", path=root)
    lines = refused.err.splitlines()
    assert refused.code == 1
    assert [line.count("expected a known value to encode as 1-of-n") for line in lines] == [1, 0, 1]
    assert "wheels: expected values that differ in the training set" in lines[1]
    assert "delve run: 4 more failed for the same reason: fuel: expected a known value" in lines[2]
    assert run_command(main, "run", "knn-cv-1", "/cars/price", "-q", path=root).code == 0
    coding_used = root / "methods/knn-cv-1/cars/price/std.8/Coding-used"
    assert "fuel 1-of-n  missing=indicator scale=sqrt\n" in coding_used.read_text()
    assert "wheels copy  scale=sqrt\n" in coding_used.read_text()
    # A file says how attributes are encoded, and the rest is made to suit.
    (tmp_path / "codings").write_text("wheels ignore\nfuel therm missing=mode\n")
    given = "run", "knn-cv-1", "/cars/price", "-q", "--again", "--codings", str(tmp_path / "codings")
    assert run_command(main, *given, path=root).code == 0
    assert "fuel therm  missing=mode scale=sqrt\n" in coding_used.read_text()
    assert "wheels ignore  scale=sqrt\n" in coding_used.read_text()
    (tmp_path / "codings").write_text("wings ignore\n")
    wrong = run_command(main, *given)
    assert wrong.code == 1
    assert "codings:1: expected the number or name of an attribute, found 'wings'" in wrong.err
