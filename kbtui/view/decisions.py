"""What was decided in a run, one decision after the other: from the audit log where it is kept, else from the events.

Both become the same list, so a screen over it shows a run of this sitting and a recorded one alike; only the prompts
and raw answers of a chat model are in the audit log alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from kbtui.domain.answer import line_label
from kbtui.domain.events import PlanStep
from kbtui.i18n import N_, _, ngettext, pgettext
from kbtui.view.kind_words import name_words
from kbtui.view.view_state import CallView, RunView

Entry = Mapping[str, Any]
Kind = Literal["model", "node", "warning"]

MODEL_NODE: Final = "llm"
_NAMES: Final = {
    "analyze_and_route": N_("routed"),
    "plan": N_("planned"),
    "tool_exec": N_("searched"),
    "grade_evidence": N_("graded"),
    "evaluate": N_("graded"),
    "synthesize": N_("answered"),
    "warning": N_("warned"),
}
_ENVELOPE: Final = ("node", "run_id", "at", "iteration")
_TOLD_APART: Final = (
    *("stage", "model", "prompt", "answer", "error"),
    *("duration_ms", "tokens_in", "tokens_out", "cached"),
)
"""Of a call of the model: what has a field of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A piece of a decision under a heading of its own; ``text`` is as it was, not yet safe to print."""

    heading: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One decision of a node, or one call of the chat model.

    Attributes:
        name: ``routed``, ``searched``; of a call what it was for: ``route``, ``write``, ``repair``.
        iteration: The pass it belongs to, from 1; 0 where that is not known.
        summary: What came of it, in a few words.
        failed: It ended with an error.
        parts: All there is to read of it.
        raw: The whole of it as indented JSON.
    """

    kind: Kind
    name: str
    iteration: int = 0
    model: str = ""
    duration_ms: float | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    summary: str = ""
    failed: bool = False
    parts: tuple[Part, ...] = ()
    raw: str = ""

    @property
    def words(self) -> str:
        """Everything in it that can be searched for."""
        head = (self.name, self.model, self.summary)
        return "\n".join((*head, *(text for part in self.parts for text in (part.heading, part.text))))


def decisions(entries: Sequence[Entry]) -> tuple[Decision, ...]:
    """Audit entries as decisions. A call of the model belongs to the pass of the node that follows it."""
    result: list[Decision] = []
    iteration = 0
    for entry in reversed(entries):
        iteration = _whole(entry.get("iteration")) or iteration
        result.append(_decision(entry, iteration))
    return tuple(reversed(result))


def entries_of(view: RunView) -> tuple[dict[str, Any], ...]:
    """The decisions that a run's events carry, in the form of audit entries."""
    return tuple(_entries_of(view))


def _decision(entry: Entry, iteration: int) -> Decision:
    node = str(entry.get("node", ""))
    is_model = node == MODEL_NODE
    own_name = _NAMES.get(node, node.replace("_", " "))
    return Decision(
        kind="model" if is_model else "warning" if node == "warning" else "node",
        name=str(entry.get("stage", "")) if is_model else pgettext("decision", own_name),
        iteration=iteration,
        model=str(entry.get("model", "")),
        duration_ms=_number(entry.get("duration_ms")),
        tokens_in=_whole(entry.get("tokens_in")),
        tokens_out=_whole(entry.get("tokens_out")),
        summary=_summary(node, entry),
        failed=bool(entry.get("error")),
        parts=tuple(_parts(entry)),
        raw=_pretty(entry),
    )


def _summary(node: str, entry: Entry) -> str:
    if entry.get("error"):
        return str(entry["error"])
    match node:
        case "llm":
            return _("from the cache") if entry.get("cached") else ""
        case "analyze_and_route":
            plan = entry.get("plan")
            plan = plan if isinstance(plan, Mapping) else {}
            by = _("by the model") if entry.get("reasoner") == "llm" else _("by rules")
            kinds = (name_words(str(plan.get(key, ""))) for key in ("query_type", "complexity"))
            return " · ".join(part for part in (*kinds, by) if part)
        case "plan":
            return ngettext("{count:,} call", "{count:,} calls", len(_list(entry.get("calls"))))
        case "tool_exec":
            results = [result for result in _list(entry.get("results")) if isinstance(result, Mapping)]
            failed = sum(1 for result in results if result.get("error"))
            hits = sum(_whole(result.get("hits")) or 0 for result in results)
            told = ngettext("{count:,} hit", "{count:,} hits", hits)
            return " · ".join((told, _("{count} failed", count=failed))) if failed else told
        case "grade_evidence" | "evaluate":
            average = _number(entry.get("average"))
            told = _("average {score:.2f}", score=average) if average is not None else ""
            return " · ".join(part for part in (told, str(entry.get("action", ""))) if part)
        case "synthesize":
            sources = ngettext("{count:,} source", "{count:,} sources", len(_list(entry.get("citations"))))
            return " · ".join(part for part in (name_words(str(entry.get("outcome", ""))), sources) if part)
        case _:
            return str(entry.get("message", ""))


