"""What can go wrong with a chat model, in words for people and in what to do next.

Each provider's client has exceptions of its own. They share two things: most carry an HTTP status, and what they were
raised from names the network's trouble. Reading those serves every provider, also those nobody has tried.
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
"""Reasons with which Google refuses a key, under the status 400 (``google.rpc.ErrorInfo``)."""
_NO_CREDIT: Final = re.compile(r"(?i)\bcredit balance\b|\bbilling\b|\binsufficient[_ ](?:quota|funds|balance)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why a call failed.

    Attributes:
        message: One sentence, without secrets.
        hint: What the reader can do.
        lasting: The next call would fail in the same way, so it is not worth making in this run.
        retry_after: Seconds after which the same call may work; None when it will not.
        refused_format: The server refused the way in which the answer was asked for, not the question.
        refused_key: The provider does not take the key.
    """

    message: str
    hint: str = ""
    lasting: bool = False
    retry_after: float | None = None
    refused_format: bool = False
    refused_key: bool = False

    @property
    def error(self) -> ModelError:
        """The same as an exception."""
        return ModelError(self.message, self.hint)


def explained(error: BaseException, model: str, timeout_s: float) -> Failure:
    """What ``error``, raised by a call of ``model``, means."""
    if isinstance(error, ModelError):
        return Failure(message=redact(error.message), hint=error.hint, lasting=True)
    status = status_of(error)
    if status is not None:
        return _of_status(status, error, model)
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
    if any(name in _BROKEN_OFF or "Protocol" in name for name in names) or any(
        isinstance(each, (ConnectionError, EOFError)) for each in chain
    ):
        return Failure(
            message=f"The connection to {model} broke off.",
            hint="If that happens again, look at the server's log.",
            retry_after=0.2,
        )
    if any(name in ("ContentFilterFinishReasonError",) for name in names):
        return Failure(message=f"The provider of {model} filtered its answer.")
    if isinstance(error, _UNREADABLE):
        # What a client says that met no answer of a chat model is of no use to anybody else.
        return Failure(
            message=f"{model} answered with something that its client cannot read ({type(error).__name__}).",
            hint="Is model.base_url the address of its interface? `kbtui doctor` looks closer.",
            refused_format=True,
        )
    return Failure(
        message=f"{model} answered something unusable: {_detail(error)}.",
        hint="`kbtui doctor` looks closer.",
        # A client that cannot read the answer may read one that was asked for in another way.
        refused_format=True,
    )


_BROKEN_OFF: Final = (
    "ReadError",
    "WriteError",
    "RemoteProtocolError",
    "APIConnectionError",
    "IncompleteRead",
    "ClientPayloadError",
    "ServerDisconnectedError",
    "ClientOSError",
)

_UNREADABLE: Final = (AttributeError, TypeError, LookupError, json.JSONDecodeError)


def _of_status(status: int, error: BaseException, model: str) -> Failure:
    said = _detail(error)
    match status:
        case 400 if _NO_CREDIT.search(said):
            return Failure(
                message=f"The provider of {model} wants to be paid first ({status}): {said}.",
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
                message=f"The key may not use {model} (403): {said}.",
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
                message=f"{model} is over its limit (429): {said}.",
                hint="Wait a little, or use another model.",
                retry_after=1.0 if wait is None else wait,
            )
        case 400 | 415 | 422 | 501:
            return Failure(
                message=f"The server of {model} refused the request ({status}): {said}.",
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
                message=f"The server of {model} failed ({status}): {said}.",
                hint="Try again later, or look at the server's log.",
                retry_after=0.3 if wait is None else wait,
            )
        case _:
            return Failure(message=f"The server of {model} answered {status}: {said}.", lasting=True)


def status_of(error: BaseException) -> int | None:
    """The HTTP status of a refusal, in whichever exception of the chain it stands."""
    for each in causes_of(error):
        if type(each).__module__ == "aiohttp.http_exceptions":
            # What is wrong with a message, by the status that a server would answer it with; nobody answered it.
            continue
        for holder in (each, getattr(each, "response", None)):
            for name in ("status_code", "code", "status"):
                value = getattr(holder, name, None)
                if isinstance(value, int) and 300 <= value < 600:
                    return value
    return None


def _retry_after(error: BaseException) -> float | None:
    """Seconds after which to come back: a Retry-After header, or Google's ``RetryInfo`` in the body."""
    for each in causes_of(error):
        headers: Any = getattr(getattr(each, "response", None), "headers", None)
        if (wait := _of_header(headers.get("retry-after") if headers is not None else None)) is not None:
            return wait
        for detail in _details(each):
            if found := _SECONDS.fullmatch(str(detail.get("retryDelay", ""))):
                return float(found[1])
    return None


def _of_header(said: str | None) -> float | None:
    """Seconds of a Retry-After header (RFC 9110, 10.2.3), which holds seconds or a date."""
    if not said:
        return None
    try:
        return max(0.0, float(said))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(said) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None


def _reasons(error: BaseException) -> Iterator[str]:
    """The reasons that a refusal names (``google.rpc.ErrorInfo``)."""
    for each in causes_of(error):
        yield from (str(detail["reason"]) for detail in _details(each) if "reason" in detail)


def _details(error: BaseException) -> Iterator[Mapping[str, Any]]:
    """The details of a refusal of Google's: a list of objects."""
    found = _body(error).get("details")
    yield from (each for each in (found if isinstance(found, list) else ()) if isinstance(each, Mapping))


def _body(error: BaseException) -> Mapping[str, Any]:
    """The ``error`` of the body that a server refused with, as far as the client kept it; empty when it did not."""
    for name in ("body", "details"):
        kept = getattr(error, name, None)
        if isinstance(kept, list) and len(kept) == 1:
            kept = kept[0]
        if isinstance(kept, Mapping):
            inner = kept.get("error", kept)
            return inner if isinstance(inner, Mapping) else kept
    return {}


def causes_of(error: BaseException) -> Iterator[BaseException]:
    """The exception, and what it was raised from, outermost first."""
    seen: set[int] = set()
    each: BaseException | None = error
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        yield each
        each = each.__cause__ or each.__context__


def _detail(error: BaseException) -> str:
    """What the provider says, short, without markup or secrets; its own words can be a whole HTML page."""
    told = (_body(each).get("message") for each in causes_of(error))
    said = next((one for one in told if isinstance(one, str) and one), None) or getattr(error, "message", None)
    text = said if isinstance(said, str) and said else str(error)
    return one_line(redact(_MARKUP.sub(" ", text[:4000])), _DETAIL_CHARS).rstrip(".") or type(error).__name__
