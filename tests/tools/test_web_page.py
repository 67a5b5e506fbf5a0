"""Pages from real servers: what a hostile one can send, and where it can send somebody on to."""

from __future__ import annotations

import gzip
import socket
import threading
import time
from collections.abc import Callable

import pytest

from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, ToolError
from kbtui.tools.web_fetch import MAX_CHARS, passages
from kbtui.tools.web_page import MAX_BYTES, MAX_REDIRECTS, Page, open_page
from tests.support.web import CERTIFICATE, PUBLIC, Web, reply, web

URL = "http://docs.example/page"


def fetched(found: Web, url: str = URL, *, seconds: float = 20.0, allow_private: bool = False) -> Page:
    return open_page(url, allow_private=allow_private, cancel=CancelToken(), seconds=seconds, **found.network)


def moved(location: str, status: str = "302 SearchResult") -> bytes:
    return reply(status=status, location=location)


def test_a_page_is_read_from_the_address_that_was_checked() -> None:
    with web(reply("hello", content_type="text/plain")) as found:
        page = fetched(found, "http://user:secret@docs.example:8080/a?b=c#d")
    assert (page.text, page.media_type) == ("hello", "text/plain")
    assert page.url == "http://docs.example:8080/a?b=c#d"
    assert found.dialled == [(PUBLIC, 8080)]
    [request] = found.requests
    assert request.startswith("GET /a?b=c HTTP/1.1")
    assert "Host: docs.example:8080" in request
    assert "secret" not in request
    assert "authorization" not in request.lower()


def test_a_redirect_to_a_public_address_is_followed_and_checked() -> None:
    with web({"/page": moved("http://other.example/new"), "/new": reply("there", content_type="text/plain")}) as found:
        found.names["other.example"] = ["1.1.1.1"]
        page = fetched(found)
    assert (page.url, page.text) == ("http://other.example/new", "there")
    assert found.dialled == [(PUBLIC, 80), ("1.1.1.1", 80)]


@pytest.mark.parametrize(
    "location",
    [
        "http://127.0.0.1/admin",
        "http://2130706433/",
        "http://[::1]/",
        "//169.254.169.254/latest/meta-data/",
        "http://inside.example/",
        "https://inside.example/",
        "http://docs.example@10.0.0.1/",
    ],
)
@pytest.mark.parametrize("status", ["301 Moved", "302 SearchResult", "303 See Other", "307 Temporary", "308 Permanent"])
def test_a_redirect_to_an_inner_address_is_refused_before_it_is_dialled(location: str, status: str) -> None:
    with web({"/page": moved(location, status), "/admin": reply("secrets")}) as found:
        found.names |= {
            "inside.example": ["10.0.0.7"],
            "127.0.0.1": ["127.0.0.1"],
            "2130706433": ["127.0.0.1"],
            "::1": ["::1"],
            "169.254.169.254": ["169.254.169.254"],
            "10.0.0.1": ["10.0.0.1"],
        }
        with pytest.raises(ToolError, match="private network"):
            fetched(found)
    assert found.dialled == [(PUBLIC, 80)]


@pytest.mark.parametrize(
    "location",
    ["file:///etc/passwd", "ftp://docs.example/x", "gopher://docs.example:70/_x", "data:text/plain,x", "javascript:1"],
)
def test_a_redirect_to_another_scheme_is_refused(location: str) -> None:
    with web(moved(location)) as found, pytest.raises(ToolError, match=r"not a web address|could not be opened"):
        fetched(found)
    assert len(found.dialled) == 1


def test_a_redirect_to_the_port_of_another_service_is_refused() -> None:
    with web(moved("http://docs.example:6379/")) as found, pytest.raises(ToolError, match="no pages are served"):
        fetched(found)
    assert len(found.dialled) == 1


def test_redirects_in_a_circle_end() -> None:
    with web(moved("/page")) as found, pytest.raises(ToolError, match="redirects more than"):
        fetched(found)
    assert len(found.dialled) == MAX_REDIRECTS + 1


