"""web_fetch: off by default, no way into a private network, bounded in size, time and redirects."""

from __future__ import annotations

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest

from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, ToolError
from kbtui.settings.model import Settings, WebSettings
from kbtui.tools import ToolContext, build_tools, run_tool, web_fetch
from kbtui.tools.web_page import MAX_BYTES, Page, is_allowed, open_page

PUBLIC = "93.184.216.34"
HTML = (
    "<html><head><title>Rollbacks</title></head><body><nav>Menu</nav><article><h1>Rollbacks</h1>"
    + "<p>Deploys are rolled back by pinning the last green image, and announced first.</p>" * 5
    + "</article></body></html>"
)

Handler = Callable[[httpx.Request], httpx.Response]


def page(
    handler: Handler,
    url: str = "https://docs.example/page",
    addresses: dict[str, list[str]] | None = None,
    **options: Any,
) -> Page:
    known = addresses or {}
    options = {"allow_private": False, "cancel": CancelToken()} | options
    return open_page(
        url,
        resolve=lambda host, _: known.get(host, [PUBLIC]),
        transport=httpx.MockTransport(handler),
        **options,
    )


def answer(body: bytes, status: int = 200, **headers: str) -> httpx.Response:
    """As from a socket: the body is not read before somebody reads it."""
    named = {"content-type": "text/html"} | {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, headers=named, content=iter([body]))


def html(_: httpx.Request) -> httpx.Response:
    return answer(HTML.encode())


def fetch_context(**web: Any) -> ToolContext:
    return ToolContext(knowledge=cast(Any, SimpleNamespace()), settings=Settings(web=WebSettings(**web)))


def test_it_is_off_unless_switched_on() -> None:
    with pytest.raises(ToolError) as caught:
        run_tool(build_tools(fetch_context())["web_fetch"], {"url": "https://docs.example"})
    assert "web.fetch_enabled" in caught.value.hint


def test_a_page_becomes_passages_with_its_address_as_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_fetch, "open_page", lambda url, **_: Page(url=url, media_type="text/html", text=HTML))
    output = run_tool(build_tools(fetch_context(fetch_enabled=True))["web_fetch"], {"url": "https://docs.example/p"})
    assert output.hits[0].path == "https://docs.example/p"
    assert output.hits[0].title == "Rollbacks"
    assert "green image" in output.hits[0].text
    assert "Menu" not in output.hits[0].text


def test_long_text_is_cut_into_passages_that_follow_each_other() -> None:
    text = "\n".join(f"line {number} " + "x" * 90 for number in range(1, 61))
    hits = web_fetch.passages(Page(url="u", media_type="text/plain", text=text), 10)
    assert all(len(hit.text) <= 2000 for hit in hits)
    assert "\n".join(hit.text for hit in hits) == text
    assert [hit.start_line for hit in hits][1:] == [hit.end_line + 1 for hit in hits][:-1]
    assert hits[-1].end_line == 60


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "192.168.0.1",
        "172.16.0.9",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1%eth0",
        "fd00:ec2::254",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "64:ff9b::a9fe:a9fe",
        "2002:7f00:1::",
        "not an address",
    ],
)
def test_addresses_inside_are_refused(address: str) -> None:
    assert not is_allowed(address, allow_private=False)
    with pytest.raises(ToolError):
        page(html, addresses={"docs.example": [address]})


@pytest.mark.parametrize("address", [PUBLIC, "2606:2800:220:1:248:1893:25c8:1946"])
def test_public_addresses_are_allowed(address: str) -> None:
    assert is_allowed(address, allow_private=False)


def test_private_addresses_can_be_allowed_but_never_the_metadata_service() -> None:
    for address in ("127.0.0.1", "10.1.2.3", "::1"):
        assert is_allowed(address, allow_private=True)
    for address in ("169.254.169.254", "fd00:ec2::254", "::ffff:169.254.169.254", "0.0.0.0", "224.0.0.1"):
        assert not is_allowed(address, allow_private=True)


def test_one_private_address_among_public_ones_is_enough_to_refuse() -> None:
    with pytest.raises(ToolError, match="private network"):
        page(html, addresses={"docs.example": [PUBLIC, "10.0.0.1"]})


