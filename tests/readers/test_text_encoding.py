"""Encodings, separators and decimal signs are seen from a text."""

import pytest

from delvecore.readers.text_encoding import decimal_sign, encoding_of, separator_of


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (b"a,b", "utf-8"),
        ("é".encode(), "utf-8"),
        ("é".encode()[:1], "utf-8"),
        (b"\xef\xbb\xbfa", "utf-8-sig"),
        ("a".encode("utf-16"), "utf-16"),
        ("a;b".encode("utf-16-le"), "utf-16-le"),
        ("a;b".encode("utf-16-be"), "utf-16-be"),
        (b"caf\xe9,", "cp1252"),
        (b"caf\xe9,\x81", "latin-1"),
    ],
)
def test_an_encoding_is_seen_from_the_first_bytes(data, encoding):
    assert encoding_of(data) == encoding


def test_the_separator_makes_lines_equally_long_and_blanks_come_last():
    def rows(text):
        return lambda separator: [line.split(separator) for line in text.splitlines()]

    assert separator_of(rows("a;b;c\n1,5;2;3\n1;2,5;3"), (",", ";", " ")) == (";", 3)
    assert separator_of(rows("a name,b\nx y,1"), (",", " ")) == (",", 2)
    assert separator_of(rows("a b\n1 2"), (",", " ")) == (" ", 2)
    assert separator_of(rows("a\n1"), (",", " ")) == (",", 0)


def test_a_comma_is_the_decimal_sign_where_no_number_has_a_point():
    assert decimal_sign([["1,5", "2"], ["3,25e-3", "x"]], ";") == ","
    assert decimal_sign([["1,5", "2.5e3"]], ";") == "."
    assert decimal_sign([["1,5"]], ",") == "."
