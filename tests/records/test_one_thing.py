"""Questions in English and Chinese: the same fact asked from either end, in active and passive."""

from __future__ import annotations

import pytest

from kbtui.records.links import Links
from kbtui.records.relating import answer_relations
from tests.records.relation_corpora import HANDBOOK, NUMBERED, STANDARDS, items, links_of

ALL = links_of({**STANDARDS, **HANDBOOK, **NUMBERED})


def answers(question: str, links: Links = ALL) -> set[str]:
    return {item.label for item in items(links, question)}


@pytest.mark.parametrize(
    "question",
    [
        "Which PEP superseded PEP 2?",
        "Which PEP replaced PEP 2?",
        "What is PEP 2 superseded by?",
        "PEP 2 was superseded by which PEP?",
        "By which PEP was PEP 2 replaced?",
        "What has PEP 2 been replaced by?",
        "Is there a successor to PEP 2?",
        "what is the replacement for pep-0002?",
        "What obsoletes PEP 2?",
        "PEP 2 被哪个 PEP 取代了？",
        "哪个 PEP 取代了 PEP 2？",
        "PEP2被谁替代了？",
        "取代 PEP 2 的是哪个 PEP？",
        "PEP 2 的后继者是哪个？",
    ],
)
def test_what_took_the_place_of_a_document(question: str) -> None:
    assert answers(question) == {"PEP 3"}


@pytest.mark.parametrize(
    "question",
    [
        "Which PEP does PEP 3 replace?",
        "What did PEP 3 supersede?",
        "Which PEPs are superseded by PEP 3?",
        "What was replaced by PEP 3?",
        "Which PEPs has PEP 3 obsoleted?",
        "the predecessor of PEP 3?",
        "PEP 3 取代了哪个 PEP？",
        "哪些 PEP 被 PEP 3 取代？",
    ],
)
def test_what_a_document_took_the_place_of(question: str) -> None:
    assert answers(question) == {"PEP 2"}


@pytest.mark.parametrize(
    "question",
    [
        "Which PEPs does PEP 3 require?",
        "What does PEP 3 depend on?",
        "what PEP 3 needs",
        "Dependencies of PEP 3?",
        "Which PEPs are required by PEP 3?",
        "PEP 3 依赖哪些 PEP？",
        "PEP 3 依赖（Requires）哪些 PEP？",
        "PEP 3 需要哪些 PEP？",
        "哪些 PEP 被 PEP 3 依赖？",
    ],
)
def test_what_a_document_requires(question: str) -> None:
    assert answers(question) == {"PEP 1", "PEP 10"}


@pytest.mark.parametrize(
    "question",
    [
        "Which PEPs require PEP 10?",
        "What depends on PEP 10?",
        "PEP 10 is required by which PEPs?",
        "Which PEPs need PEP 10?",
        "For PEP 10, which PEPs require it?",
        "哪些 PEP 依赖 PEP 10？",
        "PEP 10 被哪些 PEP 依赖？",
    ],
)
def test_what_requires_a_document(question: str) -> None:
    assert answers(question) == {"PEP 3", "PEP 100"}


@pytest.mark.parametrize(
    "question",
    [
        "Which PEPs mention PEP 1 in their text?",
        "which PEPs refer to PEP 1?",
        "Where is PEP 1 mentioned?",
        "In which PEPs is PEP 1 cited?",
        "references to PEP 1",
        "哪些 PEP 的正文提到了 PEP 1？",
        "PEP 1 被哪些 PEP 引用？",
        "PEP 1 在哪些 PEP 中提到？",
    ],
)
def test_what_mentions_a_document(question: str) -> None:
    assert answers(question) == {"PEP 3", "PEP 10"}


@pytest.mark.parametrize(
    "question",
    [
        "Which other PEPs does PEP 3 refer to?",
        "Which PEPs are mentioned in PEP 3?",
        "PEP 3 引用了哪些其他 PEP？",
        "PEP 3 中提到了哪些 PEP？",
    ],
)
def test_what_a_document_mentions(question: str) -> None:
    assert answers(question) == {"PEP 1", "PEP 2"}


def test_the_kind_asked_for_narrows_the_answer() -> None:
    assert answers("Which PEPs does PEP 10 mention?") == {"PEP 1"}
    assert answers("What does PEP 10 mention?") == {"PEP 1", "RFC 2119"}


@pytest.mark.parametrize(
    "question",
    ["Who wrote PEP 1?", "Who are the authors of PEP 1?", "PEP 1 的作者是谁？", "谁写了 PEP 1？", "PEP 1's author?"],
)
def test_who_wrote_a_document(question: str) -> None:
    assert answers(question) == {"Ada Lovelace", "Marc-André Dupont"}


