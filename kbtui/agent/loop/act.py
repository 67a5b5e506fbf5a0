"""Makes the tool calls of the model in parallel and adds their results to the conversation.

The calls are validated here, not by the prompt: offered tools only, arguments that match the schema, no repetition, and
only URLs and search words for the web that the user wrote, and to tools of other programs only words of the user.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from kbtui.agent.calling import call_in_parallel, emit_plan
from kbtui.agent.loop import facts
from kbtui.agent.loop.ids import format_id
from kbtui.agent.loop.look import statement_citation
from kbtui.agent.loop.shelf import TEXT_CHARS, over_files
from kbtui.agent.loop.state import LoopContext, LoopState
from kbtui.agent.nodes.plan import fingerprint
from kbtui.analysis.charts import build_chart
from kbtui.domain.analysis import ResultTable, Schema
from kbtui.domain.answer import Citation
from kbtui.domain.events import ChartProduced, TableProduced, Warned
from kbtui.domain.evidence import Evidence, Hit
from kbtui.domain.tooling import ToolCall, ToolOutput, ToolResult
from kbtui.question.normalise import question_language
from kbtui.reasoning.checking.rows import rows_of
from kbtui.reasoning.llm.context import estimate_tokens
from kbtui.reasoning.llm.conversation import Message
from kbtui.reasoning.llm.loose_json import read_object
from kbtui.reasoning.llm.reply import ModelCall
from kbtui.settings.secrets import without_known_secrets
from kbtui.text.terminal import one_line
from kbtui.text.tokenise import tokens
from kbtui.text.web_urls import web_urls
from kbtui.tools import read
from kbtui.tools.base import ToolSpec, first_problem
from kbtui.tools.sql import hours_of_days

RESULT_TOKENS: Final = 1_800
"""Tokens for the output of one call."""
_MIN_PASSAGE_TOKENS: Final = 600
"""Tokens for its passages where its text needs the rest."""
_MAX_ROWS: Final = 500
"""Most rows of a table on the screen."""


def act(state: LoopState, context: LoopContext) -> LoopState:
    """Make the calls and add their results to the conversation."""
    specs = {spec.name: spec for spec in context.tools}
    tried, replies = dict(state["tried"]), {}
    calls_by_id: dict[str, tuple[ToolCall, str]] = {}
    number, made = state["round"], state["made"]
    for call in state["calls"]:
        spec = specs.get(call.tool)
        args, problem = _validate(call, spec, list(specs))
        if spec is None or problem:
            replies[call.call_id] = problem
            continue
        args, problem = _restrict_web_args(spec.name, args, state, context)
        if spec.foreign is not None:
            problem = spec.foreign.unsendable(args, _user_text(state, context))
        key = fingerprint(spec.name, args)
        if problem or key in tried or any(key == other for _, other in calls_by_id.values()):
            replies[call.call_id] = problem or f"The same call as before; it brought {tried.get(key) or 'the same'}."
            continue
        made += 1
        calls_by_id[call.call_id] = (
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
    calls = [call for call, _ in calls_by_id.values()]
    evidence = list(state["evidence"])
    if calls:
        emit_plan(calls, number, context)
        results = {result.call.call_id: result for result in call_in_parallel(calls, context, warns=False)}
        for call_id, (tool_call, key) in calls_by_id.items():
            shelf_size = len(state["shelf"].given)
            replies[call_id] = _format_result(results[tool_call.call_id], state, context, evidence)
            tried[key] = _id_range(shelf_size, len(state["shelf"].given)) or one_line(replies[call_id], 120)
        facts.emit_evidence(facts.mark_given(evidence, state["shelf"]), "REFINE", number, context)
    if state.get("dropped"):
        last = state["calls"][-1].call_id
        replies[last] += f"\n{state['dropped']} further calls were not made: at most {len(state['calls'])} at once."
    return {
        "talk": state["talk"].with_messages(*_result_messages(state["calls"], replies)),
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


# Validation -----------------------------------------------------------------------------------------------------------


def _validate(call: ModelCall, spec: ToolSpec | None, names: Sequence[str]) -> tuple[dict[str, Any], str]:
    """The validated arguments, and an error message for the model; empty if the call is valid."""
    if spec is None or (spec.args is None and spec.foreign is None):
        return {}, f"There is no tool {one_line(call.tool, 60)!r}. Tools: {', '.join(names)}."
    if call.args is None:
        return (
            {},
            f"The arguments of {spec.name} are no JSON object, or were cut off. Call it again, with shorter ones.",
        )
    if spec.foreign is not None:
        foreign_args = _without_secrets(call.args)
        problem = spec.foreign.invalid(foreign_args)
        return foreign_args, f"{spec.name} does not take these arguments: {problem}." if problem else ""
    assert spec.args is not None, "one of the two is given"
    try:
        # A server knows the API key, so its model could leak it into arguments.
        validated = spec.args.model_validate(_repair(_without_secrets(call.args), spec.args))
    except ValidationError as error:
        return {}, f"{spec.name} does not take these arguments: {one_line(first_problem(error), 160).rstrip('.')}."
    return validated.model_dump(exclude_defaults=True), ""


def _without_secrets(args: Mapping[str, Any]) -> dict[str, Any]:
    cleaned: dict[str, Any] = json.loads(without_known_secrets(json.dumps(dict(args), ensure_ascii=False)))
    return cleaned


def _repair(args: Mapping[str, Any], shape: type[BaseModel]) -> dict[str, Any]:
    """Repair frequent errors of small models: an object or list as text, ``null`` for a missing argument."""
    repaired = {}
    for name, value in args.items():
        field = shape.model_fields.get(name)
        if field is None or value is None:
            continue
        if isinstance(value, str) and field.annotation is not str and value.strip()[:1] in ("{", "["):
            value = _parse_json(value)
        if isinstance(value, str) and field.annotation == list[str]:
            value = [part.strip() for part in value.split(",") if part.strip()]
        if isinstance(value, Mapping):
            value = {str(key): _as_text(condition) for key, condition in value.items()}
        if field.annotation is str and isinstance(value, (int, float)):
            value = str(value)
        repaired[name] = value
    return repaired


def _as_text(value: Any) -> str:
    """Convert a condition to text: ``["Draft", "Active"]`` to ``Draft|Active``."""
    return "|".join(map(str, value)) if isinstance(value, list) else "none" if value is None else str(value)


def _parse_json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        try:
            return read_object(text)
        except ValueError:
            return text


def _restrict_web_args(
    tool: str, args: dict[str, Any], state: LoopState, context: LoopContext
) -> tuple[dict[str, Any], str]:
    """Restrict the arguments of web tools to text of the user; return them with an error message or ``""``."""
    user_text = _user_text(state, context)
    if tool == "web_fetch":
        url = str(args.get("url", ""))
        result_urls = {hit.path for hit in state["shelf"].given.values() if hit.tool == "web_search"}
        if url in web_urls(user_text) or url in result_urls:
            return args, ""
        return args, "web_fetch opens only addresses that the user wrote or web_search found."
    if tool == "web_search":
        # A document may have injected words into the query, which leaves the machine.
        user_tokens = set(tokens(user_text))
        words = [word for word in str(args.get("query", "")).split() if set(tokens(word)) <= user_tokens]
        return {**args, "query": " ".join(words) or one_line(state["query"], 200)}, ""
    return args, ""


def _user_text(state: LoopState, context: LoopContext) -> str:
    """The user's own words: this question and the earlier ones."""
    return " ".join([state["query"], *(turn.query for turn in context.history)])


