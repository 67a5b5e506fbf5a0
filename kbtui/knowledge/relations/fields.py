"""Relations from header fields: one for each item of a field, with the line of the item.

The relation has the name of the field, so that a knowledge base defines its own vocabulary (``rust-issue``,
``sponsor``, ``负责人``); `kbtui.records` interprets these names in questions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kbtui.domain.document import Document, Relation
from kbtui.domain.tree import Node
from kbtui.knowledge.relations.labels import file_labels, find_labels, is_ticket, label_key, number_of, series_of
from kbtui.knowledge.relations.links import blank_code, local_target
from kbtui.knowledge.relations.statement_text import statement_excerpt
from kbtui.knowledge.relations.structure import mapping_of, structure_of
from kbtui.knowledge.relations.trees import NAMING_KEYS, FieldLines, fields_of_tree, outermost
from kbtui.knowledge.relations.vocabulary import NUMBER_FIELDS, relation_name, statement_at
from kbtui.knowledge.relations.words import word_set
from kbtui.text.days import days_in
from kbtui.text.page_heads import page_fields
from kbtui.text.pages import page_blocks

MAX_ITEM = 120
MAX_ITEMS = 200
_MAX_ITEM_WORDS = 7
_MAX_LINE_CHARS = 4000
_HEAD_LINES = 60

_PROSE_FIELDS = word_set(
    """
    title name subtitle description summary abstract content body note notes comment excerpt slug url
    permalink layout draft weight id key 标题 描述 摘要 简介 说明 备注 编号
    """
)
_EMPTY = word_set(
    """
    n/a na none nil null tbd todo unknown - -- – — ? ~ [] {} 无 暂无 不适用 待定
    """
)
_PLACEHOLDERS = ("n/a", "not applicable", "not yet", "leave this empty", "leave blank", "fill me in", "to be ")
_KEY_COLUMNS = word_set(
    """
    fact field key property attribute name item parameter setting label option entry 字段 属性 项目 名称 参数
    """
)
_VALUE_COLUMNS = word_set(
    """
    value values content contents data description detail details info information setting 值 内容 说明 数据
    """
)
_PAIRS = frozenset({('"', '"'), ("'", "'"), ("`", "`"), ("*", "*"), ("(", ")"), ("{", "}")})

_HEAD_FIELD = re.compile(
    r"^\s*(?:[-*+]\s+|>\s*)?(?:\*\*|__|:|`)?(?P<key>[^\W\d_][\w /()#.&-]{0,38}?)(?:\*\*|__|`)?\s*[:：](?!:|//)"
    r"(?:\*\*|__)?\s*(?P<value>.*)$"
)
_JSON_PAIR = re.compile(r"\{?\"[^\"]+\"\s*:")
_COLUMNS = re.compile(r"\S\s{3,}\S")
_NO_PROSE = re.compile(r"^\s*(?:\|?[-=:|\s]+\|?$|\[\^[^\]]+\]:)")
_TABLE_FIELD = re.compile(r"^\s*\|\s*(?:\*\*)?(?P<key>[^\W\d_][\w /()#-]{0,38}?)(?:\*\*)?\s*\|(?P<value>[^|]+)\|\s*$")
_WIKI_ROW = re.compile(
    r"^\s*\|\|=?\s*(?:'{2,3})?(?P<key>[^\W\d_][\w /()#-]{0,38}?)(?:'{2,3})?\s*=?\|\|(?P<value>[^|]+)\|\|\s*$"
)
_BOX_FIELD = re.compile(r"^\s*\|\s*(?P<key>[^\W\d_][\w ()-]{0,38}?)\s*=\s*(?P<value>[^|{}\n]*?)\s*$")
_BOX_EDGE = re.compile(r"^\s*(?:\{\{[^{}|]*|\}\})\s*$")
_NESTED_KEY = re.compile(r"^(?P<key>[\w-]+)\s*[:=]\s+(?P<value>.+)$")
_MARKDOWN_LINK = re.compile(r"\[(?P<text>[^\[\]]{1,300})\]\((?P<url>[^)\s]{0,500})[^)]{0,300}\)")
_RST_LINK = re.compile(r"`(?P<text>[^`<]{1,300}?)\s*<(?P<url>[^>`]{1,500})>`_{0,2}")
_REFERENCE_LINK = re.compile(r"^\[(?P<text>[^\]]+)\](?:\[[^\]]*\])?$")
_WIKI_LINK = re.compile(r"\[\[([^\]|#]+)(?:[^\]]*)?\]\]")
_INLINE_FIELD = re.compile(r"[(\[](?P<key>[^\W\d_][\w -]{0,38})::[ \t]+(?P<value>(?:\[\[[^\[\]]*\]\]|[^()\[\]])+)[)\]]")
_INLINE_LINE = re.compile(r"\s*(?:[-*+]\s+)?(?:\*\*)?(?P<key>[^\W\d_][\w -]{0,38})(?:\*\*)?::[ \t]+(?P<value>\S.*)$")
_TASK_BOX = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+\[.\]\s")
_TRACKER_URL = re.compile(r"/(?:issues|pull|merge_requests)/(\d{1,7})(?=$|[/#?\s)])")
_MAIL = re.compile(r"^[\w.+'-]+(?:@| at )[\w.-]+(?:\.\w+| dot \w+)+$", re.IGNORECASE)
_NAME_AND_MAIL = re.compile(r"^(?P<name>[^<>@]+?)\s*<[^>]*>?$")
_MAIL_AND_NAME = re.compile(r"^\S+(?:@| at )\S+\s+\((?P<name>[^)]+)\)$")
_NAME_AND_HANDLE = re.compile(r"^(?P<name>[^()@]+?)\s*\((?:@[^)]*|[^()\s]+\s*(?:@|'at'|\bat\b)\s*[^()\s]+)\)$")
_TAGS = frozenset({"tags", "tag"})
_NESTED_TAG = re.compile(r"[^\W\d][\w-]*(?:/[\w-]+){1,5}")
_INLINE_LIST = re.compile(r"\[(?!\[)(?:[^\[\]]|\[[^\[\]]*\](?:\([^()]*\))?)*\],?")
"""``[a, b]``, which may contain links but is no link itself: ``[text](address)``, ``[text][name]``, ``[[page]]``."""
_QUOTED_LIST = re.compile(r"^`[^`]+`(?:\s*(?:/|&|\+|and|or|和|与)\s*`[^`]+`)+$")
_AMOUNT = re.compile(r"[$£€¥]\s?\d{1,3}(?:,\d{3})+")
_FULL_STOP = re.compile(r"(?<=[a-z]{5})\.$")
_SUFFIX = re.compile(r"^(?:Jr|Sr|I{1,3}|IV|Ph\.?D|M\.?D|Esq)\.?$", re.IGNORECASE)
_FULL_NAME = re.compile(r"^(?:[A-ZÀ-Þ][\w.'’-]*\s+){1,3}[A-ZÀ-Þ][\w.'’-]*$")


def extract(document: Document) -> Iterator[Relation]:
    """A relation for each item of each header field that names something; fields of prose are skipped."""
    if document.kind == "csv" and not document.fields:
        return
    raw = document.text.split("\n")
    own_labels = file_labels(document)
    own_keys = {label_key(label) for label in own_labels}
    own_numbers = {number_of(label) for label in own_labels}
    series = next((word.upper() for label in own_labels if (word := series_of(label))), "")
    for field in header_fields(document, raw):
        for relation, number, item in values_of(field, document.path, own_labels):
            if label_key(item) in own_keys or (item.isdigit() and int(item) in own_numbers):
                continue
            if item.isdigit() and series and relation in NUMBER_FIELDS:
                target = f"{series} {int(item)}"
            else:
                target = item
            text = statement_excerpt(raw[number - 1], max(0, raw[number - 1].find(item)))
            yield Relation(source_path=document.path, relation=relation, target=target, line=number, text=text)
            statement = statement_at(target)
            if statement is not None:
                for _, label in find_labels(target[statement.end :], own_labels):
                    yield Relation(
                        source_path=document.path,
                        relation=statement.relation,
                        target=label,
                        line=number,
                        text=text,
                    )


def values_of(field: FieldLines, path: str, own_labels: tuple[str, ...]) -> Iterator[tuple[str, int, str]]:
    """Relation, line and text of each item of a field that names something; none for a field of prose."""
    relation = relation_name(field.key)
    if relation and relation not in _PROSE_FIELDS and not is_ticket(field.key) and not series_of(field.key):
        for number, item in _items(field, path, own_labels):
            yield relation, number, item
            if relation in _TAGS and _NESTED_TAG.fullmatch(item):
                yield from ((relation, number, level) for level in levels_above(item))


def levels_above(tag: str) -> Iterator[str]:
    """The levels above a nested tag: a document tagged *area/infra* is tagged *area*, too."""
    return (tag[: slash.start()] for slash in re.finditer("/", tag))


def header_fields(document: Document, raw: list[str]) -> Iterator[FieldLines]:
    """The fields that the loader found, then those of a list, table or bold block below the title.

    The fields of a data file are those of its tree.
    """
    if (tree := structure_of(document)) is not None:
        yield from fields_of_tree(outermost(tree))
        return
    covered: set[int] = set()
    front_matter = _front_matter_values(document, raw)
    for field in document.fields:
        line_numbers = range(field.start_line, min(field.end_line, len(raw)) + 1)
        covered.update(line_numbers)
        tree_node = front_matter.get(field.key)
        tree_fields = (
            fields_of_tree(Node(line=tree_node.line, entries={field.key: tree_node}))
            if tree_node and tree_node.entries
            else ()
        )
        # Deeper nested values are read line by line.
        yield from tuple(tree_fields) or [FieldLines(field.key, tuple(_value_lines(field.key, raw, line_numbers)))]
    if document.kind == "html":
        for page_field in page_fields(page_blocks(document.text)):
            yield FieldLines(page_field.name, ((page_field.line, page_field.value),))
    if document.kind == "markdown" and "::" in document.text:
        yield from _inline_fields(document, raw, covered)
    if document.kind in ("markdown", "rst", "text"):
        yield from _head_block(raw, covered, frozenset(heading.line for heading in document.headings))


def _inline_fields(document: Document, raw: list[str], covered: set[int]) -> Iterator[FieldLines]:
    """The fields within the text of a note: ``(key:: value)`` and ``[key:: value]`` in a line, ``key:: value`` on one.

    Those of a task are the task's.
    """
    for number, line in enumerate(blank_code(document.text).split("\n"), start=1):
        if "::" not in line or number in covered or len(line) > _MAX_LINE_CHARS or _TASK_BOX.match(line):
            continue
        for match in (_INLINE_LINE.match(line), *_INLINE_FIELD.finditer(line)):
            if match is not None:
                value = raw[number - 1][match.start("value") : match.end("value")]
                yield FieldLines(match["key"].strip(), ((number, value),))


def _front_matter_values(document: Document, raw: list[str]) -> dict[str, Node]:
    """The values of YAML front matter by key, where one of them has several lines and may be a tree; else empty."""
    if raw[0].rstrip() != "---" or all(field.start_line == field.end_line for field in document.fields):
        return {}
    last = max(field.end_line for field in document.fields)
    return mapping_of(raw[1:last], before=1)


def _value_lines(key: str, raw: list[str], numbers: range) -> Iterator[tuple[int, str]]:
    for number in numbers:
        line = raw[number - 1]
        if number == numbers.start:
            position = line.casefold().find(key.casefold().strip())
            rest = line[position + len(key.strip()) :] if position >= 0 else line
            line = re.sub(r"^[^:：=|]{0,6}?(?:::|[:：=|])(?:\*\*|__)?\s*", "", rest, count=1)
            line = line.rstrip().removesuffix("|") if raw[number - 1].lstrip().startswith("|") else line
        if len(line) <= _MAX_LINE_CHARS:
            yield number, line


def _head_block(raw: list[str], covered: set[int], headings: frozenset[int]) -> Iterator[FieldLines]:
    """The fields before the first line of prose; headings, even those with a colon, and blank lines are skipped."""
    open_field: FieldLines | None = None
    seen_heading, in_comment, previous = False, False, ""
    for number, line in enumerate(raw[:_HEAD_LINES], start=1):
        if len(line) > _MAX_LINE_CHARS:
            break
        in_comment = line.lstrip().startswith("<!--") or (in_comment and "-->" not in previous)
        match = _HEAD_FIELD.match(line) or _table_row(line) or _BOX_FIELD.match(line)
        previous = line
        if in_comment or number in covered or _is_frame(line):
            continue
        if line.startswith("#") or number in headings:
            if open_field is not None and seen_heading:
                break
            seen_heading = True
        elif match is not None and len(match["key"].split()) <= 4 and len(match["key"]) <= _max_key_chars(match["key"]):
            if open_field is not None:
                yield open_field
            open_field = FieldLines(match["key"], ((number, match["value"]),))
        elif open_field is not None and line[:1] in " \t":
            open_field = FieldLines(open_field.key, (*open_field.lines, (number, line)))
        elif (number > 1 or open_field is not None) and not _COLUMNS.search(line):
            break
    if open_field is not None:
        yield open_field


def _table_row(line: str) -> re.Match[str] | None:
    """The match of a table row with two cells, in Markdown or wiki syntax."""
    return _TABLE_FIELD.match(line) or _WIKI_ROW.match(line)


def _is_frame(line: str) -> bool:
    """Whether a line only frames fields: a blank line, a rule, the edge of a box, or a header row."""
    return bool(not line.strip() or _NO_PROSE.match(line) or _BOX_EDGE.match(line)) or is_header_row(line)


def is_header_row(line: str) -> bool:
    """Whether a line is the header row of a table of fields (*Field | Value*)."""
    match = _table_row(line)
    if match is None:
        return False
    return (
        match["key"].strip().casefold() in _KEY_COLUMNS and match["value"].strip(" *_'=").casefold() in _VALUE_COLUMNS
    )


def _max_key_chars(key: str) -> int:
    """Greatest length of a key; Chinese keys are short, and a longer one is the beginning of a sentence."""
    return 40 if key.isascii() else 8


def _items(field: FieldLines, path: str, own_labels: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    count = 0
    pieces = [(number, piece) for number, line in field.lines for piece in _split(line, number != field.lines[0][0])]
    if any(_is_prose(piece) for _, piece in pieces):
        return
    previous: tuple[int, str] | None = None
    for number, piece in pieces:
        for item in read_item(piece, path, own_labels):
            if previous is not None and _SUFFIX.match(item):
                previous = (previous[0], f"{previous[1]}, {item}")
                continue
            if previous is not None:
                yield previous
                count += 1
            previous = (number, item)
            if count >= MAX_ITEMS:
                return
    if previous is not None:
        yield previous


def _is_prose(piece: str) -> bool:
    """Whether a piece of a value is prose, not a name."""
    if re.search(r"[<`@#\[]", piece):
        return False
    words = piece.split()
    return len(words) > _MAX_ITEM_WORDS or len(piece) > MAX_ITEM or (len(words) > 3 and piece.rstrip()[-1:] in ".。!！")


def _split(line: str, is_continuation: bool) -> Iterator[str]:
    """Split one line of a value at commas and semicolons, English or Chinese, and at bars.

    It is not split within brackets, quotes, a written day or an amount of money.
    """
    # Text after a wide gap is another column, as in headers of RFCs.
    text = re.split(r"\s{3,}", line.strip(), maxsplit=1)[0]
    if is_continuation:
        text = re.sub(r"^[-*+]\s+", "", text)
        if text.endswith(":"):
            # A key whose value is nested deeper.
            return
        nested = _NESTED_KEY.match(text)
        if nested is not None:
            if nested["key"].lower() not in NAMING_KEYS:
                return
            text = nested["value"]
    if _INLINE_LIST.fullmatch(text):
        text = text.rstrip(",")[1:-1]
    elif text in ("[", "]", "],", ">", "|", ">-", "|-"):
        return
    days = [(day.start, day.end) for day in days_in(text)]
    days += [match.span() for match in _AMOUNT.finditer(text)]
    depth, quote, start = 0, "", 0
    for position, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in '"`':
            quote = char if char in text[position + 1 :] else ""
        elif char in "([{<":
            depth += 1
        elif char in ")]}>":
            depth = max(0, depth - 1)
        elif depth == 0 and char in ",;、，；|" and not any(first < position < end for first, end in days):
            yield text[start:position]
            start = position + 1
    yield text[start:]


def read_item(piece: str, path: str, own_labels: tuple[str, ...]) -> Iterator[str]:
    """The items that a piece of a value names: labels, targets of links, a person without address, or plain text."""
    text = _unwrap(piece)
    if (
        not text.strip("\"'`")
        or _JSON_PAIR.match(text)
        or text.casefold().rstrip(".") in _EMPTY
        or text.casefold().startswith(_PLACEHOLDERS)
    ):
        return
    if text.startswith("#") and not re.match(r"#\d", text):
        text = text.lstrip("#")
    if statement_at(text) is not None:
        yield _plain(_MARKDOWN_LINK.sub(r"\g<text>", text))
        return
    links = [*_MARKDOWN_LINK.finditer(text), *_RST_LINK.finditer(text)]
    if links:
        for link in links:
            yield _link_item(link["text"], link["url"], path, own_labels)
        return
    if wiki := _WIKI_LINK.findall(text):
        yield from (name.strip() for name in wiki)
        return
    if reference := _REFERENCE_LINK.match(text):
        text = reference["text"]
    if _QUOTED_LIST.match(text):
        yield from re.findall(r"`([^`]+)`", text)
        return
    person = _NAME_AND_MAIL.match(text) or _MAIL_AND_NAME.match(text) or _NAME_AND_HANDLE.match(text)
    if person is not None:
        yield _plain(person["name"])
        return
    labels = list(dict.fromkeys(label for _, label in find_labels(text, own_labels)))
    if labels and len(labels[0]) * 2 >= len(text) - 20:
        yield from labels
        return
    if tracker := _TRACKER_URL.search(text):
        yield f"#{int(tracker[1])}"
        return
    # *Obsolete.* is the same as *Obsolete*; *Inc.* keeps its period.
    text = _FULL_STOP.sub("", _plain(text))
    halves = re.split(r"\s+(?:and|&)\s+|\s*[和与]\s*", text)
    if len(halves) > 1 and all(_FULL_NAME.match(half) for half in halves):
        yield from halves
    elif text and len(text) <= MAX_ITEM and (not _MAIL.match(text) or "@" in text):
        yield text.removeprefix("and ").strip()


def _link_item(text: str, url: str, path: str, own_labels: tuple[str, ...]) -> str:
    text = text.strip()
    number = re.fullmatch(r"(?P<repository>[\w.-]+/[\w.-]+)?[\w.-]*#(?P<number>\d{1,7})", text)
    tracker = _TRACKER_URL.search(url)
    if number is not None:
        # Where the text names another repository than the address, it was copied, and the address is right.
        is_copied = tracker is not None and number["repository"] and f"/{number['repository']}/" not in url
        return f"#{int(tracker[1] if tracker and is_copied else number['number'])}"
    labels = [label for _, label in find_labels(text, own_labels)]
    if labels and not is_ticket(labels[0]):
        return labels[0]
    if tracker is not None:
        return f"#{int(tracker[1])}"
    return labels[0] if labels else (local_target(path, url) or _plain(text))


def _plain(text: str) -> str:
    """An item without mark-up: emphasis, code quotes and escapes."""
    plain = re.sub(r"\\([_*`\[\]#-])", r"\1", text)
    plain = re.sub(r"\*\*(.+?)\*\*", r"\1", plain)
    return " ".join(_unwrap(plain).split())


def _unwrap(text: str) -> str:
    """Text without quotes, emphasis or brackets that enclose all of it."""
    text = text.strip()
    while len(text) > 1 and (text[0], text[-1]) in _PAIRS and text[0] not in text[1:-1]:
        text = text[1:-1].strip()
    return text
