"""The tools, one module each, and their registry: `TOOLS`, which plans may contain, and `LOOP_TOOLS`, which a chat
model may call in the agent's loop. A new tool is one module with a ``SPEC``, and its name in a tuple here.

Other packages add tools through the entry point group ``kbtui.tools`` (an object of type `ToolSpec`); a plug-in that
cannot be loaded or built is named in a warning and skipped.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from kbtui.domain.tooling import ToolOutput
from kbtui.errors import ToolError
from kbtui.plugins import entry_points
from kbtui.settings.model import Settings
from kbtui.tools.base import Answers, DataContext, ToolContext, ToolSpec, run_by_name, run_spec, run_tool

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

__all__ = [
    "LOOP_TOOLS",
    "TOOLS",
    "Answers",
    "DataContext",
    "ToolContext",
    "ToolSpec",
    "Toolbox",
    "build_tools",
    "load_plugins",
    "load_spec",
    "loop_specs",
    "offered_tools",
    "run_by_name",
    "run_data_tool",
    "run_spec",
    "run_tool",
]

ENTRY_POINT_GROUP = "kbtui.tools"

TOOLS: Final = (
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
)
"""Tools of plans by name, which is also the name of their module."""

LOOP_TOOLS: Final = (
    "search",
    "grep",
    "read",
    "list_documents",
    "count_documents",
    "relations",
    "schema",
    "sql",
    "chart",
    "calc",
    "web_search",
    "web_fetch",
    "finish",
)
"""Tools that a chat model may call in the agent's loop, in the order in which they are offered."""

_log = logging.getLogger(__name__)


def load_spec(name: str) -> ToolSpec:
    """The spec of a built-in tool; only its own module is imported."""
    spec: ToolSpec = import_module(f"{__name__}.{name}").SPEC
    return spec


class Toolbox:
    """The tools of one run by name: the built-in ones first, then plug-ins.

    Tools that are switched off are included: a call of one says how to switch it on. Tools that `spec_of` made are
    called without LangChain, whose import takes longer than a question.

    Attributes:
        descriptions: What each tool is good for, by its name.
        answers: What plug-ins declare that they answer, by their names.

    Args:
        warn: Receives one sentence for each plug-in that was skipped, with the reason.
    """

    def __init__(self, context: ToolContext, warn: Callable[[str], None] = _log.warning) -> None:
        self._context = context
        plugins = tuple(_usable_plugins(warn))
        specs = [*map(load_spec, TOOLS), *(spec for spec in plugins if spec.run is not None and spec.args is not None)]
        self._specs = {spec.name: spec for spec in specs}
        self._built = _built((spec for spec in plugins if spec.name not in self._specs), context, warn)
        self.descriptions = {spec.name: spec.description for spec in specs} | {
            name: tool.description for name, tool in self._built.items()
        }
        self.answers = {
            spec.name: spec.answers
            for spec in plugins
            if spec.name in self.descriptions and isinstance(spec.answers, Answers)
        }

    def call(self, name: str, args: Mapping[str, Any]) -> ToolOutput:
        """Call the tool of that name; see `run_tool`.

        Raises:
            ToolError: There is no such tool, or it failed.
        """
        if name in self._specs:
            return run_spec(self._specs[name], self._context, args)
        return run_by_name(self._built, name, args)


def build_tools(context: ToolContext, warn: Callable[[str], None] = _log.warning) -> dict[str, BaseTool]:
    """The tools of a `Toolbox` as LangChain tools, for programs that give them to an agent of their own."""
    return {name: load_spec(name).build(context) for name in TOOLS} | _built(_usable_plugins(warn), context, warn)


def _usable_plugins(warn: Callable[[str], None]) -> Iterator[ToolSpec]:
    """The plug-ins with names of their own."""
    plugins, problems = load_plugins()
    for problem in problems:
        warn(problem)
    names = {*TOOLS, *LOOP_TOOLS}
    for spec in plugins:
        if spec.name in names:
            warn(f"The plug-in tool {spec.name!r} has the name of another tool and was skipped.")
            continue
        names.add(spec.name)
        yield spec


def _built(specs: Iterable[ToolSpec], context: ToolContext, warn: Callable[[str], None]) -> dict[str, BaseTool]:
    built: dict[str, BaseTool] = {}
    for spec in specs:
        try:
            built[spec.name] = spec.build(context)
        except Exception as error:  # noqa: BLE001 - code of third parties; the program works without it
            warn(f"The plug-in tool {spec.name!r} could not be built and was skipped: {error}")
    return built


def run_data_tool(context: DataContext, name: str, args: Mapping[str, Any]) -> ToolOutput:
    """Call a built-in tool that serves data; see `run_tool`."""
    spec = load_spec(name) if name in TOOLS else None
    if spec is None or spec.serves != "data":
        raise ToolError(f"There is no tool {name} for data.", "The other steps are not affected.")
    return run_spec(spec, context, args)


def offered_tools(settings: Settings, built: Iterable[str]) -> tuple[str, ...]:
    """Those of the ``built`` names that a plan of the graph may contain: tools for documents that are switched on."""
    excluded = {
        spec.name
        for spec in (*map(load_spec, TOOLS), *load_plugins()[0])
        if spec.serves != "documents" or spec.offered_to == "loop" or not spec.enabled(settings)
    }
    excluded |= set(LOOP_TOOLS) - set(TOOLS)
    return tuple(name for name in built if name not in excluded)


def loop_specs(settings: Settings, *, documents: bool = True, data: bool = True) -> tuple[ToolSpec, ...]:
    """The tools that a chat model is offered in the loop: those that are switched on and serve what there is to ask.

    A plug-in is included where it is ``offered_to`` the loop and has ``args`` and ``run``.
    """
    plugins = (spec for spec in _usable_plugins(lambda _: None) if spec.args is not None and spec.run is not None)
    sources = {"either"} | ({"documents"} if documents else set()) | ({"data"} if data else set())
    return tuple(
        spec
        for spec in (*map(load_spec, LOOP_TOOLS), *plugins)
        if spec.offered_to != "pipeline" and spec.serves in sources and spec.enabled(settings)
    )


def load_plugins() -> tuple[tuple[ToolSpec, ...], tuple[str, ...]]:
    """The specs of installed plug-ins, and one sentence for each that could not be loaded."""
    loaded: list[ToolSpec] = []
    problems: list[str] = []
    for entry_point in entry_points(ENTRY_POINT_GROUP):
        try:
            spec = entry_point.load()
        except Exception as error:  # noqa: BLE001 - code of third parties; the program works without it
            problems.append(f"The plug-in {entry_point.name!r} could not be loaded and was skipped: {error}")
            continue
        if isinstance(spec, ToolSpec):
            loaded.append(spec)
        else:
            problems.append(f"The plug-in {entry_point.name!r} is not a ToolSpec and was skipped.")
    return tuple(loaded), tuple(problems)
