"""What every tool is made of: the context it is built with, its row in the registry, and how it is called.

A tool is a LangChain tool in ``content_and_artifact`` mode. The content is text for a model, each item behind its
``[SOURCE:path:Lline]``; the artifact is a `ToolOutput`, which is what the graph works with. LangChain is imported when
a tool is built: that is a quarter of a cold start, and an analysis of data calls the functions themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct, field, structs
from pydantic import BaseModel, ValidationError

from kbtui.domain.analysis import DataAccess
from kbtui.domain.evidence import Hit, source_tag
from kbtui.domain.ports import CancelToken
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import Cancelled, KbtuiError, ToolError
from kbtui.settings.model import Settings
from kbtui.text.file_formats import format_of
from kbtui.text.plurals import counted

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

    from kbtui.knowledge.base import KnowledgeBase


class DataContext(Struct, frozen=True, kw_only=True):
    """What tools of data are given: the settings, the run's way to stop them, and the sources."""

    settings: Settings
    cancel: CancelToken = field(default_factory=CancelToken)
    data: DataAccess | None = None


class ToolContext(DataContext, frozen=True, kw_only=True):
    """What all tools are given: the knowledge base too, which starts a process when it is opened."""

    knowledge: KnowledgeBase


class ToolSpec(Struct, frozen=True, kw_only=True):
    """One row of the registry.

    Attributes:
        name: As routing plans and events carry it.
        description: What it is good for, one sentence: a chat model chooses by it.
        build: Makes the LangChain tool for one context.
        enabled: Whether the settings switch it on; one that is off is built, but nobody is offered it.
        serves: What it answers from; plans over documents are offered no tool that serves data.
        offered_to: Who may call it: plans of the ``pipeline``, a chat model in the ``loop``, or ``both``.
        args, run: What the tool is made of, where LangChain is not needed to call it.
    """

    name: str
    description: str
    build: Callable[[ToolContext], BaseTool]
    enabled: Callable[[Settings], bool] = lambda _settings: True
    serves: Literal["documents", "data", "either"] = "documents"
    offered_to: Literal["pipeline", "loop", "both"] = "pipeline"
    args: type[BaseModel] | None = None
    run: Callable[..., ToolOutput] | None = None


def spec_of(
    *, name: str, description: str, args: type[BaseModel], run: Callable[..., ToolOutput], **more: Any
) -> ToolSpec:
    """The row of a tool that is a function of a `ToolContext` and of arguments by name; see `as_tool`."""

    def build(context: ToolContext) -> BaseTool:
        return as_tool(name=name, description=description, args=args, run=partial(run, context))

    return ToolSpec(name=name, description=description, build=build, args=args, run=run, **more)


def as_tool(*, name: str, description: str, args: type[BaseModel], run: Callable[..., ToolOutput]) -> BaseTool:
    """A function that returns a `ToolOutput`, as a LangChain tool.

    Args:
        args: The arguments, each with a description; their names are the keyword arguments of ``run``.
    """
    from langchain_core.tools import StructuredTool

    def call(**kwargs: Any) -> tuple[str, ToolOutput]:
        output = run(**kwargs)
        return as_content(output), output

    return StructuredTool(
        name=name, description=description, args_schema=args, func=call, response_format="content_and_artifact"
    )


def as_content(output: ToolOutput) -> str:
    """The output as text for a model: data, each passage behind its source tag (spec 003, D4), then the note."""
    parts = [output.text] if output.text else []
    for hit in output.hits:
        note = f"({hit.note})\n" if hit.note else ""
        parts.append(f"{source_tag(hit.path, hit.start_line)} {note}{hit.text}")
    if output.note:
        parts.append(output.note)
    return "\n\n".join(parts) or "Nothing was found."


def with_places(output: ToolOutput, context: ToolContext) -> ToolOutput:
    """``output`` with the places of passages of files that have pages, slides, cells, messages or members."""

    def placed(hit: Hit) -> Hit:
        try:
            locator = context.knowledge.source.locator(hit.path, hit.start_line, hit.end_line)
        except (KbtuiError, OSError):
            return hit
        return replace(hit, locator=locator) if locator else hit

    if not any(format_of(hit.path) for hit in output.hits):
        return output
    return structs.replace(output, hits=tuple(map(placed, output.hits)))


def run_named(tools: Mapping[str, BaseTool], name: str, args: Mapping[str, Any]) -> ToolOutput:
    """Call the tool of that name; see `run_tool`. One that is not there is a `ToolError` too."""
    if name not in tools:
        raise ToolError(f"There is no tool {name} in this installation.", "The other steps are not affected.")
    return run_tool(tools[name], args)


def run_tool(tool: BaseTool, args: Mapping[str, Any]) -> ToolOutput:
    """Call a tool and return its artifact.

    Raises:
        ToolError: It failed, whatever the reason; message and hint say why.
        Cancelled: The run was stopped meanwhile.
    """
    with _failing(tool.name):
        message = tool.invoke({"name": tool.name, "args": dict(args), "id": tool.name, "type": "tool_call"})
    artifact = getattr(message, "artifact", None)
    if isinstance(artifact, ToolOutput):
        return artifact
    text = str(getattr(message, "content", message)).strip()
    return ToolOutput(note=text.split("\n", 1)[0][:200])


def run_spec(spec: ToolSpec, context: DataContext, args: Mapping[str, Any]) -> ToolOutput:
    """Call a tool that `spec_of` made, as `run_tool` does, without LangChain."""
    assert spec.run is not None, "made by `spec_of`"
    assert spec.args is not None, "made by `spec_of`"
    with _failing(spec.name):
        given = spec.args.model_validate(dict(args))
        return spec.run(context, **{name: getattr(given, name) for name in given.model_fields_set})


@contextmanager
def _failing(name: str) -> Iterator[None]:
    """Turns whatever goes wrong in a tool into a `ToolError`."""
    try:
        yield
    except (Cancelled, ToolError):
        raise
    except KbtuiError as error:
        raise ToolError(error.message, error.hint) from error
    except ValidationError as error:
        raise ToolError(f"{name} was called with arguments it does not take: {_first(error)}.") from error
    except Exception as error:
        reason = str(error).strip() or type(error).__name__
        raise ToolError(f"{name} failed: {reason}", "The other tools are not affected.") from error


def found_note(hits: Sequence[Hit], extra: str = "") -> str:
    """``12 passages in 5 files``, the line the screen shows behind a finished call."""
    files = len({hit.path for hit in hits})
    found = f"{counted(len(hits), 'passage')} in {counted(files, 'file')}" if hits else "nothing found"
    return f"{found}; {extra}" if extra else found


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}" if where else str(first["msg"])