def test_a_redirect_that_leads_nowhere_is_said() -> None:
    with web(reply(status="304 Not Modified")) as found, pytest.raises(ToolError, match="answered 304"):
        fetched(found)


def test_a_name_that_changes_its_address_is_checked_each_time() -> None:
    answers = iter([[PUBLIC], ["127.0.0.1"]])
    with web(moved("/again")) as found, pytest.raises(ToolError, match="private network"):
        open_page(
            URL,
            allow_private=False,
            cancel=CancelToken(),
            resolve=lambda *_: next(answers),
        )
    assert found.dialled == [(PUBLIC, 80)]


def test_the_name_is_resolved_once_for_each_exchange_and_its_address_dialled() -> None:
    asked: list[str] = []

    def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        return [PUBLIC] if len(asked) == 1 else ["127.0.0.1"]

    with web(reply("x", content_type="text/plain")) as found:
        open_page(URL, allow_private=False, cancel=CancelToken(), resolve=resolve)
    assert asked == ["docs.example"]
    assert found.dialled == [(PUBLIC, 80)]


def test_over_tls_the_name_is_checked_though_the_address_is_dialled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    with web(reply("safe", content_type="text/plain"), tls=True) as found:
        assert fetched(found, "https://docs.example/").text == "safe"
        with pytest.raises(ToolError, match=r"(?i)hostname mismatch"):
            fetched(found, "https://other.example/")
    assert found.dialled == [(PUBLIC, 443), (PUBLIC, 443)]


def test_a_certificate_that_nobody_vouches_for_is_refused() -> None:
    with web(reply("unsafe"), tls=True) as found, pytest.raises(ToolError, match=r"(?i)certificate verify failed"):
        fetched(found, "https://docs.example/")
    assert found.requests == []


def test_a_handshake_that_never_comes_to_an_end_is_left_at_the_deadline() -> None:
    with web(silent) as found, pytest.raises(ToolError, match="in time"):
        fetched(found, "https://docs.example/", seconds=0.3)


def endless_headers(connection: socket.socket, _: bytes) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    for number in range(100_000):
        connection.sendall(b"X-%d: %s\r\n" % (number, b"y" * 1000))


def endless_status_line(connection: socket.socket, _: bytes) -> None:
    for _number in range(10_000):
        connection.sendall(b"HTTP/1.1" * 1000)


def endless_body(connection: socket.socket, _: bytes) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
    for _number in range(1000):
        connection.sendall(b"y" * 65536)


def endless_chunks(connection: socket.socket, _: bytes) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n")
    for _number in range(1000):
        connection.sendall(b"10000\r\n" + b"y" * 65536 + b"\r\n")


def short_of_its_length(connection: socket.socket, _: bytes) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\nshort")


def two_lengths(connection: socket.socket, _: bytes) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 9\r\n\r\nx")


def bomb(connection: socket.socket, _: bytes) -> None:
    packed = gzip.compress(b"0" * 50_000_000)
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nContent-Length: {len(packed)}"
    connection.sendall(head.encode() + b"\r\n\r\n" + packed)


def no_http(connection: socket.socket, _: bytes) -> None:
    connection.sendall(b"220 mail.example ESMTP\r\n")


def reset(connection: socket.socket, _: bytes) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
    connection.close()