@pytest.mark.parametrize(
    "question",
    [
        "Which PEPs did Ada Lovelace write or co-write?",
        "PEPs authored by ada lovelace",
        "Ada Lovelace 撰写或合著了哪些 PEP？",
        "What did Lovelace write?",
    ],
)
def test_what_a_person_wrote(question: str) -> None:
    assert answers(question) == {"PEP 1", "PEP 3"}


def test_names_are_found_without_their_accents() -> None:
    assert answers("Which PEPs did Marc-Andre Dupont write?") == {"PEP 1"}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who is the sponsor of PEP 3?", {"Grace Hopper"}),
        ("Which PEPs did Grace Hopper sponsor?", {"PEP 3"}),
        ("PEP 3 的赞助人是谁？", {"Grace Hopper"}),
        ("What is the status of PEP 100?", {"Draft"}),
        ("PEP 100 的状态是什么？", {"Draft"}),
        ("Which PEPs are final?", {"PEP 3", "PEP 10"}),
        ("哪些 PEP 是 Draft？", {"PEP 100"}),
        ("What is the tracking issue of RFC 533?", {"#21963"}),
        ("What is the tracking issue of RFC 2000?", {"#44580"}),
        ("RFC 533 的跟踪 issue 是哪一个？", {"#21963"}),
        ("Which RFC has the tracking issue #44580?", {"RFC 2000"}),
        ("Which RFC introduced the feature `no_moves`?", {"RFC 533"}),
        ("特性 `no_moves` 是由哪个 RFC 提出的？", {"RFC 533"}),
        ("Which feature does RFC 2000 introduce?", {"const_generics"}),
    ],
)
def test_fields_nobody_foresaw_are_asked_for_by_their_own_words(question: str, expected: set[str]) -> None:
    assert answers(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("what blocks PROJ-12?", {"PROJ-100"}),
        ("What is PROJ-12 blocked by?", {"PROJ-100"}),
        ("PROJ-12 被什么阻塞？", {"PROJ-100"}),
        ("which tickets are blocked by PROJ-100?", {"PROJ-12", "PROJ-13"}),
        ("PROJ-100 阻塞了哪些工单？", {"PROJ-12", "PROJ-13"}),
        ("PROJ-100 关联了哪些工单？", {"PROJ-7", "PROJ-12", "PROJ-13", "PROJ-55"}),
        ("who owns the billing service?", {"Team Compass"}),
        ("billing.md 的负责人是谁？", {"Team Compass"}),
        ("Which tickets is Ada Lovelace assigned to?", {"PROJ-12"}),
        ("which files link to adr/0007?", {"README.md"}),
        ("what does services/billing.md link to?", {"README.md"}),
        ("ADR-7 的作者是谁？", {"沈雨桐"}),
        ("沈雨桐写了哪些文档？", {"ADR-7"}),
        ("what replaced ADR-7?", {"ADR-9"}),
        ("哪些文件导入了 axle.py？", {"src/engine.py"}),
        ("src/parts/axle.py 被哪些文件导入？", {"src/engine.py"}),
    ],
)
def test_tickets_owners_links_and_imports(question: str, expected: set[str]) -> None:
    assert answers(question) == expected


def test_two_named_documents_are_asked_about_each_other() -> None:
    assert answers("Does PEP 3 require PEP 10?") == {"PEP 10"}
    assert answers("How is PEP 3 related to PEP 2?") == {"PEP 2"}
    assert answers("How is PEP 3 related to PEP 1?") == {"PEP 1"}


def test_a_name_narrows_what_another_name_gives() -> None:
    assert answers("Which PEPs by Ada Lovelace mention PEP 1?") == {"PEP 3"}


def test_words_of_the_question_are_not_taken_for_names() -> None:
    graph = links_of({**STANDARDS, "notes/author.md": "# Author\n\nText.\n", "notes/write.md": "# Write\n"})
    assert answers("Which PEPs require PEP 10?", graph) == {"PEP 3", "PEP 100"}
    assert answers("Who is the author of PEP 2?", graph) == {"Grace Hopper"}
    assert answers("What did Lovelace write?", graph) == {"PEP 1", "PEP 3"}


def test_asking_politely_is_not_asking_what_it_needs() -> None:
    assert answers("I need to know who wrote PEP 2") == {"Grace Hopper"}
    assert answers("我需要知道 PEP 2 的作者是谁") == {"Grace Hopper"}
    assert "Final" in answers("I need to know about PEP 3")


def test_a_file_is_called_by_an_identifier_of_its_path() -> None:
    rows = (("door_open_for_long", "Doors are closed", "high"), ("lamp_of_door_broken", "Lamps are lit", "low"))
    checks = links_of(
        {
            f"checks/{name}/{name}.about.md": f"---\nseverity: {severity}\n---\n\n# {title}\n\nSeen twice.\n"
            for name, title, severity in rows
        }
    )
    found = answer_relations(checks, "How severe is door_open_for_long?")
    assert found is not None and not found.unread
    assert [(step.item.label, step.item.hit.start_line) for step in found.steps] == [("high", 2)]
