"""Cases that are generated when they are first needed: in commands, in archives, and where it goes wrong."""

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import delvecore
from delvecore.cli import dcheck, delve, dgenorder, dgenproto, dinfo, dls, dmore
from delvecore.encoding.prototask_cases import case_file
from delvecore.errors import ParseError
from delvecore.model import Generator
from delvecore.readers.dataset import parse_generator
from delvecore.simulators import simulate
from tests.generated_dataset import GENERATOR, LINES, SUM, calls, generated

__all__ = ["calls", "generated"]


def built_files(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache" / "delve" / "generated").iterdir())


def test_a_generator_file_names_generator_count_and_checksum():
    assert parse_generator(GENERATOR, "g") == Generator("kin-8fm", 20, SUM)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("Generator: kin-8fm\n", "", "g:2: expected a line 'generator: ...', found none"),
        (
            "Cases: 20",
            "Cases: many",
            "g:2: expected the number of cases that it makes, 1 or more, found 'many'",
        ),
        (SUM, SUM[:-1], "g:3: expected a checksum of 64 hexadecimal digits"),
        ("Cases", "Command", "g:2: expected one of the keys generator, cases, sha-256, found 'command'"),
    ],
)
def test_a_faulty_generator_file_is_told_with_its_line(old: str, new: str, said: str):
    with pytest.raises(ParseError) as error:
        parse_generator(GENERATOR.replace(old, new), "g")
    assert str(error.value).startswith(said)


def test_cases_are_built_once_and_kept_under_their_checksum(generated, tmp_path, calls):
    files = {"Dataset.generator": str(generated / "data/twice/Dataset.generator")}
    first, second = case_file(files), case_file(files)
    assert first == second == str(built_files(tmp_path)[0])
    assert (Path(first).name, Path(first).read_text()) == (SUM, LINES)
    assert calls == ["kin-8fm"]


def test_an_archive_with_generated_cases_is_like_any_other(generated, calls):
    archive = delvecore.open(generated)
    assert archive.problems.num_rows == 0
    (dataset,) = archive.datasets.to_pylist()
    assert (dataset["dataset"], dataset["cases"]) == ("twice", 20)
    assert archive.cases("twice")["Y"].to_pylist()[:2] == [0.5, 2.5]
    assert [row["task"] for row in archive.tasks.to_pylist()] == ["std.4"]
    delvecore.open(generated)
    assert calls == ["kin-8fm"]


def test_task_arrays_are_no_datasets_and_keep_their_holes(generated):
    (array,) = delvecore.open(generated).arrays
    assert (array.name, array.title) == ("twins", "Twins")
    assert [member.dataset for member in array.members] == ["none", "twice"]


def test_a_member_without_its_prototask_is_a_problem(generated, run_command):
    path = generated / "data/twins/Array.spec"
    path.write_text(path.read_text().replace("twice/y", "twice/z"))
    (message,) = delvecore.open(generated).problems["message"].to_pylist()
    assert message.endswith("Array.spec: expected a prototask and a prior of /twice, found /twice/z/std; "
                            "correct the member, or remove it")  # fmt: skip
    outcome = run_command(dcheck.main, "/twins", path=generated)
    assert (outcome.code, outcome.out.strip()) == (1, message)


@pytest.mark.parametrize("main", [dcheck.main, dgenorder.main, dgenproto.main])
def test_commands_take_generated_cases(main, generated, run_command):
    place = generated / "data/twice/y"
    outcome = run_command(main, directory=place, path=generated)
    assert (outcome.code, outcome.out) == (0, "")


def test_the_information_on_a_dataset_counts_without_building(generated, run_command, calls):
    outcome = run_command(dinfo.main, "-k", "number-of-cases", "/twice", path=generated)
    assert outcome.out == "Number of cases: 20\n"
    assert calls == []


def test_the_information_on_a_task_array_lists_factors_and_members(generated, run_command):
    outcome = run_command(dinfo.main, "/twins", path=generated)
    assert outcome.out.splitlines() == [
        "Array: /twins", "Title: Twins", "Factors: ", "\tslope: 1 (one), 2 (two)",
        "Members: ", "\t/none/y/std 1", "\t/twice/y/std 2",
    ]  # fmt: skip
    assert run_command(dcheck.main, "/twins", path=generated).code == 0
    assert run_command(dls.main, "/", path=generated).out.split() == ["twice", "twins"]


def test_the_data_can_be_read_as_if_they_were_a_file(generated, run_command):
    assert run_command(dmore.main, "/twice/Dataset.data", path=generated).out == LINES


def test_build_makes_all_and_says_where(generated, run_command, tmp_path, calls):
    first = run_command(delve.main, "build", "-q", path=generated)
    assert first.out == f"/twice: built, {len(LINES)} bytes in {built_files(tmp_path)[0]}\n"
    again = run_command(delve.main, "build", "/twice", "-q", path=generated)
    assert again.out.startswith("/twice: already built, ")
    checked = run_command(delve.main, "build", "--check", "-q", path=generated)
    assert (checked.code, checked.out) == (0, f"/twice: 20 cases, {len(LINES)} bytes, as recorded\n")
    assert calls == ["kin-8fm", "kin-8fm"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("kin-8fm", "kin-9", "expected a known generator, such as kin-8fm, found 'kin-9'; install"),
        ("Cases: 20", "Cases: 21", "expected 21 cases of generator kin-8fm, found 20"),
        (SUM, "0" * 64, "expected cases of generator kin-8fm with checksum 000000000000..., found "),
    ],
)
def test_what_cannot_be_built_is_one_line_and_leaves_no_file(
    generated, run_command, tmp_path, old: str, new: str, said: str
):
    path = generated / "data/twice/Dataset.generator"
    path.write_text(GENERATOR.replace(old, new))
    outcome = run_command(delve.main, "build", "-q", path=generated)
    assert outcome.code == 1
    assert outcome.err.startswith(f"delve build: {path}: {said}")
    assert outcome.err.count("\n") == 1
    assert not (tmp_path / "cache").exists()
    (message,) = delvecore.open(generated, cache=False).problems["message"].to_pylist()
    assert said in message


def test_a_cache_that_cannot_be_written_is_named(generated, run_command, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    outcome = run_command(delve.main, "build", "-q", path=generated)
    assert outcome.code == 1
    assert "set XDG_CACHE_HOME to a writable directory" in outcome.err


def test_kept_cases_come_first_and_must_be_the_generated_ones(generated, run_command, calls):
    data = generated / "data/twice/Dataset.data"
    data.write_text(LINES)
    assert run_command(dcheck.main, "-l", "/twice", path=generated).code == 0
    data.write_text(LINES.replace("19 38.5", "19 39.5"))
    outcome = run_command(dcheck.main, "-l", "/twice", path=generated)
    assert outcome.code == 1
    assert f"{data}: expected the cases that Dataset.generator makes" in outcome.out
    assert calls == []


def test_a_package_may_bring_a_generator(monkeypatch):
    point = EntryPoint("mine", "tests.simulators.test_simulate:brought", simulate.GROUP)
    monkeypatch.setattr(
        simulate, "entry_points", lambda **chosen: [point] if chosen["name"] == "mine" else []
    )
    assert simulate.generate_text(Generator("mine", 20, SUM), "g") == LINES.encode()


def brought() -> bytes:
    return LINES.encode()
