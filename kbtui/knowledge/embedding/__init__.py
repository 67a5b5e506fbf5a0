"""Texts to vectors: the bundled MiniLM run without torch, any other model through sentence-transformers.

Importing this package loads neither; ``open_embedder`` is cheap, and the model is loaded by the first text.
"""

from __future__ import annotations

from kbtui.knowledge.embedding.port import Embedder, Notify, OnBatch, Span, Vectors
from kbtui.settings.model import EmbeddingSettings

__all__ = ["BUNDLED", "Embedder", "Notify", "OnBatch", "Span", "Vectors", "open_embedder"]

BUNDLED = "bundled"
"""The value of ``embedding.model`` that stands for the weights installed with kbtui."""


def open_embedder(settings: EmbeddingSettings) -> Embedder:
    """The embedder that the settings name, not loaded yet.

    Raises:
        EmbeddingError: ``settings.model`` is a folder that does not exist, or needs an extra that is not installed.
    """
    if settings.model == BUNDLED:
        from kbtui.knowledge.embedding.bundled import BundledEmbedder

        return BundledEmbedder(settings.threads)
    from kbtui.knowledge.embedding.sentence import SentenceEmbedder

    return SentenceEmbedder(settings)
