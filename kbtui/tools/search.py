"""search: passages by meaning and words, for a chat model that looks for itself."""

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

_MOST: Final = 6
"""Passages that one call brings."""
_POOL: Final = 60
"""Passages among which those of a path or kind are looked for."""


class SearchArgs(BaseModel):
    query: str = Field(description="A sentence or words.")
    path: str = Field(default="", description="A folder, or a pattern (adr/*.md).")
    kind: str = Field(default="", description="Kind of documents.")


def run(context: ToolContext, query: str, path: str = "", kind: str = "") -> ToolOutput:
    if not query.strip():
        raise ToolError("search was called with nothing to search for.", "Give a sentence or words.")
    keywords = search_keywords(query) or query
    narrowed = bool(path.strip() or kind.strip())
    most = _POOL if narrowed else _MOST
    hits, note = context.knowledge.hybrid.search(query, keywords, most, context.cancel)
    if kind.strip():
        of_kind = _paths_of(context, kind)
        hits = [hit for hit in hits if hit.path in of_kind]
    kept = [hit for hit in hits if is_at(hit.path, path)]
    more = f"{len(kept) - _MOST} more were left out" if len(kept) > _MOST else ""
    return ToolOutput(hits=tuple(kept[:_MOST]), note=found_note(kept[:_MOST], "; ".join(filter(None, (note, more)))))


def is_at(path: str, wanted: str) -> bool:
    """Whether a file is the one asked for, lies in that folder, or matches that pattern; any is where none is asked."""
    wanted = wanted.strip().removeprefix("./").strip("/")
    if not wanted or wanted in ("*", "**", "."):
        return True
    if path == wanted or path.startswith(f"{wanted}/"):
        return True
    return any(sign in wanted for sign in "*?[") and (fnmatchcase(path, wanted) or fnmatchcase(path, f"*/{wanted}"))


def _paths_of(context: ToolContext, kind: str) -> frozenset[str]:
    from kbtui.records.filtering import filter_things
    from kbtui.records.opened import reader_of

    found = filter_things(reader_of(context.knowledge).collection, kind, {})
    return frozenset(thing.path for thing, _ in found.rows)


SPEC = spec_of(name=NAME, description=DESCRIPTION, args=SearchArgs, run=run, offered_to="loop")
