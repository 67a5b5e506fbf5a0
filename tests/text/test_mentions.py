"""Names in a question behind an ``@``."""

from __future__ import annotations

import pytest

from kbtui.text.mentions import Mentions, Named, begun, mentions, names_of_files, written

KNOWN = ("a.md", "notes/a b.md", "notes/", "中文/值班.md", "orders")


@pytest.mark.parametrize(
    ("text", "said", "names"),
    [
        ("why? @a.md", "why?", ("a.md",)),
        ("@a.md why?", "why?", ("a.md",)),
        ("what does @a.md say of @notes/", "what does a.md say of", ("a.md", "notes/")),
        ('why @"notes/a b.md"?', "why?", ("notes/a b.md",)),
        ("请看@中文/值班.md里的值班表", "请看中文/值班.md里的值班表", ("中文/值班.md",)),
        ("is it in @a.md?", "is it in?", ("a.md",)),
        ("@a.md", "", ("a.md",)),
        ("sum of @orders", "sum of orders", ("orders",)),
        ("@a.md @a.md why", "why", ("a.md",)),
        ("why @a.md @notes/?", "why?", ("a.md", "notes/")),
    ],
)
def test_a_known_name_is_found_and_leaves_a_question(text: str, said: str, names: tuple[str, ...]) -> None:
    assert mentions(text, KNOWN, spoken=("orders",)) == Mentions(said, names)


@pytest.mark.parametrize(
    "text",
    ["ask me@a.md", "@a.mdx", "@a.md.bak", "@nobody", "@", "decorated with @dataclass", '@"no such"', "@notes/x"],
)
def test_what_is_no_known_name_is_text(text: str) -> None:
    assert mentions(text, KNOWN) == Mentions(text)


@pytest.mark.parametrize("name", ["a.md", "notes/a b.md", "中文/值班.md"])
def test_a_name_that_is_written_is_found_again(name: str) -> None:
    assert mentions(f"why {written(name)} so", KNOWN).names == (name,)


@pytest.mark.parametrize(
    ("before", "part"),
    [("why @ru", "@ru"), ("@", "@"), ('see @"on ca', '@"on ca'), ("me@ru", None), ("@ru so", None), ("看@ru", "@ru")],
)
def test_a_name_that_is_being_typed_is_known_by_its_sign(before: str, part: str | None) -> None:
    assert begun(before) == part


def test_files_are_named_with_every_folder_they_are_in() -> None:
    assert names_of_files(["b/c/d.md", "a.md"]) == [
        Named("b/", "folder"),
        Named("b/c/", "folder"),
        Named("a.md", "file"),
        Named("b/c/d.md", "file"),
    ]
