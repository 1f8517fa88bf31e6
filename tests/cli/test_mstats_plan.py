"""`mstats --plan` adds a plan below a comparison and changes nothing else."""

from delvecore.cli.mstats import main as mstats
from tests.archives import small_archive
from tests.dashboard.compare_archive import AGE, add_losses, drawn_losses


def printed(capsys, *words):
    code = mstats(list(words))
    return code, *capsys.readouterr()


def test_a_plan_follows_the_text_of_1996_and_needs_a_comparison(tmp_path, monkeypatch, capsys):
    root = small_archive(tmp_path)
    for number, name in enumerate(("near", "far")):
        add_losses(root, name, AGE, "S", drawn_losses(number, (2, 4), shift=number))
    monkeypatch.setenv("DELVE_PATH", str(root))
    asked = ("-l", "S", "-c", "far", f"/near{AGE}")
    code, usual, _ = printed(capsys, *asked)
    assert code == 0
    code, planned, _ = printed(capsys, "--plan", *asked)
    assert code == 0
    assert planned.startswith(usual.rstrip())
    assert "80 % power" in planned
    assert "Most of the error comes from" in planned
    code, _, error = printed(capsys, "--plan", f"/near{AGE}")
    assert code != 0
    assert "expected a comparison with -c METHODS" in error
