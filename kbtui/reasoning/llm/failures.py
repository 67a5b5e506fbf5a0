"""Explains errors of chat model clients: a message for the user, a hint, and whether to retry.

Each provider's client has its own exceptions, but most carry an HTTP status, and their causes name the network error.
Reading these works for every provider, including untested ones.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

from kbtui.errors import ModelError
from kbtui.settings.secrets import redact
from kbtui.text.terminal import one_line

_DETAIL_CHARS: Final = 160
_MARKUP: Final = re.compile(r"<[^>]*>")
_SECONDS: Final = re.compile(r"(\d+(?:\.\d+)?)s")
_NO_KEY: Final = ("API_KEY_INVALID", "API_KEY_EXPIRED")
"""Reasons for which Google refuses a key, with status 400 (``google.rpc.ErrorInfo``)."""
_NO_CREDIT: Final = re.compile(r"(?i)\bcredit balance\b|\bbilling\b|\binsufficient[_ ](?:quota|funds|balance)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why a call failed.

    Attributes:
        message: One sentence, without secrets.
        hint: What the reader can do.
        lasting: Further calls of this run would fail as well.
        retry_after: Seconds after which a retry may succeed; None if it will not.
        refused_format: The server refused the output format or streaming, not the question.
        refused_key: The provider refused the key.
    """

    message: str
    hint: str = ""
    lasting: bool = False
    retry_after: float | None = None
    refused_format: bool = False
    refused_key: bool = False

    @property
    def error(self) -> ModelError:
        """The failure as an exception."""
        return ModelError(self.message, self.hint)


def explain(error: BaseException, model: str, timeout_s: float) -> Failure:
    """Explain an exception of a call of ``model``."""
    if isinstance(error, ModelError):
        return Failure(message=redact(error.message), hint=error.hint, lasting=True)
    status = status_of(error)
    if status is not None:
        return _explain_status(status, error, model)
    chain = list(causes_of(error))
    names = [type(each).__name__ for each in chain]
    if any("Timeout" in name for name in names):
        return Failure(
            message=f"{model} did not answer within {timeout_s:g} s.",
            hint="Raise model.timeout_s, or use a faster model.",
            lasting=True,
        )
    if any(isinstance(each, ConnectionRefusedError) for each in chain) or any(
        "ConnectError" in name or name == "ConnectionError" or "ConnectTimeout" in name for name in names
    ):
        return Failure(
            message=f"The server of {model} cannot be reached: {_detail(chain[-1])}.",
            hint="Is it running, and is model.base_url right? `kbtui doctor` looks closer.",
            lasting=True,
        )
    if any(name in _CONNECTION_ERRORS or "Protocol" in name for name in names) or any(
        isinstance(each, (ConnectionError, EOFError)) for each in chain
    ):
        return Failure(
            message=f"The connection to {model} broke off.",
            hint="If that happens again, look at the server's log.",
            retry_after=0.2,
        )
    if any(name in ("ContentFilterFinishReasonError",) for name in names):
        return Failure(message=f"The provider of {model} filtered its answer.")
    if isinstance(error, _PARSE_ERRORS):
        # The text of such an exception is about the code of the client, not about the server.
        return Failure(
            message=f"{model} answered with something that its client cannot read ({type(error).__name__}).",
            hint="Is model.base_url the address of its interface? `kbtui doctor` looks closer.",
            refused_format=True,
        )
    return Failure(
        message=f"{model} answered something unusable: {_detail(error)}.",
        hint="`kbtui doctor` looks closer.",
        # The client may be able to read a reply in another output format.
        refused_format=True,
    )


_CONNECTION_ERRORS: Final = (
    "ReadError",
    "WriteError",
    "RemoteProtocolError",
    "APIConnectionError",
    "IncompleteRead",
    "ClientPayloadError",
    "ServerDisconnectedError",
    "ClientOSError",
)

_PARSE_ERRORS: Final = (AttributeError, TypeError, LookupError, json.JSONDecodeError)


