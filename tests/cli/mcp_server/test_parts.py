"""Addresses, excerpts and notices."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kbtui.cli.mcp_server.addresses import Place, address_of, place_at
from kbtui.cli.mcp_server.progress import Notices
from kbtui.cli.mcp_server.results import citation_data, citation_links, excerpt, hits_result
from kbtui.domain.answer import Citation
from kbtui.domain.events import AnswerDelta, Progress, QueryRouted, ToolStarted
from kbtui.domain.evidence import Hit
from kbtui.domain.routing import RoutingPlan
from kbtui.errors import OutsideFolder, UsageError

KB = Path("/kb/with space")


@pytest.mark.parametrize(
    "path", ["a.md", "sub/b c.md", "中文/值班.md", "100%.md", "what?#1.md", os.fsdecode(b"b\xffd.md")]
)
@pytest.mark.parametrize("lines", [(None, None), (4, 4), (4, 9)])
def test_an_address_leads_back_to_its_place(path: str, lines: tuple[int | None, int | None]) -> None:
    address = address_of(KB, path, *lines)
    assert address.isascii()
    assert place_at(KB, address) == Place(path=path, start_line=lines[0], end_line=lines[1])


@pytest.mark.parametrize(
    "address",
    [
        *("file:///etc/passwd", "file:///kb/with%20spaces/a.md", "file:///kb/a.md", "file://host/kb/with%20space/a.md"),
        *("https://example.org/a.md", "file:///kb/with%20space/a.md?x=1", "file://[/a"),
    ],
)
def test_addresses_of_anything_else_are_refused(address: str) -> None:
    with pytest.raises(OutsideFolder):
        place_at(KB, address)


def test_a_fragment_that_names_no_lines_is_refused() -> None:
    with pytest.raises(UsageError, match="are no lines"):
        place_at(KB, f"{address_of(KB, 'a.md')}#heading")


def test_an_excerpt_begins_above_the_line_that_matched() -> None:
    text = "\n".join(f"line {number} " + "x" * 60 for number in range(1, 41))
    assert excerpt(Hit(path="a", start_line=1, end_line=40, text=text, matched_lines=(20,))).startswith("… line 19 ")
    assert excerpt(Hit(path="a", start_line=1, end_line=40, text=text, matched_lines=(40,))).endswith(text[-60:])
    assert excerpt(Hit(path="a", start_line=1, end_line=1, text="short", matched_lines=(1,))) == "short"


def test_passages_and_citations_of_documents_name_their_place() -> None:
    found = hits_result(KB, [Hit(path="a.pdf", start_line=7, end_line=9, text="x", locator="p.2")], "", nothing="none")
    assert found.text == "a.pdf p.2\nx"
    assert [link.label for link in found.links] == ["a.pdf p.2"]
    assert found.data["results"][0]["locator"] == "p.2"
    cited = Citation(n=1, path="a.pdf", start_line=7, end_line=7, quote="x", locator="p.2")
    assert citation_data(KB, cited)["locator"] == "p.2"
    assert [link.label for link in citation_links(KB, [cited])] == ["a.pdf p.2"]
    assert "locator" not in citation_data(KB, Citation(n=1, path="a.md", start_line=7, end_line=7, quote="x"))


def test_notices_only_grow_and_are_few() -> None:
    now = 0.0
    notices = Notices(lambda: now)
    told = [notices.of(Progress(stage="read", done=0, total=1000))]
    for done in range(1, 1001):
        now += 0.001
        told.append(notices.of(Progress(stage="read", done=done, total=1000)))
    told.append(notices.of(Progress(stage="write")))
    told.append(notices.of(AnswerDelta(text="words")))
    plan = RoutingPlan(query_type="conceptual", complexity="simple", sub_questions=())
    told.append(notices.of(QueryRouted(routing_plan=plan, reasoner="offline", iteration=1)))
    told.append(notices.of(ToolStarted(call_id="c1", tool="grep_search", args={}, sub_question="why", iteration=1)))
    figures = [notice.progress for notice in told if notice is not None]
    assert figures == sorted(set(figures))
    assert len(figures) < 12
    assert told[0] is not None
    assert told[0].message == "reading files"
    assert told[-1] is not None
    assert told[-1].message == "grep_search: why"
