"""Questions are found in the modules of their package."""

import importlib

import pytest

from delvecore.answers.question import questions_of

MODULE = """
from delvecore.answers.question import question


@question("{key}", order={order}, meaning="")
def answer(request):
    return request
"""


@pytest.fixture
def package_of(tmp_path, monkeypatch):
    """A function that makes a package with a module per (key, order)."""
    monkeypatch.syspath_prepend(tmp_path)

    def make(name, *questions):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
        for number, (key, order) in enumerate(questions):
            (tmp_path / name / f"module_{number}.py").write_text(MODULE.format(key=key, order=order))
        return importlib.import_module(name)

    return make


def test_questions_have_the_order_of_their_records(package_of):
    questions = questions_of(package_of("ordered", ("late", 30), ("early", 10), ("middle", 20)))
    assert list(questions) == ["early", "middle", "late"]
    assert questions["late"].answer("facts") == "facts"


def test_two_questions_with_the_same_key_are_an_error(package_of):
    with pytest.raises(ValueError, match=r"different keys, found \['one', 'one'\]"):
        questions_of(package_of("repeated", ("one", 10), ("one", 20)))
