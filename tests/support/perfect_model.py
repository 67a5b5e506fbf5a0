"""A chat model that does its work, as well as words can be counted: it reads the prompt and nothing else.

The plan is made of the question's words, a passage is worth the share of them that it has, and the answer is sentences
copied from the best passages, each with the number of its passage. So what comes out depends on what kbtui put in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from kbtui.text.tokenise import content_words, tokens
from tests.support.model_request import Reply, Request

OPENING = "In the words of the passages:"
"""How the perfect model begins an answer, and the offline writer never does."""

NOTHING = "NOT_FOUND"
"""What the writing prompt wants where no passage answers."""

_PASSAGE = re.compile(r"<(passage[\w-]*)\b([^>]*)>(.*?)</\1", re.S | re.I)
_NUMBER = re.compile(r"\bid=\"?(\d+)")
_PATH = re.compile(r"\bpath=\"([^\"]*)\"")
_SOURCE_TAG = re.compile(r"\[SOURCE:[^\]]*\]\s*")
_ASKED = re.compile(r"\bquestion=\"?(\d+)")
_QUESTION = re.compile(r"^Question(?: (\d+))?: *(\S.*)$", re.M)
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One passage of a prompt; ``question`` is the number of the question it was found for."""

    number: int
    question: int
    path: str
    text: str


def passages_of(request: Request) -> list[Passage]:
    """The numbered passages, in the order of the prompt."""
    found = []
    for match in _PASSAGE.finditer(request.said):
        number, path, asked = (pattern.search(match[2]) for pattern in (_NUMBER, _PATH, _ASKED))
        if number:
            text = _SOURCE_TAG.sub("", match[3]).strip()
            question = int(asked[1]) if asked else 1
            found.append(Passage(number=int(number[1]), question=question, path=path[1] if path else "", text=text))
    return found


def questions_of(request: Request) -> dict[int, str]:
    """The questions by number; one that has none is number 1."""
    found: dict[int, str] = {}
    for match in _QUESTION.finditer(_PASSAGE.sub("", request.said)):
        found.setdefault(int(match[1] or 1), match[2].strip())
    return found


def question_of(request: Request) -> str:
    """The first question."""
    return next(iter(questions_of(request).values()), "")


def share(question: str, text: str) -> float:
    """Share of the question's words that the text has."""
    wanted = set(tokens(" ".join(content_words(question)) or question))
    return len(wanted & set(tokens(text))) / len(wanted) if wanted else 0.0


def plan(request: Request, **instead: Any) -> dict[str, Any]:
    """The routing plan: one sub-question, the question itself."""
    question = question_of(request)
    words = content_words(question) or [question]
    made = {
        "query_type": "conceptual",
        "complexity": "simple",
        "sub_questions": [{"semantic_intent": question, "search_keywords": " ".join(words)}],
        "suggested_tools": ["hybrid_search"],
        "grep_keywords": words[:3],
        "standalone_question": "",
    }
    return made | instead


def scores(request: Request) -> list[tuple[int, float]]:
    """The number and worth of each passage."""
    questions = questions_of(request)
    return [
        (passage.number, _worth(share(questions.get(passage.question, ""), passage.text)))
        for passage in passages_of(request)
    ]


def grades(found: Iterable[tuple[int, Any]]) -> dict[str, Any]:
    """What a grading prompt wants back."""
    return {"grades": [{"id": number, "score": score} for number, score in found]}


def answer(request: Request, mark: str = "[{n}]") -> str:
    """The best sentence of each of the two best passages, each with its mark."""
    question = question_of(request)
    ranked = sorted(passages_of(request), key=lambda passage: -share(question, passage.text))
    points = []
    for passage in ranked[:2]:
        sentence = max(_sentences(passage.text), key=lambda one: share(question, one), default="")
        if share(question, sentence):
            points.append(f"- {sentence.rstrip('.。')} {mark.format(n=passage.number)}.")
    return "\n".join([OPENING, "", *points]) if points else NOTHING


def structured(request: Request, value: Any) -> Reply:
    """``value`` in the shape that was asked for: as the arguments of a tool call, or as JSON text."""
    text = json.dumps(value, ensure_ascii=False)
    return Reply(content=text, as_tool_call=request.tool if request.structured == "tools" else None)


def perfect(request: Request) -> Reply:
    """Do what the prompt asks for."""
    match request.stage:
        case "route":
            return structured(request, plan(request))
        case "grade":
            return structured(request, grades(scores(request)))
        case "write":
            return Reply(content=answer(request))
        case _:
            return Reply(content="OK")


def _worth(shared: float) -> float:
    """Passages that say it and passages that do not; nothing between, as a sure judge has it."""
    return 0.95 if shared >= 0.5 else 0.05


def _sentences(text: str) -> list[str]:
    lines = (line for line in text.split("\n") if not line.startswith(("#", "---", "title:")))
    found = (match[0].strip(" -*\t0123456789") for line in lines for match in _SENTENCE.finditer(line))
    return [sentence for sentence in found if len(sentence) > 8]
