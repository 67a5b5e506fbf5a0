"""Exports a session as an HTML page without external resources, in the light or dark scheme of the reader's system.

An inline script, allowed by its hash in the page's policy, adds search and step-by-step display of a run. Without
scripts the page shows everything.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from html import escape

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

from kbtui.domain.answer import Citation, line_label
from kbtui.domain.events import Event, EvidenceItem, ToolFinished
from kbtui.i18n import N_, _, language, made
from kbtui.text.terminal import clean, one_line
from kbtui.text.word_lists import text_in
from kbtui.view.export import (
    answer_body,
    call_result,
    has_unsupported,
    outcome_text,
    planned_steps,
    run_facts,
    unsupported_legend,
)
from kbtui.view.folding import reduce_all
from kbtui.view.kind_words import name_words, sign_words
from kbtui.view.table_text import holds_whole_table, table_title
from kbtui.view.timeline import RunSpan, recorded_seconds, stage_marks
from kbtui.view.view_state import RunView, StageName

_CITE = re.compile(r"\[(\d{1,3})\](?![(\[])")


def page(runs: Sequence[Sequence[Event]], problem: str = "") -> str:
    """The page; ``problem`` says why a recording is incomplete."""
    views = [reduce_all(run) for run in runs]
    title = _text(views[0].query if views else "") or _("Session")
    note = f'<p class="note" role="note">{_("Incomplete: {problem}", problem=_text(problem))}</p>' if problem else ""
    articles = "\n".join(
        _run(number, view, EventPositions(run))
        for number, (view, run) in enumerate(zip(views, runs, strict=True), start=1)
    )
    script = text_in(__package__, "export.js")
    digest = b64encode(sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    return f"""<!doctype html>
