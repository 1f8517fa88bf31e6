"""Plain documentation is laid out; nothing in it is markup but its layout."""

import re

import pytest

from dashboard.methods.documents import rendered


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One line\nthat goes on.\n\nAnother.", "One line that goes on\\.\n\nAnother\\."),
        ("Computing cost\n==============\n\nSmall.", "**Computing cost**\n\nSmall\\."),
        ("# Cost\n\nSmall.", "**Cost**\n\nSmall\\."),
        ("Use `copy`, not *x*.", "Use `copy`\\, not \\*x\\*\\."),
        ("These:\n- one\n  more\n- two", "These\\:\n\n- one more\n- two"),
        ("Run\n\n    a = 1\n    b = 2", "**Run**\n\n        a = 1\n        b = 2"),
        ("", ""),
    ],
)
def test_layout_becomes_markdown(text, expected):
    assert rendered(text) == expected


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script> is here.", "![x](http://evil.example/x.png) is.", "$x$ is :tada:."]
)
def test_markup_of_files_is_text(text):
    assert re.search(r"(?<!\\)[<\[$:]", rendered(text)) is None
