"""Methods are tried in one thread, as the runner runs them: threads would fight over small matrices."""

import pytest


@pytest.fixture(autouse=True, scope="package")
def _one_thread():
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:  # it comes with scikit-learn; without it the tests are slower
        yield
        return
    with threadpool_limits(1):
        yield