# Results --------------------------------------------------------------------------------------------------------------


def _format_result(result: ToolResult, state: LoopState, context: LoopContext, evidence: list[Evidence]) -> str:
    """Format the result of a call for the model; new lines are added to ``evidence``."""
    if not result.ok:
        return f"{result.call.tool} failed: {one_line(result.error or '', 400)}"
    shelf, output = state["shelf"], result.output
    blocks: list[str] = []
    table = output.artifact if isinstance(output.artifact, ResultTable) else None
    if output.text.strip():
        text = output.text.strip()[:TEXT_CHARS]
        sql = table.sql if table is not None else ""
        warning = hours_of_days(table) if table is not None else ""
        rows = None
        if table is not None:
            rows = rows_of(table.columns, table.rows, sql or text, table.row_count, warning)
        citation = _citation_for(output, context)
        number = shelf.put_text(text, citation, result.call.tool, sql, output.hits, rows, origin=output.origin)
        blocks.append(shelf.block_of_text(number, result.call.tool))
    _emit_rows(result, state, context)
    if table is not None and (warning := hours_of_days(table)):
        context.emit(Warned(message=f"A statement of the model asks for hours of the day: {warning}.", where="data"))
    passage_tokens = max(_MIN_PASSAGE_TOKENS, RESULT_TOKENS - estimate_tokens(" ".join(blocks)))
    lines, new_hits, omitted = shelf.passages(output.hits, passage_tokens, context.source)
    blocks += [lines] if lines else []
    evidence += facts.grade_hits(new_hits, state["question"], len(evidence), context)
    note = _range_note(result, new_hits, context) or output.note
    note = note if not omitted else f"{note}; {omitted} of them had no room: ask for less at once"
    if note and note not in output.text:
        blocks.append(f"({note})")
    return "\n".join(blocks) or "Nothing was found."


