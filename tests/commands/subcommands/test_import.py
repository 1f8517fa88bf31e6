"""`delve import`: what it prints, what it writes, what it refuses."""

from delvecore.commands.delve import main
from tests.importing.making import cars, delve_directory, problems


def test_a_file_becomes_a_dataset_in_the_named_directory(tmp_path, run_command):
    (tmp_path / "cars.csv").write_text(cars())
    given = "import", str(tmp_path / "cars.csv"), "--target", "price", "--type", "owner=nominal"
    outcome = run_command(main, *given, "--into", str(tmp_path / "delve-new"), path=delve_directory(tmp_path))
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[0] == "id      left out        it counts the cases; 1 to 60  (--type id=integer)"
    assert lines[-2] == f"/cars: 60 cases in {tmp_path / 'delve-new/data/cars'}"
    assert lines[-1] == "/cars/price: training sets of 8, 33 test cases (common)"
    assert outcome.err.startswith("delve import: notice: values renamed: 'maker 0' is maker_0")
    assert problems(tmp_path / "delve-new", "cars") == []


def test_a_dry_run_writes_nothing_and_guesses_the_target(tmp_path, run_command):
    root = delve_directory(tmp_path)
    (tmp_path / "cars.csv").write_text(cars())
    outcome = run_command(main, "import", str(tmp_path / "cars.csv"), "--dry-run", path=root)
    assert (outcome.code, outcome.out.splitlines()[-1]) == (0, "target price: regression (guessed: --target)")
    assert list((root / "data").iterdir()) == []


def test_without_a_target_the_columns_are_named(tmp_path, run_command):
    (tmp_path / "cars.csv").write_text(cars())
    outcome = run_command(main, "import", str(tmp_path / "cars.csv"), path=delve_directory(tmp_path))
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("delve import: expected --target COLUMN, found none of id, maker, doors")


def test_a_column_whose_name_holds_an_equals_sign_has_a_type_too(tmp_path, run_command):
    (tmp_path / "a.csv").write_text("a=b,y\n" + "".join(f"{n * 5 % 23},{n}.5\n" for n in range(23)))
    given = "import", str(tmp_path / "a.csv"), "--target", "y", "--type", "a=b=nominal", "--dry-run"
    outcome = run_command(main, *given, path=delve_directory(tmp_path))
    assert outcome.out.startswith("a=b  nominal input  as asked; 0 1 2 3 4 5 and 17 more\n")
    wrong = run_command(main, *given[:-2], "y", "--dry-run")
    assert wrong.err == "delve import: --type: expected COLUMN=TYPE, found 'y'\n"


def test_many_columns_are_only_shown_when_asked_for(tmp_path, run_command):
    names = [f"x{n}" for n in range(80)]
    rows = "".join(",".join(str((n * step) % 17) for step in range(1, 81)) + "\n" for n in range(20))
    (tmp_path / "a.csv").write_text(",".join(names) + "\n" + rows)
    given = "import", str(tmp_path / "a.csv"), "--dry-run"
    short = run_command(main, *given, path=delve_directory(tmp_path)).out.splitlines()
    assert (len(short), short[60]) == (62, "... and 20 more columns (--all)")
    assert len(run_command(main, *given, "--all").out.splitlines()) == 81
