"""Specs 000 and 002: what is cut into parts, and what stays whole."""

from __future__ import annotations

import pytest

from kbtui.domain.routing import RetrievalHint
from kbtui.reasoning.offline.router import OfflineRouter


def parts(query: str) -> list[str]:
    plan = OfflineRouter().route(query, RetrievalHint()).plan
    assert plan.complexity == ("complex" if len(plan.sub_questions) > 1 else "simple")
    return [part.semantic_intent for part in plan.sub_questions]


def test_a_comparison_with_a_shared_topic_gives_three_parts() -> None:
    assert parts("Compare PEP 484 and PEP 526 and list what both say about type comments") == [
        "What does PEP 484 say about type comments?",
        "What does PEP 526 say about type comments?",
        "What do PEP 484 and PEP 526 say about type comments?",
    ]


def test_a_comparison_that_asks_for_what_is_shared_names_both_sides_again() -> None:
    found = parts("Compare the indexing pipeline with the query engine and list their shared dependencies")
    assert len(found) == 3
    assert "indexing pipeline" in found[0]
    assert "query engine" in found[1]
    assert all(word in found[2] for word in ("dependencies", "indexing pipeline", "query engine"))


@pytest.mark.parametrize(
    "query",
    [
        "What is VectorTool?",
        "how does search and replace work in the editor",
        "how do I find and list files in a folder",
        "what are the pros and cons of microservices",
        "which tickets are linked to PROJ-1 and PROJ-2",
        "什么是读写分离",
    ],
)
def test_one_question_stays_whole(query: str) -> None:
    assert parts(query) == [query]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("difference between hybrid_search and vector_search", ["What is hybrid_search?", "What is vector_search?"]),
        ("postgres vs mysql", ["What is postgres?", "What is mysql?"]),
        ("how does gunicorn differ from uvicorn", ["What is gunicorn?", "What is uvicorn?"]),
        ("对比 Kafka 和 RabbitMQ", ["Kafka 是什么？", "RabbitMQ 是什么？"]),
        ("混合检索和向量检索有什么区别", ["混合检索是什么？", "向量检索是什么？"]),
        ("PEP 8 和 PEP 20 分别讲了什么", ["PEP 8 讲了什么", "PEP 20 讲了什么"]),
        (
            "What do PEP 8 and PEP 20 say about naming?",
            ["What does PEP 8 say about naming?", "What does PEP 20 say about naming?"],
        ),
        ("what is a lease and why do we use it", ["What is a lease", "Why do we use a lease"]),
        (
            "how do I roll back a deploy and who announces it?",
            ["How do I roll back a deploy", "Who announces roll back a deploy?"],
        ),
        ("Who wrote PEP 8? When was it accepted?", ["Who wrote PEP 8?", "When was PEP 8 accepted?"]),
        ("报销流程是什么，以及年假有多少天", ["报销流程是什么", "年假有多少天"]),
        ("台北试点有多少个柜机？什么时候开始？", ["台北试点有多少个柜机?", "台北试点什么时候开始?"]),
        ("什么是断路器？为什么要用它？", ["什么是断路器?", "为什么要用断路器?"]),
    ],
)
def test_each_part_stands_on_its_own(query: str, expected: list[str]) -> None:
    assert parts(query) == expected


def test_what_both_do_is_asked_of_both_by_name() -> None:
    assert parts("Compare ADR-6 and ADR-9 and list what both require")[2] == "What do ADR-6 and ADR-9 require?"


def test_a_chinese_comparison_with_a_shared_wish_gives_three_parts() -> None:
    found = parts("对比 PEP 484 和 PEP 526，并列出它们共同的作者")
    assert len(found) == 3
    assert "作者" in found[2]
    assert "PEP 484" in found[2]
    assert "PEP 526" in found[2]


def test_there_are_never_more_than_five_parts() -> None:
    assert len(parts(" ".join(f"What is widget {number}?" for number in range(9)))) == 5
