"""What a chunk and a question are to the full-text index: our own tokens, so that both sides cut words alike."""

from __future__ import annotations

from kbtui.domain.document import Chunk
from kbtui.text.tokenise import tokens


def chunk_terms(chunk: Chunk) -> list[str]:
    """Tokens of the text, and of the title and headings above it."""
    return tokens("\n".join((chunk.title, *chunk.heading_path, chunk.text)))


def query_terms(text: str) -> list[str]:
    """Tokens of a question or of keywords."""
    return tokens(text)
