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


@pytest.mark.parametrize(
    ("text", "said", "names"),
    [
        ("what is broken? @status:open", "what is broken?", ("status:open",)),
        ("@kind:ticket @after:2025-01 what broke", "what broke", ("kind:ticket", "after:2025-01")),
        ("which is due @Due_Date:>=2025-01-01.", "which is due.", ("Due_Date:>=2025-01-01",)),
        ("broken @status:open|blocked?", "broken?", ("status:open|blocked",)),
        ('broken @"status:in progress" @status:open', "broken", ("status:in progress", "status:open")),
        ("how many @status:open ones @after:2025 are due", "how many open ones are due", ("status:open", "after:2025")),
        ("请看@status:open的工单", "请看open的工单", ("status:open",)),
        ("how is @click:outside handled", "how is @click:outside handled", ()),
        ("see @https://example.org/a", "see @https://example.org/a", ()),
    ],
)
def test_a_condition_on_documents_is_a_name_of_any_value(text: str, said: str, names: tuple[str, ...]) -> None:
    keys = {"status", "kind", "after", "due-date", "https"}
    assert mentions(text, {"status:open"}, keys=keys) == Mentions(said, names)


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
