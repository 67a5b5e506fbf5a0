"""The tools, one file each, and their registry: two tuples, of what plans may hold and of what a chat model may call in
the agent's loop. A new tool is one file with a ``SPEC`` and its name here.

Third parties add theirs through the entry point group ``kbtui.tools`` (an object of type `ToolSpec`); one that cannot
be loaded or built is named in a warning and skipped.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, Final

from kbtui.domain.tooling import ToolOutput
from kbtui.errors import ToolError
from kbtui.settings.model import Settings
from kbtui.tools.base import DataContext, ToolContext, ToolSpec, run_named, run_spec, run_tool, with_places

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

__all__ = [
    "LOOP_TOOLS",
    "TOOLS",
    "DataContext",
    "ToolContext",
    "ToolSpec",
    "Toolbox",
    "build_tools",
    "load_plugins",
    "loop_specs",
    "offered_tools",
    "run_data_tool",
    "run_named",
    "run_spec",
    "run_tool",
    "spec_named",
    "with_places",
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
"""Tools of plans by name, which is that of their module."""

LOOP_TOOLS: Final = (
    "search",
    "grep",
    "read",
    "list_documents",
    "count_documents",
    "relations",
    "schema",
    "sql",
    "calc",
    "web_search",
    "web_fetch",
    "finish",
)
"""Tools that a chat model may call in the agent's loop, in the order in which they are offered."""

_log = logging.getLogger(__name__)


def spec_named(name: str) -> ToolSpec:
    """The built-in tool of that name; an analysis of data, which needs two of them, loads no others."""
    spec: ToolSpec = import_module(f"{__name__}.{name}").SPEC
    return spec


class Toolbox:
    """The tools of one run by name: built-in ones first, those that are switched off too (called, they say how to
    switch them on). Functions of this program are called without LangChain, whose import takes longer than a question.

    Args:
        warn: Told, in one sentence each, which plug-ins were skipped and why.
    """

    def __init__(self, context: ToolContext, warn: Callable[[str], None] = _log.warning) -> None:
        self._context = context
        self._own = {name: spec_named(name) for name in TOOLS}
        self._plugins = _built_plugins(context, warn)
        self.descriptions = {spec.name: spec.description for spec in self._own.values()} | {
            name: tool.description for name, tool in self._plugins.items()
        }

    def call(self, name: str, args: Mapping[str, Any]) -> ToolOutput:
        """Call the tool of that name; see `run_tool`. One that is not there is a `ToolError` too."""
        if name in self._own:
            return with_places(run_spec(self._own[name], self._context, args), self._context)
        return run_named(self._plugins, name, args)


def build_tools(context: ToolContext, warn: Callable[[str], None] = _log.warning) -> dict[str, BaseTool]:
    """The tools of a `Toolbox` as LangChain tools, for programs that give them to an agent of their own."""
    return {name: spec_named(name).build(context) for name in TOOLS} | _built_plugins(context, warn)


def _built_plugins(context: ToolContext, warn: Callable[[str], None]) -> dict[str, BaseTool]:
    plugins, problems = load_plugins()
    for problem in problems:
        warn(problem)
    built: dict[str, BaseTool] = {}
    for spec in plugins:
        if spec.name in TOOLS or spec.name in built:
            warn(f"The plug-in tool {spec.name!r} has the name of another tool and was skipped.")
            continue
        try:
            built[spec.name] = spec.build(context)
        except Exception as error:  # noqa: BLE001 - code of third parties; the program works without it
            warn(f"The plug-in tool {spec.name!r} could not be built and was skipped: {error}")
    return built


def run_data_tool(context: DataContext, name: str, args: Mapping[str, Any]) -> ToolOutput:
    """Call a tool of an analysis of data; see `run_tool`."""
    spec = spec_named(name) if name in TOOLS else None
    if spec is None or spec.serves != "data":
        raise ToolError(f"There is no tool {name} for data.", "The other steps are not affected.")
    return run_spec(spec, context, args)


def offered_tools(settings: Settings, built: Iterable[str]) -> tuple[str, ...]:
    """The names among ``built`` of tools for documents that are switched on: all that a plan of the graph may hold."""
    off = {
        spec.name
        for spec in (*map(spec_named, TOOLS), *load_plugins()[0])
        if spec.serves != "documents" or spec.offered_to == "loop" or not spec.enabled(settings)
    }
    off |= set(LOOP_TOOLS) - set(TOOLS)
    return tuple(name for name in built if name not in off)


def loop_specs(settings: Settings, *, documents: bool = True, data: bool = True) -> tuple[ToolSpec, ...]:
    """What a chat model is offered in the loop: tools that are switched on, over what there is to ask.

    Plug-ins among them are those that ask for it (``offered_to``) and say what they take and do (``args``, ``run``).
    """
    plugins = (spec for spec in load_plugins()[0] if spec.args is not None and spec.run is not None)
    served = {"either"} | ({"documents"} if documents else set()) | ({"data"} if data else set())
    return tuple(
        spec
        for spec in (*map(spec_named, LOOP_TOOLS), *plugins)
        if spec.offered_to != "pipeline" and spec.serves in served and spec.enabled(settings)
    )


@cache
def _installed(listing: Callable[..., Iterable[Any]]) -> tuple[Any, ...]:
    """The entry points of plug-ins: to look through all that is installed takes longer than most of a question."""
    return tuple(listing(group=ENTRY_POINT_GROUP))


def load_plugins() -> tuple[tuple[ToolSpec, ...], tuple[str, ...]]:
    """The specs of installed plug-ins, and one sentence for each that could not be loaded."""
    loaded: list[ToolSpec] = []
    problems: list[str] = []
    for point in _installed(entry_points):
        try:
            spec = point.load()
        except Exception as error:  # noqa: BLE001 - code of third parties; the program works without it
            problems.append(f"The plug-in {point.name!r} could not be loaded and was skipped: {error}")
            continue
        if isinstance(spec, ToolSpec):
            loaded.append(spec)
        else:
            problems.append(f"The plug-in {point.name!r} is not a ToolSpec and was skipped.")
    return tuple(loaded), tuple(problems)
