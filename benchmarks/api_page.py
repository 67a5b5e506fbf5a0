"""Prints ``docs/api.md``: what programs may use of kbtui, read off signatures and docstrings."""

from __future__ import annotations

import inspect
import re
import textwrap
import typing
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from kbtui.bootstrap import Engine
from kbtui.bootstrap.retriever import FolderRetriever, as_retriever
from kbtui.domain.answer import Answer, Citation
from kbtui.domain.events import AnswerCompleted, Progress, RunStarted
from kbtui.errors import KbtuiError
from kbtui.runs.backend import ToolCalls
from kbtui.settings.load import load_settings
from kbtui.tools.base import ToolSpec, spec_of

ENGINE = (
    *("answer_query", "stream", "start", "cancel", "close", "warm", "refresh", "new_conversation", "continue_session"),
    *("tools", "library", "names", "file_count", "staleness", "read_source", "rerun", "refresh_schema", "audit"),
)
"""Methods of the engine that programs use, in the order of the page."""

INTRODUCTION = """\
# kbtui in Python

<!-- Written by `python benchmarks/api_page.py`; edit the docstrings instead. -->

```python
import kbtui

engine = kbtui.Engine(kb="notes")
answer = engine.answer_query("how do we rotate keys?")
print(answer.markdown)
for citation in answer.citations:
    print(citation.n, citation.label)
engine.close()
```

`import kbtui` loads nothing heavy: the names below are resolved when they are first used. What stands on this page is
kept; everything else may change with any version. Runs and their events are those of `kbtui ask --json`
([commands.md](commands.md#events), `kbtui events --schema`).
"""

RETRIEVER = """\
```python
retriever = kbtui.as_retriever("notes", k=4)
for document in retriever.invoke("how do we rotate keys?"):
    print(document.metadata["source"], document.metadata["score"])
```
"""

STREAM = """\
```python
async for event in engine.stream("how do we rotate keys?"):
    if event.kind == "progress":
        print(event.stage, event.done, event.total)
    elif event.kind == "answer_completed":
        print(event.markdown)
```
"""


def api_markdown() -> str:
    """The text of ``docs/api.md``."""
    blocks = [
        INTRODUCTION,
        "## `kbtui.Engine`",
        _signature("kbtui.Engine", Engine),
        *_described(inspect.getdoc(Engine) or ""),
        STREAM,
        *(block for name in ENGINE for block in _member(Engine, name, "engine")),
        "## `engine.tools`",
        *_described(inspect.getdoc(ToolCalls) or ""),
        *(block for name in ("call", "read", "records", "files") for block in _member(ToolCalls, name, "engine.tools")),
        "## `kbtui.as_retriever`",
        _signature("kbtui.as_retriever", as_retriever),
        RETRIEVER,
        *_described(inspect.getdoc(as_retriever) or ""),
        "### What it returns",
        *_described(inspect.getdoc(FolderRetriever) or ""),
        "## Values",
        *(block for kind in (Answer, Citation) for block in _value(kind)),
        "Events are values too, each with `kind`, `run_id`, `seq` and `at`; such as these:",
        *(block for kind in (RunStarted, Progress, AnswerCompleted) for block in _value(kind)),
        "## Settings",
        _signature("kbtui.settings.load.load_settings", load_settings),
        *_described(inspect.getdoc(load_settings) or ""),
        "`kbtui.Settings()` are the defaults; every setting is in [settings.md](settings.md).",
        "## Errors",
        *_described(inspect.getdoc(KbtuiError) or ""),
        "## Tools of your own",
        "A package gives kbtui a tool by the entry point group `kbtui.tools`; [plugins.md](plugins.md) has an example.",
        *_described(inspect.getdoc(ToolSpec) or ""),
        _signature("kbtui.tools.base.spec_of", spec_of),
        *_described(inspect.getdoc(spec_of) or ""),
    ]
    return "\n\n".join(block.strip("\n") for block in blocks if block) + "\n"


