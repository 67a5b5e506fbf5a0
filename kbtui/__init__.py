"""kbtui: ask a folder, watch it think, land on the line.

``import kbtui`` loads nothing heavy; ``kbtui.Engine``, ``kbtui.as_retriever`` and the others are resolved when they are
first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kbtui.bootstrap import Engine
    from kbtui.bootstrap.retriever import as_retriever
    from kbtui.domain.answer import Answer, Citation
    from kbtui.settings.model import Settings

__version__ = "0.1.0"
__all__ = ["Answer", "Citation", "Engine", "Settings", "__version__", "as_retriever"]

_HOMES = {
    "Engine": "kbtui.bootstrap",
    "as_retriever": "kbtui.bootstrap.retriever",
    "Settings": "kbtui.settings.model",
    "Answer": "kbtui.domain.answer",
    "Citation": "kbtui.domain.answer",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'kbtui' has no attribute {name!r}")
