"""The text of formats that other packages read: a function of the entry point group ``kbtui.loaders``.

It has the interface of kbtui's own functions, but its result is not relied on: the text is cleaned and cut as
theirs, and a place outside of it is dropped.
"""

from __future__ import annotations

from typing import Any, get_args

from kbtui.domain.document import DocumentKind, Place
from kbtui.errors import KnowledgeBaseError
from kbtui.knowledge.reading.formats.base import MAX_CHARS, Extracted, TextBuilder, plain
from kbtui.plugins import EntryPoint
from kbtui.text.terminal import one_line

_MAX_PLACE_CHARS = 200


def extract_by_plugin(data: bytes, path: str, entry: EntryPoint) -> Extracted | None:
    """The text that a loader of another package takes out of a file; None where it says that the bytes are the text.

    Raises:
        KnowledgeBaseError: The loader cannot be imported, or returned something else than a text.
        Exception: Any error of the loader.
    """
    try:
        loader = entry.load()
    except Exception as error:
        raise KnowledgeBaseError(
            f"the loader of {entry.package} could not be loaded: {one_line(str(error), 100)}",
            "update or remove that package",
        ) from error
    result = loader(data, path)
    if result is None:
        return None
    if isinstance(result, str):
        result = Extracted(text=result)
    if not isinstance(result, Extracted) or not _is_well_formed(result):
        raise KnowledgeBaseError(
            f"the loader of {entry.package} returned no text but {type(result).__name__}",
            "update or remove that package",
        )
    return _within_bounds(result)


def _is_well_formed(result: Any) -> bool:
    return (
        isinstance(result.text, str)
        and isinstance(result.title, str)
        and result.kind in get_args(DocumentKind)
        and all(isinstance(place, Place) for place in result.places)
    )


def _within_bounds(result: Extracted) -> Extracted:
    builder = TextBuilder()
    builder.add(result.text[: MAX_CHARS + 1])
    bounded = builder.done(result.kind, title=result.title[:_MAX_PLACE_CHARS])
    last_line = builder.next_line - 1
    places = {
        int(place.line): Place(
            line=int(place.line),
            name=" ".join(plain(str(place.name))[:_MAX_PLACE_CHARS].split()),
            counted=bool(place.counted),
        )
        for place in result.places
        if 1 <= place.line <= last_line
    }
    return Extracted(
        text=bounded.text,
        kind=bounded.kind,
        title=bounded.title,
        places=tuple(places[line] for line in sorted(places)),
    )
