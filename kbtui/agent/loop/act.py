"""Call the tools that the model asked for, side by side, and tell it what they brought.

What it may call is checked here, not asked of it: tools that were offered, arguments of their shape, nothing twice,
addresses and words for the web that the user wrote.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from kbtui.agent.calling import called_side_by_side
from kbtui.agent.loop import facts
from kbtui.agent.loop.ids import named
from kbtui.agent.loop.look import cited
from kbtui.agent.loop.shelf import TEXT_CHARS
from kbtui.agent.loop.state import LoopContext, LoopState
from kbtui.agent.nodes.plan import fingerprint
from kbtui.domain.analysis import ResultTable, Schema
from kbtui.domain.answer import Citation
from kbtui.domain.events import TableProduced
from kbtui.domain.evidence import Evidence, Hit
from kbtui.domain.tooling import ToolCall, ToolOutput, ToolResult
from kbtui.reasoning.llm.context import estimate_tokens
from kbtui.reasoning.llm.conversation import Said
from kbtui.reasoning.llm.loose_json import read_object
from kbtui.reasoning.llm.reply import ModelCall
from kbtui.settings.secrets import without_known_secrets
from kbtui.text.terminal import one_line
from kbtui.text.tokenise import tokens
from kbtui.text.web_urls import web_urls
from kbtui.tools import read
from kbtui.tools.base import ToolSpec

RESULT_TOKENS: Final = 1_800
"""Room for what one call brings."""
LEAST_TOKENS: Final = 600
"""Room for its lines where its text needs the rest."""
_ROWS: Final = 500
"""Rows of a table that the screen is shown."""


def act(state: LoopState, context: LoopContext) -> LoopState:
    """Make the calls and add what they brought to the conversation."""
    specs = {spec.name: spec for spec in context.tools}
    tried, said = dict(state["tried"]), {}
    planned: dict[str, tuple[ToolCall, str]] = {}
    number, made = state["round"], state["made"]
    for call in state["calls"]:
        spec = specs.get(call.tool)
        args, problem = _checked(call, spec, list(specs))
        if spec is None or problem:
            said[call.call_id] = problem
            continue
        args, problem = _allowed(spec.name, args, state, context)
        key = fingerprint(spec.name, args)
        if problem or key in tried or any(key == other for _, other in planned.values()):
            said[call.call_id] = problem or f"The same call as before; it brought {tried.get(key) or 'the same'}."
            continue
        made += 1
        planned[call.call_id] = (
            ToolCall(
                call_id=f"c{made}",
                step_id=f"s{made}",
                tool=spec.name,
                args=args,
                sub_question=state["question"].semantic_intent,
                iteration=number,
            ),
            key,
        )
    calls = [call for call, _ in planned.values()]
    evidence = list(state["evidence"])
    if calls:
        facts.planned(calls, number, context)
        results = {result.call.call_id: result for result in called_side_by_side(calls, context, warns=False)}
        for call_id, (made_call, key) in planned.items():
            before = len(state["shelf"].given)
            said[call_id] = _told(results[made_call.call_id], state, context, evidence)
            tried[key] = _span(before, len(state["shelf"].given)) or one_line(said[call_id], 120)
        facts.told(facts.given(evidence, state["shelf"]), "REFINE", number, context)
    if state.get("dropped"):
        last = state["calls"][-1].call_id
        said[last] += f"\n{state['dropped']} further calls were not made: at most {len(state['calls'])} at once."
    return {
        "talk": state["talk"].then(*_results(state["calls"], said)),
        "calls": (),
        "tried": tried,
        "made": made,
        "repeats": 0 if calls else state["repeats"] + 1,
        "evidence": tuple(evidence),
        "audit": [
            {
                "node": "act",
                "iteration": number,
                "calls": [{"call_id": call.call_id, "tool": call.tool, "args": dict(call.args)} for call in calls],
                "refused": len(state["calls"]) - len(calls),
            }
        ],
    }


# What may be called ---------------------------------------------------------------------------------------------------


def _checked(call: ModelCall, spec: ToolSpec | None, names: Sequence[str]) -> tuple[dict[str, Any], str]:
    """The arguments as the tool takes them, and what is wrong with the call; empty where nothing is."""
    if spec is None or spec.args is None:
        return {}, f"There is no tool {one_line(call.tool, 60)!r}. Tools: {', '.join(names)}."
    if call.args is None:
        return (
            {},
            f"The arguments of {spec.name} are no JSON object, or were cut off. Call it again, with shorter ones.",
        )
    try:
        # A server knows the key it was sent, so its model can repeat it.
        given = spec.args.model_validate(_mended(_without_secrets(call.args), spec.args))
    except ValidationError as error:
        return {}, f"{spec.name} does not take these arguments: {_first(error)}."
    return given.model_dump(exclude_defaults=True), ""


def _without_secrets(args: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(without_known_secrets(json.dumps(dict(args), ensure_ascii=False)))
    return found


def _mended(args: Mapping[str, Any], shape: type[BaseModel]) -> dict[str, Any]:
    """Arguments with slips of small models put right: an object or list as text, ``null`` for *left out*."""
    found = {}
    for name, value in args.items():
        field = shape.model_fields.get(name)
        if field is None or value is None:
            continue
        if isinstance(value, str) and field.annotation is not str and value.strip()[:1] in ("{", "["):
            value = _parsed(value)
        if isinstance(value, str) and field.annotation == list[str]:
            value = [part.strip() for part in value.split(",") if part.strip()]
        if isinstance(value, Mapping):
            value = {str(key): _as_text(one) for key, one in value.items()}
        if field.annotation is str and isinstance(value, (int, float)):
            value = str(value)
        found[name] = value
    return found


def _as_text(value: Any) -> str:
    """A condition as text: ``["Draft", "Active"]`` is ``Draft|Active``."""
    return "|".join(map(str, value)) if isinstance(value, list) else "none" if value is None else str(value)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        try:
            return read_object(text)
        except ValueError:
            return text


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return one_line(f"{where}: {first['msg']}" if where else first["msg"], 160).rstrip(".")


def _allowed(tool: str, args: dict[str, Any], state: LoopState, context: LoopContext) -> tuple[dict[str, Any], str]:
    """The arguments of a call that leaves this machine, made of what the user wrote; others as they are."""
    asked = " ".join([state["query"], *(turn.query for turn in context.history)])
    if tool == "web_fetch":
        url = str(args.get("url", ""))
        found = {hit.path for hit in state["shelf"].given.values() if hit.tool == "web_search"}
        if url in web_urls(asked) or url in found:
            return args, ""
        return args, "web_fetch opens only addresses that the user wrote or web_search found."
    if tool == "web_search":
        # A document may have put words into the model's mouth, and these leave the machine.
        own = set(tokens(asked))
        words = [word for word in str(args.get("query", "")).split() if set(tokens(word)) <= own]
        return {**args, "query": " ".join(words) or one_line(state["query"], 200)}, ""
    return args, ""


# What is told ---------------------------------------------------------------------------------------------------------


def _told(result: ToolResult, state: LoopState, context: LoopContext, evidence: list[Evidence]) -> str:
    """What a call brought, as the model reads it; new lines become evidence."""
    if not result.ok:
        return f"{result.call.tool} failed: {one_line(result.error or '', 400)}"
    shelf, output = state["shelf"], result.output
    blocks: list[str] = []
    if output.text.strip():
        text = output.text.strip()[:TEXT_CHARS]
        behind = output.artifact.sql if isinstance(output.artifact, ResultTable) else ""
        number = shelf.put_text(text, _stands_for(output, context), result.call.tool, behind, output.hits)
        blocks.append(shelf.block_of_text(number, result.call.tool))
    _show(result, context)
    room = max(LEAST_TOKENS, RESULT_TOKENS - estimate_tokens(" ".join(blocks)))
    lines, shown, left = shelf.passages(output.hits, room, context.source)
    blocks += [lines] if lines else []
    evidence += facts.graded(shown, state["question"], len(evidence), context)
    note = _range_note(result, shown, context) or output.note
    note = note if not left else f"{note}; {left} of them had no room: ask for less at once"
    if note and note not in output.text:
        blocks.append(f"({note})")
    return "\n".join(blocks) or "Nothing was found."


def _range_note(result: ToolResult, shown: Sequence[Hit], context: LoopContext) -> str:
    """Which lines of a file were given, where fewer had room than the tool read; empty for anything else."""
    if result.call.tool != read.NAME or context.source is None or len(shown) != 1:
        return ""
    return read.range_note(shown[0], len(context.source.lines(shown[0].path)))


def _stands_for(output: ToolOutput, context: LoopContext) -> Citation | None:
    """What is cited for what a tool worked out: a statement or a source; None where it was made from lines."""
    artifact = output.artifact
    titles = context.data.titles if context.data is not None else {}
    if isinstance(artifact, ResultTable) and artifact.sql:
        return cited(TableProduced(step_id="", sql=artifact.sql, source=artifact.source), titles)
    if isinstance(artifact, Schema):
        return Citation(n=0, kind="sql", sql="", source=artifact.source, title=titles.get(artifact.source))
    return None


def _show(result: ToolResult, context: LoopContext) -> None:
    table = result.output.artifact
    if isinstance(table, ResultTable) and table.sql:
        context.emit(
            TableProduced(
                step_id=result.call.step_id or result.call.call_id,
                columns=table.columns,
                rows=table.rows[:_ROWS],
                row_count=table.row_count,
                truncated=table.truncated,
                sql=table.sql,
                source=table.source,
            )
        )


def _span(before: int, after: int) -> str:
    if after == before:
        return ""
    return f"[{named(before + 1)}]" if after == before + 1 else f"[{named(before + 1)}] to [{named(after)}]"


def _results(calls: Sequence[ModelCall], said: Mapping[str, str]) -> list[Said]:
    """The results in the order of the calls; of calls that were written as text, in one message."""
    if all(call.call_id.startswith("text_") for call in calls):
        text = "\n\n".join(f"{call.tool} brought:\n{said[call.call_id]}" for call in calls)
        return [Said(speaker="user", text=text)]
    return [Said(speaker="tool", text=said[call.call_id], call_id=call.call_id) for call in calls]
