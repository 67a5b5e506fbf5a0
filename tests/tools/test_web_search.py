"""web_search against real servers that play SearxNG and Tavily, and against ddgs with its network replaced."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest

from kbtui.domain.ports import CancelToken
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import Cancelled, KbtuiError, SettingsError, ToolError
from kbtui.settings.model import RetrievalSettings, Settings, WebSettings
from kbtui.tools import ToolContext, build_tools, offered_tools, run_tool, web_search
from kbtui.tools.web_page import open_page
from kbtui.tools.web_search import SearchResult, as_hits, search, search_problem
from kbtui.tools.web_services import ask_searxng, ask_tavily
from kbtui.tools.web_wire import Wire
from tests.support.web import Web, reply, web

KEY = "tvly-PLANTEDKEY1234567890"
RESULTS = {
    "results": [
        {"url": "http://docs.example/rollback", "title": "Rolling back", "content": "Set the traffic back to green."},
        {"url": "http://other.example/", "title": "Other", "content": "Something else."},
    ]
}


def settings(top_k: int = 10, **values: Any) -> Settings:
    return Settings(web=WebSettings(**values), retrieval=RetrievalSettings(top_k=top_k))


def searxng(found: Web, **values: Any) -> Settings:
    return settings(search="searxng", searxng_url=f"http://127.0.0.1:{found.port}", **values)


def as_json(value: Any, **headers: str) -> bytes:
    return reply(json.dumps(value), content_type="application/json", **headers)


def call(used: Settings, query: str = "how to roll back", cancel: CancelToken | None = None) -> ToolOutput:
    return search(query, used, cancel or CancelToken())


@pytest.fixture
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TAVILY_API_KEY", raising=False)


def context(used: Settings) -> ToolContext:
    return ToolContext(knowledge=cast(Any, SimpleNamespace()), settings=used)


def test_it_is_off_by_default_and_says_how_to_switch_it_on() -> None:
    with pytest.raises(ToolError, match="switched off") as caught:
        run_tool(build_tools(context(Settings()))["web_search"], {"query": "x"})
    assert "`web.search`" in caught.value.hint


def test_only_tools_that_are_switched_on_are_offered() -> None:
    names = list(build_tools(context(Settings())))
    assert not {"web_search", "web_fetch"} & set(offered_tools(Settings(), names))
    data_tools = {"execute_sql", "get_data_source_context", "python_executor"}
    assert set(names) - set(offered_tools(Settings(), names)) - data_tools == {"web_search", "web_fetch"}
    assert "web_search" in offered_tools(settings(search="duckduckgo"), names)
    assert "web_fetch" in offered_tools(settings(fetch_enabled=True), names)


def test_results_of_searxng_become_passages_with_their_address_as_path() -> None:
    with web(as_json(RESULTS)) as found:
        output = run_tool(build_tools(context(searxng(found)))["web_search"], {"query": "how to roll back"})
    first = output.hits[0]
    assert (first.path, first.title, first.tool) == ("http://docs.example/rollback", "Rolling back", "web_search")
    assert (first.text, first.start_line, first.end_line) == ("Set the traffic back to green.", 1, 1)
    assert [hit.score for hit in output.hits] == sorted((hit.score for hit in output.hits), reverse=True)
    assert output.note == "2 results of SearxNG"
    asked = found.requests[0].split(" ")[1].replace("%20", "+")
    assert asked == "/search?q=how+to+roll+back&format=json"


@pytest.mark.parametrize("path", ["", "/", "/search", "/searx", "/searx/", "/searx/search?q=old#x"])
def test_an_instance_may_be_given_with_or_without_its_path(path: str) -> None:
    with web(as_json(RESULTS)) as found:
        call(settings(search="searxng", searxng_url=f"http://127.0.0.1:{found.port}{path}"))
    line = found.requests[0].split(" ")[1]
    assert line.split("?")[0] == ("/searx/search" if "searx" in path and path != "/search" else "/search")
    assert "old" not in line


def test_credentials_of_an_instance_are_sent_but_stand_in_no_message() -> None:
    with web(reply(status="500 Oops")) as found:
        used = settings(search="searxng", searxng_url=f"http://me:s%40cret@127.0.0.1:{found.port}")
        with pytest.raises(ToolError) as caught:
            call(used)
    assert "Authorization: Basic bWU6c0BjcmV0" in found.requests[0]
    assert "s%40cret" not in str(caught.value)
    assert "s@cret" not in str(caught.value)


def test_the_instance_may_be_private_because_the_user_named_it_but_never_the_metadata_service() -> None:
    with pytest.raises(ToolError, match="private network"):
        call(settings(search="searxng", searxng_url="http://169.254.169.254"))


def test_a_redirect_of_the_instance_is_not_followed() -> None:
    with (
        web(reply("inner", content_type="application/json")) as inner,
        web(reply(status="302 SearchResult", location=f"http://127.0.0.1:{inner.port}/search")) as found,
        pytest.raises(ToolError, match="sends on to"),
    ):
        call(searxng(found))
    assert inner.requests == []


def test_results_of_tavily_and_how_it_is_asked() -> None:
    with web(as_json(RESULTS)) as found:
        wire = Wire(cancel=CancelToken())
        results = ask_tavily("q", KEY, 5, wire, f"http://127.0.0.1:{found.port}/search", local=True)
    assert [each.url for each in results] == ["http://docs.example/rollback", "http://other.example/"]
    assert found.requests[0].startswith("POST /search HTTP/1.1")
    assert f"Authorization: Bearer {KEY}" in found.requests[0]
    sent = json.loads(found.bodies[0])
    assert (sent["query"], sent["max_results"]) == ("q", 5)
    assert KEY not in found.bodies[0].decode()


def silent(connection: socket.socket, _: bytes) -> None:
    connection.recv(1)


def huge(connection: socket.socket, _: bytes) -> None:
    connection.sendall(b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"results": [')
    for _number in range(1000):
        connection.sendall(b'{"url": "https://x.example"},' * 500)


FAILURES: list[tuple[Callable[[socket.socket, bytes], None] | bytes, str, str]] = [
    (reply(status="429 Too Many Requests", retry_after="7"), "answered 429", "7 s"),
    (reply(status="403 Forbidden"), "answered 403", ""),
    (reply(status="401 Unauthorized"), "answered 401", ""),
    (reply(status="404 Not SearchResult"), "answered 404", ""),
    (reply(status="500 Oops"), "answered 500", ""),
    (reply("<html>hello</html>"), "not with JSON", ""),
    (reply("<html>hello</html>", content_type="application/json"), "no readable JSON", ""),
    (reply("[" * 100_000, content_type="application/json"), "no readable JSON", ""),
    (reply('{"results": "none"}', content_type="application/json"), "no readable JSON", ""),
    (reply('{"results": [', content_type="application/json"), "no readable JSON", ""),
    (reply(b"\xff\xfe", content_type="application/json"), "no readable JSON", ""),
    (reply("[]", content_type="application/json"), "no readable JSON", ""),
    (huge, "larger than 2 MB", ""),
    (silent, "in time", ""),
]


@pytest.mark.parametrize("service", ["searxng", "tavily"])
@pytest.mark.parametrize(("serve", "message", "hint"), FAILURES)
def test_what_goes_wrong_with_a_service_is_said(
    service: str, serve: Callable[[socket.socket, bytes], None] | bytes, message: str, hint: str
) -> None:
    with web(serve) as found:
        wire = Wire(cancel=CancelToken(), seconds=0.5 if serve is silent else 20)
        ask = {
            "searxng": lambda: ask_searxng("q", f"http://127.0.0.1:{found.port}", wire),
            "tavily": lambda: ask_tavily("q", KEY, 5, wire, f"http://127.0.0.1:{found.port}/search", local=True),
        }[service]
        with pytest.raises(ToolError, match=message) as caught:
            ask()
    assert caught.value.hint
    assert hint in caught.value.hint
    assert KEY not in str(caught.value)


def test_a_service_that_is_not_there_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(ToolError, match="could not be opened"):
        call(settings(search="searxng", searxng_url=f"http://127.0.0.1:{port}"))


@pytest.mark.parametrize("results", [[], [{"title": "no address"}], ["text"], [None], [{"url": 7}]])
def test_no_results_are_no_error(results: list[Any]) -> None:
    with web(as_json({"results": results})) as found:
        output = call(searxng(found))
    assert output.hits == ()
    assert output.note == "nothing found by SearxNG"


def test_an_odd_result_does_not_cost_the_others() -> None:
    odd: list[Any] = [None, {"url": ["x"]}, {"url": "https://a.example", "title": None, "content": None, "more": {}}]
    with web(as_json({"results": [*odd, *RESULTS["results"]]})) as found:
        assert [hit.path for hit in call(searxng(found)).hits] == [each["url"] for each in RESULTS["results"]]


def test_escape_sequences_and_hidden_characters_of_results_are_gone() -> None:
    hostile = [
        SearchResult(
            url="https://docs.example/a\x1b]8;;http://evil.example\x07",
            title="T\x1b]0;owned\x07itle\nof two lines \u202eback",
            text="red \x1b[31malert\r\nnext\u200b line \U000e0041\x00",
        )
    ]
    [hit] = as_hits(hostile, 10)
    assert hit.title == "Title of two lines back"
    assert hit.text == "red alert\nnext line"
    assert (hit.start_line, hit.end_line) == (1, 2)
    assert "\x1b" not in hit.path
    assert hit.path.startswith("https://docs.example/a")


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "file:///etc/passwd",
        "/relative",
        "",
        "http://127.0.0.1/",
        "http://[::1]/",
        "http://169.254.169.254/",
        "https://" + "x" * 5000,
    ],
)
def test_results_that_are_no_public_web_address_are_left_out(url: str) -> None:
    assert as_hits([SearchResult(url=url, title="T", text="text")], 10) == ()


def test_each_address_comes_once_without_credentials_and_no_more_than_asked() -> None:
    found = [SearchResult(url=f"https://user:pw@docs.example/{n // 2}", text=f"text {n}") for n in range(20)]
    assert [hit.path for hit in as_hits(found, 3)] == [f"https://docs.example/{n}" for n in range(3)]


def test_a_very_long_text_is_cut_and_a_result_without_text_shows_its_title() -> None:
    [long, bare] = as_hits(
        [
            SearchResult(url="https://a.example", text="x" * 10_000),
            SearchResult(url="https://b.example", title="Only this"),
        ],
        10,
    )
    assert len(long.text) == 2000
    assert bare.text == "Only this"


def test_the_question_is_one_line_of_bounded_length() -> None:
    with web(as_json(RESULTS)) as found:
        call(searxng(found), "a\x1b[31m b\n" + "c" * 5000)
        with pytest.raises(ToolError, match="asked nothing"):
            call(searxng(found), " \n ")
    [request] = found.requests
    assert len(request.split(" ")[1]) < 500


def test_stopping_the_run_ends_the_search() -> None:
    cancel = CancelToken()

    def serve(connection: socket.socket, _: bytes) -> None:
        cancel.cancel()
        connection.recv(1)

    with web(serve) as found, pytest.raises(Cancelled):
        call(searxng(found), cancel=cancel)


def opened_through(found: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages come from ``found``, whatever their address; what is checked is checked as ever."""

    def through(url: str, **options: Any) -> Any:
        return open_page(url, **options, **found.network)

    monkeypatch.setattr(web_search, "open_page", through)


