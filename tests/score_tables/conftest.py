"""Pages, run as their own tests run them."""

from tests.dashboard.conftest import one_search_for_components, run_page

__all__ = ["one_search_for_components", "run_page"]
