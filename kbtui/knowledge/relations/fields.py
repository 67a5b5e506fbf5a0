"""Header fields as relations: one for each item of a field, on the line that holds the item.

The relation is named after the field, so a knowledge base brings its own vocabulary (``rust-issue``, ``sponsor``,
``负责人``); what those names mean in a question is the business of `kbtui.records`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kbtui.domain.document import Document, Relation
from kbtui.knowledge.relations.labels import file_labels, find_labels, is_ticket, label_key, number_of, series_of
from kbtui.knowledge.relations.links import local_target
from kbtui.knowledge.relations.stated import stating_part
from kbtui.knowledge.relations.structure import Node, mapping_of, structure_of
from kbtui.knowledge.relations.trees import NAMING_KEYS, FieldLines, fields_of_tree, outermost
from kbtui.knowledge.relations.vocabulary import NUMBER_FIELDS, relation_name, statement_at
from kbtui.knowledge.relations.words import word_set
from kbtui.text.days import days_in

MAX_ITEM = 120
MAX_ITEMS = 200
_MOST_WORDS = 7
_LONGEST_LINE = 4000
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
_TRACKER_URL = re.compile(r"/(?:issues|pull|merge_requests)/(\d{1,7})(?=$|[/#?\s)])")
_MAIL = re.compile(r"^[\w.+'-]+(?:@| at )[\w.-]+(?:\.\w+| dot \w+)+$", re.IGNORECASE)
_NAME_AND_MAIL = re.compile(r"^(?P<name>[^<>@]+?)\s*<[^>]*>?$")
_MAIL_AND_NAME = re.compile(r"^\S+(?:@| at )\S+\s+\((?P<name>[^)]+)\)$")
_NAME_AND_HANDLE = re.compile(r"^(?P<name>[^()@]+?)\s*\(@[^)]*\)$")
_TAGS = frozenset({"tags", "tag"})
_NESTED_TAG = re.compile(r"[^\W\d][\w-]*(?:/[\w-]+){1,5}")
_INLINE_LIST = re.compile(r"\[(?!\[)(?:[^\[\]]|\[[^\[\]]*\](?:\([^()]*\))?)*\],?")
"""``[a, b]``, with links perhaps, but no link itself: ``[text](address)``, ``[text][name]``, ``[[page]]``."""
_QUOTED_LIST = re.compile(r"^`[^`]+`(?:\s*(?:/|&|\+|and|or|和|与)\s*`[^`]+`)+$")
_SUFFIX = re.compile(r"^(?:Jr|Sr|I{1,3}|IV|Ph\.?D|M\.?D|Esq)\.?$", re.IGNORECASE)
_FULL_NAME = re.compile(r"^(?:[A-ZÀ-Þ][\w.'’-]*\s+){1,3}[A-ZÀ-Þ][\w.'’-]*$")


def extract(document: Document) -> Iterator[Relation]:
    """A relation for each item of each header field that names something rather than describing it."""
    if document.kind in ("csv", "html") and not document.fields:
        return
    raw = document.text.split("\n")
    own = file_labels(document)
    own_keys = {label_key(label) for label in own}
    own_numbers = {number_of(label) for label in own}
    series = next((word.upper() for label in own if (word := series_of(label))), "")
    for field in header_fields(document, raw):
        for relation, number, item in values_of(field, document.path, own):
            if label_key(item) in own_keys or (item.isdigit() and int(item) in own_numbers):
                continue
            if item.isdigit() and series and relation in NUMBER_FIELDS:
                target = f"{series} {int(item)}"
            else:
                target = item
            text = stating_part(raw[number - 1], max(0, raw[number - 1].find(item)))
            yield Relation(source_path=document.path, relation=relation, target=target, line=number, text=text)
            stated = statement_at(target)
            if stated is not None:
                for _, label in find_labels(target[stated.end :], own):
                    yield Relation(
                        source_path=document.path,
                        relation=stated.relation,
                        target=label,
                        line=number,
                        text=text,
                    )


def values_of(field: FieldLines, path: str, own: tuple[str, ...]) -> Iterator[tuple[str, int, str]]:
    """Relation, line and item for each item of a field that names something rather than describing it."""
    relation = relation_name(field.key)
    if relation and relation not in _PROSE_FIELDS and not is_ticket(field.key) and not series_of(field.key):
        for number, item in _items(field, path, own):
            yield relation, number, item
            if relation in _TAGS and _NESTED_TAG.fullmatch(item):
                # What is filed under area/infra is filed under area, too.
                yield from ((relation, number, item[: at.start()]) for at in re.finditer("/", item))


def header_fields(document: Document, raw: list[str]) -> Iterator[FieldLines]:
    """The fields the loader found, then those of a list, table or bold block under the title that it did not.

    A file of data states the values in its tree.
    """
    if (tree := structure_of(document)) is not None:
        yield from fields_of_tree(outermost(tree))
        return
    covered: set[int] = set()
    nested = _nested(document, raw)
    for field in document.fields:
        numbers = range(field.start_line, min(field.end_line, len(raw)) + 1)
        covered.update(numbers)
        inner = nested.get(field.key)
        of_tree = fields_of_tree(Node(line=inner.line, entries={field.key: inner})) if inner and inner.entries else ()
        # What is nested deeper is read line by line.
        yield from tuple(of_tree) or [FieldLines(field.key, tuple(_value_lines(field.key, raw, numbers)))]
    if document.kind in ("markdown", "rst", "text"):
        yield from _head_block(raw, covered, frozenset(heading.line for heading in document.headings))


def _nested(document: Document, raw: list[str]) -> dict[str, Node]:
    """By key the values of YAML front matter, where one of them has several lines and may be a tree."""
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
        if len(line) <= _LONGEST_LINE:
            yield number, line


def _head_block(raw: list[str], covered: set[int], headings: frozenset[int]) -> Iterator[FieldLines]:
    """Fields before the first line of prose, headings and blank lines aside; a title with a colon states none."""
    open_field: FieldLines | None = None
    seen_heading, in_comment, previous = False, False, ""
    for number, line in enumerate(raw[:_HEAD_LINES], start=1):
        if len(line) > _LONGEST_LINE:
            break
        in_comment = line.lstrip().startswith("<!--") or (in_comment and "-->" not in previous)
        match = _HEAD_FIELD.match(line) or _table_row(line) or _BOX_FIELD.match(line)
        previous = line
        if in_comment or number in covered or _states_nothing(line):
            continue
        if line.startswith("#") or number in headings:
            if open_field is not None and seen_heading:
                break
            seen_heading = True
        elif match is not None and len(match["key"].split()) <= 4 and len(match["key"]) <= _longest_key(match["key"]):
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
    """A row of two cells, in a table of Markdown or of a wiki."""
    return _TABLE_FIELD.match(line) or _WIKI_ROW.match(line)


def _states_nothing(line: str) -> bool:
    """Whether it only frames fields: blank, a rule, the edge of a box, the names of columns."""
    return bool(not line.strip() or _NO_PROSE.match(line) or _BOX_EDGE.match(line)) or _names_columns(line)


def _names_columns(line: str) -> bool:
    """Whether it is the first row of a table of fields, which says so (*Field | Value*) and states none."""
    match = _table_row(line)
    if match is None:
        return False
    return (
        match["key"].strip().casefold() in _KEY_COLUMNS and match["value"].strip(" *_'=").casefold() in _VALUE_COLUMNS
    )


def _longest_key(key: str) -> int:
    """Chinese keys are words of a few characters; a longer one is the first half of a sentence."""
    return 40 if key.isascii() else 8


def _items(field: FieldLines, path: str, own: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    count = 0
    pieces = [(number, piece) for number, line in field.lines for piece in _split(line, number != field.lines[0][0])]
    if any(_is_prose(piece) for _, piece in pieces):
        return
    previous: tuple[int, str] | None = None
    for number, piece in pieces:
        for item in read_item(piece, path, own):
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
    """Does this piece of a value tell something instead of naming it?"""
    if re.search(r"[<`@#\[]", piece):
        return False
    words = piece.split()
    return len(words) > _MOST_WORDS or len(piece) > MAX_ITEM or (len(words) > 3 and piece.rstrip()[-1:] in ".。!！")


def _split(line: str, is_continuation: bool) -> Iterator[str]:
    """Items of one line of a value: at commas, semicolons and their Chinese kin.

    Never inside brackets, quotes or a written day.
    """
    # What follows a wide gap is another column, as in the headers of the IETF.
    text = re.split(r"\s{3,}", line.strip(), maxsplit=1)[0]
    if is_continuation:
        text = re.sub(r"^[-*+]\s+", "", text)
        if text.endswith(":"):
            # A key, whose value is nested deeper.
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
    days = [(one.start, one.end) for one in days_in(text)]
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
        elif depth == 0 and char in ",;、，；" and not any(first < position < end for first, end in days):
            yield text[start:position]
            start = position + 1
    yield text[start:]


def read_item(piece: str, path: str, own: tuple[str, ...]) -> Iterator[str]:
    """What a piece of a value names: a label, the target of a link, a person without the address, or the plain text."""
    text = _unwrapped(piece)
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
            yield _link_item(link["text"], link["url"], path, own)
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
    labels = list(dict.fromkeys(label for _, label in find_labels(text, own)))
    if labels and len(labels[0]) * 2 >= len(text) - 20:
        yield from labels
        return
    if tracker := _TRACKER_URL.search(text):
        yield f"#{int(tracker[1])}"
        return
    text = _plain(text)
    halves = re.split(r"\s+(?:and|&)\s+|\s*[和与]\s*", text)
    if len(halves) > 1 and all(_FULL_NAME.match(half) for half in halves):
        yield from halves
    elif text and len(text) <= MAX_ITEM and (not _MAIL.match(text) or "@" in text):
        yield text.removeprefix("and ").strip()


def _link_item(text: str, url: str, path: str, own: tuple[str, ...]) -> str:
    text = text.strip()
    number = re.fullmatch(r"(?P<repository>[\w.-]+/[\w.-]+)?[\w.-]*#(?P<number>\d{1,7})", text)
    tracker = _TRACKER_URL.search(url)
    if number is not None:
        # A text that names another repository than the address was copied from elsewhere: the address counts.
        copied = tracker is not None and number["repository"] and f"/{number['repository']}/" not in url
        return f"#{int(tracker[1] if tracker and copied else number['number'])}"
    labels = [label for _, label in find_labels(text, own)]
    if labels and not is_ticket(labels[0]):
        return labels[0]
    if tracker is not None:
        return f"#{int(tracker[1])}"
    return labels[0] if labels else (local_target(path, url) or _plain(text))


def _plain(text: str) -> str:
    """An item without its mark-up: emphasis, code quotes, escapes."""
    bare = re.sub(r"\\([_*`\[\]#-])", r"\1", text)
    bare = re.sub(r"\*\*(.+?)\*\*", r"\1", bare)
    return " ".join(_unwrapped(bare).split())


def _unwrapped(text: str) -> str:
    """Text without the quotes, emphasis or brackets that hold all of it."""
    text = text.strip()
    while len(text) > 1 and (text[0], text[-1]) in _PAIRS and text[0] not in text[1:-1]:
        text = text[1:-1].strip()
    return text