PAGE = "\n\n".join(f"Paragraph {number} about nothing. " + "filler " * 60 for number in range(40))


def test_the_first_two_pages_are_read_where_pages_may_be_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    text = PAGE + "\n\nTo roll back, set the traffic weight to the green image.\n"
    with web(as_json(RESULTS)) as found, web(reply(text, content_type="text/plain")) as pages:
        opened_through(pages, monkeypatch)
        output = call(searxng(found, fetch_enabled=True, top_k=20))
    assert output.note == "2 results of SearxNG, 2 pages read"
    first = [hit for hit in output.hits if hit.path == "http://docs.example/rollback"]
    assert any("green image" in hit.text for hit in first)
    assert len(first) == 3
    assert [hit.start_line for hit in first] == sorted(hit.start_line for hit in first)
    assert all(hit.tool == "web_search" and hit.title == "Rolling back" for hit in first)


def test_pages_are_not_opened_unless_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    with web(as_json(RESULTS)) as found, web(reply("page", content_type="text/plain")) as pages:
        opened_through(pages, monkeypatch)
        call(searxng(found))
    assert pages.dialled == []


def test_a_result_inside_is_never_opened_even_where_private_addresses_are_allowed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with web(as_json(RESULTS)) as found, web(reply("secrets", content_type="text/plain")) as pages:
        pages.names |= {"docs.example": ["10.0.0.7"], "other.example": ["127.0.0.1"]}
        opened_through(pages, monkeypatch)
        output = call(searxng(found, fetch_enabled=True, allow_private=True))
    assert pages.dialled == []
    assert output.note == "2 results of SearxNG, 0 pages read"
    assert [hit.text for hit in output.hits] == [each["content"] for each in RESULTS["results"]]


