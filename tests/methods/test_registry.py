"""The registered methods."""

import re
from pathlib import Path

import pytest

import delvecore.methods
from delvecore.errors import DelveError
from delvecore.methods import METHODS, load_method

CODE = Path(delvecore.methods.__file__).parent


def test_an_unknown_method_is_refused_with_the_names_of_those_known():
    with pytest.raises(DelveError) as error:
        load_method("lin")
    known = ", ".join(METHODS)
    assert str(error.value) == f"expected a registered method ({known}), found 'lin'"


@pytest.mark.parametrize("name", METHODS)
def test_every_method_loads_under_its_name(name: str):
    if METHODS[name].module in ("cart_1", "ensembles", "regressions"):
        pytest.importorskip("sklearn", reason="the method needs it")
    assert load_method(name).name == name


@pytest.mark.parametrize("name", METHODS)
def test_every_module_of_the_package_that_a_method_uses_is_listed(name: str):
    listed = set(METHODS[name].modules)
    for module in listed:
        text = (CODE / f"{module}.py").read_text()
        used = set(re.findall(r"from delvecore\.methods\.(\w+) import", text))
        assert used <= listed, f"{module} uses {sorted(used - listed)}"
