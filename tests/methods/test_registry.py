"""The registered methods."""

import re
from pathlib import Path

import pytest

import delvecore.methods
from delvecore.methods import METHODS, load_method

CODE = Path(delvecore.methods.__file__).parent


@pytest.mark.parametrize("name", METHODS)
def test_every_method_loads_under_its_name(name):
    if METHODS[name].module in ("cart_1", "ensembles", "regressions"):
        pytest.importorskip("sklearn", reason="the method needs it")
    assert load_method(name).name == name


@pytest.mark.parametrize("name", METHODS)
def test_every_module_of_the_package_that_a_method_uses_is_listed(name):
    listed = set(METHODS[name].modules)
    for module in listed:
        text = (CODE / f"{module}.py").read_text()
        used = set(re.findall(r"from delvecore\.methods\.(\w+) import", text))
        assert used <= listed, f"{module} uses {sorted(used - listed)}"