@pytest.mark.parametrize(
    ("used", "message"),
    [
        (settings(search="searxng"), "searxng_url is empty"),
        (settings(search="searxng", searxng_url="localhost"), "not a web address"),
        (settings(search="tavily"), "TAVILY_API_KEY is not set"),
    ],
)
@pytest.mark.usefixtures("no_key")
def test_what_is_missing_is_said_before_anything_is_sent(used: Settings, message: str) -> None:
    problem = search_problem(used)
    assert isinstance(problem, SettingsError)
    assert message in problem.message
    assert problem.hint
    with pytest.raises(KbtuiError, match=message):
        call(used)


def test_a_key_that_would_break_a_header_is_refused_and_not_shown() -> None:
    problem = search_problem(settings(search="tavily"), {"TAVILY_API_KEY": f"{KEY}\nX-Evil: 1"})
    assert problem is not None
    assert KEY not in str(problem)
    assert search_problem(settings(search="tavily"), {"TAVILY_API_KEY": f" {KEY}\n"}) is None


def test_there_is_no_problem_where_search_is_off_or_set_up() -> None:
    assert search_problem(Settings()) is None
    assert search_problem(settings(search="searxng", searxng_url="http://localhost:8888")) is None


def test_a_missing_package_is_said_with_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_search, "find_spec", lambda name: None)
    problem = search_problem(settings(search="duckduckgo"))
    assert problem is not None
    assert "kbtui[web]" in problem.hint


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What ddgs's own engine for DuckDuckGo is asked and answers; its network is not reached."""
    from ddgs.engines.duckduckgo import Duckduckgo

    played: dict[str, Any] = {"asked": [], "answer": lambda: None}

    def request(self: Any, method: str, url: str, **options: Any) -> Any:
        played["asked"].append((url, options))
        return played["answer"]()

    monkeypatch.setattr(Duckduckgo, "request", request)
    return played


