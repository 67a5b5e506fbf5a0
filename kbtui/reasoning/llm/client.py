"""One run's way to the chat model: calls with a time limit, a budget and a memory of what went wrong.

Whatever a model or its server does ends here as a `Reply` or as a `CallFailed`. After a failure that lasts (no key, no
server, over the limit) the model is not asked again in this run, so that a run without its model takes no longer than
an offline one.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from kbtui.domain.events import Progress
from kbtui.domain.ports import CancelToken, Emit
from kbtui.domain.usage import Usage
from kbtui.errors import Cancelled, ModelError
from kbtui.reasoning.llm.failures import Failure, explained
from kbtui.reasoning.llm.loop import run_until
from kbtui.reasoning.llm.prompt import ROLES, Prompt, Role, Stage
from kbtui.reasoning.llm.reply import COUNTED, OnText, Reply, calls_as_dicts, calls_from
from kbtui.reasoning.llm.requests import Answered, Asked, Method, ToolShape, shaped, streamed, whole
from kbtui.reasoning.llm.response_cache import ResponseCache
from kbtui.settings.model import ModelSettings

OpenModel = Callable[[Role], Any]
"""Gives the LangChain chat model for a role; raises ModelError."""
Audit = Callable[[dict[str, Any]], None]

MAX_WAIT_S: Final = 10.0
"""Longest wait that a server may ask for before the one retry."""


class CallFailed(Exception):
    """The model gave no answer; ``failure`` says why."""

    def __init__(self, failure: Failure, *, told: bool = False) -> None:
        super().__init__(failure.message)
        self.failure = failure
        self.told = told


@dataclass(slots=True)
class _Ability:
    """What is known of a model after calls: shared by all runs of the process."""

    method: Method | None = None
    streams: bool = True


_abilities: dict[tuple[str, str], _Ability] = {}


class ModelClient:
    """Calls of one run.

    Args:
        settings: Names, limits and prices.
        open_model: Opens the model of a role.
        emit: Told when a call begins and ends.
        cancel: Of the run; a call ends with it.
        audit: Given prompt, raw answer and figures of every call.
        cache: Answers kept from earlier runs; None keeps none.
    """

    def __init__(
        self,
        settings: ModelSettings,
        open_model: OpenModel,
        *,
        emit: Emit,
        cancel: CancelToken,
        audit: Audit,
        cache: ResponseCache | None = None,
    ) -> None:
        self._settings = settings
        self._open = open_model
        self._emit = emit
        self._cancel = cancel
        self._audit = audit
        self._cache = cache
        self._lock = threading.Lock()
        self._down: Failure | None = None
        self.usage = Usage()

    @property
    def settings(self) -> ModelSettings:
        """Names, limits and prices."""
        return self._settings

    def name(self, role: Role) -> str:
        """``provider:name`` of the model that has this role."""
        return (self._settings.small if role == "small" else "") or self._settings.name

    def give_up(self, failure: Failure) -> None:
        """Ask the model no more in this run; why is known already."""
        self._down = failure

    def deadline(self, stage: Stage = "write") -> float:
        """When a stage that begins now must have ended, by ``time.monotonic()``.

        Loading a provider's client takes seconds on a slow disk, which are not the model's.
        """
        if self._cache is None and self._down is None:
            with suppress(CallFailed):
                self._opened(ROLES[stage])
        return time.monotonic() + self._settings.timeout_s

    def write(self, asked: Asked, on_text: OnText, deadline: float, tools: Sequence[ToolShape] = ()) -> Reply:
        """An answer in words; ``on_text`` is given its pieces as they come.

        Args:
            tools: What the model may ask to be called instead, or besides.

        Raises:
            CallFailed: There is none, or none in time.
            Cancelled: The run was stopped.
        """
        ability = self._ability(ROLES[asked.stage])
        started = False

        def told(piece: str) -> None:
            nonlocal started
            started = True
            on_text(piece)

        def begun() -> bool:
            return started

        key = " ".join(["stream", *(str(tool["name"]) for tool in tools)])
        reply = None
        if ability.streams:
            try:
                make = partial(streamed, prompt=asked, on_text=told, tools=tools)
                reply = self._call(asked, key, make, deadline, begun)
            except CallFailed as failed:
                if started or not failed.failure.refused_format:
                    raise
        if reply is None:
            reply = self._call(asked, key, partial(whole, prompt=asked, on_text=told, tools=tools), deadline, begun)
            # What it refused was the stream, and nothing else.
            ability.streams = False
        if not started and reply.text:
            # It was kept from an earlier run.
            told(reply.text)
        return reply

    def decide(self, prompt: Prompt, schema: Mapping[str, Any], deadline: float) -> Reply:
        """An answer in the shape of ``schema`` (JSON Schema), as far as the model can be held to it.

        Raises:
            CallFailed: There is none, or none in time.
            Cancelled: The run was stopped.
        """
        ability = self._ability(ROLES[prompt.stage])
        while True:
            method = ability.method or self._first_method(ROLES[prompt.stage])
            make = partial(shaped, prompt=prompt, schema=schema, method=method)
            try:
                reply = self._call(prompt, method, make, deadline)
            except CallFailed as failed:
                if not failed.failure.refused_format or method == "text" or self._settings.structured != "auto":
                    raise
                ability.method = "tools" if method == "schema" else "text"
                continue
            ability.method = method
            return reply

    def _first_method(self, role: Role) -> Method:
        if self._settings.structured != "auto":
            return self._settings.structured
        profile = getattr(self._opened(role), "profile", None) or {}
        if profile.get("structured_output") is False:
            return "tools" if profile.get("tool_calling") is not False else "text"
        return "schema"

    def _ability(self, role: Role) -> _Ability:
        return _abilities.setdefault((self.name(role), self._settings.base_url), _Ability())

    def _opened(self, role: Role) -> Any:
        try:
            return self._open(role)
        except ModelError as error:
            self._down = explained(error, self.name(role), self._settings.timeout_s)
            raise CallFailed(self._down) from error

    def _call(
        self,
        prompt: Asked,
        method: str,
        make: Callable[[Any], Coroutine[Any, Any, Answered]],
        deadline: float,
        begun: Callable[[], bool] = lambda: False,
    ) -> Reply:
        role = ROLES[prompt.stage]
        key = ""
        if self._cache is not None:
            limits = (self._settings.temperature, self._settings.max_output_tokens)
            key = ResponseCache.key(self.name(role), self._settings.base_url, limits, method, prompt.as_dicts())
            if (kept := self._cache.get(key)) is not None:
                self._audit(self._entry(prompt, role, kept.get("text", ""), cached=True))
                calls = calls_from(kept.get("calls") or ())
                return Reply(text=str(kept.get("text", "")), data=kept.get("data"), calls=calls)
        model = self._opened(role)
        retried = False
        while True:
            self._check_limits(role)
            try:
                reply = self._once(prompt, role, model, make, deadline)
            except CallFailed as failed:
                wait = failed.failure.retry_after
                if wait is None or retried or begun() or wait > MAX_WAIT_S or time.monotonic() + wait >= deadline:
                    if failed.failure.lasting or (wait is not None and not begun()):
                        self._down = failed.failure
                    raise
                retried = True
                self._rest(wait)
                continue
            if self._cache is not None and not reply.cut:
                kept = {"text": reply.text, "data": dict(reply.data) if reply.data else None}
                self._cache.put(key, kept | ({"calls": calls_as_dicts(reply.calls)} if reply.calls else {}))
            return reply

    def _once(
        self,
        prompt: Asked,
        role: Role,
        model: Any,
        make: Callable[[Any], Coroutine[Any, Any, Answered]],
        deadline: float,
    ) -> Reply:
        started = time.monotonic()
        self._tell(prompt.stage, role, done=0)
        self._count(Usage(calls=1))
        try:
            reply, counted = run_until(make(model), self._cancel, deadline)
        except Cancelled:
            self._audit(self._entry(prompt, role, error="cancelled", started=started))
            raise
        except Exception as error:
            failure = explained(error, self.name(role), self._settings.timeout_s)
            self._audit(self._entry(prompt, role, error=failure.message, started=started))
            raise CallFailed(failure) from error
        finally:
            self._tell(prompt.stage, role, done=1)
        usage = self._usage(counted)
        self._count(usage)
        said = reply.text or (json.dumps(dict(reply.data), ensure_ascii=False) if reply.data else "")
        if len(reply.calls) > 1 or (reply.calls and reply.text):
            said = "\n".join([reply.text, json.dumps(calls_as_dicts(reply.calls), ensure_ascii=False)]).strip()
        self._audit(self._entry(prompt, role, said, usage=usage, started=started))
        return reply

    def _check_limits(self, role: Role) -> None:
        if self._down is not None:
            raise CallFailed(self._down, told=True)
        settings, used = self._settings, self.usage
        over = ""
        if used.calls >= settings.max_calls:
            over = f"{settings.max_calls} calls (model.max_calls)"
        elif settings.max_run_tokens and used.tokens_in + used.tokens_out >= settings.max_run_tokens:
            over = f"{settings.max_run_tokens:,} tokens (model.max_run_tokens)"
        elif settings.max_run_usd and (used.cost_usd or 0.0) >= settings.max_run_usd:
            over = f"{settings.max_run_usd:g} US dollars (model.max_run_usd)"
        if over:
            self._down = Failure(message=f"This run has used its {over} of {self.name(role)}.", lasting=True)
            raise CallFailed(self._down)

    def _usage(self, counted: Mapping[str, Any] | None) -> Usage:
        tokens_in, tokens_out = (int((counted or {}).get(key, 0)) for key in COUNTED)
        cost = None
        if self._settings.price_in or self._settings.price_out:
            cost = (tokens_in * self._settings.price_in + tokens_out * self._settings.price_out) / 1e6
        return Usage(tokens_in=tokens_in, tokens_out=tokens_out, cost_usd=cost)

    def _count(self, usage: Usage) -> None:
        with self._lock:
            self.usage += usage

    def _tell(self, stage: Stage, role: Role, *, done: int) -> None:
        self._emit(Progress(stage="llm", done=done, total=1, message=f"{stage}: {self.name(role)}"))

    def _rest(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self._cancel.check()
            time.sleep(min(0.05, left))

    def _entry(
        self,
        prompt: Asked,
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
