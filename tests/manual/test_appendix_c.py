"""Appendix C, descriptions of the commands: sentences that no other test is named after."""

from delvecore.cli import dinfo, dls, minfo, mstats
from tests.cli.demo_archive import empty_archive


def test_dinfo_k_delve_path_tells_the_active_directories(small, tmp_path, run_command):
    other = empty_archive(tmp_path / "delve-other")
    out = run_command(dinfo.main, "-k", "delve_path", "/", path=f"{small}:{other}").out
    assert out == f"Delve_path: \n\t{small}\n\t{other}\n"


def test_dls_takes_a_method_path_and_the_current_directory(small, run_command):
    expected = run_command(dls.main, "/demo/age").out
    assert run_command(dls.main, "/line/demo/age").out == expected
    assert run_command(dls.main, directory=small / "data/demo/age").out == expected
    assert run_command(dls.main, directory=small / "methods/line/demo/age").out == expected


def test_minfo_of_the_root_lists_methods_and_delve_path(small, run_command):
    assert run_command(minfo.main, "/").out == "Methods: \n\tbase\n\tline\n"
    assert run_command(minfo.main, "-a", "/").out.startswith(f"Delve_path: \n\t{small}\n")


def test_methods_behind_c_may_begin_with_a_slash(small, run_command):
    place = "/base/demo/age/std.4"
    plain = run_command(mstats.main, "-l", "S", "-c", "line", place).out
    assert run_command(mstats.main, "-l", "S", "-c", "/line", place).out == plain
