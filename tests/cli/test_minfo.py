from delvecore.cli.minfo import main
from tests.archives import write_tree


def test_lists_hold_only_what_the_method_was_run_on(small, run_command):
    write_tree(small, {"data/demo/colour/std.prior": "", "data/demo/colour/Prototask.spec": "Cases: all\n"})
    assert run_command(main, "-t", "/").out == "base line\n"
    assert run_command(main, "/line").out == "Datasets: \n\tdemo\n"
    assert run_command(main, "-tk", "prototasks", "/line/demo").out == "age sex\n"
    assert run_command(main, "-tk", "tasks", "/base/demo/age").out == "std.4\n"
    assert run_command(main, "-tk", "tasks", "/line/demo/age").out == "std.4 std.8\n"


def test_keys_come_in_the_programs_order(small, run_command):
    usual = "dataset title origin usage order number-of-attributes prototasks\n"
    assert run_command(main, "-q", "/line/demo").out == usual
    assert run_command(main, "-qa", "/line/demo").out == usual.replace(" proto", " attributes proto")
    assert run_command(main, "-q", "/line/demo/age").out == (
        "prototask origin cases order test-set-size training-set-sizes maximum-number-of-instances "
        "inputs targets tasks\n"
    )
    assert run_command(main, "-qa", "/").out == "delve_path methods\n"


def test_the_coding_used_replaces_the_default(small, run_command):
    coding = "SEX ignore  scale=sqrt\nSIBLINGS nm-sqr  center=2 scale=none\nCOLOUR therm  scale=linear\n"
    write_tree(small, {"methods/line/demo/age/std.4/Coding-used": coding})
    lines = run_command(main, directory=small / "methods/line/demo/age/std.4").out.splitlines()
    assert lines[4:7] == [
        "   -   1  SEX           binary   nlmh     ignore       -",
        '   1   3  SIBLINGS      integer  nlmh     nm-sqr    center = "2", scale = "none"',
        '   2   4  COLOUR:blue   nominal  nlmh     therm     scale = "linear"',
    ]
    assert lines[-1] == "   1   2  AGE           real     nlmh     nm-abs       -"


def test_terse_attributes_are_their_numbers_on_one_line(small, run_command):
    assert run_command(main, "-tk", "inputs targets", "/line/demo/age/std.4").out == "1 3 4 5\n2\n"


def test_a_data_directory_is_no_method(small, run_command):
    outcome = run_command(main, directory=small / "data/demo")
    assert outcome == (1, "", "minfo: .: expected a path in a methods directory, found one in data\n")
