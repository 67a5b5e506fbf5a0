"""Follow-ups: what they leave to the conversation is said in full, and questions that stand alone are left alone."""

from __future__ import annotations

import pytest

from kbtui.domain.conversation import Turn
from kbtui.domain.routing import Signal
from kbtui.question.followup import condense
from kbtui.question.referents import gerund

TWO_FILES = "2 files, best first:\n\n- `runbooks/failover.md` — Failover [1]\n- `runbooks/dns.md` — DNS [2]"
STEPS = (
    "1. Order a laptop [1]\n2. Grant access [2]\n3. Pair for a week [3]\n\n---\n[1] a.md:L1\n[2] a.md:L2\n[3] a.md:L3"
)


def turn(query: str, answer: str = "It is so. [1]", *paths: str) -> Turn:
    return Turn(query=query, standalone=query, answer=answer, paths=paths or ("notes.md",))


def full(query: str, *before: Turn | str) -> str | None:
    """The follow-up in full, asked after these turns."""
    condensed = condense(query, [turn(one) if isinstance(one, str) else one for one in before])
    return condensed.standalone if condensed else None


@pytest.mark.parametrize(
    ("before", "query", "expected"),
    [
        ("What is PEP 484?", "Who wrote it?", "Who wrote PEP 484?"),
        ("What is PEP 484?", "and when was it accepted", "When was PEP 484 accepted?"),
        ("What is the ledger service?", "Who is its owner?", "Who is the ledger service's owner?"),
        (
            "Where is the retry limit of the gateway set?",
            "Can I raise it?",
            "Can I raise the retry limit of the gateway?",
        ),
        ("How do I roll back a deploy?", "How long does it take?", "How long does rolling back a deploy take?"),
        ("How do I restart the gateway?", "Where does it log?", "Where does the gateway log?"),
        ("Which teams are on call?", "How are they paid?", "How are the teams that are on call paid?"),
        ("Who is the author of PEP 20?", "When was it written?", "When was PEP 20 written?"),
        ("PEP 484 是什么？", "它的作者是谁？", "PEP 484 的作者是谁？"),
        ("谁负责计费服务？", "它依赖什么？", "计费服务依赖什么？"),
        ("网关的超时时间是多少？", "怎么修改它？", "怎么修改网关的超时时间？"),
        ("死信队列是什么？", "这个怎么清空？", "死信队列怎么清空？"),
        ("What is PEP 484?", "它的作者是谁？", "PEP 484 的作者是谁？"),
        ("PEP 484 是什么？", "who wrote it?", "Who wrote PEP 484?"),
    ],
)
def test_a_pronoun_means_what_was_asked_about(before: str, query: str, expected: str) -> None:
    assert full(query, before) == expected


@pytest.mark.parametrize(
    ("before", "query", "expected"),
    [
        (turn("Who maintains billing?", "Amara Diallo does. [1]"), "When did she join?", "When did Amara Diallo join?"),
        (turn("谁维护计费？", "Amara Diallo。"), "她什么时候入职的？", "Amara Diallo 什么时候入职的？"),
        (
            turn("Who wrote PEP 8?", "PEP 8 was written by:\n\n- Guido van Rossum [1]\n- Barry Warsaw [1]"),
            "What else did they write?",
            "What else did Guido van Rossum and Barry Warsaw write?",
        ),
    ],
)
def test_a_person_comes_from_the_answer_to_who(before: Turn, query: str, expected: str) -> None:
    assert full(query, before) == expected


@pytest.mark.parametrize(
    ("before", "query", "expected"),
    [
        (turn("Where are alerts defined?", "There.", "ops/alerts.yaml"), "Who owns that file?", "ops/alerts.yaml"),
        (turn("告警在哪里定义？", "那里。", "ops/alerts.yaml"), "那个文件由谁维护？", "ops/alerts.yaml"),
        (turn("Which ADR covers flags?", "ADR 8 does."), "What is the status of that ADR?", "ADR 8"),
        (turn("How do I onboard someone?", STEPS), "Explain the second step", "Grant access"),
        (turn("新员工入职有哪些步骤？", STEPS), "第二步怎么做？", "Grant access"),
        (turn("Which runbooks mention failover?", TWO_FILES), "and the second one?", "runbooks/dns.md"),
        (turn("哪些手册提到切换？", TWO_FILES), "总结一下第一个", "runbooks/failover.md"),
        (turn("Compare Kafka and RabbitMQ"), "Does the latter support replay?", "RabbitMQ"),
        (turn("比较 Kafka 和 RabbitMQ"), "前者为什么更快？", "Kafka"),
    ],
)
def test_what_points_back_at_the_answer_is_named(before: Turn, query: str, expected: str) -> None:
    assert expected in (full(query, before) or "")


