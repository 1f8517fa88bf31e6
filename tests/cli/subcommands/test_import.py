"""`delve import`: what it prints, what it writes, what it refuses."""

import pytest

from delvecore.cli.delve import main
from delvecore.readers.instances import parse_instances
from tests.importers.making import cars, delve_directory, problems


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
    assert (outcome.code, outcome.out.splitlines()[-2:]) == (
        0,
        [
            "target price: regression (guessed: --target)",
            "random order, seed 1  (--order retain keeps the order of the file)",
        ],
    )
    assert list((root / "data").iterdir()) == []


def test_a_column_whose_name_holds_an_equals_sign_has_a_type_too(tmp_path, run_command):
    (tmp_path / "a.csv").write_text("a=b,y\n" + "".join(f"{n * 5 % 23},{n}.5\n" for n in range(23)))
    given = "import", str(tmp_path / "a.csv"), "--target", "y", "--type", "a=b=nominal", "--dry-run"
    outcome = run_command(main, *given, path=delve_directory(tmp_path))
    assert outcome.out.startswith("a=b  nominal input  as requested; 0 1 2 3 4 5 and 17 more\n")
    wrong = run_command(main, *given[:-2], "y", "--dry-run")
    assert wrong.err == "delve import: --type: expected COLUMN=TYPE, found 'y'\n"


SALES = "date,price,sold\n" + "".join(
    f"2020-{1 + n // 28:02}-{1 + n % 28:02},{n * 7 % 13}.5,{n * n % 101}.25\n" for n in range(120)
)


@pytest.fixture
def sales(tmp_path, monkeypatch, run_command):
    """What importing the sales says, with such options."""
    root = tmp_path / "delve-sales"
    monkeypatch.setenv("DELVE_PATH", str(root))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sales.csv").write_text(SALES)
    given = "sales.csv", "--target", "sold", "--into", str(root)
    return lambda *options: run_command(main, "import", *given, *options)


def test_cases_in_order_of_time_keep_it_and_their_windows_train_on_the_past(sales, run_command):
    outcome = sales("--order", "retain")
    assert "order of the file retained, as requested\n" in outcome.out
    text = run_command(main, "instances", "/sales/sold", "--growing", "3", "-o", "-").out
    instances = parse_instances(text, "windows")
    assert [(one.training, one.test) for one in instances] == [
        (((1, 30),), ((31, 60),)),
        (((1, 60),), ((61, 90),)),
        (((1, 90),), ((91, 120),)),
    ]


def test_windows_over_a_random_order_are_refused_with_the_reason(sales, run_command):
    outcome = sales("--order", "random", "--sizes", "20,40")
    assert "random order, seed 1, as requested\n" in outcome.out
    assert outcome.out.endswith("/sales/sold: training sets of 20 40, 80 test cases (common)\n")
    for plan in (("--growing", "3"), ("--sliding", "3"), ("--montecarlo", "0.5", "0.1")):
        refused = run_command(main, "instances", "/sales/sold", *plan, "-o", "-")
        assert (refused.code, refused.out) == (1, "")
        assert "expected cases in order of time for windows, found a random order" in refused.err
    assert run_command(main, "instances", "/sales/sold", "--cv", "3", "-o", "-").code == 0


VISITS = "patient,x,sick\n" + "".join(
    f"p{patient},{(patient * 37 + visit * 11) % 50},{'yes' if patient % 3 else 'no'}\n"
    for patient in range(25)
    for visit in range(4)
)


def test_groups_are_kept_together_by_an_option_which_a_notice_names(tmp_path, run_command):
    (tmp_path / "visits.csv").write_text(VISITS)
    plain = run_command(main, "import", "visits.csv", "--target", "sick", "--dry-run", directory=tmp_path)
    assert "patient repeats 25 values in 100 cases" in plain.err
    assert "--group patient keeps cases with the same value together" in plain.err
    words = "import", "visits.csv", "--target", "sick", "--group", "patient", "--into", "delve-new"
    outcome = run_command(main, *words, directory=tmp_path)
    assert outcome.code == 0
    assert "cases with the same patient stay together" in outcome.out
    assert "patient repeats" not in outcome.err
    root = tmp_path / "delve-new"
    assert "Commonality indexes are present" in (root / "data/visits/Dataset.spec").read_text()
    lines = (root / "data/visits/Dataset.data").read_text().splitlines()
    assert [line.split("@")[1] for line in lines] == [str(1 + place // 4) for place in range(100)]
    assert problems(root, "visits") == []
    wrong = run_command(
        main, "import", "visits.csv", "--target", "sick", "--group", "nobody", directory=tmp_path
    )
    assert wrong.code == 1
    assert "group nobody: expected the name of a column" in wrong.err
