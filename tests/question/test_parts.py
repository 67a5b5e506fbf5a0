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
        "Status of the proposal for ?. and ?? operators?",
        "公式结果是 #NAME?,一般有哪些原因?",
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
            ["How do I roll back a deploy", "Who announces rolling back a deploy?"],
        ),
        ("Who wrote PEP 8? When was it accepted?", ["Who wrote PEP 8?", "When was PEP 8 accepted?"]),
        ("报销流程是什么，以及年假有多少天", ["报销流程是什么", "年假有多少天"]),
        ("台北试点有多少个柜机？什么时候开始？", ["台北试点有多少个柜机?", "台北试点什么时候开始?"]),
        ("什么是断路器？为什么要用它？", ["什么是断路器?", "为什么要用断路器?"]),
        (
            "What does a hard shutdown mean, and which exception is raised?",
            ["What does a hard shutdown mean", "Which exception is raised (a hard shutdown)?"],
        ),
        ("电压低到多少就别重启了？该找谁？", ["电压低到多少就别重启了?", "该找谁（电压低、就别）?"]),
    ],
)
def test_each_part_stands_on_its_own(query: str, expected: list[str]) -> None:
    assert parts(query) == expected


@pytest.mark.parametrize(
    "query",
    [
        "how soon after the start and how often are the figures sent?",
        "Which Python and which OpenSSL are the minimum?",
        "Which setting do I change, and to what?",
        "how many decisions have been superseded, and which ones?",
        "who gets mail about a crash and who about a timeout?",
        "The tax bill: what tax for the rich, and how much money over ten years?",
    ],
)
def test_halves_that_share_their_predicate_are_one_question(query: str) -> None:
    assert parts(query) == [query]


def test_a_half_after_a_statement_is_asked_for_itself() -> None:
    found = parts("One of the key checks is critical. Which one, and which key check is rated high?")
    assert found == ["One of the key checks is critical. Which one", "Which key check is rated high?"]


def test_what_is_told_before_a_question_is_no_part_whatever_its_clauses_ask() -> None:
    query = "The table is read by everybody who has access to it. Which command empties it?"
    assert parts(query) == [query]


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


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (
            "how do I create a project and invite members?",
            ["How do I create a project", "How do I invite members"],
        ),
        ("怎么创建项目、邀请成员、设置权限？", ["怎么创建项目", "怎么邀请成员", "怎么设置权限"]),
        ("explain mitosis and meiosis", ["Explain mitosis", "Explain meiosis"]),
        (
            "If the primary fails, which node takes over, and how are clients told?",
            ["Which node takes over if the primary fails?", "How are clients told if the primary fails?"],
        ),
        (
            "find the owner of the search team and the date of the next review",
            ["Find the owner of the search team", "Find the date of the next review"],
        ),
        ("男子和女子的平均年收入分别是多少", ["男子的平均年收入 是多少", "女子的平均年收入 是多少"]),
        ("总部地址以及客服电话是多少", ["总部地址是多少", "客服电话是多少"]),
        ("介绍唐诗和宋词", ["介绍唐诗", "介绍宋词"]),
        ("茶和咖啡哪个更提神", ["茶是什么？", "咖啡是什么？"]),
        (
            "who designed the bridge and in which year was it built",
            ["Who designed the bridge", "In which year was the bridge built"],
        ),
    ],
)
def test_deeds_pairs_and_conditions_are_cut(query: str, expected: list[str]) -> None:
    assert parts(query) == expected


@pytest.mark.parametrize(
    "query",
    [
        "According to the handbook, when may I work from home?",
        "For a field F containing 0 and 1, what would be the prime field?",
        "What features are present at St. Dunstan in the East?",
        "how do I find and remove duplicates",
        "what are the terms and conditions",
        "can I cancel or change my booking",
        "what is the impact of the war on the price of bread and the supply of coal",
        "鼠疫如何以及何时进入欧洲？",
        "本迪戈和基隆支持哪个政党？",
        "介绍健康与安全政策",
        "教会指出，作为基督徒，他们知道哪些方式？",
        "根据员工手册，什么时候可以居家办公",
    ],
)
def test_what_only_looks_like_two_stays_whole(query: str) -> None:
    assert len(parts(query)) == 1


def test_thanks_are_no_part() -> None:
    assert parts("文件大小上限是多少？谢谢") == ["文件大小上限是多少?"]
