"""How near candidates are to a question by stretches that the index knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kbtui.domain.evidence import Evidence, Hit, NearPlace
from kbtui.domain.ports import CancelToken
from kbtui.domain.routing import SubQuestion
from kbtui.errors import EmbeddingError
from kbtui.reasoning.citing import Citations
from kbtui.reasoning.offline.answering.candidates import candidates_of, documents_of
from kbtui.reasoning.offline.answering.nearness import nearness
from tests.reasoning.conftest import Lines

PIER = """# The pier

The pier is closed in a storm. Nobody is hurt.

It opens at nine.

## Boats

Boats leave hourly.
"""
ASKED = SubQuestion(semantic_intent="when does the pier open?")


def place(start: int, end: int, text: str, cosine: float) -> NearPlace:
    return NearPlace(start_line=start, end_line=end, text=text, cosine=cosine)


def near(_question: str, paths: Sequence[str]) -> Mapping[str, Sequence[NearPlace]]:
    assert paths == ["pier.md"]
    stretches = [
        place(3, 5, "The pier is closed in a storm. Nobody is hurt.", 0.2),
        place(3, 5, "Nobody is hurt. It opens at nine.", 0.7),
    ]
    return {"pier.md": stretches}


def test_a_candidate_is_as_near_as_the_best_stretch_that_holds_it() -> None:
    hit = Hit(path="pier.md", start_line=5, end_line=5, text="It opens at nine.", score=0.8, tool="hybrid_search")
    documents = documents_of([Evidence(evidence_id="e", hit=hit, sub_question="", score=0.8, kept=True)])
    candidates = candidates_of(documents, Citations(Lines({"pier.md": PIER})), CancelToken())
    found = nearness(ASKED, candidates, documents, near)
    assert found is not None
    told = {one.unit.text: round(float(value), 3) for one, value in zip(candidates, found, strict=True)}
    assert told == {
        "The pier is closed in a storm.": 0.2,
        "Nobody is hurt.": 0.7,
        "It opens at nine.": 0.7,
        "Boats leave hourly.": 0.0,
    }


def test_without_vectors_or_a_model_nothing_is_known() -> None:
    def broken(_question: str, _paths: Sequence[str]) -> Mapping[str, Sequence[NearPlace]]:
        raise EmbeddingError("no model", "")

    hit = Hit(path="pier.md", start_line=5, end_line=5, text="It opens at nine.", score=0.8, tool="hybrid_search")
    documents = documents_of([Evidence(evidence_id="e", hit=hit, sub_question="", score=0.8, kept=True)])
    for source in (None, broken, lambda _question, _paths: {}):
        assert nearness(ASKED, [], documents, source) is None