@pytest.mark.parametrize(
    ("before", "query", "expected"),
    [
        ("What is the status of PEP 649?", "what about PEP 8?", "What is the status of PEP 8?"),
        ("How do I deploy to production?", "and for staging?", "How do I deploy for staging?"),
        ("How do I deploy to production?", "And to staging?", "How do I deploy to staging?"),
        ("How do I deploy to production?", "no, I meant staging", "How do I deploy to staging?"),
        ("What is the timeout of the gateway?", "and the retry count?", "What is the retry count of the gateway?"),
        ("Who owns the billing service?", "how about the gateway?", "Who owns the gateway?"),
        ("What is PEP 8?", "and the author?", "What is the author of PEP 8?"),
        ("Where is the Hamburg office?", "and the Berlin one?", "Where is the Berlin office?"),
        ("How do I create a user?", "and delete one?", "How do I delete a user?"),
        ("How do I create a user?", "and for groups?", "How do I create a user for groups?"),
        ("谁负责计费服务？", "那网关呢？", "谁负责网关？"),
        ("发布会在什么时候？", "复盘会呢？", "复盘会在什么时候？"),
        ("网关的超时时间是多少？", "重试次数呢？", "网关的重试次数是多少？"),
        ("网关的负责人是谁？", "计费服务呢？", "计费服务的负责人是谁？"),
        ("ADR 7 的状态是什么？", "我是指 ADR 9", "ADR 9 的状态是什么？"),
    ],
)
def test_another_topic_takes_the_place_of_what_it_resembles(before: str, query: str, expected: str) -> None:
    assert full(query, before) == expected


@pytest.mark.parametrize(
    ("before", "query", "expected"),
    [
        ("Is the export job enabled?", "Since when?", "Since when is the export job enabled?"),
        ("Should I deploy on a Friday?", "why", "Why should I deploy on a Friday?"),
        ("Who must approve a schema change?", "Why?", "Why: who must approve a schema change?"),
        ("How do I rotate the keys?", "what happens after that?", "What happens after rotating the keys?"),
        ("Is there a rate limit?", "how many requests?", "How many requests: is there a rate limit?"),
        ("周五可以发布吗？", "为什么？", "为什么周五可以发布？"),
        ("怎么轮换签名密钥？", "需要多长时间？", "轮换签名密钥需要多长时间？"),
        ("导出任务启用了吗？", "谁启用的？", "导出任务谁启用的？"),
    ],
)
def test_a_cut_off_question_is_asked_of_the_one_before(before: str, query: str, expected: str) -> None:
    assert full(query, before) == expected


@pytest.mark.parametrize("query", ["tell me more", "More details, please", "an example?", "anything else?"])
def test_more_of_the_same_keeps_the_question(query: str) -> None:
    assert "how does leader election work" in (full(query, "How does leader election work?") or "").lower()


@pytest.mark.parametrize("query", ["详细说说", "还有呢？", "举个例子", "能再详细一点吗？"])
def test_more_of_the_same_keeps_the_question_in_chinese(query: str) -> None:
    assert "领导者选举是怎么工作的" in (full(query, "领导者选举是怎么工作的？") or "")


@pytest.mark.parametrize(
    "query",
    [
        "Is it possible to run the tests in parallel?",
        "What is it that the gateway validates?",
        "How do I make it faster to deploy?",
        "How long does it take to become a reviewer?",
        "If a deploy fails, how do I roll it back?",
        "What does the scheduler do when it crashes?",
        "Which teams deploy their services on Monday?",
        "Find the files that mention backups",
        "Who decided that we use Kafka?",
        "What is this project about?",
        "What does IT handle?",
        "What are those lockers called that stand outdoors?",
        "How do I rotate the API keys?",
        "PROJ-100",
        "thanks",
        "Great, that works!",
        "ok, got it",
        "Does the ledger write its entries twice?",
        "My grandmother left me a cookbook that I typed into these notes; how did she do that?",
        "which of the services is the oldest",
        "网关重启时它会丢失请求吗？",
        "账本会把它的条目写两次吗？",
        "如果部署失败，怎么把它回滚？",
        "这份手册是写给谁的？",
        "哪些服务依赖网关及其缓存？",
        "其他团队怎么发布？",
        "我应该怎么申请年假？",
        "这个文件夹里有哪些文件？",
        "那么多告警是从哪里来的？",
        "第二季度的预算是多少？",
        "总结一下安全指南的第一章",
        "怎么轮换 API 密钥？",
        "谢谢",
        "好的，明白了",
    ],
)
def test_a_question_that_stands_alone_is_left_alone(query: str) -> None:
    assert full(query, "Where is the retry limit of the gateway set?") is None
    assert full(query, "网关的超时时间是多少？") is None


