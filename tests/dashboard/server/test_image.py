"""The container's file and its versions, as far as a machine without Docker can check them."""

import re
import shlex
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
LOCK = (ROOT / "docs" / "hosting" / "requirements.lock").read_text(encoding="utf-8")
NAME = re.compile(r"[A-Za-z0-9._-]+")


def instructions() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile with their arguments; those given by default are put in."""
    text = re.sub(r"\\\n\s*", " ", (ROOT / "Dockerfile").read_text(encoding="utf-8"))
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    pairs = [(line.partition(" ")[0].upper(), line.partition(" ")[2].strip()) for line in lines]
    given = dict(words.split("=", 1) for name, words in pairs if name == "ARG" and "=" in words)
    return [
        (name, re.sub(r"\$\{(\w+)\}", lambda one: given.get(one[1], one[0]), words)) for name, words in pairs
    ]


def of(name: str) -> list[str]:
    return [words for found, words in instructions() if found == name]


def test_every_base_is_pinned_by_its_digest():
    bases = [words.split()[0] for words in of("FROM")]
    assert bases
    assert [one for one in bases if not re.fullmatch(r"python:3\.\d+-slim@sha256:[0-9a-f]{64}", one)] == []


def test_the_server_runs_without_rights_of_its_own_on_a_program_that_it_cannot_change():
    names = [name for name, _ in instructions()]
    (user,) = of("USER")
    assert user not in ("root", "0")
    assert names.index("USER") < names.index("ENTRYPOINT")
    assert not any("--chown" in words for words in of("COPY"))
    assert any(f"useradd --uid 1000 {user}" in words for words in of("RUN"))


def test_the_locked_versions_are_installed_and_no_secret_is_kept():
    assert any("docs/hosting/install.sh" in words for words in of("RUN"))
    assert "--require-hashes" in (ROOT / "docs" / "hosting" / "install.sh").read_text(encoding="utf-8")
    kept = " ".join(of("ENV") + of("ARG")).upper()
    assert [word for word in ("TOKEN", "SECRET", "PASSWORD", "KEY=") if word in kept] == []
    assert of("ADD") == []


def test_the_command_asks_for_a_token_and_its_options_are_known():
    from delvecore.cli.subcommands.dashboard import command

    (entry,) = of("ENTRYPOINT")
    words = [word.strip(",") for word in shlex.split(entry.strip("[]"))]
    options = command().parse_args(words[words.index("dashboard") + 1 :])
    assert (options.host, options.token, options.browser) == ("0.0.0.0", None, False)


def test_the_lock_has_what_the_program_and_its_extras_need_with_digests_and_no_place_it_comes_from():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    more = project["optional-dependencies"]
    needed = [*project["dependencies"], *more["excel"], *more["sign-in"]]
    locked = dict(re.findall(r"^([a-z0-9._-]+)==([^ ]+)", LOCK, re.MULTILINE))
    assert [one for one in needed if NAME.match(one)[0].lower() not in locked] == []
    entries = re.split(r"\n(?=\S)", LOCK.strip())
    assert [one.split()[0] for one in entries if not re.search(r"--hash=sha256:[0-9a-f]{64}", one)] == []
    assert "://" not in LOCK
