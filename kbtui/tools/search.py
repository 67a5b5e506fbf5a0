"""search: passages by meaning and by words, as a chat model calls it in the loop."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Final

from pydantic import BaseModel, Field

from kbtui.domain.tooling import ToolOutput
from kbtui.errors import ToolError
from kbtui.question.keywords import search_keywords
from kbtui.tools.base import ToolContext, found_note, spec_of

NAME: Final = "search"
DESCRIPTION = "Passages about something, by meaning and words. Not for counting."

_MAX_PASSAGES: Final = 6
"""Passages that one call returns."""
_POOL: Final = 60
"""Passages that are retrieved where they are filtered by path or kind."""


class SearchArgs(BaseModel):
    query: str = Field(description="A sentence or words.")
    path: str = Field(default="", description="A folder, or a pattern (adr/*.md).")
    kind: str = Field(default="", description="Kind of documents.")


def run(context: ToolContext, query: str, path: str = "", kind: str = "") -> ToolOutput:
    if not query.strip():
        raise ToolError("search was called with nothing to search for.", "Give a sentence or words.")
    keywords = search_keywords(query) or query
    is_filtered = bool(path.strip() or kind.strip())
    most = _POOL if is_filtered else _MAX_PASSAGES
    hits, note = context.knowledge.hybrid.search(query, keywords, most, context.cancel)
    if kind.strip():
        paths = _paths_of_kind(context, kind)
        hits = [hit for hit in hits if hit.path in paths]
    kept = [hit for hit in hits if matches_path(hit.path, path)]
    more = f"{len(kept) - _MAX_PASSAGES} more were left out" if len(kept) > _MAX_PASSAGES else ""
    return ToolOutput(
        hits=tuple(kept[:_MAX_PASSAGES]), note=found_note(kept[:_MAX_PASSAGES], "; ".join(filter(None, (note, more))))
    )


def matches_path(path: str, wanted: str) -> bool:
    """Whether ``path`` is ``wanted``, lies in that folder, or matches that pattern; true where ``wanted`` is empty."""
    wanted = wanted.strip().removeprefix("./").strip("/")
    if not wanted or wanted in ("*", "**", "."):
        return True
    if path == wanted or path.startswith(f"{wanted}/"):
        return True
    return any(sign in wanted for sign in "*?[") and (fnmatchcase(path, wanted) or fnmatchcase(path, f"*/{wanted}"))


def _paths_of_kind(context: ToolContext, kind: str) -> frozenset[str]:
    from kbtui.records.filtering import filter_things
    from kbtui.records.opened import reader_of

    result = filter_things(reader_of(context.knowledge).collection, kind, {})
    return frozenset(thing.path for thing, _ in result.rows)


SPEC = spec_of(name=NAME, description=DESCRIPTION, args=SearchArgs, run=run, offered_to="loop")
