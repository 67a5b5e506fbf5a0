"""Loaders of Markdown, reStructuredText and plain text, which share a block scanner."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

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
_MAX_HEADING_CHARS = 500
_MAX_TITLE_CHARS = 120
_TITLE = re.compile(r"[^\W_].*[^.,;:。，；：]")
_BULLET = re.compile(r"\s*(?:[-*+]\s+)?")

_USUAL_WORDS = """
summary abstract introduction overview context background motivation description contents status rationale preface
purpose scope changelog 摘要 简介 概述 背景 引言 目录 介绍 前言 总结
"""
_USUAL_SECTIONS = frozenset((*_USUAL_WORDS.split(), "table of contents"))

_NAME_SECTIONS = frozenset({"name", "title", "名称", "标题"})

# Sections that other documents have as header fields (as in the decision records of Nygard).
_SECTION_FIELDS = frozenset(
    {"status", "date", "deciders", "decision-makers", "authors", "author", "状态", "日期", "决策者"}
)


def parse_prose(text: str, dialect: Dialect) -> Parsed:
    """Title, headings and header fields of a text in ``dialect``."""
    lines = text.split("\n")
    blocks = document_blocks(text, dialect)
    headings = tuple(
        Heading(level=block.level, text=plain, line=_heading_line(block))
        for block in blocks
        if block.kind == "heading" and (plain := plain_heading(block.text))
    )
    fields = _fields(lines, blocks)
    stated_title = field_value(fields, "title", "标题") or _text_of_name(lines, blocks)
    if not stated_title and dialect == "text" and not (blocks and blocks[0].kind == "heading"):
        stated_title = _opening(lines)
    names_part = dialect == "markdown" and _begins_below_text(blocks)
    return Parsed(title=stated_title or ("" if names_part else _title(headings)), headings=headings, fields=fields)


def _begins_below_text(blocks: Sequence[Block]) -> bool:
    """Whether the first heading is of a lower level and below other text: it names a part, as in notes of a vault."""
    first = next((at for at, block in enumerate(blocks) if block.kind == "heading"), 0)
    return first > 0 and blocks[first].level > 1 and any(block.kind != "rule" for block in blocks[:first])


def _text_of_name(lines: Sequence[str], blocks: Sequence[Block]) -> str:
    """The line below a first heading such as *Name*, if it is all there is below it."""
    if len(blocks) < 3 or blocks[0].kind != "heading" or blocks[0].text.lower() not in _NAME_SECTIONS:
        return ""
    body = blocks[1]
    is_line = body.kind == "prose" and body.start == body.end and blocks[2].kind == "heading"
    return lines[body.start].strip() if is_line else ""


def _opening(lines: Sequence[str]) -> str:
    """The first line of a plain text as title, if it is short, ends no sentence, and is followed by a blank line."""
    first = next((index for index, line in enumerate(lines) if line.strip()), len(lines))
    rest = [line.strip() for line in lines[first + 1 :]]
    line = lines[first].strip() if first < len(lines) else ""
    is_alone = len(rest) > 1 and not rest[0] and any(rest)
    return line if is_alone and len(line) <= _MAX_TITLE_CHARS and _TITLE.fullmatch(line) else ""


def _title(headings: Sequence[Heading]) -> str:
    """The first heading, unless it is one of several and has a common section name."""
    if not headings:
        return ""
    first = headings[0]
    is_only_top = all(heading.level > first.level for heading in headings[1:])
    return first.text if is_only_top or first.text.lower() not in _USUAL_SECTIONS else ""


def plain_heading(text: str) -> str:
    """A heading without mark-up: links, roles, emphasis and code marks are resolved."""
    if len(text) > _MAX_HEADING_CHARS:
        return text[:_MAX_HEADING_CHARS]
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
    """Line number of the text of a heading: the second line where the heading has an overline."""
    has_overline = block.end - block.start == 2
    return block.start + (2 if has_overline else 1)


def _fields(lines: Sequence[str], blocks: Sequence[Block]) -> tuple[HeaderField, ...]:
    matter = front_matter(lines)
    if matter is not None:
        return _front_matter_fields(matter, lines)
    fields: list[HeaderField] = []
    first = next((block for block in blocks if block.kind != "rule"), None)
    if first is not None and first.kind == "field":
        header = header_block(lines, first.start)
    elif first is not None and first.kind == "heading":
        next_block = next((block for block in blocks if block.start > first.end and block.kind != "rule"), None)
        header = (
            header_block(lines, next_block.start) if next_block is not None and next_block.kind == "field" else None
        )
    else:
        header = None
    if header is not None:
        fields += header_fields(header.fields)
    return (*fields, *_section_fields(lines, blocks))


def _section_fields(lines: Sequence[str], blocks: Sequence[Block]) -> list[HeaderField]:
    """Fields from sections of one short paragraph: ``## Status`` is the same as ``Status:`` in other documents."""
    fields = []
    for index, block in enumerate(blocks[:-1]):
        if block.kind != "heading" or plain_heading(block.text).lower() not in _SECTION_FIELDS:
            continue
        body = blocks[index + 1]
        is_whole_section = index + 2 == len(blocks) or blocks[index + 2].kind in ("heading", "rule")
        if body.kind in ("prose", "list_item") and is_whole_section and body.end - body.start < 3:
            value = " ".join(line.strip() for line in lines[body.start : body.end + 1])
            value = _BULLET.sub("", value, count=1)
            fields.append(
                HeaderField(
                    key=plain_heading(block.text), value=value, start_line=body.start + 1, end_line=body.end + 1
                )
            )
    return fields


def _front_matter_fields(matter: FieldBlock, lines: Sequence[str]) -> tuple[HeaderField, ...]:
    """The fields of front matter, with values as parsed by YAML or TOML; as written where it is malformed."""
    values = _values("\n".join(lines[matter.start + 1 : matter.end]), toml=lines[0].startswith("+++"))
    fields = header_fields(matter.fields)
    return tuple(
        replace(field, value=_flatten(values[field.key])) if field.key in values else field for field in fields
    )


def _values(source: str, *, toml: bool) -> Mapping[str, object]:
    # Imported late: it takes 15 ms, and few folders need it.
    import yaml

    try:
        # The base loader keeps 2024-01-02 and 007 as they are written.
        loaded = tomllib.loads(source) if toml else yaml.load(source, Loader=yaml.CBaseLoader)  # noqa: S506
    except (yaml.YAMLError, tomllib.TOMLDecodeError, RecursionError, ValueError):
        return {}
    return loaded if isinstance(loaded, dict) else {}


def _flatten(value: object, depth: int = 0) -> str:
    if isinstance(value, dict) and depth < 3:
        return ", ".join(f"{key}: {_flatten(item, depth + 1)}" for key, item in list(value.items())[:50])
    if isinstance(value, list) and depth < 3:
        return ", ".join(_flatten(item, depth + 1) for item in value[:50])
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