def test_the_connection_goes_to_the_address_that_was_checked() -> None:
    seen: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return answer(HTML.encode())

    page(handler, "https://user:secret@docs.example:8443/a?b=c#d")
    [request] = seen
    assert str(request.url) == f"https://{PUBLIC}:8443/a?b=c"
    assert request.headers["host"] == "docs.example:8443"
    assert request.extensions["sni_hostname"] == "docs.example"
    assert "authorization" not in request.headers


def test_every_redirect_is_checked_again() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        if request.headers["host"] == "docs.example":
            return httpx.Response(302, headers={"location": "http://inside.example/admin"})
        return answer(HTML.encode())

    with pytest.raises(ToolError, match="inside"):
        page(handler, addresses={"inside.example": ["192.168.1.1"]})
    assert page(handler).url == "http://inside.example/admin"


@pytest.mark.parametrize("location", ["file:///etc/passwd", "ftp://docs.example/x", "gopher://docs.example"])
def test_a_redirect_to_another_scheme_is_refused(location: str) -> None:
    with pytest.raises(ToolError, match="not a web address"):
        page(lambda _: httpx.Response(302, headers={"location": location}))


def test_endless_redirects_end() -> None:
    with pytest.raises(ToolError, match="redirects more than"):
        page(lambda _: httpx.Response(302, headers={"location": "/again"}))


@pytest.mark.parametrize("url", ["file:///etc/passwd", "docs.example", "", "https://", "javascript:alert(1)"])
def test_only_web_addresses_are_opened(url: str) -> None:
    with pytest.raises(ToolError) as caught:
        page(html, url)
    assert caught.value.hint


def test_an_unknown_host_is_a_tool_error() -> None:
    def fail(host: str, port: int) -> list[str]:
        raise OSError("no such host")

    with pytest.raises(ToolError, match="no host"):
        open_page("https://nowhere.example", allow_private=False, cancel=CancelToken(), resolve=fail)


def test_a_page_that_is_too_large_is_refused() -> None:
    with pytest.raises(ToolError, match="larger than 5 MB"):
        page(lambda _: answer(b"x" * (MAX_BYTES + 1)))


def test_a_page_that_takes_too_long_is_refused() -> None:
    free = threading.Event()

    def slowly(_: httpx.Request) -> httpx.Response:
        free.wait(30)
        return answer(HTML.encode())

    try:
        with pytest.raises(ToolError, match="in time"):
            page(slowly, seconds=0.1)
    finally:
        free.set()


@pytest.mark.parametrize(
    ("response", "message"),
    [
        (lambda: answer(b"", 404), "answered 404"),
        (lambda: answer(b"%PDF", content_type="application/pdf"), "not text"),
        (lambda: answer(b"x", content_encoding="gzip"), "compressed"),
    ],
)
def test_what_cannot_be_read_is_said(response: Callable[[], httpx.Response], message: str) -> None:
    with pytest.raises(ToolError, match=message):
        page(lambda _: response())


def test_a_network_error_is_a_tool_error() -> None:
    def handler(_: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    with pytest.raises(ToolError, match="refused"):
        page(handler)


@pytest.mark.parametrize("charset", ["utf-8", "gbk", None])
def test_the_charset_is_obeyed_or_found_out(charset: str | None) -> None:
    kind = f"text/plain; charset={charset}" if charset else "text/plain"
    body = "部署失败时立即回滚到上一个版本。".encode(charset or "utf-8")
    assert "立即回滚" in page(lambda _: answer(body, content_type=kind)).text


def test_a_cancelled_run_opens_nothing() -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        page(html, cancel=cancel)


def test_a_real_server_on_this_machine_is_read_when_private_addresses_are_allowed() -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/plain; charset=utf-8")
            self.end_headers()
            self.wfile.write(f"asked for {self.path} at {self.headers['Host']}".encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://localhost:{server.server_port}/notes?x=1"

        def resolve(_host: str, _port: int) -> list[str]:
            return ["127.0.0.1"]

        found = open_page(url, allow_private=True, cancel=CancelToken(), resolve=resolve)
        assert found.text == f"asked for /notes?x=1 at localhost:{server.server_port}"
        with pytest.raises(ToolError, match="private network"):
            open_page(url, allow_private=False, cancel=CancelToken(), resolve=resolve)
        server.shutdown()
