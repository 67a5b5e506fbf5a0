"""A small folder as hits, sources and a made-up embedder, so that reasoning is tested without index or model."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from kbtui.domain.answer import WrittenAnswer
from kbtui.domain.events import AnswerDelta, Event
from kbtui.domain.evidence import Evidence, Hit
from kbtui.domain.ports import CancelToken, WritingBrief
from kbtui.domain.routing import RetrievalHint, SubQuestion
from kbtui.errors import KnowledgeBaseError
from kbtui.reasoning.offline import OfflineReasoner, offline_reasoner
from kbtui.text.tokenise import tokens

FILES = {
    "guides/breaker.md": """# Circuit breakers

A circuit breaker is a switch that stops calls to a service
that keeps failing. It opens after five errors in a row.

Calls are let through again when:

- the pause of 30 seconds is over
- a probe has succeeded
""",
    "guides/refunds.md": """# Refunds

Refunds are paid within 14 days. A refund above 500 euros needs
the approval of a team lead.
""",
    "guides/handover.md": """# Hand over the pager

The pager is handed over on Wednesday. Bring it charged.

## Steps

1. Write down what broke.
2. Say what is still fragile.
3. Swap the numbers in the console.
""",
    "guides/index.md": """# Guides

- [Hand over the pager](handover.md)
""",
    "config/limits.py": """MAX_RETRIES = 5


def retry(call):
    for _ in range(MAX_RETRIES):
        call()
""",
    "notes/limits.md": """# Limits

`MAX_RETRIES` is the number of attempts before a call fails.

We raised MAX_RETRIES in March.
""",
    "中文/报销.md": """# 报销流程

员工先填写报销单，再由主管审批。报销款在十天内到账。
""",
}


class Lines:
    """Sources that live in memory."""

    def __init__(self, files: dict[str, str]) -> None:
        self.files = files

    def lines(self, path: str) -> Sequence[str]:
        if path not in self.files:
            raise KnowledgeBaseError(f"{path} is gone.")
        return self.files[path].split("\n")


class WordEmbedder:
    """Texts are near when they share words: enough to see that likeness is used."""

    def __init__(self) -> None:
        self.encoded = 0

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.encoded += len(texts)
        return np.stack([self._vector(text) for text in texts])

    def query(self, text: str) -> NDArray[np.float32]:
        return self._vector(text)

    def relevance(self, question: str, texts: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        cosines = self.encode(texts) @ self.query(question)
        return cosines, 10 * cosines - 5

    def across_languages(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        return self.encode(texts) @ self.query(question)

    def _vector(self, text: str) -> NDArray[np.float32]:
        vector = np.zeros(512, dtype=np.float32)
        for token in tokens(text):
            vector[sum(map(ord, token)) % 512] += 1
        return vector / (np.linalg.norm(vector) or 1.0)


@pytest.fixture
def source() -> Lines:
    return Lines(dict(FILES))


@pytest.fixture
def reasoner(source: Lines) -> OfflineReasoner:
    return offline_reasoner(WordEmbedder(), source)


def hit(path: str, start: int = 1, end: int | None = None, **more: object) -> Hit:
    """The lines of a file of the folder as a hit."""
    lines = FILES[path].split("\n")
    last = end or len(lines) - 1
    fields: dict[str, object] = {"tool": "hybrid_search", "title": lines[0].lstrip("# ")} | more
    return Hit(path=path, start_line=start, end_line=last, text="\n".join(lines[start - 1 : last]), **fields)


Answers = Callable[..., WrittenAnswer]


@pytest.fixture
def answer(reasoner: OfflineReasoner) -> Answers:
    """Route, grade and write over given hits; checks that the deltas are the Markdown."""

    def ask(query: str, *hits: Hit, only: str = "") -> WrittenAnswer:
        routing = reasoner.router.route(query, RetrievalHint())
        evidence = []
        for question in routing.plan.sub_questions:
            given = [one for one in hits if not only or only in question.semantic_intent]
            scores = reasoner.grader.grade(question, given)
            for one, score in zip(given, scores, strict=True):
                if score >= 0.3:
                    evidence.append(
                        Evidence(
                            evidence_id=f"e{len(evidence) + 1}",
                            hit=one,
                            sub_question=question.semantic_intent,
                            score=score,
                            kept=True,
                        )
                    )
        evidence.sort(key=lambda item: -item.score)
        told: list[Event] = []
        brief = WritingBrief(query=query, routing=routing, evidence=tuple(evidence))
        written = reasoner.writer.write(brief, told.append, CancelToken())
        assert "".join(event.text for event in told if isinstance(event, AnswerDelta)) == written.markdown
        return written

    return ask


@pytest.fixture
def question() -> Callable[[str], SubQuestion]:
    return lambda text: SubQuestion(semantic_intent=text, search_keywords=text)
