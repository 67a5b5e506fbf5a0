"""Who is let in, and by what a page of somebody else is known."""

from __future__ import annotations

import pytest

from kbtui.cli.serving.guard import Guard, is_loopback, new_token

TOKEN = "a token of twenty-six chars"


def refusal(guard: Guard, host: str = "127.0.0.1:8765", origin: str = "", token: str = "", **cookies: str) -> str:
    headers = {"Host": host} | ({"Origin": origin} if origin else {})
    return guard.refusal(headers, {"token": token} if token else {}, cookies)


def test_the_token_or_the_cookie_that_it_was_changed_for_lets_in() -> None:
    guard = Guard(TOKEN, "127.0.0.1")
    name, value = guard.cookie({"Host": "127.0.0.1:8765"})
    assert TOKEN not in value
    assert refusal(guard, token=TOKEN) == ""
    assert refusal(guard, **{name: value}) == ""
    assert "lacks the token" in refusal(guard)
    assert "lacks the token" in refusal(guard, token=TOKEN[:-1])
    assert "lacks the token" in refusal(guard, token="トークン")
    assert "lacks the token" in refusal(guard, **{name: TOKEN})


def test_the_cookie_of_another_server_on_this_host_lets_nobody_in() -> None:
    guard, other = Guard(TOKEN, "127.0.0.1"), Guard(TOKEN, "127.0.0.1")
    assert "lacks the token" in refusal(guard, **dict([other.cookie({"Host": "127.0.0.1:8765"})]))
    assert guard.cookie({"Host": "localhost:1"})[0] != guard.cookie({"Host": "localhost:2"})[0]


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:9000", "LOCALHOST", "[::1]:8765", "192.168.1.7:8765"])
def test_an_address_and_this_machines_names_are_ours(host: str) -> None:
    assert refusal(Guard(TOKEN, "127.0.0.1"), host, token=TOKEN) == ""


@pytest.mark.parametrize("host", ["", "rebound.example:8765", "localhost.rebound.example", "127.0.0.1.example", "[::1"])
def test_any_other_name_is_refused_with_the_token_too(host: str) -> None:
    assert "not known by that name" in refusal(Guard(TOKEN, "127.0.0.1"), host, token=TOKEN)


def test_a_name_that_it_was_told_to_listen_on_is_ours() -> None:
    assert refusal(Guard(TOKEN, "Desk.local"), "desk.local:8765", token=TOKEN) == ""


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:9999", "null"])
def test_another_page_may_not_ask_even_with_the_token(origin: str) -> None:
    assert "Another page" in refusal(Guard(TOKEN, "127.0.0.1"), origin=origin, token=TOKEN)


def test_its_own_page_may_ask() -> None:
    assert refusal(Guard(TOKEN, "127.0.0.1"), origin="http://127.0.0.1:8765", token=TOKEN) == ""


def test_tokens_are_long_and_never_the_same() -> None:
    assert len({new_token() for _ in range(50)}) == 50
    assert all(len(new_token()) >= 32 for _ in range(50))


def test_what_other_machines_reach_is_not_loopback() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.9.9.9", "::1", "[::1]", "localhost")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "192.168.1.7", "desk.local", "")))
