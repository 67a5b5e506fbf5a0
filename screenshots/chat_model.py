"""The chat model of the pictures: a server on loopback that plans, grades and writes what is scripted here.

No picture claims what a real model would say. What kbtui does with the words (streaming them, comparing each sentence
with the lines it cites, marking what no line supports, counting calls and tokens) is its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.support.model_request import Reply, Request
from tests.support.model_server import ModelServer
from tests.support.perfect_model import passages_of, perfect, plan, structured

NAME = "openai:scripted-model"

_PARTS = (
    {"semantic_intent": "When should a deploy be rolled back?", "search_keywords": "roll back deploy error rate"},
    {"semantic_intent": "Who may roll back a service?", "search_keywords": "on-call engineer roll back service"},
)
_SENTENCES = (
    ("Roll back when the error rate of a service stays above 2 % for five minutes after a deploy", "error rate of"),
    ("The on-call engineer may roll back any service without asking its team", "may roll back any service"),
    ("Announce it in `#beacon` before you touch anything", "Announce it in"),
)
INVENTED = "The pager stays silent for an hour after a rollback."


def scripted(request: Request) -> Reply:
    """Two sub-questions, honest grades, three sentences that passages have and one that none has."""
    if request.stage == "route":
        return structured(request, plan(request, complexity="complex", sub_questions=list(_PARTS)))
    if request.stage != "write":
        return perfect(request)
    lines = []
    for sentence, words in _SENTENCES:
        found = next((passage for passage in passages_of(request) if words in passage.text), None)
        lines.append(f"- {sentence} [{found.number if found else 1}].")
    return Reply(content="\n".join([*lines, "", INVENTED]))


@contextmanager
def served() -> Iterator[str]:
    """The base URL of the model, while it is served."""
    with ModelServer(scripted) as server:
        yield f"{server.url}/v1"
