"""The loader of source code: definitions are headings, nested as in the file."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator

from kbtui.domain.document import Heading
from kbtui.knowledge.reading.loaders.base import Loader, Parsed
from kbtui.knowledge.reading.loaders.data import parse_toml
from kbtui.knowledge.reading.loaders.languages import Language, find_language

_MAX_PARSED_CHARS = 1_000_000
_MAX_LINE_CHARS = 400
_MAX_NAME_CHARS = 120
_MAX_HEADINGS = 5_000
_KIND_SPACE = re.compile(r"\s+")


def _parse(text: str, path: str) -> Parsed:
    language = find_language(path, text)
    if language is None:
        return Parsed()
    title = path.rpartition("/")[2]
    if language.name == "config" and not title.startswith("."):
        title = parse_toml(text, path).title or title
    if language.name == "python" and len(text) <= _MAX_PARSED_CHARS and (headings := _python(text)) is not None:
        return Parsed(title=title, headings=headings, language=language.name)
    return Parsed(title=title, headings=tuple(_definitions_by_line(text, language)), language=language.name)


def _python(text: str) -> tuple[Heading, ...] | None:
    """The definitions by the syntax tree; None where the file does not parse."""
    try:
        with warnings.catch_warnings():
            # Warnings about invalid escapes in indexed files are of no use to the user.
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    headings: list[Heading] = []
    pending: list[tuple[ast.AST, int]] = [(node, 1) for node in reversed(tree.body)]
    while pending and len(headings) < _MAX_HEADINGS:
        node, level = pending.pop()
        child_level = level
        if isinstance(node, ast.ClassDef):
            headings.append(Heading(level=level, text=f"class {node.name}", line=node.lineno))
            child_level += 1
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            headings.append(Heading(level=level, text=f"def {node.name}", line=node.lineno))
            # Definitions within a function are not headings.
            continue
        elif not isinstance(node, ast.If | ast.Try | ast.With):
            continue
        pending += [(child, child_level) for child in reversed(list(ast.iter_child_nodes(node)))]
    return tuple(headings)


def _definitions_by_line(text: str, language: Language) -> Iterator[Heading]:
    """The definitions by patterns of lines; a further indented definition is nested."""
    pattern = language.definitions
    if pattern is None:
        return
    open_indents: list[int] = []
    count = 0
    for number, line in enumerate(text.split("\n"), 1):
        if not line or len(line) > _MAX_LINE_CHARS or (match := pattern.match(line)) is None:
            continue
        indent = len(line.expandtabs(4)) - len(line.lstrip().expandtabs(4))
        while open_indents and open_indents[-1] >= indent:
            open_indents.pop()
        open_indents.append(indent)
        name, kind = _group(match, "name"), _group(match, "kind")
        label = _KIND_SPACE.sub(" ", f"{kind} {name}").strip()[:_MAX_NAME_CHARS]
        if label:
            yield Heading(level=len(open_indents), text=label, line=number)
            count += 1
            if count >= _MAX_HEADINGS:
                return


def _group(match: re.Match[str], prefix: str) -> str:
    return next((value for key, value in match.groupdict().items() if key.startswith(prefix) and value), "").strip()


CODE = Loader(kind="code", matches=lambda path, text: find_language(path, text) is not None, parse=_parse)
