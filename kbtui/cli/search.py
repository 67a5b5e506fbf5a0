"""``kbtui search``: the hits of one retrieval tool, without grading or writing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from kbtui.cli import console
from kbtui.cli.failures import NOT_FOUND
from kbtui.cli.options import json_option, kb_option, no_color_option, settings_for
from kbtui.domain.events import Event
from kbtui.domain.evidence import Hit
from kbtui.domain.explanation import reasons
from kbtui.settings.published import url_of
from kbtui.text.terminal import clean, one_line

TOOLS = ("hybrid_search", "vector_search", "grep_search", "graph_related", "local_file_qa", "web_search")
BY_MEANING = ("hybrid_search", "vector_search")
"""Tools that use the embedding model."""

WEB = "web_search"
"""The tool that queries a web service instead of the folder."""

SNIPPET_LINES = 6
SNIPPET_CHARS = 160
_LABEL_CELLS = 40


@click.command("search")
@click.argument("query")
@kb_option
@click.option(
    "--tool",
    type=click.Choice(TOOLS),
    default=TOOLS[0],
    show_default=True,
    metavar="T",
    help=f"One of {', '.join(TOOLS)}.",
)
@click.option(
    "--keywords", metavar='"A B"', default="", help="Exact terms for the lexical side; from QUERY when not given."
)
@click.option(
    "-k", "top_k", metavar="N", type=click.IntRange(1, 200), help="Hits to bring back.  [default: retrieval.top_k]"
)
@click.option("--explain", is_flag=True, help="Show which searches found it, and what each adds to the score.")
@json_option("Print one JSON object a hit.")
@no_color_option
def command(query: str, kb: Path, tool: str, keywords: str, top_k: int | None, explain: bool, as_json: bool) -> int:
    """Print what a retrieval tool finds for QUERY. Exit code 3 when it finds nothing."""
    query, keywords = clean(query), clean(keywords)
    if not query.strip():
        raise click.UsageError("The query is empty.")
    loaded = settings_for(kb, {"retrieval.top_k": top_k})

    from kbtui.cli.narration import Narrator
    from kbtui.domain.ports import CancelToken
    from kbtui.knowledge.base import load_model_ahead
    from kbtui.knowledge.joined.base import open_knowledge_base
    from kbtui.tools import ToolContext, load_spec, run_spec
    from kbtui.tools.searching import search_arguments
    from kbtui.view.view_state import EMPTY

    cancel = CancelToken()
    with Narrator() as narrator:

        def narrate(event: Event) -> None:
            narrator(event, EMPTY)

        if (url := url_of(kb)) and tool != WEB:
            from kbtui.publishing.base import open_base

            knowledge = open_base(url, loaded.settings, narrate, cancel)
        else:
            knowledge = open_knowledge_base(kb, loaded.settings)
        if tool in BY_MEANING:
            load_model_ahead(knowledge, loaded.settings.embedding)
        if tool != WEB:
            knowledge.ensure_fresh(narrate, cancel)
        spec = load_spec(tool)
        context = ToolContext(knowledge=knowledge, settings=loaded.settings, cancel=cancel)
        output = run_spec(spec, context, search_arguments(spec, query, keywords))
    hits = output.hits[: loaded.settings.retrieval.top_k]
    _print_hits(hits, tool, explain, as_json)
    if tool == WEB:
        if not hits:
            console.say(output.note)
        return 0 if hits else NOT_FOUND
    if not as_json and not hits:
        for line in (output.note or "nothing found", " ".join(knowledge.nothing_to_read()), *knowledge.left_out()):
            if line:
                console.say(line)
    if note := knowledge.vectors_note():
        console.warn(note)
    return 0 if hits else NOT_FOUND


def _print_hits(hits: Sequence[Hit], tool: str, explain: bool, as_json: bool) -> None:
    for rank, hit in enumerate(hits, 1):
        if as_json:
            console.print_json(hit_object(rank, hit, tool, explain))
        else:
            if rank > 1:
                console.print_line()
            print_hit(rank, hit, explain)


def hit_object(rank: int, hit: Hit, tool: str, explain: bool) -> dict[str, Any]:
    """A hit as the JSON object of the contract; ``explain`` adds the parts of the score."""
    result: dict[str, Any] = {
        "rank": rank,
        "path": hit.path,
        "start_line": hit.start_line,
        "end_line": hit.end_line,
        "score": hit.score,
        "tool": hit.tool or tool,
        "text": hit.text,
    }
    if hit.locator:
        result["locator"] = hit.locator
    if explain:
        result |= {"signals": dict(hit.signals), "matched_lines": list(hit.matched_lines), "note": hit.note}
        result["explain"] = [
            {"kind": reason.kind, "name": reason.name, "label": reason.label}
            | {"value": reason.value, "weight": reason.weight, "adds": reason.adds}
            for reason in reasons(hit.signals)
        ]
    return result


def print_hit(rank: int, hit: Hit, explain: bool) -> None:
    """Print a hit: its place and score, then the matched lines with some around them."""
    from rich.text import Text

    lines = f":{hit.start_line}" if hit.end_line <= hit.start_line else f":{hit.start_line}-{hit.end_line}"
    # A web page has no line numbers, which would also break its address.
    place = one_line(hit.path) + ("" if hit.tool == WEB else f" {hit.locator}" if hit.locator else lines)
    heading = Text(f"{rank:>2}  ", style="bold").append(place, "cyan").append(f"  {hit.score:.4f}")
    if hit.title:
        heading.append(f"  {one_line(hit.title)}", "dim")
    out = console.out()
    out.print(heading, soft_wrap=True)
    if hit.note:
        out.print(Text(f"    {one_line(hit.note)}", style="italic"), soft_wrap=True)
    for reason in reasons(hit.signals) if explain else ():
        out.print(Text(f"    {one_line(reason.label):<{_LABEL_CELLS}}  {reason.figures}", "dim"), soft_wrap=True)
    for number, line in snippet(hit):
        is_matched = number in hit.matched_lines
        # Indentation is kept, because it has a meaning in code.
        printed_line = clean(line, keep_newlines=False).expandtabs(4)[:SNIPPET_CHARS]
        text = Text(f"{'>' if is_matched else ' '}{number:>6}  {printed_line}", "bold" if is_matched else "")
        out.print(text, soft_wrap=True)


def snippet(hit: Hit) -> list[tuple[int, str]]:
    """A few numbered lines of the hit, from just above its first matched line."""
    numbered = list(enumerate(hit.text.split("\n"), hit.start_line))
    first = min((line for line in hit.matched_lines if line >= hit.start_line), default=hit.start_line)
    start = max(0, min(first - hit.start_line - 1, len(numbered) - SNIPPET_LINES))
    return numbered[start : start + SNIPPET_LINES]
