"""A session as one HTML page: no scripts, nothing fetched, light or dark as the reader's system is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

from kbtui.controller.export import (
    UNSUPPORTED_LEGEND,
    body,
    call_result,
    ending,
    facts,
    has_unsupported,
    planned_steps,
)
from kbtui.controller.table_text import held_whole, table_title
from kbtui.controller.view_state import RunView
from kbtui.domain.answer import Citation, line_label
from kbtui.domain.events import EvidenceItem
from kbtui.text.terminal import clean, one_line
from kbtui.text.word_lists import text_in

_CITE = re.compile(r"\[(\d{1,3})\](?![(\[])")


def page(views: Sequence[RunView], problem: str = "") -> str:
    """The whole page; ``problem`` says why a recording ends early."""
    title = _text(views[0].query if views else "") or "Session"
    note = f'<p class="note" role="note">Incomplete: {_text(problem)}</p>' if problem else ""
    runs = "\n".join(_run(number, view) for number, view in enumerate(views, start=1))
    contents = _contents(views) if len(views) > 1 else ""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="kbtui">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title} · kbtui</title>
<style>
{text_in(__package__, "export.css")}</style>
</head>
<body>
<header><h1 class="brand">kbtui session</h1>{note}{contents}</header>
<main>
{runs}
</main>
</body>
</html>
"""


def _contents(views: Sequence[RunView]) -> str:
    items = "".join(
        f'<li><a href="#run-{number}">{_text(view.query)}</a></li>' for number, view in enumerate(views, start=1)
    )
    return f'<nav aria-label="Questions"><ol>{items}</ol></nav>'


def _run(number: int, view: RunView) -> str:
    text = body(view)
    parts = [
        f'<article id="run-{number}" aria-labelledby="q-{number}">',
        f'<h2 id="q-{number}" dir="auto">{_text(view.query) or "A question"}</h2>',
        f'<p class="facts">{" <span>·</span> ".join(_text(fact) for fact in facts(view))}</p>',
        _answer(number, view),
        *_notes(view),
        *_data(view, text),
        _sources(number, view.citations),
        _how(view),
        "</article>",
    ]
    return "\n".join(part for part in parts if part)


def _data(view: RunView, text: str) -> Iterable[str]:
    """Tables and charts; a table whose rows all stand in the answer is not shown twice."""
    if view.tables or view.charts:
        from kbtui.controller.export_data import chart_html, table_html

        yield from (table_html(table, table_title(view, table)) for table in view.tables if not held_whole(text, table))
        yield from (chart_html(chart) for chart in view.charts)


def _answer(number: int, view: RunView) -> str:
    text = body(view)
    if not text:
        return f'<p class="note">No answer: {_text(ending(view))}.</p>'
    parser = _parser(number, {citation.n for citation in view.citations}, has_unsupported(view))
    tokens = parser.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):  # below the question's own heading and its sections'
            token.tag = f"h{min(6, int(token.tag[1]) + 3)}"
    html = parser.renderer.render(tokens, parser.options, {})
    return f'<section class="answer" aria-label="Answer" dir="auto">{html}</section>'


def _parser(number: int, known: set[int], marked: bool) -> MarkdownIt:
    """Markdown to HTML: tags are text, nothing is fetched, ``[n]`` leads to its source and ``[?]`` stands out."""
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
                "aria-label": f"source {match[1]}",
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
    if marked:
        parser.inline.ruler.before("link", "unsupported", unsupported)
    return parser


def _notes(view: RunView) -> Iterable[str]:
    if view.error is not None and view.error.hint:
        yield f'<p class="note">{_text(view.error.hint)}</p>'
    if has_unsupported(view):
        yield f'<p class="quiet">{_text(UNSUPPORTED_LEGEND)}</p>'
    if view.answer is not None:
        for claim in view.answer.unsupported:
            yield f'<p class="note">Without a source: {_text(claim)}</p>'
    for warning in view.warnings:
        yield f'<p class="note">Warning: {_text(warning.message)}</p>'


def _sources(number: int, citations: Sequence[Citation]) -> str:
    if not citations:
        return ""
    items = "".join(_source(number, citation) for citation in citations)
    return f'<section aria-label="Sources"><h3>Sources</h3><ol class="sources">{items}</ol></section>'


def _source(number: int, citation: Citation) -> str:
    stale = ' <em class="stale">changed since it was indexed</em>' if citation.stale else ""
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


def _how(view: RunView) -> str:
    stages = [_intent(view), _sub_questions(view), _steps(view), _calls(view), _evidence(view)]
    inside = "".join(stage for stage in stages if stage)
    return f"<details open><summary>How it was answered</summary>{inside}</details>" if inside else ""


def _intent(view: RunView) -> str:
    plan = view.routing_plan
    if plan is None:
        return ""
    because = ", ".join(f"{signal.name} {signal.detail}".strip() for signal in view.routing_signals)
    reason = f'<p class="quiet">Because: {_text(because)}</p>' if because else ""
    meant = f"<p>Asked as: {_text(view.standalone)}</p>" if view.standalone else ""
    kind = f"<p>{_text(plan.query_type)} · {_text(plan.complexity)}</p>"
    return f"<section><h3>Intent</h3>{kind}{meant}{reason}</section>"


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
    return f"<section><h3>Sub-questions</h3><ol>{items}</ol></section>"


def _steps(view: RunView) -> str:
    items = "".join(f"<li>{_text(step)}</li>" for step in planned_steps(view))
    return f"<section><h3>Plan</h3><ol>{items}</ol></section>" if items else ""


def _calls(view: RunView) -> str:
    if not view.calls:
        return ""
    rows = "".join(
        f'<tr><td class="number">{call.iteration}</td><td><code>{_text(call.tool)}</code></td>'
        f"<td>{_text(call.sub_question)}</td><td>{_text(call_result(call))}</td></tr>"
        for call in view.calls
    )
    head = '<tr><th scope="col">Pass</th><th scope="col">Tool</th><th scope="col">For</th><th scope="col">Result</th>'
    return f'<section><h3>Tool calls</h3><div class="wide"><table>{head}</tr>{rows}</table></div></section>'


def _evidence(view: RunView) -> str:
    if not view.evidence:
        return ""
    items = "".join(_evidence_item(item) for item in view.evidence)
    action = f" · {_text(view.action)}" if view.action else ""
    head = f"<h3>Evidence <small>average {view.average:.2f}{action}</small></h3>"
    return f'<section>{head}<ul class="evidence">{items}</ul></section>'


def _evidence_item(item: EvidenceItem) -> str:
    score = max(0.0, min(1.0, item.score))
    kept = "kept" if item.kept else "dropped"
    return (
        f'<li class="{kept}"><meter min="0" max="1" low="0.3" high="0.7" optimum="1" value="{score:.3f}"'
        f' aria-label="score">{score:.2f}</meter> <span class="number">{score:.2f}</span> {kept} '
        f'<code dir="ltr">{_text(line_label(item.path, item.start_line, item.end_line))}</code> '
        f'<span class="quiet">{_text(item.tool)}</span><br><span class="quiet">{_text(item.preview)}</span></li>'
    )


def _text(text: str) -> str:
    return escape(one_line(text))
