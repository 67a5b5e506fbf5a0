"""Begins to load the model while Python is busy importing.

Most of loading is native code that lets go of the interpreter's lock, so on a second core it costs a question nothing.
"""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING

from kbtui.errors import KbtuiError
from kbtui.knowledge.embedding import BUNDLED

if TYPE_CHECKING:
    from kbtui.knowledge.base import KnowledgeBase
    from kbtui.settings.model import EmbeddingSettings


def load_model_ahead(knowledge: KnowledgeBase, settings: EmbeddingSettings) -> threading.Thread | None:
    """Load the bundled model in a thread; None for other models.

    Other models come with libraries of Python, which would only take turns with what is imported meanwhile. An error
    here is raised again by the first text that needs the model.
    """
    with contextlib.suppress(KbtuiError):
        if settings.model == BUNDLED:
            embedder = knowledge.embedder

            def load() -> None:
                with contextlib.suppress(KbtuiError):
                    embedder.load()

            thread = threading.Thread(target=load, name="kbtui-model")
            thread.start()
            return thread
    return None