def _range_note(result: ToolResult, new_hits: Sequence[Hit], context: LoopContext) -> str:
    """The given lines of a file, which may be fewer than the tool read; empty for any other tool."""
    if result.call.tool != read.NAME or context.source is None or len(new_hits) != 1:
        return ""
    return read.range_note(new_hits[0], len(context.source.lines(new_hits[0].path)))


def _citation_for(output: ToolOutput, context: LoopContext) -> Citation | None:
    """The citation for the output of a tool: a statement or a source; None if it was made from lines."""
    artifact = output.artifact
    if output.origin:
        quote = output.text.strip()[:TEXT_CHARS]
        return Citation(n=0, kind="sql", sql="", source=output.origin, title=output.origin, quote=quote)
    titles = context.data.titles if context.data is not None else {}
    if isinstance(artifact, ResultTable) and artifact.sql:
        return statement_citation(TableProduced(step_id="", sql=artifact.sql, source=artifact.source), titles)
    if isinstance(artifact, Schema):
        return Citation(n=0, kind="sql", sql="", source=artifact.source, title=titles.get(artifact.source))
    return over_files(output.text) if isinstance(artifact, ResultTable) and output.hits else None


def _emit_rows(result: ToolResult, state: LoopState, context: LoopContext) -> None:
    """Show the rows of a statement, and their chart where the call asked for one."""
    table, step_id = result.output.artifact, result.call.step_id or result.call.call_id
    if not isinstance(table, ResultTable) or not table.sql:
        return
    context.emit(TableProduced.of(table, step_id, rows=table.rows[:_MAX_ROWS]))
    if result.output.chart is not None:
        chart, title = build_chart(result.output.chart, table, language=question_language(state["query"]))
        context.emit(ChartProduced(step_id=step_id, chart=chart, title=title))


def _id_range(before: int, after: int) -> str:
    if after == before:
        return ""
    return f"[{format_id(before + 1)}]" if after == before + 1 else f"[{format_id(before + 1)}] to [{format_id(after)}]"


def _result_messages(calls: Sequence[ModelCall], replies: Mapping[str, str]) -> list[Message]:
    """Messages with the results, in the order of the calls; one message for calls that were written as text."""
    if all(call.call_id.startswith("text_") for call in calls):
        text = "\n\n".join(f"{call.tool} brought:\n{replies[call.call_id]}" for call in calls)
        return [Message(speaker="user", text=text)]
    return [Message(speaker="tool", text=replies[call.call_id], call_id=call.call_id) for call in calls]
