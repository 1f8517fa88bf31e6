"""Pages say where instances share cases, and how numbers were corrected."""

from tests.archives import write_tree
from tests.cli.test_shared_cases import ARRAY, CROSS_VALIDATION
from tests.dashboard.conftest import Pages
from tests.dashboard.reading import texts
from tests.overlapping_archive import overlapping_archive

PAGES = (
    ("methods", {"method": "one", "loss": "S", "method-part": "Losses"}),
    ("ranking", {"loss": "S", "ranking-part": "Robustness"}),
    ("task_arrays", {"array": "priors", "loss": "S"}),
)


def test_a_page_with_errors_says_how_they_were_corrected(tmp_path, run_page):
    root = overlapping_archive(tmp_path)
    write_tree(root, {"data/priors/Array.spec": ARRAY})
    page = Pages(root, run_page)
    for name, parameters in PAGES:
        assert CROSS_VALIDATION in texts(page(name, **parameters)).replace("\\", ""), name
