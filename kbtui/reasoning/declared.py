"""Tools of other packages in plans: each declares by examples what it answers, and how a question gives its arguments.

`DeclaredRouter` stands around any other router and adds a tool to the parts of a question that resemble one of its
examples. A part is compared as it is and without each thing that it names, so that "what is left to do about the
winch?" resembles "what is left to do?".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec
from msgspec.structs import replace

from kbtui.domain.ports import QueryRouter
from kbtui.domain.routing import RetrievalHint, Routing, Signal, SubQuestion
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import EmbeddingError
from kbtui.question.normalise import has_han
from kbtui.question.noun_phrases import joined_noun_phrases
from kbtui.question.reader import read
from kbtui.text.terminal import one_line
from kbtui.tools.base import Answers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SIGNAL: Final = "declared"
"""Signal of a hit: how much the question resembles what its tool says that it answers."""

_LEAST: Final = {False: 0.5, True: 0.6}
"""Least likeness to an example, of questions without and with Chinese characters.

Of 2,000 questions on other subjects 8 were more like the examples of the plug-in in the documentation, of 400 Chinese
ones 1.
"""
_MOST_EXAMPLES: Final = 50
_MOST_ARGUMENTS: Final = 20_000
"""Characters of the arguments of one call."""

CallTool = Callable[[str, Mapping[str, Any]], ToolOutput]


class EncodesQuestions(Protocol):
    """What is needed of an embedder."""

    def query(self, text: str, /) -> NDArray[np.float32]: ...


class DeclaredTools:
    """The tools of other packages that say what they answer.

    Args:
        answers: Their declarations by name.
        embedder: Gives the embedder; asked for the first question.
        today: The day that "last month" is counted from.
        warn: Receives one sentence for each declaration that cannot be used.
    """

    def __init__(
        self,
        answers: Mapping[str, Answers],
        embedder: Callable[[], EncodesQuestions],
        today: Callable[[], date],
        warn: Callable[[str], None],
    ) -> None:
        self._answers = answers
        self._embedder = embedder
        self._today = today
        self._warn = warn
        self._likeness: dict[str, float] = {}

    @property
    def own_arguments(self) -> Mapping[str, Callable[[str], Mapping[str, Any] | None]]:
        """Functions of the text of a question that give the arguments of each tool; see `arguments`."""
        return {name: partial(self.arguments, name) for name in self._answers}

    def around(self, router: QueryRouter) -> DeclaredRouter:
        """``router``, whose plans have these tools too."""
        return DeclaredRouter(router, self)

    def matches(self, text: str) -> tuple[tuple[str, float, str], ...]:
        """The tools for a question with the likeness and the example, the most alike first."""
        found = []
        for name in self._answers:
            likeness, example = self._best_example(name, text)
            if likeness >= _LEAST[has_han(text)] and self.arguments(name, text) is not None:
                self._likeness[name] = max(likeness, self._likeness.get(name, 0.0))
                found.append((name, likeness, example))
        return tuple(sorted(found, key=lambda match: -match[1]))

    def arguments(self, name: str, text: str) -> Mapping[str, Any] | None:
        """The arguments of a tool for a question; None where the tool does not take the question."""
        try:
            given = self._answers[name].arguments(read(text, today=self._today()))
            if given is None:
                return None
            arguments: dict[str, Any] = msgspec.to_builtins(dict(given), str_keys=True)
            if len(msgspec.json.encode(arguments)) > _MOST_ARGUMENTS:
                raise ValueError("they are too long")
        except Exception as error:  # noqa: BLE001 - code of third parties; the other tools are not affected
            self._warn(f"The plug-in tool {name!r} gave no arguments and was skipped: {one_line(str(error), 200)}")
            return None
        return arguments

    def marking(self, call: CallTool) -> CallTool:
        """``call``, with the likeness of the question as a signal of the hits of these tools."""

        def marked(name: str, args: Mapping[str, Any]) -> ToolOutput:
            output = call(name, args)
            likeness = self._likeness.get(name)
            if likeness is None:
                return output
            hits = tuple(
                replace(hit, tool=name, score=min(1.0, max(0.0, hit.score)), signals={**hit.signals, SIGNAL: likeness})
                for hit in output.hits
            )
            return replace(output, hits=hits)

        return marked

    def _best_example(self, name: str, text: str) -> tuple[float, str]:
        examples = [
            example for example in self._answers[name].examples[:_MOST_EXAMPLES] if has_han(example) == has_han(text)
        ]
        if not examples:
            return 0.0, ""
        try:
            embedder = self._embedder()
            vectors = [embedder.query(variant) for variant in _variants(text)]
            return max(
                (max(float(embedder.query(example) @ vector) for vector in vectors), example) for example in examples
            )
        except EmbeddingError:
            return 0.0, ""  # the tool that needs the model reports that it is missing


@lru_cache(maxsize=64)
def _variants(text: str) -> tuple[str, ...]:
    """A question as it is, and without each thing that it names."""
    shorter = (
        re.sub(r"\s+", " ", text[: thing.start] + text[thing.end :]).strip() for thing in joined_noun_phrases(text)
    )
    return tuple(dict.fromkeys((text, *(variant for variant in shorter if len(variant) > 1))))


class DeclaredRouter:
    """Adds the tools of other packages to the first plan of another router.

    Args:
        inner: Who routes.
        tools: The tools that may be added.
    """

    def __init__(self, inner: QueryRouter, tools: DeclaredTools) -> None:
        self._inner = inner
        self._tools = tools

    def route(self, query: str, hint: RetrievalHint) -> Routing:
        """See `QueryRouter`."""
        routing = self._inner.route(query, hint)
        plan = routing.plan
        if plan.query_type == "chitchat" or hint.iteration > 0:
            return routing
        parts = plan.sub_questions or (SubQuestion(semantic_intent=query),)
        matches = {part.semantic_intent: self._tools.matches(part.semantic_intent) for part in parts}
        if not any(matches.values()):
            return routing
        own = tuple(
            (part.semantic_intent, (*routing.tools_of(part), *(name for name, _, _ in matches[part.semantic_intent])))
            for part in parts
        )
        signals = tuple(
            Signal(name="tool", detail=f"{name}: {example}", weight=round(likeness, 2))
            for found in matches.values()
            for name, likeness, example in found
        )
        return replace(
            routing,
            plan=replace(plan, suggested_tools=_union(plan.suggested_tools, own)),
            signals=(*routing.signals, *dict.fromkeys(signals)),
            own_tools=own if len(own) > 1 else (),
        )


def _union(suggested: Sequence[str], own: Sequence[tuple[str, tuple[str, ...]]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*suggested, *(tool for _, tools in own for tool in tools))))
