"""Markdown, reStructuredText and plain text: one block scanner, three dialects."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from kbtui.domain.document import HeaderField, Heading
from kbtui.knowledge.reading.loaders.base import Loader, Parsed, by_suffix, field_value, header_fields
from kbtui.text.blocks import Block, Dialect, document_blocks
from kbtui.text.fields import FieldBlock, front_matter, header_block

_IMAGE = re.compile(r"!\[([^\]]*)\]\([^)\s]*(?:\s[^)]*)?\)")
_LINK = re.compile(r"\[([^\]]+)\](?:\([^)\s]*(?:\s[^)]*)?\)|\[[^\]]*\])")
_ROLE = re.compile(r":(?:\w+:)?(pep|rfc):`(?:[^`<]*<)?(\d+)>?[^`]*`", re.IGNORECASE)
_OTHER_ROLE = re.compile(r":[\w:+.-]+:`(?:~(?!/))?!?([^`<]+?)(?:\s*<[^`>]*>)?`")
_RST_LINK = re.compile(r"`([^`<]+?)\s*<[^`>]+>`__?|`([^`]+)`__?")
_STRONG = re.compile(r"(\*\*|__|\*|~~)(?=\S)(.+?)(?<=\S)\1")
_ANCHOR = re.compile(r"\s*\{#?[^{}]*\}\s*$|\s*<a\s[^>]*>\s*(?:</a>)?\s*")
_MOST_HEADING_CHARS = 500
_MOST_TITLE_CHARS = 120
_TITLE = re.compile(r"[^\W_].*[^.,;:。，；：]")
_BULLET = re.compile(r"\s*(?:[-*+]\s+)?")

_USUAL_WORDS = """
summary abstract introduction overview context background motivation description contents status rationale preface
purpose scope changelog 摘要 简介 概述 背景 引言 目录 介绍 前言 总结
"""
_USUAL_SECTIONS = frozenset((*_USUAL_WORDS.split(), "table of contents"))

# Sections that state what other documents put into their header (Nygard's form of decision records).
_SECTION_FIELDS = frozenset(
    {"status", "date", "deciders", "decision-makers", "authors", "author", "状态", "日期", "决策者"}
)


def parse_prose(text: str, dialect: Dialect) -> Parsed:
    """Title, headings and header fields of a text in ``dialect``."""
    lines = text.split("\n")
    found = document_blocks(text, dialect)
    headings = tuple(
        Heading(level=block.level, text=plain, line=_heading_line(block))
        for block in found
        if block.kind == "heading" and (plain := plain_heading(block.text))
    )
    fields = _fields(lines, found)
    named = field_value(fields, "title", "标题") or (_opening(lines) if dialect == "text" else "")
    return Parsed(title=named or _title(headings), headings=headings, fields=fields)


def _opening(lines: Sequence[str]) -> str:
    """The first line of a plain text that stands alone, is short and ends no sentence: people title notes so."""
    first = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    rest = [line.strip() for line in lines[first + 1 :]]
    line = lines[first].strip() if first < len(lines) else ""
    alone = len(rest) > 1 and not rest[0] and any(rest)
    return line if alone and len(line) <= _MOST_TITLE_CHARS and _TITLE.fullmatch(line) else ""


def _title(headings: Sequence[Heading]) -> str:
    """The first heading, unless it is only the first of several sections that every such document has."""
    if not headings:
        return ""
    first = headings[0]
    alone = all(heading.level > first.level for heading in headings[1:])
    return first.text if alone or first.text.lower() not in _USUAL_SECTIONS else ""


def plain_heading(text: str) -> str:
    """A heading as it is read: links, roles, emphasis and code marks resolved."""
    if len(text) > _MOST_HEADING_CHARS:
        return text[:_MOST_HEADING_CHARS]
    if "[" in text:
        text = _LINK.sub(r"\1", _IMAGE.sub(r"\1", text))
    if ":`" in text:
        text = _OTHER_ROLE.sub(r"\1", _ROLE.sub(lambda match: f"{match[1].upper()} {match[2]}", text))
    if "`_" in text:
        text = _RST_LINK.sub(lambda match: match[1] or match[2], text)
    if "{" in text or "<a" in text:
        text = _ANCHOR.sub("", text)
    text = _STRONG.sub(r"\2", text) if "*" in text or "~~" in text else text
    return text.replace("`", "").strip()


def _heading_line(block: Block) -> int:
    """The line of the text: the second one where the heading has a line over it."""
    over = block.end - block.start == 2
    return block.start + (2 if over else 1)


def _fields(lines: Sequence[str], found: Sequence[Block]) -> tuple[HeaderField, ...]:
    matter = front_matter(lines)
    if matter is not None:
        return _exact(matter, lines)
    fields: list[HeaderField] = []
    first = next((block for block in found if block.kind != "rule"), None)
    if first is not None and first.kind == "field":
        header = header_block(lines, first.start)
    elif first is not None and first.kind == "heading":
        after = next((block for block in found if block.start > first.end and block.kind != "rule"), None)
        header = header_block(lines, after.start) if after is not None and after.kind == "field" else None
    else:
        header = None
    if header is not None:
        fields += header_fields(header.fields)
    return (*fields, *_section_fields(lines, found))


def _section_fields(lines: Sequence[str], found: Sequence[Block]) -> list[HeaderField]:
    """``## Status`` over one short paragraph says what ``Status:`` says elsewhere."""
    fields = []
    for at, block in enumerate(found[:-1]):
        if block.kind != "heading" or plain_heading(block.text).lower() not in _SECTION_FIELDS:
            continue
        body = found[at + 1]
        alone = at + 2 == len(found) or found[at + 2].kind in ("heading", "rule")
        if body.kind in ("prose", "list_item") and alone and body.end - body.start < 3:
            value = " ".join(line.strip() for line in lines[body.start : body.end + 1])
            value = _BULLET.sub("", value, count=1)
            fields.append(
                HeaderField(
                    key=plain_heading(block.text), value=value, start_line=body.start + 1, end_line=body.end + 1
                )
            )
    return fields


