"""The registry, how tools are called, and what becomes of plug-ins and errors."""

from __future__ import annotations

import subprocess
import sys
from typing import Any, cast

import pytest
from pydantic import BaseModel, Field

from kbtui import tools
from kbtui.domain.evidence import Hit
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import Cancelled, EmbeddingError, ToolError
from kbtui.settings.model import Settings
from kbtui.tools import TOOLS, Toolbox, ToolContext, ToolSpec, build_tools, load_spec, run_by_name, run_tool
from kbtui.tools.base import Answers, as_content, as_tool, found_note, spec_of


class Args(BaseModel):
    query: str = Field(description="What to find.")


def hit(path: str = "a.md", line: int = 3, text: str = "some text", note: str = "") -> Hit:
    return Hit(path=path, start_line=line, end_line=line, text=text, note=note)


def spec(name: str = "echo", run: Any = None) -> ToolSpec:
    def build(_: ToolContext) -> Any:
        return as_tool(name=name, description="Echoes.", args=Args, run=run or (lambda query: ToolOutput(note=query)))

    return ToolSpec(name=name, description="Echoes.", build=build)


class Point:
    """An entry point that loads to a value, or fails."""

    def __init__(self, name: str, value: Any) -> None:
        self.name = name
        self._value = value

    def load(self) -> Any:
        if isinstance(self._value, Exception):
            raise self._value
        return self._value


@pytest.fixture
def context() -> ToolContext:
    return ToolContext(knowledge=cast(Any, None), settings=Settings())


def with_plugins(monkeypatch: pytest.MonkeyPatch, *points: Point) -> None:
    monkeypatch.setattr(tools, "entry_points", lambda group: tuple(points) if group == "kbtui.tools" else [])


def test_the_specified_tools_are_there_by_name_and_order(context: ToolContext) -> None:
    assert [load_spec(name).name for name in TOOLS] == [
        "grep_search",
        "vector_search",
        "hybrid_search",
        "graph_related",
        "read_file",
        "local_file_qa",
        "web_fetch",
        "web_search",
        "get_data_source_context",
        "execute_sql",
        "python_executor",
    ]
    built = build_tools(context)
    assert list(built)[: len(TOOLS)] == list(TOOLS)
    assert set(built["hybrid_search"].args) == {"semantic_query", "exact_keywords"}


def test_every_tool_and_argument_says_what_it_is_for(context: ToolContext) -> None:
    for tool in build_tools(context).values():
        assert tool.description
        assert tool.response_format == "content_and_artifact"
        assert all(argument.get("description") for argument in tool.args.values()), tool.name


def test_a_plug_in_is_a_tool_like_any_other(context: ToolContext, monkeypatch: pytest.MonkeyPatch) -> None:
    with_plugins(monkeypatch, Point("echo", spec()))
    warnings: list[str] = []
    built = build_tools(context, warnings.append)
    assert run_tool(built["echo"], {"query": "hello"}).note == "hello"
    assert Toolbox(context, warnings.append).call("echo", {"query": "hello"}).note == "hello"
    assert warnings == []


@pytest.mark.parametrize(
    "point",
    [
        Point("broken", ImportError("no module named nowhere")),
        Point("foreign", "not a spec"),
        Point("twin", spec("grep_search")),
        Point("unbuildable", ToolSpec(name="unbuildable", description="", build=lambda _: 1 / 0)),  # type: ignore[arg-type,return-value]
    ],
)
def test_a_broken_plug_in_is_named_and_skipped(
    context: ToolContext, monkeypatch: pytest.MonkeyPatch, point: Point
) -> None:
    with_plugins(monkeypatch, point, Point("echo", spec()))
    warnings: list[str] = []
    built = build_tools(context, warnings.append)
    assert list(built) == [*TOOLS, "echo"]
    assert len(warnings) == 1
    assert "skipped" in warnings[0]


def test_content_has_a_source_tag_before_each_item_and_the_artifact_is_the_output(context: ToolContext) -> None:
    output = ToolOutput(hits=(hit(), hit("b.md", 7, "other", note="because")), note="2 passages in 2 files")
    tool = spec(run=lambda query: output).build(context)
    message = tool.invoke({"name": "echo", "args": {"query": "x"}, "id": "1", "type": "tool_call"})
    assert message.content == (
        "[SOURCE:a.md:L3] some text\n\n[SOURCE:b.md:L7] (because)\nother\n\n2 passages in 2 files"
    )
    assert message.artifact is output
    assert run_tool(tool, {"query": "x"}) is output


def test_an_empty_output_still_says_something_to_a_model() -> None:
    assert as_content(ToolOutput()) == "Nothing was found."


