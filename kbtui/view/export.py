"""Exports a session as Markdown, as an HTML page or as its events (JSON Lines)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal, get_args

from kbtui.domain.answer import Citation, line_label
from kbtui.domain.codec import encode
from kbtui.errors import UsageError
from kbtui.i18n import N_, _, catalogue, made, ngettext
from kbtui.sessions.recording import Recording
from kbtui.text.code_marks import code_block, inline_code
from kbtui.text.language import cjk_share
from kbtui.text.terminal import clean, one_line, safe_json
from kbtui.view.folding import reduce_all
from kbtui.view.kind_words import OUTCOME_NAMES, model_words, name_words
from kbtui.view.markdown_text import escaped, without_footer
from kbtui.view.table_text import holds_whole_table, table_title
from kbtui.view.usage_words import usage_text
from kbtui.view.view_state import CallView, RunView, StepView

Format = Literal["md", "html", "jsonl"]
FORMATS: tuple[Format, ...] = get_args(Format)

_UNSUPPORTED = re.compile(r"(?<=\s)\[\?\](?!\()")

PHASES = {
    "planned": N_("planned"),
    "running": N_("running"),
    "done": N_("done"),
    "failed": N_("failed"),
    "skipped": N_("skipped"),
    "removed": N_("removed"),
}

UNSUPPORTED_LEGEND = N_("[?] marks a sentence that no source supports.")
_CHINESE_FROM = 0.3


def export_session(recording: Recording, format_: str) -> str:
    """The session in one of `FORMATS`, ending in a newline.

    Raises:
        UsageError: The format is unknown.
    """
    if format_ == "jsonl":
        return "".join(safe_json(encode(event)) + "\n" for event in recording.events)
    problem = recording.problem.message if recording.problem else ""
    if format_ == "md":
        return _markdown([reduce_all(run) for run in recording.runs], problem)
    if format_ == "html":
        from kbtui.view.export_html import page

        return page(recording.runs, problem)
    raise UsageError(
        _("There is no export format {name}.", name=format_), _("Choose one of {formats}.", formats=", ".join(FORMATS))
    )


def write_export(recording: Recording, format_: str, folder: Path) -> Path:
    """Export a session to a new file in ``folder`` and return its path; blocks.

    Args:
        format_: One of `FORMATS`; with the suffix ``.shared`` the home folder and keys are masked.

    Raises:
        StorageError: The file cannot be written.
    """
    from kbtui.view.artifacts import write_new
    from kbtui.view.sharing import shareable

    format_, shared, _rest = format_.partition(".shared")
    if shared:
        recording = shareable(recording, home=Path.home(), secrets=True)
    exported = export_session(recording, format_).encode("utf-8", "backslashreplace")
    return write_new(folder / f"{recording.path.stem}.{format_}", exported)


def answer_body(view: RunView) -> str:
    """The answer's Markdown without the list of sources at its end, which exports format themselves."""
    return without_footer(clean(view.markdown).rstrip(), view.citations)


def has_unsupported(view: RunView) -> bool:
    """Whether the answer has ``[?]`` marks, which need a legend."""
    return bool(view.answer and view.answer.unsupported and _UNSUPPORTED.search(view.answer.markdown))


def unsupported_legend(view: RunView) -> str:
    """What ``[?]`` means, in Chinese below a Chinese answer, else in the user's language."""
    is_chinese = cjk_share(answer_body(view)) >= _CHINESE_FROM
    return catalogue("zh").gettext(UNSUPPORTED_LEGEND) if is_chinese else _(UNSUPPORTED_LEGEND)


def start_time_text(view: RunView) -> str:
    """The start of a run as ``2026-11-20 21:03 UTC``; empty if unknown."""
    return f"{datetime.fromisoformat(view.started_at):%Y-%m-%d %H:%M %Z}" if view.started_at else ""


def outcome_text(view: RunView) -> str:
    if view.phase == "cancelled":
        return _("cancelled")
    if view.error is not None:
        return _("failed: {reason}", reason=one_line(made(view.error.message or view.error.error)))
    if view.outcome is not None:
        return _(OUTCOME_NAMES[view.outcome])
    return _("not finished")


def run_facts(view: RunView) -> list[str]:
    """Facts for the line above an answer: outcome, start, folder, model, duration, passes and model usage."""
    seconds = view.duration_ms / 1000 or view.elapsed_s
    passes = ngettext("{count} pass", "{count} passes", view.iteration) if view.iteration > 1 else ""
    origin = (outcome_text(view), start_time_text(view), one_line(view.kb), model_words(view.model))
    cost = (_("{n:.2f} s", n=seconds), passes, usage_text(view.usage))
    return [part for part in (*origin, *cost) if part]


def planned_steps(view: RunView) -> list[str]:
    """The steps of an analysis with tool, status and reason; empty for a search, whose calls are listed instead."""
    if not any(
        step_view.step.query_type or step_view.step.schema_level or step_view.decision for step_view in view.steps
    ):
        return []
    return [_step(step_view) for step_view in view.steps]


