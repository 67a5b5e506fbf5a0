"""Imports of source code: modules, headers, crates and packages."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator

from kbtui.domain.document import Document, Relation
from kbtui.knowledge.relations.links import line_at, line_starts
from kbtui.knowledge.relations.statement_text import statement_excerpt

RELATION = "imports"

_PYTHON_FROM = re.compile(r"^[ \t]*from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(\([^)]{0,4000}\)|[^\n#;]+)", re.MULTILINE)
_PYTHON_IMPORT = re.compile(r"^[ \t]*import[ \t]+([\w. \t,]+)", re.MULTILINE)
_JAVASCRIPT = re.compile(
    r"(?:^|[;\s}])(?:import|export)\b(?:[^;'\"`()]{0,1000}?\bfrom)?\s*['\"]([^'\"\n]+)['\"]"
    r"|\b(?:require|import)\s*\(\s*['\"]([^'\"\n]+)['\"]\s*\)"
)
_RUST = re.compile(
    r"^[ \t]*(?:pub(?:\([^)]*\))?[ \t]+)?(?:use[ \t]+([\w:]+)|mod[ \t]+(\w+)[ \t]*;|extern[ \t]+crate[ \t]+(\w+))",
    re.MULTILINE,
)
_GO_ONE = re.compile(r"^import[ \t]+(?:[\w.]+[ \t]+)?\"([^\"\n]+)\"", re.MULTILINE)
_GO_BLOCK = re.compile(r"^import[ \t]*\(([^)]{0,5000})\)", re.MULTILINE)
_GO_LINE = re.compile(r"\"([^\"\n]+)\"")
_JAVA = re.compile(r"^[ \t]*import[ \t]+(?:static[ \t]+)?(\w+(?:\.\w+)*)", re.MULTILINE)
_C = re.compile(r"^[ \t]*#[ \t]*(?:include|import)[ \t]*[<\"]([^>\"\n]+)[>\"]", re.MULTILINE)

Matches = Iterator[tuple[int, str]]


def extract(document: Document) -> Iterator[Relation]:
    """A relation ``imports`` for each import statement of a file in a supported language."""
    finder = _FINDERS.get(document.language.lower())
    if document.kind != "code" or finder is None:
        return
    raw = document.text.split("\n")
    starts = line_starts(raw)
    for offset, target in finder(document.text, document.path):
        line = line_at(starts, offset)
        text = statement_excerpt(raw[line - 1], offset - starts[line - 1])
        yield Relation(source_path=document.path, relation=RELATION, target=target, line=line, text=text)


def _python(text: str, path: str) -> Matches:
    for match in _PYTHON_IMPORT.finditer(text):
        for name in match[1].split(","):
            if module := name.split(" as ")[0].strip():
                yield match.start(1), module
    for match in _PYTHON_FROM.finditer(text):
        module = _absolute_module(match[1], path)
        if module:
            yield match.start(1), module
        for name in re.finditer(r"(?:(?<=^)|(?<=[(,\s]))([a-z_]\w*)(?:\s+as\s+\w+)?(?=\s*(?:[,)#\n]|$))", match[2]):
            # An imported name may be a module or not; `kbtui.records.links`, which knows the files, drops the others.
            yield match.start(2) + name.start(1), f"{module}.{name[1]}" if module else name[1]


def _absolute_module(module: str, path: str) -> str:
    level = len(module) - len(module.lstrip("."))
    if level == 0:
        return module
    folder = posixpath.dirname(path).split("/") if "/" in path else []
    kept = folder[: len(folder) - (level - 1)] if level > 1 else folder
    return ".".join([*kept, *([module.lstrip(".")] if module.lstrip(".") else [])])


def _javascript(text: str, path: str) -> Matches:
    for match in _JAVASCRIPT.finditer(text):
        group = 1 if match[1] is not None else 2
        target = match[group]
        if target.startswith("."):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        yield match.start(group), target


def _rust(text: str, _path: str) -> Matches:
    for match in _RUST.finditer(text):
        group = next(index for index in (1, 2, 3) if match[index] is not None)
        yield match.start(group), match[group].rstrip(":")


def _go(text: str, _path: str) -> Matches:
    for match in _GO_ONE.finditer(text):
        yield match.start(1), match[1]
    for block in _GO_BLOCK.finditer(text):
        for match in _GO_LINE.finditer(block[1]):
            yield block.start(1) + match.start(1), match[1]


def _java(text: str, _path: str) -> Matches:
    for match in _JAVA.finditer(text):
        yield match.start(1), match[1]


def _c(text: str, _path: str) -> Matches:
    for match in _C.finditer(text):
        yield match.start(1), match[1]


_FINDERS: dict[str, Callable[[str, str], Matches]] = {
    "python": _python,
    "javascript": _javascript,
    "typescript": _javascript,
    "jsx": _javascript,
    "tsx": _javascript,
    "vue": _javascript,
    "svelte": _javascript,
    "rust": _rust,
    "go": _go,
    "java": _java,
    "kotlin": _java,
    "scala": _java,
    "c": _c,
    "cpp": _c,
    "c++": _c,
    "objective-c": _c,
}