@pytest.mark.parametrize("query", ["Who wrote it?", "why?", "它是什么？", "这是什么？", "为什么？", "and for staging?"])
def test_without_anything_said_before_nothing_is_meant(query: str) -> None:
    assert full(query) is None
    assert full(query, turn("hello", "Hello!"), turn("谢谢", "不客气！")) is None


def test_small_talk_in_between_does_not_change_the_subject() -> None:
    assert full("Who wrote it?", "What is PEP 484?", turn("thanks!", "You're welcome!")) == "Who wrote PEP 484?"


def test_the_last_topic_wins() -> None:
    assert full("Who owns it?", "What is the ledger?", "What is the gateway?") == "Who owns the gateway?"


def test_a_follow_up_of_a_follow_up_means_what_that_one_was_understood_as() -> None:
    second = Turn(query="who wrote it?", standalone="Who wrote PEP 484?", answer="Guido van Rossum.")
    assert full("and when was it accepted?", "What is PEP 484?", second) == "When was PEP 484 accepted?"


@pytest.mark.parametrize(
    "query", ["", "   ", "?", "？", "\x1b[31m", "it", "它", "a" * 5000, "it " * 400, "它" * 500, "`", "["]
)
@pytest.mark.parametrize("before", ["", "?", "`", "的", "it", "How do I", "怎么", "- [1]", "x" * 5000])
def test_odd_text_on_either_side_is_never_an_error(query: str, before: str) -> None:
    full(query, turn(before, "- \n1. \n- `x`\n[1]"), turn(before, before))


def test_it_is_told_what_was_put_in_place_of_what() -> None:
    condensed = condense("Who wrote it?", [turn("What is PEP 484?")])
    assert condensed is not None
    assert condensed.signals == (Signal(name="follow-up", detail="it = PEP 484", weight=0.8),)


def test_what_was_said_cannot_bring_escape_sequences_to_the_screen() -> None:
    condensed = condense("Who wrote it?", [turn("What is `\x1b[31mred`?")])
    assert condensed is not None
    assert "\x1b" not in condensed.standalone + condensed.signals[0].detail


@pytest.mark.parametrize(
    ("verb", "form"),
    [("roll", "rolling"), ("run", "running"), ("make", "making"), ("deploy", "deploying"), ("see", "seeing")],
)
def test_what_is_done_can_be_spoken_of(verb: str, form: str) -> None:
    assert gerund(verb) == form


LISTED = Turn(
    query="which decisions are about caching?",
    standalone="which decisions are about caching?",
    answer="4 documents:\n\n" + "\n".join(f"- `adr/{number}.md` — A decision [{number}]" for number in range(1, 5)),
    paths=tuple(f"adr/{number}.md" for number in range(1, 5)),
)


@pytest.mark.parametrize("query", ["which of them are final?", "who wrote them?", "how many of those are open?"])
def test_after_a_long_list_they_are_all_that_was_listed(query: str) -> None:
    meant = condense(query, [LISTED])
    assert meant is not None
    assert "decisions that are about caching" in meant.standalone


def test_a_list_is_narrowed_by_a_fragment() -> None:
    meant = condense("only the ones from 2024", [LISTED])
    assert meant is not None
    assert meant.standalone == "Which decisions are about caching, only the ones from 2024?"


@pytest.mark.parametrize(
    ("before", "query", "expected"),
    [
        ("哪些决策是关于队列的？", "其中哪些已经通过？", "关于队列的决策中哪些已经通过？"),
        ("哪些决策是关于队列的？", "它们是谁写的？", "关于队列的决策是谁写的？"),
        ("操作日志保留多久？", "那安全日志呢？", "安全日志保留多久？"),
        ("怎么更换门锁电池？", "多久做一次？", "更换门锁电池多久做一次？"),
    ],
)
def test_chinese_follow_ups_speak_of_what_was_listed_or_done(before: str, query: str, expected: str) -> None:
    meant = condense(query, [Turn(query=before, standalone=before, answer="见文件 [1]。", paths=("a.md",))])
    assert meant is not None
    assert meant.standalone == expected
