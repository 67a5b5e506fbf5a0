"""The tool: content for a model behind source tags, an artifact of hits, and a note that says what was found."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, ToolError
from kbtui.settings.model import Settings
from kbtui.tools.base import ToolContext, run_tool
from kbtui.tools.graph_related import SPEC
from tests.records.relation_corpora import STANDARDS, links_of


class _Knowledge(SimpleNamespace):
    __hash__ = object.__hash__


@pytest.fixture
def context() -> ToolContext:
    links = links_of(STANDARDS)
    index = SimpleNamespace(version="1", relations=lambda: links.relations)
    folder = {"root": Path("kb"), "source": None, "whole": None, "member_names": ()}
    knowledge = cast(Any, _Knowledge(index=index, file_records=lambda: links.files, **folder))
    return ToolContext(knowledge=knowledge, settings=Settings(), cancel=CancelToken())


def test_the_artifact_holds_the_stating_lines_and_the_content_their_source_tags(context: ToolContext) -> None:
    tool = SPEC.build(context)
    message = tool.invoke(
        {"name": SPEC.name, "args": {"query": "Which PEP superseded PEP 2?"}, "id": "1", "type": "tool_call"}
    )
    assert message.content.startswith("[SOURCE:peps/pep-0002.rst:L5] (PEP 2 —superseded-by→ PEP 3 «New dict»)\n")
    assert "Superseded-By: 3" in message.content
    [hit] = message.artifact.hits
    assert (hit.path, hit.start_line, hit.end_line, hit.text) == ("peps/pep-0002.rst", 5, 5, "Superseded-By: 3")
    assert message.artifact.note == "PEP 2: superseded-by, 1 item"


def test_the_note_says_when_lines_were_left_out(context: ToolContext) -> None:
    output = run_tool(SPEC.build(context), {"query": "Which PEPs did Grace Hopper write?", "k": 1})
    assert len(output.hits) == 1
    assert output.note == "Grace Hopper: author, 3 items; 1 of 3 passages"


def test_nothing_found_is_said_and_is_no_error(context: ToolContext) -> None:
    tool = SPEC.build(context)
    assert run_tool(tool, {"query": "What requires PEP 4711?"}).note == "no relation found"
    output = run_tool(tool, {"query": "What does PEP 1 replace?"})
    assert (output.hits, output.note) == ((), "no relation of PEP 1 found")


def test_arguments_it_does_not_take_are_refused(context: ToolContext) -> None:
    with pytest.raises(ToolError):
        run_tool(SPEC.build(context), {"query": "What requires PEP 10?", "k": 0})


def test_a_cancelled_run_is_not_answered(context: ToolContext) -> None:
    context.cancel.cancel()
    with pytest.raises(Cancelled):
        run_tool(SPEC.build(context), {"query": "What requires PEP 10?"})
