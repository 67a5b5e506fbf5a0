"""Answers to an identifier and nothing else."""

from __future__ import annotations

import pytest

from kbtui.domain.document import FileRecord
from kbtui.domain.evidence import Evidence, Hit
from kbtui.domain.ports import CancelToken
from kbtui.domain.routing import SubQuestion
from kbtui.question.mentions import sole_mention
from kbtui.question.understanding import asks_for_places
from kbtui.reasoning.citing import Citations
from kbtui.reasoning.offline.named_thing import thing_blocks

FILES = {
    "tickets/PUMP-12.md": [
        "---",
        "id: PUMP-12",
        "title: Seal leaks at night",
        "status: open",
        "blocks: PUMP-20",
        "---",
        "# PUMP-12: Seal leaks at night",
        "",
        "The seal of the second pump leaks when the hall cools down.",
    ],
    "tickets/PUMP-20.md": ["---", "id: PUMP-20", "title: New seals", "blocked-by: PUMP-12", "---", "", "Order ten."],
}
RECORDS = [
    FileRecord(path="tickets/PUMP-12.md", kind="markdown", title="Seal leaks at night", labels=("PUMP-12",)),
    FileRecord(path="tickets/PUMP-20.md", kind="markdown", title="New seals", labels=("PUMP-20",)),
]


class Source:
    def lines(self, path: str) -> list[str]:
        return FILES[path]


def answer(question: str) -> list[str]:
    hit = Hit(path="tickets/PUMP-20.md", start_line=1, end_line=7, text="\n".join(FILES["tickets/PUMP-20.md"]))
    found = Evidence(evidence_id="e1", hit=hit, sub_question=question, score=0.9, kept=True)
    asked = SubQuestion(semantic_intent=question, search_keywords=question)
    return thing_blocks(asked, [found], RECORDS, Citations(Source()), "en", CancelToken())


def test_an_identifier_is_answered_with_the_thing_first_and_its_uses_last() -> None:
    assert answer("PUMP-12") == [
        "**Seal leaks at night** [1]",
        "- status: open [2]",
        "The seal of the second pump leaks when the hall cools down. [3]",
        "- blocks: PUMP-20 [4]",
        "Also in:\n\n- `tickets/PUMP-20.md:4` — blocked-by: PUMP-12 [5]",
    ]


@pytest.mark.parametrize("question", ["pump-12", "PUMP-99", "why is PUMP-12 open?"])
def test_a_thing_is_shown_only_for_its_name_alone(question: str) -> None:
    assert bool(answer(question)) is (question == "pump-12" and sole_mention(question) is not None)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("PUMP-12", True),
        ("where is PUMP-12 mentioned?", True),
        ("MAX_PRESSURE 在哪里定义", True),
        ("why does PUMP-12 leak at night?", False),
        ("how long does MAX_PRESSURE hold", False),
        ("where is the seal", False),
        ("what does 'still reachable' mean", False),
        ('where is "still reachable" mentioned', True),
    ],
)
def test_only_a_name_and_words_that_ask_for_places_ask_for_places(question: str, expected: bool) -> None:
    assert asks_for_places(question) is expected
