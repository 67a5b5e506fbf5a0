"""Words of documents must be readable in an answer and unable to change its layout."""

from __future__ import annotations

import pytest

from kbtui.reasoning.offline.cleaning import block_safe, code_block, readable
from kbtui.text.code_marks import inline_code


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See :pep:`484` and :func:`~foo.bar` now.", "See PEP 484 and `foo.bar` now."),
        ("The `Guide <https://x.example>`_ says ``x``::", "The Guide says `x`:"),
        ("A [link](http://a.example/b) and ![alt](p.png)", "A link and alt"),
        ("[[page|Page]] as in [3].", "Page as in ."),
        ("See ![[Budget 2025#Totals]] and [[#Here]].", "See Budget 2025 and Here."),
        ("call __init__ and a[0]", "call `__init__` and `a[0]`"),
        ("Vec<T> is generic", "Vec\\<T> is generic"),
        ("*args and **kwargs", "\\*args and \\*\\*kwargs"),
        ("- an item", "an item"),
        (".. note:: Mind the gap.", "Mind the gap."),
        ("red \x1b[31mtext\x1b[0m\u202e here", "red text here"),
    ],
)
def test_markup_becomes_plain_words(text: str, expected: str) -> None:
    assert readable(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("# x", "\\# x"), ("1. x", "1\\. x"), ("> x", "\\> x"), ("fine", "fine")]
)
def test_a_paragraph_cannot_begin_another_kind_of_block(text: str, expected: str) -> None:
    assert block_safe(text) == expected


def test_a_fence_is_longer_than_any_inside_it() -> None:
    assert code_block("a\n````\nb") == "`````\na\n````\nb\n`````"


def test_the_own_fence_and_directive_of_a_block_are_not_shown() -> None:
    assert code_block("```python\nx = 1\n```") == "```python\nx = 1\n```"
    assert code_block(".. code-block:: c\n   :linenos:\n\n   int x;") == "```\nint x;\n```"


def test_a_literal_with_backticks_stays_literal() -> None:
    assert inline_code("a`b") == "`` a`b ``"


def test_the_home_folder_in_a_role_keeps_its_tilde() -> None:
    assert readable("Create :file:`~/.plot/rc` for :func:`~plot.show`.") == "Create `~/.plot/rc` for `plot.show`."
