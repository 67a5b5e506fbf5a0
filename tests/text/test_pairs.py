"""Texts of ``key = value`` lines."""

from __future__ import annotations

from kbtui.text.pairs import are_pairs


def test_a_text_is_pairs_where_nearly_every_line_is_one() -> None:
    assert are_pairs('# comment\n\ncore = "x"\nlicense = "MIT"\nfirmware_count = 1\n')
    assert not are_pairs("core = 1\nlicense = 2\n")
    assert not are_pairs("a = 1\nb = 2\nc = 3\nThis text explains what they are for.\n")