@pytest.mark.parametrize(
    ("raised", "message", "hint"),
    [
        (ToolError("No.", "Try yes."), "No.", "Try yes."),
        (EmbeddingError("No model.", "Install it."), "No model.", "Install it."),
        (ValueError("odd"), "echo failed: odd", "The other tools are not affected."),
        (KeyError(), "echo failed: KeyError", "The other tools are not affected."),
    ],
)
def test_whatever_a_tool_raises_is_a_tool_error(
    context: ToolContext, raised: Exception, message: str, hint: str
) -> None:
    def run(query: str) -> ToolOutput:
        raise raised

    with pytest.raises(ToolError) as caught:
        run_tool(spec(run=run).build(context), {"query": "x"})
    assert caught.value.message.removesuffix(".") == message.removesuffix(".")
    assert caught.value.hint == hint


def test_cancelling_is_no_tool_error(context: ToolContext) -> None:
    def run(query: str) -> ToolOutput:
        raise Cancelled

    with pytest.raises(Cancelled):
        run_tool(spec(run=run).build(context), {"query": "x"})


def test_wrong_arguments_are_named(context: ToolContext) -> None:
    with pytest.raises(ToolError, match="query"):
        run_tool(spec().build(context), {"question": "x"})


def test_a_tool_without_an_artifact_gives_its_text_as_note(context: ToolContext) -> None:
    from langchain_core.tools import tool as langchain_tool

    @langchain_tool
    def plain(query: str) -> str:
        """Plain."""
        return f"got {query}\nand more"

    assert run_tool(plain, {"query": "x"}) == ToolOutput(note="got x")


def test_the_note_counts_passages_and_files() -> None:
    assert found_note([hit("a"), hit("a"), hit("b")]) == "3 passages in 2 files"
    assert found_note([hit()], "slowly") == "1 passage in 1 file; slowly"
    assert found_note([]) == "nothing found"


def test_a_toolbox_tells_of_the_same_tools_as_langchain_is_given(context: ToolContext) -> None:
    built = build_tools(context)
    assert Toolbox(context).descriptions == {name: tool.description for name, tool in built.items()}


@pytest.mark.parametrize(("name", "args"), [("nowhere", {}), ("hybrid_search", {}), ("read_file", {"paths": 3})])
def test_a_toolbox_says_what_is_wrong_with_a_call_as_langchain_tools_do(
    context: ToolContext, name: str, args: dict[str, Any]
) -> None:
    raised = []
    for call in (Toolbox(context).call, lambda name, args: run_by_name(build_tools(context), name, args)):
        with pytest.raises(ToolError) as caught:
            call(name, args)
        raised.append(caught.value.message)
    assert raised[0] == raised[1]


def test_importing_the_tools_loads_nothing_heavy() -> None:
    heavy = "{'lancedb', 'torch', 'langgraph', 'textual', 'onnxruntime', 'langchain_core', 'trafilatura', 'httpx'}"
    code = f"import sys, kbtui.tools; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_tool_of_data_is_called_as_any_other_and_without_langchain() -> None:
    code = """
import sys
from kbtui.errors import ToolError
from kbtui.settings.model import Settings
from kbtui.tools import DataContext, run_data_tool
context = DataContext(settings=Settings())
for name, args in (("execute_sql", {"sql": "SELECT 1"}), ("execute_sql", {"source": "a", "sql": "SELECT 1"}),
                   ("grep_search", {"keywords": "a"})):
    try:
        run_data_tool(context, name, args)
    except ToolError as error:
        print(error.message)
print("langchain_core" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "execute_sql was called with arguments it does not take: source: Field required.",
        "There is no source of data.",
        "There is no tool grep_search for data.",
        "False",
    ]


def test_a_plug_in_of_a_function_is_called_without_langchain_and_says_what_it_answers(
    context: ToolContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(_context: ToolContext, query: str) -> ToolOutput:
        return ToolOutput(note=query)

    answers = Answers(examples=("what is echoed?",))
    point = spec_of(name="echo", description="Echoes.", args=Args, run=run, answers=answers)
    built = ToolSpec(name="other", description="", build=spec("other").build, answers=answers)
    with_plugins(monkeypatch, Point("echo", point), Point("other", built), Point("search", spec("search")))
    warnings: list[str] = []
    toolbox = Toolbox(context, warnings.append)
    assert toolbox.call("echo", {"query": "hello"}).note == "hello"
    with pytest.raises(ToolError, match="arguments it does not take"):
        toolbox.call("echo", {})
    assert set(toolbox.answers) == {"echo", "other"}
    assert warnings == ["The plug-in tool 'search' has the name of another tool and was skipped."]
