"""What stands for addresses: names in messages, lists of paths, and stand-ins."""

import os

import pytest

from delvecore.locations import is_address, split_paths, stores_directory, with_addresses


@pytest.mark.parametrize(
    ("listed", "paths"),
    [
        ("s3://bucket/delve:/data/delve", ["s3://bucket/delve", "/data/delve"]),
        ("/a:https://host:8443/delve/:/b", ["/a", "https://host:8443/delve/", "/b"]),
        ("s3://bucket:/b", ["s3://bucket", "/b"]),
        ("/a::/b:", ["/a", "/b"]),
    ],
)
def test_a_list_of_paths_may_hold_addresses(listed, paths):
    assert split_paths(listed) == paths


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("s3://bucket", True),
        ("HTTPS://host/delve/", True),
        ("s3:///nothing", False),
        ("ftp://host/delve", False),
        ("delve/s3://x", False),
    ],
)
def test_an_address_begins_with_what_stores_speak(text, is_one):
    assert is_address(text) == is_one


def test_messages_name_addresses_and_no_secrets():
    place = os.path.join(stores_directory(), "names", "s3", "bucket", "delve", "data")
    assert with_addresses(f"{place}:3: expected") == "s3://bucket/delve/data:3: expected"
    signed = os.path.join(stores_directory(), "names", "https", "host", ".query-0123456789abcdef", "x.csv")
    assert with_addresses(signed) == "https://host/x.csv"
    assert with_addresses("https://me:word@host/x?Signature=abc; try") == "https://host/x; try"
    assert with_addresses("plain text?") == "plain text?"