DDG = """<html><body><div class="links body"><h2>Rolling back</h2><a href="http://docs.example/rollback">
Set the traffic back to green.</a></div></body></html>"""


def test_duckduckgo_is_asked_through_ddgs(engine: dict[str, Any]) -> None:
    engine["answer"] = lambda: DDG
    output = call(settings(search="duckduckgo"))
    assert [(hit.path, hit.title) for hit in output.hits] == [("http://docs.example/rollback", "Rolling back")]
    assert output.note == "1 result of DuckDuckGo"
    [(url, options)] = engine["asked"]
    assert url.startswith("https://html.duckduckgo.com/")
    assert options["data"]["q"] == "how to roll back"
    assert "df" not in options["data"]


def test_no_results_of_duckduckgo_are_no_error(engine: dict[str, Any]) -> None:
    assert call(settings(search="duckduckgo")).hits == ()


def test_a_failure_of_duckduckgo_is_a_tool_error(engine: dict[str, Any]) -> None:
    from ddgs.exceptions import DDGSException, TimeoutException

    def raises(error: Exception) -> Callable[[], None]:
        def answer() -> None:
            raise error

        return answer

    engine["answer"] = raises(DDGSException("ConnectError: \x1b[31mrefused"))
    with pytest.raises(ToolError, match="could not be asked") as caught:
        call(settings(search="duckduckgo"))
    assert "\x1b" not in str(caught.value)
    engine["answer"] = raises(TimeoutException("operation timed out"))
    with pytest.raises(ToolError, match="in time"):
        call(settings(search="duckduckgo"))


def test_stopping_the_run_does_not_wait_for_duckduckgo(engine: dict[str, Any]) -> None:
    cancel, free = CancelToken(), threading.Event()

    def answer() -> None:
        cancel.cancel()
        free.wait(20)

    engine["answer"] = answer
    try:
        with pytest.raises(Cancelled):
            call(settings(search="duckduckgo"), cancel=cancel)
    finally:
        free.set()
        deadline = time.monotonic() + 5
        while any(thread.name.startswith("kbtui-ddgs") for thread in threading.enumerate()):
            assert time.monotonic() < deadline
            time.sleep(0.01)
