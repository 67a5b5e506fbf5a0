"""How near each candidate is to the question by the vectors that the index keeps of stretches of a document."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

from kbtui.domain.evidence import NearPlace
from kbtui.domain.routing import SubQuestion
from kbtui.errors import EmbeddingError, KnowledgeBaseError
from kbtui.question.terms import english_text
from kbtui.reasoning.offline.answering.candidates import Candidate, Found
from kbtui.reasoning.offline.quotable import Unit

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
    passages = {document.rank: _Passages(places.get(document.path, ())) for document in documents}
    return np.array([passages[one.document].nearest(one.unit) for one in candidates], np.float32)


class _Passages:
    """The stretches of a document by the lines of their passage."""

    def __init__(self, stretches: Sequence[NearPlace]) -> None:
        lines = groupby(stretches, key=lambda one: (one.start_line, one.end_line))
        self._own = [(span, [(one.cosine, frozenset(_words(one.text))) for one in own]) for span, own in lines]
        self._of_line: dict[int, list[int]] = {}
        for at, ((start, end), _) in enumerate(self._own):
            for line in range(start, end + 1):
                self._of_line.setdefault(line, []).append(at)

    def nearest(self, unit: Unit) -> float:
        """The best cosine of a stretch that holds a unit; of none, the least around it; 0 where there is none."""
        held = {at for line in {unit.start_line, unit.end_line} for at in self._of_line.get(line, ())}
        around = [one for at in held for one in self._own[at][1]]
        if not around:
            return 0.0
        own = frozenset(_words(unit.text))
        least = _HELD * len(own)
        inside = [cosine for cosine, words in around if len(own & words) >= least]
        return max(inside) if inside else min(cosine for cosine, _ in around)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