<html lang="{language()}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="kbtui">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title} · kbtui</title>
<style>
{text_in(__package__, "export.css")}</style>
</head>
<body>
<div class="page">
<header><h1 class="brand">{_("kbtui session")}</h1>{note}{_search()}{_contents(views)}</header>
<main>
{articles}
</main>
</div>
<script>{script}</script>
</body>
</html>
"""


class EventPositions:
    """Positions, from 1, of the events of a run, as attributes of the elements that show them."""

    def __init__(self, run: Sequence[Event]) -> None:
        self._run = run
        self._kinds: dict[str, int] = {event.kind: position for position, event in enumerate(run, start=1)}
        self._calls = {
            event.call_id: position for position, event in enumerate(run, start=1) if isinstance(event, ToolFinished)
        }

    def attribute(self, *kinds: str) -> str:
        """The attribute with the position of the last event of these kinds; empty if there is none."""
        position = max((self._kinds.get(kind, 0) for kind in kinds), default=0)
        return f' data-at="{position}"' if position else ""

    def call_attribute(self, call_id: str) -> str:
        """The attribute with the position of the event that finished a tool call."""
        return f' data-at="{self._calls[call_id]}"' if call_id in self._calls else ""

    def step_control(self) -> str:
        """The control that steps through the events, with marks where stages begin; hidden without the script."""
        span = (RunSpan(start=0, stop=len(self._run)),)
        marks = "".join(
            f'<button type="button" data-to="{mark.position}">{_(_STAGES[mark.stage])}</button>'
            for mark in stage_marks(self._run, span)
        )
        times = " ".join(f"{seconds:.2f}" for seconds in recorded_seconds(self._run, span))
        kinds = " ".join(event.kind for event in self._run)
        return (
            f'<div class="steps" role="group" aria-label="{_("Step by step")}" hidden'
            f' data-template="{_("{position} of {count}")}"'
            f' data-times="{times}" data-kinds="{kinds}">'
            f'<button type="button" class="back" aria-label="{_("Event before")}">←</button>'
            f'<input type="range" min="0" max="{len(self._run)}" value="{len(self._run)}"'
            f' aria-label="{_("Events shown")}">'
            f'<button type="button" class="on" aria-label="{_("Next event")}">→</button><output></output>'
            f'<div class="marks">{marks}</div></div>'
        )


_STAGES: dict[StageName, str] = {
    "intent": N_("intent"),
    "sub_questions": N_("sub questions"),
    "tool_calls": N_("tool calls"),
    "plan_steps": N_("plan steps"),
    "evidence": N_("evidence"),
    "answer": N_("answer"),
}


def _search() -> str:
    return (
        f'<form role="search" hidden data-template="{_("{places} in {left} of {articles}")}">'
        f'<input type="search" placeholder="{_("Search")}"'
        f' aria-label="{_("Search questions and answers")}"><output></output></form>'
    )


def _contents(views: Sequence[RunView]) -> str:
    items = "".join(
        f'<li><a href="#run-{number}">{_text(view.query)}</a></li>' for number, view in enumerate(views, start=1)
    )
    return f'<nav aria-label="{_("Questions")}"><ol>{items}</ol></nav>' if items else ""


def _run(number: int, view: RunView, positions: EventPositions) -> str:
    text = answer_body(view)
    proof = _sources(number, view.citations)
    answered = positions.attribute("answer_completed", "run_failed")
    parts = [
        f'<article id="run-{number}" aria-labelledby="q-{number}">',
        f'<h2 id="q-{number}" dir="auto">{_text(view.query) or _("A question")}</h2>',
        f'<p class="facts">{" <span>·</span> ".join(_text(fact) for fact in run_facts(view))}</p>',
        positions.step_control(),
        '<div class="columns">',
        f"<div><div{answered}>",
        _answer(number, view),
        *_notes(view),
        *_data(view, text),
        "</div></div>",
        f'<aside class="proof" aria-label="{_("Proof")}"{answered}>{proof}</aside>' if proof else "",
        "</div>",
        _explanation(view, positions),
        "</article>",
    ]
    return "\n".join(part for part in parts if part)


def _data(view: RunView, text: str) -> Iterable[str]:
    """Tables and charts; a table whose rows are all in the answer is left out."""
    if view.tables or view.charts:
        from kbtui.view.export_data import chart_html, table_html

        yield from (
            table_html(table, table_title(view, table)) for table in view.tables if not holds_whole_table(text, table)
        )
        yield from (chart_html(chart) for chart in view.charts)


def _answer(number: int, view: RunView) -> str:
    text = answer_body(view)
    if not text:
        return f'<p class="note">{_("No answer: {reason}.", reason=_text(outcome_text(view)))}</p>'
    parser = _parser(number, {citation.n for citation in view.citations}, has_unsupported(view))
    tokens = parser.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):  # below the headings of the question and its sections
            token.tag = f"h{min(6, int(token.tag[1]) + 3)}"
    html = parser.renderer.render(tokens, parser.options, {})
    return f'<section class="answer" aria-label="{_("Answer")}" dir="auto">{html}</section>'


def _parser(number: int, known: set[int], mark_unsupported: bool) -> MarkdownIt:
    """A Markdown parser that escapes tags, drops images, links ``[n]`` to its source and highlights ``[?]``."""
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("image")

    def cite(state: StateInline, silent: bool) -> bool:
        match = _CITE.match(state.src, state.pos)
        if match is None or int(match[1]) not in known:
            return False
        if not silent:
            opened = state.push("link_open", "a", 1)
            opened.attrs = {
                "href": f"#source-{number}-{match[1]}",
                "class": "cite",
                "aria-label": _("source {n}", n=match[1]),
            }
            state.push("text", "", 0).content = match[1]
            state.push("link_close", "a", -1)
        state.pos = match.end()
        return True

    def unsupported(state: StateInline, silent: bool) -> bool:
        if not state.src.startswith("[?]", state.pos) or state.src.startswith("(", state.pos + 3):
            return False
        if not silent:
            state.push("mark_open", "mark", 1).attrs = {"class": "unsupported"}
            state.push("text", "", 0).content = "[?]"
            state.push("mark_close", "mark", -1)
        state.pos += 3
        return True

    parser.inline.ruler.before("link", "cite", cite)
    if mark_unsupported:
        parser.inline.ruler.before("link", "unsupported", unsupported)
    return parser


def _notes(view: RunView) -> Iterable[str]:
    if view.error is not None and view.error.hint:
        yield f'<p class="note">{_text(made(view.error.hint))}</p>'
    if has_unsupported(view):
        yield f'<p class="quiet">{_text(unsupported_legend(view))}</p>'
    if view.answer is not None:
        for claim in view.answer.unsupported:
            yield f'<p class="note">{_("Without a source: {claim}", claim=_text(claim))}</p>'
    for warning in view.warnings:
        yield f'<p class="note">{_("Warning: {message}", message=_text(made(warning.message)))}</p>'


def _sources(number: int, citations: Sequence[Citation]) -> str:
    if not citations:
        return ""
    items = "".join(_source(number, citation) for citation in citations)
    return f'<section aria-label="{_("Sources")}"><h3>{_("Sources")}</h3><ol class="sources">{items}</ol></section>'


def _source(number: int, citation: Citation) -> str:
    stale = f' <em class="stale">{_("changed since it was indexed")}</em>' if citation.stale else ""
    head = f'<p><b>{citation.n}</b> <code dir="ltr">{_text(citation.label)}</code>{stale}</p>'
    return f'<li id="source-{number}-{citation.n}">{head}{_quote(citation)}</li>'


def _quote(citation: Citation) -> str:
    quote = citation.sql or citation.quote
    if not quote:
        return ""
    if citation.sql:
        note = f'<p class="quiet">{_text(citation.quote)}</p>' if citation.quote else ""
        return f'<pre dir="ltr"><code>{escape(clean(quote))}</code></pre>{note}'
    first = citation.start_line if citation.kind == "file" else None
    lines = clean(quote).split("\n")
    if first is None:
        return f"<pre><code>{escape(clean(quote))}</code></pre>"
    width = len(str(first + len(lines) - 1))
    numbered = "\n".join(
        f'<span class="n">{line_number:>{width}}</span> {escape(line)}'
        for line_number, line in enumerate(lines, start=first)
    )
    return f'<pre dir="ltr"><code>{numbered}</code></pre>'


def _explanation(view: RunView, positions: EventPositions) -> str:
    stages = (
        (_intent(view), positions.attribute("query_routed")),
        (_sub_questions(view), positions.attribute("query_routed")),
        (_steps(view), positions.attribute("plan_created")),
        (_calls(view, positions), ""),
        (_evidence(view), positions.attribute("evidence_graded")),
    )
    inside = "".join(f"<section{attribute}>{stage}</section>" for stage, attribute in stages if stage)
    return f"<details open><summary>{_('How it was answered')}</summary>{inside}</details>" if inside else ""


def _intent(view: RunView) -> str:
    plan = view.routing_plan
    if plan is None:
        return ""
    because = ", ".join(f"{sign_words(signal.name)} {signal.detail}".strip() for signal in view.routing_signals)
    reason = f'<p class="quiet">{_("Because: {reasons}", reasons=_text(because))}</p>' if because else ""
    standalone = f"<p>{_('Asked as: {question}', question=_text(view.standalone))}</p>" if view.standalone else ""
    kind = f"<p>{_text(name_words(plan.query_type))} · {_text(name_words(plan.complexity))}</p>"
    return f"<h3>{_('Intent')}</h3>{kind}{standalone}{reason}"


def _sub_questions(view: RunView) -> str:
    plan = view.routing_plan
    if plan is None or not plan.sub_questions:
        return ""
    items = "".join(
        f"<li>{_text(part.semantic_intent)}"
        + (f" <code>{_text(part.search_keywords)}</code>" if part.search_keywords else "")
        + "</li>"
        for part in plan.sub_questions
    )
    return f"<h3>{_('Sub-questions')}</h3><ol>{items}</ol>"


def _steps(view: RunView) -> str:
    items = "".join(f"<li>{_text(step)}</li>" for step in planned_steps(view))
    return f"<h3>{_('Plan')}</h3><ol>{items}</ol>" if items else ""


def _calls(view: RunView, positions: EventPositions) -> str:
    if not view.calls:
        return ""
    rows = "".join(
        f'<tr{positions.call_attribute(call.call_id)}><td class="number">{call.iteration}</td>'
        f"<td><code>{_text(call.tool)}</code></td>"
        f"<td>{_text(call.sub_question)}</td><td>{_text(call_result(call))}</td></tr>"
        for call in view.calls
    )
    names = (_("Pass"), _("Tool"), _("For"), _("Result"))
    head = "<tr>" + "".join(f'<th scope="col">{name}</th>' for name in names)
    return f'<h3>{_("Tool calls")}</h3><div class="wide"><table>{head}</tr>{rows}</table></div>'


def _evidence(view: RunView) -> str:
    if not view.evidence:
        return ""
    items = "".join(_evidence_item(item) for item in view.evidence)
    action = f" · {_text(view.action)}" if view.action else ""
    average = _("average {score:.2f}", score=view.average)
    head = f"<h3>{_('Evidence')} <small>{average}{action}</small></h3>"
    return f'{head}<ul class="evidence">{items}</ul>'


def _evidence_item(item: EvidenceItem) -> str:
    score = max(0.0, min(1.0, item.score))
    kept = "kept" if item.kept else "dropped"
    kept_text = _("kept") if item.kept else _("dropped")
    return (
        f'<li class="{kept}"><meter min="0" max="1" low="0.3" high="0.7" optimum="1" value="{score:.3f}"'
        f' aria-label="{_("score")}">{score:.2f}</meter> <span class="number">{score:.2f}</span> {kept_text} '
        f'<code dir="ltr">{_text(line_label(item.path, item.start_line, item.end_line, item.locator))}</code> '
        f'<span class="quiet">{_text(item.tool)}</span><br><span class="quiet">{_text(item.preview)}</span></li>'
    )


def _text(text: str) -> str:
    return escape(one_line(text))
