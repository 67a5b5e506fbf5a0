"""Begins to load the model while Python is busy importing.

Most of loading is native code that lets go of the interpreter's lock, so on a second core it costs a question nothing.
"""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING

from kbtui.errors import KbtuiError

if TYPE_CHECKING:
    from kbtui.knowledge.base import KnowledgeBase


def load_model_ahead(knowledge: KnowledgeBase) -> threading.Thread | None:
    """Load the model of an indexed folder in a thread; None for a folder that was never indexed.

    There it may have to be prepared first, which takes long enough that whoever waits for it is to be told. What goes
    wrong here is met again, and told, by the first text that needs the model.
    """
    with contextlib.suppress(KbtuiError):
        if knowledge.index.exists:
            embedder = knowledge.embedder

            def load() -> None:
                with contextlib.suppress(KbtuiError):
                    embedder.load()

            thread = threading.Thread(target=load, name="kbtui-model")
            thread.start()
            return thread
    return None
