"""A dashboard behind TLS, with a prefix and a token, goes on while it is attacked, and answers all others."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from benchmarks.hosted import attacked, running_site
from tests.browser.test_behind_a_proxy import nginx_or_skip
from tests.reliability.fuzzing import SHARE

pytestmark = pytest.mark.slow

CHANGES = 200 if SHARE >= 1 else 8


def test_a_hosted_server_goes_on_while_it_is_attacked_and_answers_all_others(tmp_path, capsys):
    # In a thread of its own: the browser tests of the same process have a loop running.
    with running_site(nginx_or_skip(), tmp_path) as site, ThreadPoolExecutor(1) as pool:
        outcome = pool.submit(attacked, site, changes=CHANGES).result()
    with capsys.disabled():
        print(f"\n{len(outcome.acts)} acts of others, 95 % within {outcome.p95:.2f} s")
    assert outcome.lives
    assert outcome.failed == []
    assert outcome.answers["guessed tokens: 20 at once"] == {401: 10, 429: 10}
    sent = outcome.answers["uploads: 30 files of 19 MB that no page asks for"]
    assert sent == {204: 10, 413: 20}
    assert outcome.answers["uploads: an Excel file that unpacks to 129 MB"] == {"refused": 1}
    assert outcome.memory < 1500
