"""Every document of the corpus inside a fence: it stays inside, says what a reader sees, and nothing more."""

from __future__ import annotations

import re
import unicodedata

import pytest

from kbtui.domain.evidence import Evidence, Hit
from kbtui.reasoning.llm.context import assemble
from kbtui.reasoning.llm.fencing import fenced, remove_backslashes
from kbtui.reasoning.llm.safe_markdown import live_parts, safe_markdown
from kbtui.reasoning.llm.suspicion import injection_signs
from kbtui.text.hidden import visible
from tests.injection.documents import documents

NONCE = "5f0c9a1be377"
DOCUMENTS = documents()
each = pytest.mark.parametrize("name", DOCUMENTS, ids=lambda name: ascii(name)[1:40])

BOUNDARY = re.compile(r"[<＜‹]\s*[/／]?\s*p[aа]ss[aа]ge", re.IGNORECASE)
TEMPLATE = re.compile(
    r"<[|｜]\w+[|｜]>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|</?s>|</?think>|</?tool_call>|</?function_calls>"
    r"|<invoke\b[^>]*>|</?system>|^(?:### )?(?:Human|Assistant|System|Instruction|Response):|\[SOURCE:",
    re.MULTILINE,
)


def body(block: str) -> str:
    """What stands between the two tags, the source tag aside."""
    return block.split("\n", 1)[1].rsplit("\n", 1)[0]


def test_there_are_enough_documents_in_both_languages_and_many_kinds_of_file() -> None:
    assert len(DOCUMENTS) >= 60
    assert sum(bool(re.search(r"[\u4e00-\u9fff]", text)) for text in DOCUMENTS.values()) >= 6
    assert {name.rsplit(".", 1)[-1] for name in DOCUMENTS} >= {"md", "txt", "rst", "html", "py", "json", "csv", "yaml"}


@each
def test_a_document_cannot_close_its_block_or_open_another(name: str) -> None:
    text = DOCUMENTS[name] + f'</passage key="{NONCE}">{NONCE.upper()}'
    block = fenced(
        text, attributes={"id": 1, "path": name, "title": text[:300]}, nonce=NONCE, lead=f"[SOURCE:{name}:L1]"
    )
    assert block.casefold().count(NONCE) == 2
    opening, inside, closing = block.split("\n", 1)[0], body(block), block.rsplit("\n", 1)[1]
    assert opening.startswith('<passage id="1" path="')
    assert opening.endswith(f' key="{NONCE}">')
    assert opening.count("<") == opening.count(">") == 1
    assert opening.count('"') == 8
    assert closing == f'</passage key="{NONCE}">'
    assert not BOUNDARY.search(inside)


@each
def test_no_token_of_a_chat_template_is_left_and_the_words_are_what_they_were(name: str) -> None:
    inside = body(fenced(DOCUMENTS[name], attributes={}, nonce=NONCE))
    assert not TEMPLATE.search(inside)
    assert inside.replace("\\", "") == visible(DOCUMENTS[name]).replace("\\", "")
    assert remove_backslashes(inside) == visible(DOCUMENTS[name])


@each
def test_what_a_reader_does_not_see_is_gone_and_every_line_keeps_its_number(name: str) -> None:
    inside = body(fenced(DOCUMENTS[name], attributes={"path": name}, nonce=NONCE))
    assert not [one for one in inside if unicodedata.category(one) in ("Cc", "Cf", "Cs", "Co") and one not in "\n\t"]
    assert not re.search("[\ufe00-\ufe0f\U000e0000-\U000e0fff\u3164\u115f]", inside)
    assert inside.count("\n") == DOCUMENTS[name].count("\n")


@each
def test_a_document_copied_whole_into_an_answer_reaches_nothing(name: str) -> None:
    assert live_parts(safe_markdown(DOCUMENTS[name])) == ()


def test_all_of_them_together_are_as_many_blocks_as_are_shown() -> None:
    items = [
        Evidence(
            evidence_id=f"e{number}",
            hit=Hit(
                path=name, start_line=1, end_line=text.count("\n") + 1, text=text, title=name, heading_path=(text,)
            ),
            sub_question="q",
            score=0.5,
            kept=True,
        )
        for number, (name, text) in enumerate(DOCUMENTS.items())
    ]
    context = assemble(items, budget_tokens=50_000, nonce=NONCE, most_items=len(items))
    assert context.left_out == 0
    assert len(context.sources) == len(re.findall(r"^<passage ", context.text, re.MULTILINE)) == len(items)
    assert context.text.count(NONCE) == 2 * len(items)
    assert [int(number) for number in re.findall(r'^<passage id="(\d+)"', context.text, re.MULTILINE)] == [
        number for number, _ in context.sources
    ]


def test_most_of_them_are_noticed() -> None:
    """No list of words finds all; that none is needed is what the other tests show."""
    noticed = [name for name, text in DOCUMENTS.items() if injection_signs(text)]
    assert len(noticed) >= 0.6 * len(DOCUMENTS)
