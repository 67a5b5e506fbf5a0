"""The chat models of an engine: opened when first asked, and one run's calls of them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kbtui.domain.conversation import Turn
from kbtui.domain.ports import CancelToken, Emit
from kbtui.runs.audit import Audit
from kbtui.settings import paths
from kbtui.settings.model import ModelSettings
from kbtui.settings.providers import OFFLINE

if TYPE_CHECKING:
    from kbtui.question.followup import Condensed
    from kbtui.reasoning.llm.client import ModelClient
    from kbtui.reasoning.llm.prompt import Role


class ModelSide:
    """The models that the settings name."""

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._models: dict[Role, Any] = {}

    def client(self, emit: Emit, cancel: CancelToken, audit: Audit) -> ModelClient | None:
        """One run's calls of the chat model; None where none is configured."""
        settings = self._settings
        if settings.name == OFFLINE:
            return None
        from kbtui.reasoning.llm.client import ModelClient
        from kbtui.reasoning.llm.response_cache import ResponseCache

        cache = ResponseCache(paths.cache_dir() / "answers") if settings.cache else None
        return ModelClient(settings, self.opened, emit=emit, cancel=cancel, audit=audit, cache=cache)

    def loops(self, client: ModelClient, emit: Emit) -> bool:
        """Whether the model is to call tools in a loop; it is asked once whether it can, where nobody knows."""
        if self._settings.mode != "auto":
            return self._settings.mode == "loop"
        from kbtui.reasoning.llm.client import CallFailed
        from kbtui.reasoning.llm.fallback import warn_of
        from kbtui.reasoning.llm.probe import known_modes, probe_mode

        known = known_modes()
        mode = known.get(self._settings)
        if mode is None:
            try:
                mode = probe_mode(client)
            except CallFailed as failed:
                # The pipeline, which meets the same again, says it only where nobody did.
                warn_of(failed, "probe", emit)
                return False
            known.put(self._settings, mode)
        return mode == "loop"

    def opened(self, role: Role) -> Any:
        """The chat model of a role, opened on first use and kept: its connections are."""
        with self._lock:
            if role not in self._models:
                from kbtui.reasoning.llm.models import open_chat_model

                self._models[role] = open_chat_model(self._settings, role)
            return self._models[role]


def condenser(
    client: ModelClient | None, history: tuple[Turn, ...], emit: Emit
) -> Callable[[str], Condensed | None] | None:
    """What puts follow-ups over data in full by the model; None without one."""
    if client is None:
        return None

    def rewrite(query: str) -> Condensed | None:
        from kbtui.reasoning.llm.condense import condense

        return condense(query, history, client, emit)

    return rewrite