def _explain_status(status: int, error: BaseException, model: str) -> Failure:
    detail = _detail(error)
    match status:
        case 400 if _NO_CREDIT.search(detail):
            return Failure(
                message=f"The provider of {model} wants to be paid first ({status}): {detail}.",
                hint="Look at the provider's page for credit and billing, or name another model.",
                lasting=True,
            )
        case 401 | 400 if status == 401 or any(reason in _NO_KEY for reason in _reasons(error)):
            return Failure(
                message=f"The provider of {model} refused the key ({status}).",
                hint="Check the key: `kbtui doctor` says where it was taken from.",
                lasting=True,
                refused_key=True,
            )
        case 403:
            return Failure(
                message=f"The key may not use {model} (403): {detail}.",
                hint="Ask for access or name another model.",
                lasting=True,
            )
        case 404:
            return Failure(
                message=f"The server knows no {model} (404).",
                hint="Check the name and model.base_url; `kbtui doctor` lists the models it offers.",
                lasting=True,
            )
        case 408 | 409 | 425:
            return Failure(message=f"The server of {model} gave up waiting ({status}).", retry_after=0.2)
        case 429:
            wait = _retry_after(error)
            return Failure(
                message=f"{model} is over its limit (429): {detail}.",
                hint="Wait a little, or use another model.",
                retry_after=1.0 if wait is None else wait,
            )
        case 400 | 415 | 422 | 501:
            return Failure(
                message=f"The server of {model} refused the request ({status}): {detail}.",
                hint="`kbtui doctor` looks closer.",
                refused_format=True,
            )
        case 413:
            return Failure(
                message=f"The prompt was too large for {model} (413).",
                hint="Lower model.context_tokens.",
                lasting=False,
            )
        case _ if status >= 500:
            wait = _retry_after(error)
            return Failure(
                message=f"The server of {model} failed ({status}): {detail}.",
                hint="Try again later, or look at the server's log.",
                retry_after=0.3 if wait is None else wait,
            )
        case _:
            return Failure(message=f"The server of {model} answered {status}: {detail}.", lasting=True)


def status_of(error: BaseException) -> int | None:
    """The HTTP status of the first exception in the chain that has one."""
    for each in causes_of(error):
        if type(each).__module__ == "aiohttp.http_exceptions":
            # Its code describes a malformed message; no server sent that status.
            continue
        for holder in (each, getattr(each, "response", None)):
            for name in ("status_code", "code", "status"):
                value = getattr(holder, name, None)
                if isinstance(value, int) and 300 <= value < 600:
                    return value
    return None


def _retry_after(error: BaseException) -> float | None:
    """Seconds to wait before a retry: from a Retry-After header, or Google's ``RetryInfo`` in the body."""
    for each in causes_of(error):
        headers: Any = getattr(getattr(each, "response", None), "headers", None)
        if (wait := _parse_retry_after(headers.get("retry-after") if headers is not None else None)) is not None:
            return wait
        for detail in _details(each):
            if found := _SECONDS.fullmatch(str(detail.get("retryDelay", ""))):
                return float(found[1])
    return None


def _parse_retry_after(header: str | None) -> float | None:
    """Parse a Retry-After header (RFC 9110, 10.2.3): seconds or a date."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None


def _reasons(error: BaseException) -> Iterator[str]:
    """The reasons in a Google error (``google.rpc.ErrorInfo``)."""
    for each in causes_of(error):
        yield from (str(detail["reason"]) for detail in _details(each) if "reason" in detail)


def _details(error: BaseException) -> Iterator[Mapping[str, Any]]:
    """The objects in the details of a Google error."""
    details = _body(error).get("details")
    yield from (each for each in (details if isinstance(details, list) else ()) if isinstance(each, Mapping))


def _body(error: BaseException) -> Mapping[str, Any]:
    """The ``error`` object of the response body; empty if the client did not keep it."""
    for name in ("body", "details"):
        body = getattr(error, name, None)
        if isinstance(body, list) and len(body) == 1:
            body = body[0]
        if isinstance(body, Mapping):
            error_object = body.get("error", body)
            return error_object if isinstance(error_object, Mapping) else body
    return {}


def causes_of(error: BaseException) -> Iterator[BaseException]:
    """The exception and its causes, outermost first."""
    seen: set[int] = set()
    each: BaseException | None = error
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        yield each
        each = each.__cause__ or each.__context__


def _detail(error: BaseException) -> str:
    """The message of the provider, short, without markup or secrets; it may be a whole HTML page."""
    messages = (_body(each).get("message") for each in causes_of(error))
    message = next((each for each in messages if isinstance(each, str) and each), None) or getattr(
        error, "message", None
    )
    text = message if isinstance(message, str) and message else str(error)
    return one_line(redact(_MARKUP.sub(" ", text[:4000])), _DETAIL_CHARS).rstrip(".") or type(error).__name__
