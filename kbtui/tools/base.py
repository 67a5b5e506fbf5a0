"""The base of all tools: the context that they are built with, their rows in the registry, and how they are called.

A tool is a LangChain tool in ``content_and_artifact`` mode. The content is text for a model, in which each passage
follows its ``[SOURCE:path:Lline]``; the artifact is a `ToolOutput`, which the graph works with. LangChain is imported
only when a tool is built, because its import is a quarter of a cold start: the program itself calls the functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct, field, structs
from msgspec.structs import replace
from pydantic import BaseModel, ValidationError

from kbtui.domain.analysis import DataAccess
from kbtui.domain.evidence import Hit, source_tag
from kbtui.domain.ports import CancelToken
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import Cancelled, KbtuiError, ToolError
from kbtui.settings.model import Settings
from kbtui.text.plurals import counted

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

    from kbtui.knowledge.base import KnowledgeBase
    from kbtui.question.model import Question


class DataContext(Struct, frozen=True, kw_only=True):
    """The context of tools for data: the settings, the cancel token of the run, and the data sources."""

    settings: Settings
    cancel: CancelToken = field(default_factory=CancelToken)
    data: DataAccess | None = None


class ToolContext(DataContext, frozen=True, kw_only=True):
    """The context of all other tools: it adds the knowledge base, which starts a process when it is opened."""

    knowledge: KnowledgeBase


class Answers(Struct, frozen=True, kw_only=True):
    """What a tool of another package answers without a chat model, as it declares itself.

    Attributes:
        examples: Questions that it answers, in each language in which it is to be asked. A question that resembles
            one, with or without the things that it names, has the tool called beside kbtui's own searches.
        arguments: Given the question as kbtui read it, the arguments of the call by name; None where the tool does
            not take the question after all.
    """

    examples: tuple[str, ...]
    arguments: Callable[[Question], Mapping[str, Any] | None] = lambda _question: {}


class Foreign(Struct, frozen=True, kw_only=True):
    """What a chat model may send to a tool that another program runs.

    Attributes:
        parameters: JSON Schema of the arguments.
        invalid: Given arguments, what is wrong with them by that schema; empty where nothing is.
        unsendable: Given arguments and the user's own words, why they may not leave; empty where they may.
    """

    parameters: Mapping[str, Any]
    invalid: Callable[[Mapping[str, Any]], str]
    unsendable: Callable[[Mapping[str, Any], str], str]


class ToolSpec(Struct, frozen=True, kw_only=True):
    """One row of the registry.

    Attributes:
        name: Name in routing plans and events.
        description: What it is good for, in one sentence, by which a chat model chooses.
        build: Returns the LangChain tool for a context.
        enabled: Whether the settings switch it on; a tool that is off is built, but not offered.
        serves: What it answers from; plans over documents are not offered tools that serve ``data``.
        offered_to: Who may call it: plans of the ``pipeline``, a chat model in the ``loop``, or ``both``.
        answers: What it answers without a chat model; None leaves it to chat models and programs.
        foreign: What may be sent to it, where another program runs it; None for all others.
        args, run: Its arguments and its function, by which it is called without LangChain; None where it is only built.
    """

    name: str
    description: str
    build: Callable[[ToolContext], BaseTool]
    enabled: Callable[[Settings], bool] = lambda _settings: True
    serves: Literal["documents", "data", "either"] = "documents"
    offered_to: Literal["pipeline", "loop", "both"] = "pipeline"
    answers: Answers | None = None
    foreign: Foreign | None = None
    args: type[BaseModel] | None = None
    run: Callable[..., ToolOutput] | None = None


def spec_of(
    *, name: str, description: str, args: type[BaseModel], run: Callable[..., ToolOutput], **more: Any
) -> ToolSpec:
    """The row of a tool made from a function of a `ToolContext` and of arguments by name; see `as_tool`."""

    def build(context: ToolContext) -> BaseTool:
        return as_tool(name=name, description=description, args=args, run=partial(run, context))

    return ToolSpec(name=name, description=description, build=build, args=args, run=run, **more)


def as_tool(
    *, name: str, description: str, args: type[BaseModel] | dict[str, Any], run: Callable[..., ToolOutput]
) -> BaseTool:
    """A LangChain tool made from a function that returns a `ToolOutput`.

    Args:
        args: The arguments, each with a description, or their JSON Schema; their names are the keyword arguments of
            ``run``.
    """
    from langchain_core.tools import StructuredTool

    def call(**kwargs: Any) -> tuple[str, ToolOutput]:
        output = run(**kwargs)
        return as_content(output), output

    return StructuredTool(
        name=name, description=description, args_schema=args, func=call, response_format="content_and_artifact"
    )


def as_content(output: ToolOutput) -> str:
    """The output as text for a model: its text, each passage after its source tag (spec 003, D4), then the note."""
    parts = [output.text] if output.text else []
    for hit in output.hits:
        note = f"({hit.note})\n" if hit.note else ""
        parts.append(f"{source_tag(hit.path, hit.start_line)} {note}{hit.text}")
    if output.note:
        parts.append(output.note)
    return "\n\n".join(parts) or "Nothing was found."


def _with_locators(output: ToolOutput, context: ToolContext) -> ToolOutput:
    """``output`` with locators for passages of files that have pages, slides, cells, messages or members."""

    def with_locator(hit: Hit) -> Hit:
        try:
            locator = context.knowledge.source.locator(hit.path, hit.start_line, hit.end_line)
        except (KbtuiError, OSError):
            return hit
        return replace(hit, locator=locator) if locator else hit

    return structs.replace(output, hits=tuple(map(with_locator, output.hits)))


def run_by_name(tools: Mapping[str, BaseTool], name: str, args: Mapping[str, Any]) -> ToolOutput:
    """Call the tool of that name; see `run_tool`.

    Raises:
        ToolError: There is no such tool, or it failed.
    """
    if name not in tools:
        raise ToolError(f"There is no tool {name} in this installation.", "The other steps are not affected.")
    return run_tool(tools[name], args)


def run_tool(tool: BaseTool, args: Mapping[str, Any]) -> ToolOutput:
    """Call a tool and return its artifact.

    Raises:
        ToolError: It failed for any reason; message and hint say why.
        Cancelled: The run was stopped.
    """
    with _tool_errors(tool.name):
        message = tool.invoke({"name": tool.name, "args": dict(args), "id": tool.name, "type": "tool_call"})
    artifact = getattr(message, "artifact", None)
    if isinstance(artifact, ToolOutput):
        return artifact
    text = str(getattr(message, "content", message)).strip()
    return ToolOutput(note=text.split("\n", 1)[0][:200])


def run_spec(spec: ToolSpec, context: DataContext, args: Mapping[str, Any]) -> ToolOutput:
    """Call a tool that `spec_of` made, or one of another program, without LangChain; see `run_tool`."""
    assert spec.run is not None, "made by `spec_of`"
    if spec.foreign is not None:
        with _tool_errors(spec.name):
            if problem := spec.foreign.invalid(args):
                raise ToolError(f"{spec.name} was called with arguments it does not take: {problem}.")
            return spec.run(context, **args)
    assert spec.args is not None, "made by `spec_of`"
    with _tool_errors(spec.name):
        arguments = spec.args.model_validate(dict(args))
        output = spec.run(context, **{name: getattr(arguments, name) for name in arguments.model_fields_set})
    return _with_locators(output, context) if isinstance(context, ToolContext) else output


@contextmanager
def _tool_errors(name: str) -> Iterator[None]:
    """Turn any error of a tool into a `ToolError`."""
    try:
        yield
    except (Cancelled, ToolError):
        raise
    except KbtuiError as error:
        raise ToolError(error.message, error.hint) from error
    except ValidationError as error:
        raise ToolError(f"{name} was called with arguments it does not take: {first_problem(error)}.") from error
    except Exception as error:
        reason = str(error).strip() or type(error).__name__
        raise ToolError(f"{name} failed: {reason}", "The other tools are not affected.") from error


def found_note(hits: Sequence[Hit], extra: str = "") -> str:
    """``12 passages in 5 files``: the note that the screen shows after a finished call."""
    files = len({hit.path for hit in hits})
    note = f"{counted(len(hits), 'passage')} in {counted(files, 'file')}" if hits else "nothing found"
    return f"{note}; {extra}" if extra else note


def first_problem(error: ValidationError) -> str:
    """``k: Input should be a valid integer``: the first thing that is wrong with arguments."""
    first = error.errors(include_url=False, include_input=False)[0]
    location = ".".join(str(part) for part in first["loc"])
    return f"{location}: {first['msg']}" if location else str(first["msg"])