def _step(step_view: StepView) -> str:
    step = step_view.step
    kind = step.schema_level or step.query_type
    tool = f"{step.tool} ({kind})" if kind else step.tool
    guess = _("{n:.0f} ms expected", n=step.estimated_ms) if step.estimated_ms is not None else ""
    took = _("{n:.0f} ms", n=step_view.duration_ms) if step_view.duration_ms else ""
    tries = _("{count} tries", count=step_view.attempt) if step_view.attempt > 1 else ""
    marks = (_("checkpoint") if step.checkpoint else "", _("added") if step_view.added else "")
    parts = (_(PHASES[step_view.phase]), *marks, tries, guess, took, step_view.reason)
    return f"{step.purpose or step.tool}: {tool}, " + ", ".join(one_line(part) for part in parts if part)


def call_result(call: CallView) -> str:
    """The outcome of a tool call and its duration."""
    outcome = call_outcome(call)
    if call.status != "done":
        return outcome
    return outcome + _(", ") + (_("cached") if call.cached else _("{n:.0f} ms", n=call.duration_ms))


def call_outcome(call: CallView) -> str:
    """The outcome of a tool call: its failure, its note or the number of results."""
    if call.status == "failed":
        return _("failed: {reason}", reason=one_line(call.error or call.note))
    if call.status == "running":
        return _("not finished")
    return one_line(call.note) or _("{count} found", count=call.result_count)


def _markdown(views: Sequence[RunView], problem: str) -> str:
    parts = [_("# kbtui session")]
    if problem:
        parts.append("> " + _("Incomplete: {problem}", problem=escaped(problem)))
    for view in views:
        parts += _run(view)
    return "\n\n".join(parts) + "\n"


def _run(view: RunView) -> Iterable[str]:
    yield f"## {escaped(view.query) or _('A question')}"
    yield " · ".join(escaped(fact) for fact in run_facts(view))
    if text := answer_body(view):
        yield text
    if has_unsupported(view):
        yield escaped(unsupported_legend(view))
    if view.answer is not None and view.answer.unsupported:
        yield _("Without a source:") + "\n\n" + "\n".join(f"- {escaped(claim)}" for claim in view.answer.unsupported)
    if view.tables or view.charts:
        from kbtui.view.export_data import charts_markdown, tables_markdown

        # A table whose rows are all in the answer is not printed twice.
        yield from tables_markdown(
            (table, table_title(view, table)) for table in view.tables if not holds_whole_table(text, table)
        )
        yield from charts_markdown(view.charts)
    if view.citations:
        yield f"### {_('Sources')}"
        for citation in view.citations:
            yield _source(citation)
    if view.warnings:
        yield "\n".join(
            "> " + _("Warning: {message}", message=escaped(made(warning.message))) for warning in view.warnings
        )
    yield f"### {_('How it was answered')}"
    yield "\n".join(f"- {line}" for line in _steps(view)) or "- " + _("nothing was recorded")
    if view.evidence:
        yield _evidence(view)


def _source(citation: Citation) -> str:
    stale = f" ({_('changed since it was indexed')})" if citation.stale else ""
    head = f"[{citation.n}] {inline_code(citation.label)}{stale}"
    if citation.sql:
        note = f"\n\n{escaped(citation.quote)}" if citation.quote else ""
        return f"{head}\n\n{code_block(clean(citation.sql), 'sql')}{note}"
    return f"{head}\n\n{code_block(clean(citation.quote), 'text')}" if citation.quote else head


def _steps(view: RunView) -> Iterable[str]:
    plan = view.routing_plan
    if view.standalone:
        yield _("Asked as: {question}", question=escaped(view.standalone))
    if plan is not None:
        yield _(
            "Intent: {kind}, {complexity}, understood {reasoner}",
            kind=escaped(name_words(plan.query_type)),
            complexity=escaped(name_words(plan.complexity)),
            reasoner=escaped(view.reasoner),
        )
        for part in plan.sub_questions:
            keywords = inline_code(part.search_keywords) if part.search_keywords else ""
            keywords = f" ({_('keywords: {words}', words=keywords)})" if keywords else ""
            yield _("Sub-question: {part}", part=escaped(part.semantic_intent)) + keywords
    for number, step in enumerate(planned_steps(view), start=1):
        yield _("Step {n}: {step}", n=number, step=escaped(step))
    for call in view.calls:
        yield _(
            "Pass {n}: {tool} for “{part}”: {result}",
            n=call.iteration,
            tool=inline_code(call.tool),
            part=escaped(call.sub_question),
            result=escaped(call_result(call)),
        )
    if view.action is not None:
        kept = sum(item.kept for item in view.evidence)
        yield _(
            "Evidence: {kept} of {count} kept, average {score:.2f}, {action}",
            kept=kept,
            count=len(view.evidence),
            score=view.average,
            action=view.action,
        )


def _evidence(view: RunView) -> str:
    names = (_("score"), _("kept"), _("where"), _("found by"))
    rows = [f"| {' | '.join(names)} |", "|---:|:---:|---|---|"]
    for item in view.evidence:
        where = line_label(item.path, item.start_line, item.end_line, item.locator)
        mark = _("yes") if item.kept else _("no")
        rows.append(f"| {item.score:.2f} | {mark} | {escaped(where)} | {escaped(item.tool)} |")
    return "\n".join(rows)
