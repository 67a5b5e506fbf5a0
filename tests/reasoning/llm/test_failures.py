"""What clients raise, in words: the exceptions here are built as the clients build them."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from kbtui.reasoning.llm.failures import Failure, explain, status_of

MODEL = "google_genai:gemini"


class Refused(Exception):
    """A refusal as Google's client has it: status, and the body as it came."""

    def __init__(self, code: int, message: str, *details: dict[str, Any]) -> None:
        super().__init__(f"{code} {{'error': …}}")
        self.code = code
        self.details = {"error": {"code": code, "message": message, "details": list(details)}}


class Wrapped(Exception):
    """What LangChain raises from it."""


def wrapped(cause: Exception) -> Failure:
    try:
        raise Wrapped("Error calling model 'gemini' (X): {'error': …}") from cause
    except Wrapped as error:
        return explain(error, MODEL, 5.0)


def test_the_provider_is_quoted_and_not_its_client() -> None:
    assert (
        wrapped(Refused(403, "Not in your country")).message
        == f"The key may not use {MODEL} (403): Not in your country."
    )


def test_google_refuses_a_key_with_400() -> None:
    failure = wrapped(Refused(400, "API key not valid.", {"reason": "API_KEY_INVALID", "domain": "googleapis.com"}))
    assert "refused the key (400)" in failure.message
    assert failure.lasting
    assert not failure.refused_format


def test_any_other_400_is_about_the_way_of_asking() -> None:
    failure = wrapped(Refused(400, "Unknown name responseJsonSchema", {"reason": "BAD_FIELD"}))
    assert failure.refused_format
    assert not failure.lasting


def test_credit_that_is_used_up_is_no_matter_of_how_it_is_asked() -> None:
    failure = wrapped(Refused(400, "Your credit balance is too low to access the API."))
    assert failure.lasting
    assert not failure.refused_format
    assert "paid" in failure.message


def test_google_says_in_the_body_when_to_come_back() -> None:
    retry = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"}
    assert wrapped(Refused(429, "Slow down", {"reason": "RATE"}, retry)).retry_after == 34.5
    assert wrapped(Refused(429, "Slow down")).retry_after == 1.0


@pytest.mark.parametrize("details", [None, "none", [3], {"error": "a text"}, [{"error": {"details": 7}}]])
def test_a_body_of_another_shape_is_no_trouble(details: Any) -> None:
    error = Refused(429, "")
    error.details = details
    assert wrapped(error).retry_after == 1.0


def test_others_say_it_in_a_header() -> None:
    error = Wrapped("Slow down")
    error.response = httpx.Response(529, headers={"retry-after": "3"})  # type: ignore[attr-defined]
    assert explain(error, MODEL, 5.0).retry_after == 3.0


def test_a_message_that_breaks_off_is_no_refusal() -> None:
    # aiohttp gives what it cannot read the status with which a server would answer it.
    unread = type("TransferEncodingError", (Exception,), {"code": 400, "__module__": "aiohttp.http_exceptions"})("cut")
    broken = type("ClientPayloadError", (Exception,), {})("Response payload is not completed")
    broken.__cause__ = unread
    assert status_of(broken) is None
    assert "broke off" in wrapped(broken).message


@pytest.mark.parametrize(
    "error", [AttributeError("'str' has no 'x'"), KeyError("x"), json.JSONDecodeError("no", "", 0)]
)
def test_what_trips_a_client_up_is_not_shown(error: Exception) -> None:
    failure = explain(error, MODEL, 5.0)
    assert "cannot read" in failure.message
    assert str(error) not in failure.message
    assert failure.refused_format
