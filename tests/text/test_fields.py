"""Header fields of documents, as they are written."""

from __future__ import annotations

from kbtui.text.fields import header_block


def test_the_keys_of_an_outliner_are_followed_by_two_colons() -> None:
    block = header_block(["title:: Making Noise", "categories:: Sound>Noise, Guides", "", "Text."], 0)
    assert block is not None
    assert [(field.key, field.value) for field in block.fields] == [
        ("title", "Making Noise"),
        ("categories", "Sound>Noise, Guides"),
    ]


def test_what_announces_a_block_of_code_is_no_field() -> None:
    assert header_block(["Run::", "Or this::", "", "  make"], 0) is None


def test_keys_of_outliners_need_no_space_at_the_top_of_a_text() -> None:
    lines = ["title::Making Noise", "related::Guides/Sound", "", "std::vector", "std::string"]
    block = header_block(lines, 0)
    assert block is not None
    assert [(field.key, field.value) for field in block.fields] == [
        ("title", "Making Noise"),
        ("related", "Guides/Sound"),
    ]
    assert header_block(lines, 3) is None