def _member(owner: type, name: str, shown: str) -> Iterator[str]:
    member = inspect.getattr_static(owner, name)
    if isinstance(member, property):
        yield f"### `{shown}.{name}`"
        yield from _described(inspect.getdoc(member) or "")
        return
    yield f"### `{shown}.{name}`"
    yield _signature(name, member, without_self=True)
    yield from _described(inspect.getdoc(member) or "")


def _value(kind: type[Struct]) -> Iterator[str]:
    yield f"### `{kind.__name__}`"
    yield from _described(inspect.cleandoc(kind.__doc__ or ""))
    rows = [
        f"{name}: {_typed(type_)}"
        for owner in reversed(kind.__mro__)
        for name, type_ in inspect.get_annotations(owner).items()
        if not name.startswith("__")
    ]
    if tag := kind.__struct_config__.tag:
        rows.append(f"kind: {tag!r}")
    yield "```text\n" + "\n".join(rows) + "\n```"


def _signature(name: str, function: Any, *, without_self: bool = False) -> str:
    """The call as code, an argument a line where it is long."""
    signature = inspect.signature(function)
    parameters = [p for p in signature.parameters.values() if not (without_self and p.name == "self")]
    written: list[str] = []
    for parameter in parameters:
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in written:
            written.append("*")
        written.append(_parameter(parameter))
    returns = signature.return_annotation
    end = "" if isinstance(function, type) or returns is signature.empty else f" -> {_typed(returns)}"
    call = f"{name}({', '.join(written)}){end}"
    if len(call) > 100:
        call = f"{name}(\n" + "".join(f"    {part},\n" for part in written) + f"){end}"
    return f"```text\n{call}\n```"


def _parameter(parameter: inspect.Parameter) -> str:
    stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    text = f"{stars}{parameter.name}"
    if parameter.annotation is not parameter.empty:
        text += f": {_typed(parameter.annotation)}"
    if parameter.default is not parameter.empty:
        text += f" = {_default(parameter.default)}"
    return text


def _default(value: Any) -> str:
    """A default as code; what differs from machine to machine (the environment, the clock) by its name, or as ``…``."""
    if callable(value):
        return str(getattr(value, "__name__", "…"))
    return repr(value) if isinstance(value, str | int | float | bool | tuple | None) else "…"


def _typed(annotation: Any) -> str:
    text = annotation if isinstance(annotation, str) else typing.cast("str", inspect.formatannotation(annotation))
    return re.sub(r"\b(?:typing|collections\.abc|pathlib|kbtui(?:\.\w+)*)\.(?=[A-Z])", "", text)


_SECTION = re.compile(r"^(Args|Attributes|Raises):$")
_ITEM = re.compile(r"^    (\*{0,2}[\w, .]+): (.*)$")


def _described(docstring: str) -> Iterator[str]:
    """A docstring as Markdown: paragraphs as they are, arguments and errors as lists."""
    docstring = re.sub(r"``(.+?)``", r"`\1`", docstring)
    paragraph: list[str] = []
    section = ""
    for line in docstring.split("\n"):
        if heading := _SECTION.match(line):
            yield _wrapped(paragraph, bool(section))
            paragraph, section = [], heading[1]
            titles = {"Args": "Arguments", "Attributes": "Attributes", "Raises": "Raises"}
            yield f"*{titles[section]}*"
        elif section and (item := _ITEM.match(line)):
            paragraph.append(f"- `{item[1]}`: {item[2]}")
        elif section and line.startswith("        ") and paragraph:
            paragraph[-1] += f" {line.strip()}"
        elif line.strip():
            paragraph.append(line.strip())
        elif paragraph:
            yield _wrapped(paragraph, bool(section))
            paragraph = []
    yield _wrapped(paragraph, bool(section))


def _wrapped(lines: Sequence[str], is_list: bool) -> str:
    if not is_list:
        return textwrap.fill(" ".join(lines), 118, break_long_words=False, break_on_hyphens=False)
    return "\n".join(
        textwrap.fill(line, 118, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
        for line in lines
    )


if __name__ == "__main__":
    print(api_markdown(), end="")
