"""When a question goes to the web: asked for outright, perhaps, by an address, or as the last resort."""

from __future__ import annotations

import pytest

from kbtui.domain.answer import WrittenAnswer
from kbtui.domain.events import AnswerDelta
from kbtui.domain.evidence import Evidence, Hit
from kbtui.domain.ports import CancelToken, Emit, WritingBrief
from kbtui.domain.routing import RetrievalHint, Routing, RoutingPlan, SubQuestion
from kbtui.reasoning.offline.router import OfflineRouter
from kbtui.reasoning.web_wishes import UnmetWriter, WebRouter, unmet_wish, web_wish
from kbtui.text.web_urls import web_urls

BOTH = ("hybrid_search", "grep_search", "web_search", "web_fetch")
FIRST = RetrievalHint()


@pytest.mark.parametrize(
    ("query", "question"),
    [
        ("search the web for python 3.14 release date", "python 3.14 release date"),
        ("Could you please search the internet for cats?", "cats?"),
        ("do a web search for gold prices", "gold prices"),
        ("look up the rust 2024 edition online", "the rust 2024 edition"),
        ("find the price of gold on the internet", "the price of gold"),
        ("search for PEP 703 on google", "PEP 703"),
        ("on the web, what is a monad?", "what is a monad?"),
        ("上网查一下Python最新版本", "Python最新版本"),
        ("请帮我上网搜索量子计算", "量子计算"),
        ("网上查 PEP 703", "PEP 703"),
        ("百度一下天气预报", "天气预报"),
        ("联网查一下汇率", "汇率"),
    ],
)
def test_asked_for_outright_the_web_alone_is_searched_for_the_question_itself(query: str, question: str) -> None:
    wish = web_wish(query)
    assert wish is not None
    assert (wish.question, wish.only) == (question, True)
    routing = WebRouter(OfflineRouter(), BOTH).route(query, FIRST)
    assert routing.plan.suggested_tools == ("web_search",)
    assert "web" in {signal.name for signal in routing.signals}


@pytest.mark.parametrize(
    "query", ["google python 3.14", "latest news about Mars", "最新的AI新闻有哪些", "news about Mars"]
)
def test_where_the_web_is_likely_meant_it_is_searched_beside_the_folder(query: str) -> None:
    wish = web_wish(query)
    assert wish is not None
    assert not wish.only
    tools = WebRouter(OfflineRouter(), BOTH).route(query, FIRST).plan.suggested_tools
    assert tools[0] == "web_search"
    assert len(tools) > 1


@pytest.mark.parametrize(
    "query",
    [
        "search the web server logs for errors",
        "search the internet gateway config",
        "how do I search the web for X in our tool?",
        "find which servers are online",
        "search for nodes that are online",
        "don't search the web for X",
        "find the login flow using google",
        "google cloud run limits",
        "Google Drive backup policy",
        "how does web_search work",
        "what does the newsletter say",
        "最新版本是什么",
        "网上银行系统如何部署？",
        "不要上网查这个",
        "联网配置在哪里",
    ],
)
def test_what_only_speaks_of_the_web_stays_in_the_folder(query: str) -> None:
    assert web_wish(query) is None
    assert WebRouter(OfflineRouter(), BOTH).route(query, FIRST) == OfflineRouter().route(query, FIRST)


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("search the web for barn owls", "barn owls"),
        ("latest news about Mars", "latest news about Mars"),
        ("what does https://docs.example/a say?", "what does https://docs.example/a say?"),
    ],
)
def test_what_is_switched_off_is_never_planned(query: str, asked: str) -> None:
    assert WebRouter(OfflineRouter(), ()).route(query, FIRST) == OfflineRouter().route(asked, FIRST)


def test_an_address_in_the_question_is_opened_beside_the_folder() -> None:
    plan = WebRouter(OfflineRouter(), BOTH).route("what does https://docs.example/a say about rollbacks?", FIRST).plan
    assert plan.suggested_tools[0] == "web_fetch"
    assert len(plan.suggested_tools) > 1


