"""Chunks of the index as hits of a search."""

from __future__ import annotations

from collections.abc import Mapping

from kbtui.domain.document import Chunk
from kbtui.domain.evidence import Hit


def as_hit(chunk: Chunk, score: float, tool: str, signals: Mapping[str, float]) -> Hit:
    """A chunk that ``tool`` found."""
    return Hit(
        path=chunk.path,
        start_line=chunk.start_line,
        end_line=chunk.end_line,
        text=chunk.text,
        score=score,
        tool=tool,
        title=chunk.title,
        heading_path=chunk.heading_path,
        signals=signals,
    )
