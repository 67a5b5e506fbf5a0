"""How near each candidate is to the question by the vectors that the index keeps of stretches of a document."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from kbtui.domain.evidence import NearPlace
from kbtui.domain.routing import SubQuestion
from kbtui.errors import EmbeddingError, KnowledgeBaseError
from kbtui.question.terms import english_text
from kbtui.reasoning.offline.answering.candidates import Candidate, Found

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Near = Callable[[str, Sequence[str]], Mapping[str, Sequence[NearPlace]]]
"""A question in words and paths of documents to the stretches of each, in order of lines."""

_WORD: Final = re.compile(r"\w+")
_HELD: Final = 0.6
"""Share of the words of a candidate that the stretch holds which it is a part of."""


def nearness(
    part: SubQuestion, candidates: Sequence[Candidate], documents: Sequence[Found], near: Near | None
) -> NDArray[np.float32] | None:
    """For each candidate the best cosine of a stretch that holds it; 0 where there is none, None where none has any."""
    import numpy as np

    question = english_text(part)
    paths = [document.path for document in documents if document.is_whole]
    if near is None or not question.strip() or not paths:
        return None
    try:
        places = near(question, paths)
    except (EmbeddingError, KnowledgeBaseError):
        return None
    if not places:
        return None
    by_line = {path: _by_line(stretches) for path, stretches in places.items()}
    path_of = {document.rank: document.path for document in documents}
    held = {id(place): frozenset(_words(place.text)) for stretches in places.values() for place in stretches}
    found = np.zeros(len(candidates), np.float32)
    for at, candidate in enumerate(candidates):
        unit = candidate.unit
        lines = by_line.get(path_of[candidate.document], {})
        around = {id(place): place for line in (unit.start_line, unit.end_line) for place in lines.get(line, ())}
        if not around:
            continue
        own = frozenset(_words(unit.text))
        inside = [place.cosine for key, place in around.items() if len(own & held[key]) >= _HELD * len(own)]
        found[at] = max(inside) if inside else min(place.cosine for place in around.values())
    return found


def _by_line(stretches: Sequence[NearPlace]) -> Mapping[int, list[NearPlace]]:
    """The stretches whose passage holds each line."""
    found: dict[int, list[NearPlace]] = {}
    for place in stretches:
        for line in range(place.start_line, place.end_line + 1):
            found.setdefault(line, []).append(place)
    return found


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
