"""A chat model that works in the loop by a script: one move a call, each made from what it was told."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final

from tests.support.model_request import Reply, Request
from tests.support.perfect_model import perfect

Move = Reply | str | Callable[[Request], Reply]

_PASSAGE: Final = re.compile(r'<passage id="(p\d+)"[^>]*>(.*?)</passage', re.S)
_LINE: Final = re.compile(r"^\[(p\d+)\] (.*)$", re.M)


class Looper:
    """Makes its moves one after the other, the last one again and again; the fixed pipeline it serves perfectly.

    Args:
        moves: A reply, an answer in words, or what makes a reply of the request.
        calls_tools: What it does when it is asked whether it can.
    """

    def __init__(self, *moves: Move, calls_tools: bool = True) -> None:
        self.moves = moves
        self.calls_tools = calls_tools

    def __call__(self, request: Request) -> Reply:
        if request.stage == "probe":
            return calls(("note_word", {"word": "orange"})) if self.calls_tools else Reply(content="orange")
        if request.stage != "loop":
            return perfect(request)
        move = self.moves[min(request.number, len(self.moves)) - 1]
        if isinstance(move, str):
            return Reply(content=move)
        return move if isinstance(move, Reply) else move(request)


def calls(*wanted: tuple[str, dict[str, Any]], before: str = "") -> Reply:
    """A reply that calls tools."""
    made = tuple((tool, json.dumps(args, ensure_ascii=False)) for tool, args in wanted)
    return Reply(content=before, calls=made)


def id_of(request: Request, text: str) -> str:
    """The id of what the model was given that holds ``text``."""
    for pattern in (_LINE, _PASSAGE):
        for name, held in pattern.findall(request.said):
            if text in held:
                return str(name)
    raise AssertionError(f"nothing given holds {text!r}:\n{request.said}")


def saying(text: str, holds: str) -> Callable[[Request], Reply]:
    """Answers ``text`` behind which stands the id of what holds ``holds``."""
    return lambda request: Reply(content=f"{text} [{id_of(request, holds)}].")
