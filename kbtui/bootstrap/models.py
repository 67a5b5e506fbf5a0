"""The chat models of an engine, opened on first use, and the client through which one run calls them."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from kbtui.domain.ports import CancelToken, Emit
from kbtui.runs.audit import Audit
from kbtui.settings import paths
from kbtui.settings.model import ModelSettings
from kbtui.settings.providers import OFFLINE

if TYPE_CHECKING:
    from kbtui.reasoning.llm.client import ModelClient
    from kbtui.reasoning.llm.prompt import Role


class ChatModels:
    """The chat models that the settings name, one for each role."""

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._models: dict[Role, Any] = {}

    def client(self, emit: Emit, cancel: CancelToken, audit: Audit) -> ModelClient | None:
        """A client for the calls of one run; None where no model is configured."""
        settings = self._settings
        if settings.name == OFFLINE:
            return None
        from kbtui.reasoning.llm.client import ModelClient, reply_cache

        cache = reply_cache(paths.cache_dir() / "answers") if settings.cache else None
        return ModelClient(settings, self.open, emit=emit, cancel=cancel, audit=audit, cache=cache)

    def uses_tool_loop(self, client: ModelClient, emit: Emit) -> bool:
        """Whether the model is to call tools in a loop.

        In mode ``auto`` a model is probed once for whether it can; the result is kept for later runs.
        """
        if self._settings.mode != "auto":
            return self._settings.mode == "loop"
        from kbtui.reasoning.llm.client import CallFailed
        from kbtui.reasoning.llm.fallback import warn_of
        from kbtui.reasoning.llm.probe import probe_mode
        from kbtui.reasoning.llm.remembered import keep_mode, mode_of

        mode = mode_of(self._settings)
        if mode not in ("loop", "pipeline"):
            try:
                mode = probe_mode(client)
            except CallFailed as failed:
                # The pipeline meets the same failure, and warns of it only where no warning was given.
                warn_of(failed, "probe", emit)
                return False
            keep_mode(self._settings, mode)
        return bool(mode == "loop")

    def open(self, role: Role) -> Any:
        """The chat model of a role, opened on first use and kept, because it keeps its connections open."""
        with self._lock:
            if role not in self._models:
                from kbtui.reasoning.llm.models import open_chat_model

                self._models[role] = open_chat_model(self._settings, role)
            return self._models[role]