def _exact(matter: FieldBlock, lines: Sequence[str]) -> tuple[HeaderField, ...]:
    """Front matter with the values its language means; as written where it is malformed."""
    values = _values("\n".join(lines[matter.start + 1 : matter.end]), toml=lines[0].startswith("+++"))
    fields = header_fields(matter.fields)
    return tuple(replace(field, value=_flat(values[field.key])) if field.key in values else field for field in fields)


def _values(source: str, *, toml: bool) -> Mapping[str, object]:
    # 15 ms to import, for the folders that need it.
    import yaml

    try:
        # The base loader keeps 2024-01-02 and 007 as they are written.
        loaded = tomllib.loads(source) if toml else yaml.load(source, Loader=yaml.CBaseLoader)  # noqa: S506
    except (yaml.YAMLError, tomllib.TOMLDecodeError, RecursionError, ValueError):
        return {}
    return loaded if isinstance(loaded, dict) else {}


def _flat(value: object, depth: int = 0) -> str:
    if isinstance(value, dict) and depth < 3:
        return ", ".join(f"{key}: {_flat(item, depth + 1)}" for key, item in list(value.items())[:50])
    if isinstance(value, list) and depth < 3:
        return ", ".join(_flat(item, depth + 1) for item in value[:50])
    if isinstance(value, dict | list):
        return "…"
    return " ".join(str(value).split())


MARKDOWN = Loader(
    kind="markdown",
    matches=by_suffix(".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".rmd"),
    parse=lambda text, _path: parse_prose(text, "markdown"),
)
RST = Loader(kind="rst", matches=by_suffix(".rst", ".rest"), parse=lambda text, _path: parse_prose(text, "rst"))
TEXT = Loader(kind="text", matches=lambda _path, _text: True, parse=lambda text, _path: parse_prose(text, "text"))