@pytest.mark.parametrize(
    ("serve", "message"),
    [
        (endless_headers, "could not be opened"),
        (endless_status_line, "could not be opened"),
        (endless_body, "larger than 5 MB"),
        (endless_chunks, "larger than 5 MB"),
        (short_of_its_length, "could not be opened"),
        (two_lengths, "could not be opened"),
        (bomb, "compressed"),
        (no_http, "could not be opened"),
        (reset, "could not be opened"),
        (reply("x", content_length=str(MAX_BYTES + 1)), "larger than 5 MB"),
        (reply("x", content_length="-1"), "could not be opened"),
        (reply("x", content_type="application/octet-stream"), "not text"),
        (reply("x", content_type="\x1b[31mtext"), "not text|could not be opened"),
        (reply("x", status="500 Oops"), "answered 500"),
        (reply("x", status="999 \x1b]0;owned\x07"), "999|could not be opened"),
    ],
)
def test_what_a_broken_server_sends_is_a_tool_error(
    serve: Callable[[socket.socket, bytes], None] | bytes, message: str
) -> None:
    with web(serve) as found, pytest.raises(ToolError, match=message) as caught:
        fetched(found)
    assert "\x1b" not in str(caught.value)
    assert caught.value.hint


def dripping(connection: socket.socket, _: bytes) -> None:
    """A header that never ends, a byte at a time: each read is soon over, the whole never."""
    try:
        connection.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while True:
            connection.sendall(b"y")
            time.sleep(0.02)
    except OSError:
        pass


def dripping_body(connection: socket.socket, _: bytes) -> None:
    try:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
        while True:
            connection.sendall(b"y")
            time.sleep(0.02)
    except OSError:
        pass


def silent(connection: socket.socket, _: bytes) -> None:
    connection.recv(1)


@pytest.mark.parametrize("serve", [dripping, dripping_body, silent])
def test_a_server_that_never_comes_to_an_end_is_left_at_the_deadline(
    serve: Callable[[socket.socket, bytes], None],
) -> None:
    with web(serve) as found, pytest.raises(ToolError, match=r"in time|took longer"):
        fetched(found, seconds=0.4)


def test_a_resolver_that_hangs_is_left_at_the_deadline() -> None:
    free = threading.Event()

    def resolve(_host: str, _port: int) -> list[str]:
        free.wait(30)
        return []

    try:
        with pytest.raises(ToolError, match="could not be found in time"):
            open_page(URL, allow_private=False, cancel=CancelToken(), seconds=0.2, resolve=resolve)
    finally:
        free.set()


def test_stopping_the_run_ends_a_read_that_would_wait() -> None:
    cancel = CancelToken()

    def serve(connection: socket.socket, _: bytes) -> None:
        cancel.cancel()
        connection.recv(1)

    with web(serve) as found, pytest.raises(Cancelled):
        open_page(URL, allow_private=False, cancel=cancel, seconds=60, **found.network)


@pytest.mark.parametrize(
    "charset", ["idna", "punycode", "rot13", "zip", "undefined", "unicode_escape", "nonsense", "\x1b"]
)
def test_a_charset_that_no_page_is_written_in_is_not_believed(charset: str) -> None:
    body = "Grüße, 世界"
    with web(reply(body, content_type=f"text/plain; charset={charset}")) as found:
        try:
            assert fetched(found).text == body
        except ToolError as error:
            assert "could not be opened" in error.message  # noqa: PT017 - a header that is no header


def test_a_long_line_becomes_passages_and_nothing_is_lost() -> None:
    text = " ".join(f"word{number}" for number in range(1500))
    hits = passages(Page(url=URL, media_type="text/plain", text=text), 100)
    assert all(len(hit.text) <= MAX_CHARS for hit in hits)
    assert " ".join(hit.text for hit in hits) == text
    assert len({(hit.start_line, hit.end_line) for hit in hits}) == len(hits)


def test_escape_sequences_of_a_page_are_gone_from_its_passages() -> None:
    page = Page(url=URL, media_type="text/plain", text="red \x1b[31malert\x1b]0;title\x07 and \u202eback")
    assert passages(page, 10)[0].text == "red alert and back"


def test_a_page_of_nothing_but_open_tags_ends_as_a_page_without_text() -> None:
    page = Page(url=URL, media_type="text/html", text="<html><body>" + "<div>" * 20_000)
    assert passages(page, 10) == ()
