"""The client of one run for the chat model: calls with a time limit, a budget and failure handling.

Every call results in a `Reply` or raises `CallFailed`. After a lasting failure (no key, no server, over the limit) the
model is not called again in this run, so a run without its model takes no longer than an offline one.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from kbtui.domain.events import Progress
from kbtui.domain.ports import CancelToken, Emit
from kbtui.domain.usage import Usage
from kbtui.errors import Cancelled, ModelError
from kbtui.reasoning.llm.conversation import Conversation
from kbtui.reasoning.llm.failures import Failure, explain
from kbtui.reasoning.llm.loop import run_until
from kbtui.reasoning.llm.prompt import ROLES, Role, Stage
from kbtui.reasoning.llm.reply import TOKEN_KEYS, OnText, Reply, calls_as_dicts, calls_from
from kbtui.reasoning.llm.requests import (
    CountedReply,
    Method,
    ToolShape,
    request_streamed,
    request_structured,
    request_whole,
)
from kbtui.settings.json_store import JsonStore
from kbtui.settings.model import ModelSettings

OpenModel = Callable[[Role], Any]
"""Opens the LangChain chat model for a role; raises ModelError."""
Audit = Callable[[dict[str, Any]], None]
ReplyCache = JsonStore[dict[str, Any]]
"""Replies as ``{"text", "data", "calls"}``, by the hash of everything that they depend on."""

_MAX_CACHE_BYTES: Final = 64 << 20
MAX_WAIT_S: Final = 10.0
"""Longest delay, in seconds, that a server may request before the one retry."""


def reply_cache(folder: Path) -> ReplyCache:
    """A cache of replies for identical requests of later runs."""
    return JsonStore(folder, dict[str, Any], max_bytes=_MAX_CACHE_BYTES)


class CallFailed(Exception):
    """The model gave no answer.

    Attributes:
        failure: The reason.
        told: The user has been told already.
    """

    def __init__(self, failure: Failure, *, told: bool = False) -> None:
        super().__init__(failure.message)
        self.failure = failure
        self.told = told


@dataclass(slots=True)
class _Capabilities:
    """Capabilities of a model learned from calls; shared by all runs of the process."""

    method: Method | None = None
    streams: bool = True


_capabilities: dict[tuple[str, str], _Capabilities] = {}


class ModelClient:
    """Calls the chat model during one run.

    Args:
        settings: Names, limits and prices.
        open_model: Opens the model of a role.
        emit: Receives an event when a call begins and ends.
        cancel: Cancel token of the run, which also ends calls.
        audit: Receives prompt, raw reply and figures of every call.
        cache: Cache of replies from earlier runs; None for no cache.
    """

    def __init__(
        self,
        settings: ModelSettings,
        open_model: OpenModel,
        *,
        emit: Emit,
        cancel: CancelToken,
        audit: Audit,
        cache: ReplyCache | None = None,
    ) -> None:
        self.settings = settings
        self._open = open_model
        self._emit = emit
        self._cancel = cancel
        self._audit = audit
        self._cache = cache
        self._lock = threading.Lock()
        self._lasting_failure: Failure | None = None
        self.usage = Usage()

    def name(self, role: Role) -> str:
        """``provider:name`` of the model for a role."""
        return (self.settings.small if role == "small" else "") or self.settings.name

    def give_up(self, failure: Failure) -> None:
        """Make no further calls in this run, because of ``failure``."""
        self._lasting_failure = failure

    def deadline(self, stage: Stage = "write") -> float:
        """The deadline of a stage that starts now, by ``time.monotonic()``.

        The provider's client is loaded first, which can take seconds that must not count against the model.
        """
        if self._cache is None and self._lasting_failure is None:
            with suppress(CallFailed):
                self._open_model(ROLES[stage])
        return time.monotonic() + self.settings.timeout_s

    def write(self, prompt: Conversation, on_text: OnText, deadline: float, tools: Sequence[ToolShape] = ()) -> Reply:
        """Request a reply in words; ``on_text`` receives its pieces as they arrive.

        Args:
            tools: Tools that the model may call.

        Raises:
            CallFailed: There is no reply before the deadline.
            Cancelled: The run was stopped.
        """
        capabilities = self._capabilities_of(ROLES[prompt.stage])
        started = False

        def on_piece(piece: str) -> None:
            nonlocal started
            started = True
            on_text(piece)

        def has_started() -> bool:
            return started

        key = " ".join(["stream", *(str(tool["name"]) for tool in tools)])
        reply = None
        if capabilities.streams:
            try:
                make = partial(request_streamed, prompt=prompt, on_text=on_piece, tools=tools)
                reply = self._call(prompt, key, make, deadline, has_started)
            except CallFailed as failed:
                if started or not failed.failure.refused_format:
                    raise
        if reply is None:
            reply = self._call(
                prompt, key, partial(request_whole, prompt=prompt, on_text=on_piece, tools=tools), deadline, has_started
            )
            # The server only refused streaming.
            capabilities.streams = False
        if not started and reply.text:
            # A cached reply has not been streamed.
            on_piece(reply.text)
        return reply

    def decide(self, prompt: Conversation, schema: Mapping[str, Any], deadline: float) -> Reply:
        """Request a reply that follows ``schema`` (JSON Schema), by the strictest method that the model supports.

        Raises:
            CallFailed: There is no reply before the deadline.
            Cancelled: The run was stopped.
        """
        capabilities = self._capabilities_of(ROLES[prompt.stage])
        while True:
            method = capabilities.method or self._first_method(ROLES[prompt.stage])
            make = partial(request_structured, prompt=prompt, schema=schema, method=method)
            try:
                reply = self._call(prompt, method, make, deadline)
            except CallFailed as failed:
                if not failed.failure.refused_format or method == "text" or self.settings.structured != "auto":
                    raise
                capabilities.method = "tools" if method == "schema" else "text"
                continue
            capabilities.method = method
            return reply

    def _first_method(self, role: Role) -> Method:
        if self.settings.structured != "auto":
            return self.settings.structured
        profile = getattr(self._open_model(role), "profile", None) or {}
        if profile.get("structured_output") is False:
            return "tools" if profile.get("tool_calling") is not False else "text"
        return "schema"

    def _capabilities_of(self, role: Role) -> _Capabilities:
        return _capabilities.setdefault((self.name(role), self.settings.base_url), _Capabilities())

    def _open_model(self, role: Role) -> Any:
        try:
            return self._open(role)
        except ModelError as error:
            self._lasting_failure = explain(error, self.name(role), self.settings.timeout_s)
            raise CallFailed(self._lasting_failure) from error

    def _call(
        self,
        prompt: Conversation,
        method: str,
        make: Callable[[Any], Coroutine[Any, Any, CountedReply]],
        deadline: float,
        has_started: Callable[[], bool] = lambda: False,
    ) -> Reply:
        role = ROLES[prompt.stage]
        key = ""
        if self._cache is not None:
            limits = (self.settings.temperature, self.settings.max_output_tokens)
            parts = (self.name(role), self.settings.base_url, limits, method, prompt.as_dicts())
            key = hashlib.sha256(json.dumps(parts).encode()).hexdigest()
            if (kept := self._cache.get(key)) is not None:
                self._audit(self._entry(prompt, role, kept.get("text", ""), cached=True))
                calls = calls_from(kept.get("calls") or ())
                return Reply(text=str(kept.get("text", "")), data=kept.get("data"), calls=calls)
        model = self._open_model(role)
        retried = False
        while True:
            self._check_limits(role)
            try:
                reply = self._call_once(prompt, role, model, make, deadline)
            except CallFailed as failed:
                wait = failed.failure.retry_after
                if wait is None or retried or has_started() or wait > MAX_WAIT_S or time.monotonic() + wait >= deadline:
                    if failed.failure.lasting or (wait is not None and not has_started()):
                        self._lasting_failure = failed.failure
                    raise
                retried = True
                self._wait(wait)
                continue
            if self._cache is not None and not reply.cut:
                kept = {"text": reply.text, "data": dict(reply.data) if reply.data else None}
                self._cache.put(key, kept | ({"calls": calls_as_dicts(reply.calls)} if reply.calls else {}))
            return reply

    def _call_once(
        self,
        prompt: Conversation,
        role: Role,
        model: Any,
        make: Callable[[Any], Coroutine[Any, Any, CountedReply]],
        deadline: float,
    ) -> Reply:
        started = time.monotonic()
        self._emit_progress(prompt.stage, role, done=0)
        self._count(Usage(calls=1))
        try:
            reply, token_counts = run_until(make(model), self._cancel, deadline)
        except Cancelled:
            self._audit(self._entry(prompt, role, error="cancelled", started=started))
            raise
        except Exception as error:
            failure = explain(error, self.name(role), self.settings.timeout_s)
            self._audit(self._entry(prompt, role, error=failure.message, started=started))
            raise CallFailed(failure) from error
        finally:
            self._emit_progress(prompt.stage, role, done=1)
        usage = self._usage(token_counts)
        self._count(usage)
        answer = reply.text or (json.dumps(dict(reply.data), ensure_ascii=False) if reply.data else "")
        if len(reply.calls) > 1 or (reply.calls and reply.text):
            answer = "\n".join([reply.text, json.dumps(calls_as_dicts(reply.calls), ensure_ascii=False)]).strip()
        self._audit(self._entry(prompt, role, answer, usage=usage, started=started))
        return reply

    def _check_limits(self, role: Role) -> None:
        if self._lasting_failure is not None:
            raise CallFailed(self._lasting_failure, told=True)
        settings, used = self.settings, self.usage
        exceeded = ""
        if used.calls >= settings.max_calls:
            exceeded = f"{settings.max_calls} calls (model.max_calls)"
        elif settings.max_run_tokens and used.tokens_in + used.tokens_out >= settings.max_run_tokens:
            exceeded = f"{settings.max_run_tokens:,} tokens (model.max_run_tokens)"
        elif settings.max_run_usd and (used.cost_usd or 0.0) >= settings.max_run_usd:
            exceeded = f"{settings.max_run_usd:g} US dollars (model.max_run_usd)"
        if exceeded:
            self._lasting_failure = Failure(
                message=f"This run has used its {exceeded} of {self.name(role)}.", lasting=True
            )
            raise CallFailed(self._lasting_failure)

    def _usage(self, token_counts: Mapping[str, Any] | None) -> Usage:
        tokens_in, tokens_out = (int((token_counts or {}).get(key, 0)) for key in TOKEN_KEYS)
        cost = None
        if self.settings.price_in or self.settings.price_out:
            cost = (tokens_in * self.settings.price_in + tokens_out * self.settings.price_out) / 1e6
        return Usage(tokens_in=tokens_in, tokens_out=tokens_out, cost_usd=cost)

    def _count(self, usage: Usage) -> None:
        with self._lock:
            self.usage += usage

    def _emit_progress(self, stage: Stage, role: Role, *, done: int) -> None:
        self._emit(Progress(stage="llm", done=done, total=1, message=f"{stage}: {self.name(role)}"))

    def _wait(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (remaining := until - time.monotonic()) > 0:
            self._cancel.check()
            time.sleep(min(0.05, remaining))

    def _entry(
        self,
        prompt: Conversation,
        role: Role,
        answer: str = "",
        *,
        usage: Usage | None = None,
        error: str = "",
        started: float | None = None,
        cached: bool = False,
    ) -> dict[str, Any]:
        entry: dict[str, Any] = {
            "node": "llm",
            "stage": "repair" if prompt.is_repair else prompt.stage,
            "model": self.name(role),
            "prompt": prompt.as_dicts(),
            "answer": answer,
        }
        if usage is not None:
            entry |= {"tokens_in": usage.tokens_in, "tokens_out": usage.tokens_out}
        if started is not None:
            entry["duration_ms"] = round((time.monotonic() - started) * 1000, 1)
        if error:
            entry["error"] = error
        if cached:
            entry["cached"] = True
        return entry
