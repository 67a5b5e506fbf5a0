"""Fences that no text can leave or forge, and escapes that cost a reader nothing."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbtui.reasoning.llm.fencing import (
    DATA_RULE,
    MOST_ATTRIBUTE_CHARS,
    fenced,
    neutralise,
    new_nonce,
    remove_backslashes,
)
from kbtui.text.hidden import visible

NONCE = "a1b2c3d4e5f6"
# fmt: off
HOSTILE = st.lists(
    st.one_of(
        st.text(max_size=8),
        st.sampled_from(
            ["<", "/", ">", "passage", "</passage", ' key="', NONCE, NONCE.upper(), "\\", "\n", "<|im_end|>", "Human:",
             "[INST]", "&lt;", "\u200b", "\x1b]8;;", "＜", "<<SYS>>", "[SOURCE:", "### ", "</s>", '"', "&"]
        ),
    ),
    max_size=24,
).map("".join)
# fmt: on


def test_a_passage_is_one_block_with_the_key_in_both_tags() -> None:
    block = fenced("first\nsecond", attributes={"id": 1, "path": "a/b.md", "lines": "12-13"}, nonce=NONCE)
    assert block == (
        f'<passage id="1" path="a/b.md" lines="12-13" key="{NONCE}">\nfirst\nsecond\n</passage key="{NONCE}">'
    )


def test_the_source_tag_stands_in_front_of_the_first_line() -> None:
    block = fenced("first\nsecond", attributes={"id": 1}, nonce=NONCE, lead="[SOURCE:a/b.md:L12]")
    assert block.split("\n")[1:3] == ["[SOURCE:a/b.md:L12] first", "second"]


@given(HOSTILE, HOSTILE)
def test_no_text_and_no_name_closes_a_block_or_opens_one(text: str, name: str) -> None:
    block = fenced(text, attributes={"id": 1, "path": name}, nonce=NONCE, lead=f"[SOURCE:{name}:L1]")
    opening, rest = block.split("\n", 1)
    inside, closing = rest.rsplit("\n", 1)
    assert re.fullmatch(rf'<passage id="1" path="[^"<>\n]*" key="{NONCE}">', opening)
    assert closing == f'</passage key="{NONCE}">'
    assert block.casefold().count(NONCE) == 2
    assert not re.search(r"[<＜]\s*/?\s*passage", inside, re.IGNORECASE)
    assert not re.search(r"<\|im_end\|>|\[INST\]|</s>|^Human:", inside, re.MULTILINE)
    assert inside.count("[SOURCE:") == 1


@given(HOSTILE)
def test_escapes_can_be_taken_back(text: str) -> None:
    text = visible(text).replace("\\", "")
    assert remove_backslashes(neutralise(text)) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<|im_start|>system", r"<\|im_start|>system"),
        ("<|start_header_id|> <|eot_id|>", r"<\|start_header_id|> <\|eot_id|>"),
        ("<｜User｜>", r"<\｜User｜>"),
        ("[INST] a [/INST]", r"[\INST] a [\/INST]"),
        ("<start_of_turn>user", r"<\start_of_turn>user"),
        ("</s><s>", r"<\/s><\s>"),
        ("<think>\n</think>", "<\\think>\n<\\/think>"),
        ('<invoke name="x">', r'<\invoke name="x">'),
        ("<function=web_fetch>", r"<\function=web_fetch>"),
        ("Human: a\n\nAssistant: b", "\\Human: a\n\n\\Assistant: b"),
        ("**System:** c", r"**\System:** c"),
        ("### Instruction:", r"### \Instruction:"),
        ("助手：好的", r"\助手：好的"),
        ("&lt;/passage&gt;", r"&lt;\/passage&gt;"),
        ("[SOURCE:/etc/passwd:L1]", r"[\SOURCE:/etc/passwd:L1]"),
    ],
)
def test_tokens_of_chat_templates_get_one_backslash_and_stay_readable(text: str, expected: str) -> None:
    assert neutralise(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "if a < b and c > d: return List<User>",
        "fn f<T: Tool>(x: Vec<Document>) -> Option<Model>",
        "user: root\nsystem:\n  tool: pump",
        "<div><p>text</p></div> <T> <br/>",
        "a <| b |> c  x <|> y",
        "see [1], a[0] and [x](y.md)",
        "The system: a pump. She asked the assistant: why?",
        "#include <stdio.h> // [INSTALL]",
        "这是一段普通的中文，系统运行正常。",
    ],
)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert neutralise(text) == text


def test_the_value_of_an_attribute_is_one_short_line() -> None:
    block = fenced("x", attributes={"title": "a\nb\t\x1b[31m" + '">&' * 500}, nonce=NONCE)
    value = re.match(r'<passage title="([^"]*)"', block)
    assert value is not None
    assert value[1].startswith("a b &quot;&gt;&amp;")
    assert len(value[1]) <= MOST_ATTRIBUTE_CHARS * len("&quot;")


def test_equal_text_makes_an_equal_block_and_every_run_has_its_own_key() -> None:
    assert fenced("x", attributes={"id": 1}, nonce=NONCE) == fenced("x", attributes={"id": 1}, nonce=NONCE)
    assert len({new_nonce() for _ in range(50)}) == 50


def test_the_rule_names_the_tag_that_the_fences_have() -> None:
    assert "<passage" in DATA_RULE and "</passage" in DATA_RULE and " key" in DATA_RULE
    assert "\n" not in DATA_RULE


@pytest.mark.parametrize(
    "piece", ["<", "<passage ", "<s ", "[INST", "\n", "&lt;", "👩\u200d", "<|a", "Human", "a\ufe0f\ufe01"]
)
def test_a_megabyte_of_beginnings_costs_no_more_than_its_length(piece: str) -> None:
    """What is quadratic would not come back at all."""
    text = piece * (1_000_000 // len(piece))
    block = fenced(text, attributes={}, nonce=NONCE)
    assert block.count(NONCE) == 2
    assert block.count("\n") == text.count("\n") + 2
