"""The decisions of a run in order, from its audit log if there is one, else from its events.

Both sources yield the same type, so that a screen shows live and recorded runs alike. Only the audit log has the
prompts and raw answers of chat models.
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
_MODEL_CALL_FIELDS: Final = (
    *("stage", "model", "prompt", "answer", "error"),
    *("duration_ms", "tokens_in", "tokens_out", "cached"),
)
"""Keys of a model call's entry that `Decision` has fields for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A section of a decision; ``text`` is raw and must be cleaned before it is printed."""

    heading: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A decision of a node, or a call of the chat model.

    Attributes:
        name: The action of a node (``routed``, ``searched``) or the stage of a call (``route``, ``write``, ``repair``).
        iteration: The pass that it belongs to, from 1; 0 if unknown.
        duration_ms: Milliseconds; None if not recorded.
        tokens_in: Tokens of the prompt; None if not recorded.
        tokens_out: Tokens of the model's answer; None if not recorded.
        summary: The result in a few words.
        failed: Whether it ended with an error.
        parts: Its sections for display.
        raw: The entry as indented JSON.
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
    def searchable_text(self) -> str:
        """The text that a search over decisions looks at."""
        head = (self.name, self.model, self.summary)
        return "\n".join((*head, *(text for part in self.parts for text in (part.heading, part.text))))


def decisions(entries: Sequence[Entry]) -> tuple[Decision, ...]:
    """Audit entries as decisions; a model call belongs to the pass of the node that follows it."""
    result: list[Decision] = []
    iteration = 0
    for entry in reversed(entries):
        iteration = _int_or_none(entry.get("iteration")) or iteration
        result.append(_decision(entry, iteration))
    return tuple(reversed(result))


def entries_of(view: RunView) -> tuple[dict[str, Any], ...]:
    """The decisions in the events of a run, in the form of audit entries."""
    return tuple(_iter_entries(view))


def _decision(entry: Entry, iteration: int) -> Decision:
    node = str(entry.get("node", ""))
    is_model = node == MODEL_NODE
    node_name = _NAMES.get(node, node.replace("_", " "))
    return Decision(
        kind="model" if is_model else "warning" if node == "warning" else "node",
        name=str(entry.get("stage", "")) if is_model else pgettext("decision", node_name),
        iteration=iteration,
        model=str(entry.get("model", "")),
        duration_ms=_float_or_none(entry.get("duration_ms")),
        tokens_in=_int_or_none(entry.get("tokens_in")),
        tokens_out=_int_or_none(entry.get("tokens_out")),
        summary=_summary(node, entry),
        failed=bool(entry.get("error")),
        parts=tuple(_parts(entry)),
        raw=_indented_json(entry),
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
            reasoner = _("by the model") if entry.get("reasoner") == "llm" else _("by rules")
            kinds = (name_words(str(plan.get(key, ""))) for key in ("query_type", "complexity"))
            return " · ".join(part for part in (*kinds, reasoner) if part)
        case "plan":
            return ngettext("{count:,} call", "{count:,} calls", len(_list(entry.get("calls"))))
        case "tool_exec":
            results = [result for result in _list(entry.get("results")) if isinstance(result, Mapping)]
            failed = sum(1 for result in results if result.get("error"))
            hits = sum(_int_or_none(result.get("hits")) or 0 for result in results)
            text = ngettext("{count:,} hit", "{count:,} hits", hits)
            return " · ".join((text, _("{count} failed", count=failed))) if failed else text
        case "grade_evidence" | "evaluate":
            average = _float_or_none(entry.get("average"))
            text = _("average {score:.2f}", score=average) if average is not None else ""
            return " · ".join(part for part in (text, str(entry.get("action", ""))) if part)
        case "synthesize":
            sources = ngettext("{count:,} source", "{count:,} sources", len(_list(entry.get("citations"))))
            return " · ".join(part for part in (name_words(str(entry.get("outcome", ""))), sources) if part)
        case _:
            return str(entry.get("message", ""))


def _parts(entry: Entry) -> Iterator[Part]:
    """The error, raw answer and messages of a model call; the fields of a node as JSON."""
    if entry.get("node") != MODEL_NODE:
        yield Part(
            heading="", text=_indented_json({key: value for key, value in entry.items() if key not in _ENVELOPE})
        )
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
    other_fields = {key: value for key, value in entry.items() if key not in (*_ENVELOPE, *_MODEL_CALL_FIELDS)}
    if other_fields:
        yield Part(heading=_("more"), text=_indented_json(other_fields))


def _iter_entries(view: RunView) -> Iterator[dict[str, Any]]:
    passes = sorted({call.iteration for call in view.calls} | {step.iteration for step in view.steps})
    plan = view.routing_plan
    if plan is not None:
        from kbtui.domain.codec import plan_to_dict

        signals = [f"{signal.name}: {signal.detail}".strip(": ") for signal in view.routing_signals]
        routed = {"node": "analyze_and_route", "iteration": 1 if passes else view.iteration, "reasoner": view.reasoner}
        yield routed | {"plan": plan_to_dict(plan), "because": signals}
    for iteration in passes:
        steps = [step_view.step for step_view in view.steps if step_view.iteration == iteration]
        calls = [call for call in view.calls if call.iteration == iteration]
        if steps or calls:
            planned = [_step_entry(step) for step in steps] or [
                {"tool": call.tool, "purpose": call.sub_question} for call in calls
            ]
            yield {"node": "plan", "iteration": iteration, "calls": planned}
        if calls:
            yield {"node": "tool_exec", "iteration": iteration, "results": [_call_entry(call) for call in calls]}
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


def _step_entry(step: PlanStep) -> dict[str, Any]:
    """A step with those of its details that are set; only steps over data have a schema level or query type."""
    details = {
        "schema_level": step.schema_level,
        "query_type": step.query_type,
        "checkpoint": step.checkpoint,
        "estimated_ms": step.estimated_ms,
        "estimate_note": step.estimate_note,
    }
    return {"tool": step.tool, "purpose": step.purpose, **{key: value for key, value in details.items() if value}}


def _call_entry(call: CallView) -> dict[str, Any]:
    details = {"note": call.note, "cached": call.cached}
    return {
        "call_id": call.call_id,
        "tool": call.tool,
        "args": dict(call.args),
        "hits": call.result_count,
        "ms": call.duration_ms,
        "error": call.error,
        **{key: value for key, value in details.items() if value},
    }


def _readable(content: Any) -> str:
    """Text unchanged, unless it is JSON, which is indented: models send it on one line."""
    if not isinstance(content, str):
        return _indented_json(content)
    stripped = content.strip()
    if stripped[:1] in ("{", "[") and stripped[-1:] in ("}", "]"):
        try:
            return _indented_json(json.loads(stripped))
        except (ValueError, RecursionError):
            return content
    return content


def _indented_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, (list, tuple)) else ()


def _float_or_none(value: Any) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _int_or_none(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
