"""search: passages by meaning and by words, as a chat model calls it in the loop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Final, Literal

from pydantic import BaseModel, Field

from kbtui.domain.tooling import ToolOutput
from kbtui.errors import ScopeError, ToolError
from kbtui.question.keywords import search_keywords
from kbtui.text.mentions import KIND, Condition
from kbtui.tools.base import ToolContext, found_note, spec_of

NAME: Final = "search"
WHERE_OF_LIST: Final = "Conditions by field, as in list_documents."
DESCRIPTION = "Passages about something, by meaning and words. Not for counting."

_MAX_PASSAGES: Final = 6
"""Passages that one call returns."""
_POOL: Final = 60
"""Passages that are retrieved where they are filtered by path or kind."""


class SearchArgs(BaseModel):
    query: str = Field(description="A sentence or words.")
    path: str = Field(default="", description="A folder, or a pattern (adr/*.md).")
    kinds: list[str] = Field(default_factory=list, description="Kinds of documents.")
    fields: dict[str, str] = Field(default_factory=dict, description=WHERE_OF_LIST)
    dates: dict[Literal["after", "before"], str] = Field(
        default_factory=dict, description='{"after": "2025-01-01", "before": "2026"}.'
    )


def run(
    context: ToolContext,
    query: str,
    path: str = "",
    kinds: Sequence[str] = (),
    fields: Mapping[str, str] | None = None,
    dates: Mapping[Literal["after", "before"], str] | None = None,
) -> ToolOutput:
    if not query.strip():
        raise ToolError("search was called with nothing to search for.", "Give a sentence or words.")
    keywords = search_keywords(query) or query
    paths = _paths_in_scope(context, kinds, fields or {}, dates or {})
    most = _POOL if path.strip() or paths is not None else _MAX_PASSAGES
    hits, note = context.knowledge.hybrid.search(query, keywords, most, context.cancel)
    if paths is not None:
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


def _paths_in_scope(
    context: ToolContext,
    kinds: Sequence[str],
    fields: Mapping[str, str],
    dates: Mapping[Literal["after", "before"], str],
) -> frozenset[str] | None:
    """The files whose documents meet every condition; None without a condition.

    Raises:
        ToolError: There is no such kind, field or day.
    """
    conditions = [Condition(KIND, kind) for kind in kinds if kind.strip()]
    conditions += [Condition(name, value) for name, value in fields.items()]
    conditions += [Condition(bound, day) for bound, day in dates.items() if day.strip()]
    if not conditions:
        return None
    from kbtui.knowledge.history.log import history_of
    from kbtui.records.opened import reader_of
    from kbtui.records.scoping import FileScopes, files_left

    knowledge = context.knowledge
    try:
        left = files_left(FileScopes(reader_of(knowledge).collection, lambda: history_of(knowledge)), conditions)
    except ScopeError as error:
        raise ToolError(error.message, error.hint) from error
    return frozenset.intersection(*(files for _, files in left))


SPEC = spec_of(name=NAME, description=DESCRIPTION, args=SearchArgs, run=run, offered_to="loop")