def hint(*, found: bool = False, tried: tuple[str, ...] = ("hybrid_search",)) -> RetrievalHint:
    question = SubQuestion(semantic_intent="how are rollbacks done")
    hit = Hit(path="a.md", start_line=1, end_line=1, text="x")
    evidence = Evidence(evidence_id="e1", hit=hit, sub_question=question.semantic_intent, score=0.5, kept=True)
    return RetrievalHint(iteration=1, missing=(question,), tried_tools=tried, found=(evidence,) if found else ())


def test_the_web_is_the_last_resort_where_the_folder_holds_nothing() -> None:
    router = WebRouter(OfflineRouter(), BOTH)
    assert "web_search" in router.route("how are rollbacks done", hint()).plan.suggested_tools
    assert "web_search" not in router.route("how are rollbacks done", hint(found=True)).plan.suggested_tools
    tried = hint(tried=("hybrid_search", "web_search"))
    assert "web_search" not in router.route("how are rollbacks done", tried).plan.suggested_tools
    assert (
        "web_search" not in WebRouter(OfflineRouter(), ()).route("how are rollbacks done", hint()).plan.suggested_tools
    )


def test_small_talk_never_leaves_the_machine() -> None:
    assert WebRouter(OfflineRouter(), BOTH).route("hello", FIRST).plan.suggested_tools == ()


def test_any_router_may_stand_inside() -> None:
    class Inner:
        asked = ""

        def route(self, query: str, hint: RetrievalHint) -> Routing:
            self.asked = query
            plan = RoutingPlan(query_type="conceptual", complexity="simple", suggested_tools=("hybrid_search",))
            return Routing(plan=plan, reasoner="llm")

    inner = Inner()
    routing = WebRouter(inner, BOTH).route("search the web for cats", FIRST)
    assert inner.asked == "cats"
    assert (routing.reasoner, routing.plan.suggested_tools) == ("llm", ("web_search",))


def test_somebody_who_asks_for_what_is_off_is_told() -> None:
    assert "web.search" in unmet_wish("search the web for cats", ())
    assert "web.fetch_enabled" in unmet_wish("what does https://docs.example say?", ())
    assert unmet_wish("search the web for cats", BOTH) == ""
    assert unmet_wish("what does https://docs.example say?", BOTH) == ""
    assert unmet_wish("latest news about Mars", ()) == ""
    assert "web.search" in unmet_wish("latest news about Mars", (), found=False)
    assert unmet_wish("latest news about Mars", BOTH, found=False) == ""
    assert unmet_wish("how are rollbacks done", (), found=False) == ""
    assert unmet_wish("how are rollbacks done", ()) == ""


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("see https://docs.example/a?b=c#d.", ("https://docs.example/a?b=c#d",)),
        ("总结https://docs.example/页面这个", ("https://docs.example/",)),
        ("打开 http://docs.example/a，谢谢", ("http://docs.example/a",)),
        ("(https://docs.example/x_(y)) and https://docs.example/x_(y)", ("https://docs.example/x_(y)",)),
        ("<https://a.example> `https://b.example`", ("https://a.example", "https://b.example")),
        ("file:///etc/passwd javascript:x docs.example", ()),
        ("a" * 100_000, ()),
    ],
)
def test_addresses_are_found_in_what_people_type(text: str, urls: tuple[str, ...]) -> None:
    assert web_urls(text) == urls


class Writes:
    """A writer that always says the same."""

    def write(self, brief: WritingBrief, emit: Emit, cancel: CancelToken) -> WrittenAnswer:
        emit(AnswerDelta(text="An owl."))
        return WrittenAnswer(markdown="An owl.", outcome="answered")


@pytest.mark.parametrize(
    ("query", "begins"),
    [("search the web for barn owls", "The web was not searched"), ("上网查一下仓鸮", "没有搜索网络")],
)
def test_an_answer_says_that_the_web_is_off_before_anything_else(query: str, begins: str) -> None:
    said: list[str] = []
    brief = WritingBrief(query=query, routing=OfflineRouter().route(query, FIRST))
    written = UnmetWriter(Writes(), ()).write(brief, lambda event: said.append(event.text), CancelToken())
    assert written.markdown.startswith(begins)
    assert "".join(said) == written.markdown
    assert UnmetWriter(Writes(), BOTH).write(brief, lambda event: None, CancelToken()).markdown == "An owl."