def _parts(entry: Entry) -> Iterator[Part]:
    """Of a call the error, the raw answer and the messages; of a node its facts as JSON."""
    if entry.get("node") != MODEL_NODE:
        yield Part(heading="", text=_pretty({key: value for key, value in entry.items() if key not in _ENVELOPE}))
        return
    if entry.get("error"):
        yield Part(heading=_("error"), text=str(entry["error"]))
    if "answer" in entry:
        yield Part(heading=_("raw answer"), text=_readable(entry["answer"]) or _("(nothing)"))
    for message in _list(entry.get("prompt")):
        if isinstance(message, Mapping):
            yield Part(
                heading=_("prompt: {role}", role=message.get("role", "")), text=_readable(message.get("content", ""))
            )
    rest = {key: value for key, value in entry.items() if key not in (*_ENVELOPE, *_TOLD_APART)}
    if rest:
        yield Part(heading=_("more"), text=_pretty(rest))


def _entries_of(view: RunView) -> Iterator[dict[str, Any]]:
    passes = sorted({call.iteration for call in view.calls} | {step.iteration for step in view.steps})
    plan = view.routing_plan
    if plan is not None:
        from kbtui.domain.codec import plan_to_dict

        signals = [f"{signal.name}: {signal.detail}".strip(": ") for signal in view.routing_signals]
        routed = {"node": "analyze_and_route", "iteration": 1 if passes else view.iteration, "reasoner": view.reasoner}
        yield routed | {"plan": plan_to_dict(plan), "because": signals}
    for iteration in passes:
        steps = [view_.step for view_ in view.steps if view_.iteration == iteration]
        calls = [call for call in view.calls if call.iteration == iteration]
        if steps or calls:
            planned = [_planned(step) for step in steps] or [
                {"tool": call.tool, "purpose": call.sub_question} for call in calls
            ]
            yield {"node": "plan", "iteration": iteration, "calls": planned}
        if calls:
            yield {"node": "tool_exec", "iteration": iteration, "results": [_result(call) for call in calls]}
    if view.action is not None:
        yield {
            "node": "grade_evidence",
            "iteration": view.iteration,
            "average": round(view.average, 4),
            "action": view.action,
            "evidence": [
                {
                    "where": line_label(item.path, item.start_line, item.end_line, item.locator),
                    "score": item.score,
                    "kept": item.kept,
                    "tool": item.tool,
                    "for": item.sub_question,
                }
                for item in view.evidence
            ],
        }
    if view.answer is not None:
        yield {
            "node": "synthesize",
            "iteration": view.iteration,
            "outcome": view.answer.outcome,
            "citations": [citation.label for citation in view.answer.citations],
            "unsupported": list(view.answer.unsupported),
        }
    for warning in view.warnings:
        yield {"node": "warning", "iteration": view.iteration, "message": warning.message, "where": warning.where}
    if view.error is not None:
        failure = {"node": "warning", "iteration": view.iteration, "error": view.error.message or view.error.error}
        yield failure | {"hint": view.error.hint}


def _planned(step: PlanStep) -> dict[str, Any]:
    """A step with what is set of it: of data the structure or kind of statement, the time expected and why."""
    told = {
        "schema_level": step.schema_level,
        "query_type": step.query_type,
        "checkpoint": step.checkpoint,
        "estimated_ms": step.estimated_ms,
        "estimate_note": step.estimate_note,
    }
    return {"tool": step.tool, "purpose": step.purpose, **{key: value for key, value in told.items() if value}}


def _result(call: CallView) -> dict[str, Any]:
    noted = {"note": call.note, "cached": call.cached}
    return {
        "call_id": call.call_id,
        "tool": call.tool,
        "args": dict(call.args),
        "hits": call.result_count,
        "ms": call.duration_ms,
        "error": call.error,
        **{key: value for key, value in noted.items() if value},
    }


def _readable(content: Any) -> str:
    """Text as it is; JSON indented, because what a model sends in one line is read in many."""
    if not isinstance(content, str):
        return _pretty(content)
    bare = content.strip()
    if bare[:1] in ("{", "[") and bare[-1:] in ("}", "]"):
        try:
            return _pretty(json.loads(bare))
        except (ValueError, RecursionError):
            return content
    return content


def _pretty(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, (list, tuple)) else ()


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
