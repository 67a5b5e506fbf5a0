"""Labels of documents: ``PEP 484``, ``RFC 2119``, ``ADR-0007``, ``PROJ-100``, ``#27578``.

Labels are always compared by ``label_key``, so that ``pep-0484``, ``PEP 484`` and ``Pep484`` are equal.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import islice
from pathlib import PurePosixPath

from msgspec.structs import replace

from kbtui.domain.document import Document
from kbtui.knowledge.relations.words import word_set

SERIES_WORDS = word_set(
    """
    adr bip cep cip dep ecma eip ep erc fep gep hip isip jep jsr kep lep lip mep nep oip pep plip rep rfc sep sip
    slip stp tep tip xep zip
    """
)
"""Abbreviations of well-known numbered series; others are recognised by the labels of the document itself."""

_NOT_A_SERIES = word_set(
    """
    AES AM AMD AND ANSI ARM ARMV ASCII AT AVX BASE BIG BMP BSD BY CEST CET CODE COVID CP CPU CRC CSS DAY DES DOS
    EBCDIC EDT EN EST ET EU EUR FIG FIGURE FOR FP GB GBK GCC GET GMT GPL GPT GPU GTK HTML HTTP HTTPS IBM ID IEC IEEE
    IF IMAP IN INT IP IPV ISO JDK JIS JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC KB KHZ KOI LATIN LGPL LIMIT
    LINE LTS MAX MB MD MHZ MIN MIT MP MPEG MS NO NOT NTFS OF ON OR OS PAGE PART PHP PM POP POSIX POST PST PUT PY QT
    RAM RC RGB RSA RUN SD SDK SHA SHIFT SMTP SOAP SQL SSE SSH SSL STEP SVG TABLE TCP THE THEN TIER TLS TO TODAY TOP
    UCS UDP UNIX US USB USD UTC UTF VERSION VT WEEK WIN WITH XHTML XML YEAR ABI API DNS GC GIL IO JSON PPC REST ROM
    STL TOML URI URL VM YAML ADD ALL AN AS BE DO GO IS IT SO UP WE ANY HAS VS TODO FIXME NOTE XXX PORT CASE CHAPTER
    SECTION ITEM TEST TYPE LEVEL PHASE ROUND STAGE OPTION RULE RETURN SELECT VALUES
    """
)

_ALIAS_FIELDS = frozenset({"aliases", "alias"})
"""Fields of Obsidian and of Logseq (``alias:: name``)."""
_MAX_ALIASES = 20
_MAX_ALIAS_CHARS = 80

# Lookbehinds come after the first character of a label, because `re` can then search for that character fast.
_TICKET = re.compile(r"([A-Z](?<![\w/.-][A-Z])[A-Z0-9]{1,9})-(\d{1,6})(?!\w|-\w|\.\d)", re.ASCII)
_FROM_DIGIT = re.compile(r"[0-9][^\n]*")
_CVE = re.compile(r"\bCVE-\d{4}-\d{4,7}\b", re.ASCII)
_SERIES = re.compile(
    r"([A-Z](?<![\w-][A-Z])[A-Z]{1,7})(s?)(?:[ \t]+|[ \t]*\n[ \t>#*]*)#?(\d{1,5})(?!\w|\.\d|%|-\w)", re.ASCII
)
_MORE = re.compile(r"(?:\s*(?:,|/|&|、|和|与|及|\band\b|\bor\b))+\s*#?(\d{1,5})(?!\w|\.\d|%)", re.ASCII)
_GLUED = re.compile(r"([A-Za-z](?<![\w-][A-Za-z])[A-Za-z]{1,5})[ -]?#?(\d{1,5})(?!\w|\.\d|-\d)", re.ASCII)
_ROLE = re.compile(r":([A-Za-z][\w-]{1,12}):`(?:[^`<]{0,200}<)?\s{0,9}#?(\d{1,7})(?:#[^`>]{0,200})?>?`", re.ASCII)
_SEGMENT = re.compile(
    r"[/\\<`\"'(\[\s]([A-Za-z]{2,8})[-_]?(\d{1,5})(?:[-_][\w-]{0,80})?(?:\.[a-z]{2,5})?(?![\w.-]{0,80}\w)",
    re.ASCII,
)
_REPOSITORY_ITEM = re.compile(r"(?<![\w/.-])(?:[\w.-]{1,60}/)?[\w.-]{1,60}#(\d{1,7})\b", re.ASCII)
_HASH = re.compile(r"#(?<![\w&/#]#)(\d{1,7})\b(?!-)", re.ASCII)
_FROM_HASH = re.compile(r"#\d[^\n]*", re.ASCII)
_FROM_PULL = re.compile(r"(?:/pull/|#)\d[^\n]*")
_NUMBERED_PATH = re.compile(r"(\d(?<![^/(<\"' ]\d)\d{2,4})-[A-Za-z][\w-]{0,120}\.(?:md|rst|txt|html|adoc)\b")
_SERIES_FIELD = re.compile(r"([A-Za-z]{2,8})(?:[-_ ](?:number|no|id))?")
_FILE_NAME = re.compile(r"^([A-Za-z]{2,10})([-_ ]?)(\d{1,6})(?=$|[-_. ])")
_NUMBERED_NAME = re.compile(r"^(\d{1,5})(?=[-_. ]\D)")
_TITLE = re.compile(r"^\W*([A-Za-z]{2,10})([ \-_]?)#?(\d{1,6})(?=$|\s*[:：.—–|)\]-]|\s)")
_PULL = re.compile(r"([\w.-](?<![\w.-][\w.-])[\w.-]{0,59}/([A-Za-z]{2,8})s)(?:/pull/|#)(\d{1,6})")

_HEAD_CHARS = 2000
_SEPARATOR = "\n\x00\n"
"""Separates concatenated spans, so that no label matches across them."""

_TRACKER_ROLES = word_set(
    """
    bpo bug gh github issue issues pr pull ticket
    """
)
_MARKUP_ROLES = word_set(
    """
    abbr c code cpp doc eq guilabel kbd literal math numref ref samp strong sub sup term
    """
)

_LETTERS_WITHOUT_DECOMPOSITION = str.maketrans("łøđıŁØĐ", "lodilod")


def fold(text: str) -> str:
    """Text normalised for comparing names: without case and accents, with single spaces."""
    if text.isascii():
        return " ".join(text.casefold().split())
    decomposed = unicodedata.normalize("NFKD", text.translate(_LETTERS_WITHOUT_DECOMPOSITION))
    unaccented = "".join(char for char in decomposed if not unicodedata.combining(char))
    return " ".join(unaccented.casefold().split())


_NAMED_NUMBER = re.compile(r"([a-z]{2,10}|[a-z][a-z0-9]{1,9}(?=-))[ \-_]*#?0*(\d{1,7})")


@lru_cache(maxsize=65536)
def label_key(label: str) -> str:
    """The normal form of a label, equal for all its spellings: ``ADR-0007`` and ``adr 7`` give ``adr 7``."""
    folded = fold(label)
    match = _NAMED_NUMBER.fullmatch(folded)
    return f"{match[1]} {match[2]}" if match else folded


def series_of(label: str) -> str:
    """The series of a numbered label in lower case (``pep``), or an empty string."""
    match = re.fullmatch(r"([a-z][a-z0-9]*) \d+", label_key(label))
    return match[1] if match else ""


def is_ticket(label: str) -> bool:
    """Whether a label is an identifier of an issue tracker: ``PROJ-100``, ``#27578``."""
    match = re.fullmatch(r"([A-Z][A-Z0-9]{1,9})-\d{1,6}|#\d+", label)
    return match is not None and (match[1] or "").lower() not in SERIES_WORDS


def find_labels(text: str, own: tuple[str, ...] = ()) -> Iterator[tuple[int, str]]:
    """Offset and label of every mention of a document or ticket in ``text``, including repeated ones.

    Args:
        own: Labels of the document of the text; their series are recognised in any spelling.
    """
    series_words = SERIES_WORDS | {series for label in own if (series := series_of(label))}
    claimed: set[int] = set()
    spans = _Spans(text)
    if "CVE-" in text:
        for match, shift in _matches(_CVE, spans):
            yield match.start() + shift, match[0]
    for match, shift in _matches(_TICKET, spans):
        if match[1] not in _NOT_A_SERIES:
            yield match.start() + shift, match[0]
    for match, shift in _matches(_SERIES, spans):
        word, end = match[1], match.end() + shift
        if word in _NOT_A_SERIES and word.lower() not in series_words:
            continue
        series_words |= {word.lower()}
        claimed.add(match.start(3) + shift - 1)
        yield match.start() + shift, f"{word} {int(match[3])}"
        if match[2] or text[end : end + 1] == "/":
            while next_number := _MORE.match(text, end):
                claimed.add(next_number.start(1) - 1)
                yield next_number.start(1), f"{word} {int(next_number[1])}"
                end = next_number.end()
    for pattern in (_GLUED, _SEGMENT):
        for match, shift in _matches(pattern, spans):
            word = match[1].lower()
            is_padded = match[2].startswith("0") and len(match[2]) >= 4
            if word in series_words or (pattern is _SEGMENT and is_padded):
                yield match.start(1) + shift, f"{word.upper()} {int(match[2])}"
    yield from _roles(text)
    yield from _hashes(spans, claimed)


def _hashes(spans: _Spans, claimed: Collection[int]) -> Iterator[tuple[int, str]]:
    """``#12`` and ``owner/repository#12``, except at the ``claimed`` offsets, which belong to a series."""
    for begin, end in _lines_of(_FROM_HASH, spans.text):
        for match in _REPOSITORY_ITEM.finditer(spans.text, begin, end):
            yield match.start() + spans.shift(match.start()), f"#{int(match[1])}"
    for match, shift in _matches(_HASH, spans):
        if match.start() + shift not in claimed:
            yield match.start() + shift, f"#{int(match[1])}"


def digit_lines(text: str) -> Iterator[tuple[int, int]]:
    """Begin and end of each line with a digit; only these can contain a label, and most lines do not."""
    return _lines_of(_FROM_DIGIT, text)


def _lines_of(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    """Begin and end of each line in which ``pattern`` matches; the pattern must match to the end of the line."""
    for match in pattern.finditer(text):
        yield text.rfind("\n", 0, match.start()) + 1, match.end()


def _roles(text: str) -> Iterator[tuple[int, str]]:
    """Labels in roles of reStructuredText, which may span lines."""
    for match in _ROLE.finditer(text):
        role = match[1].lower()
        if role in _TRACKER_ROLES:
            yield match.start(), f"#{int(match[2])}"
        elif role not in _MARKUP_ROLES:
            yield match.start(), f"{role.upper()} {int(match[2])}"


class _Spans:
    """The lines with a digit, each with the line above it, where a label may begin, concatenated to one text.

    Searching one text with each pattern takes a third of the time of searching thousands of spans.
    """

    def __init__(self, text: str) -> None:
        self._shifts: list[int] = []
        self._begins: list[int] = []
        parts: list[str] = []
        size = 0
        for start, stop in _digit_spans(text):
            self._begins.append(size)
            self._shifts.append(start - size)
            parts.append(text[start:stop])
            size += stop - start + len(_SEPARATOR)
        self.text = _SEPARATOR.join(parts)

    def shift(self, offset: int) -> int:
        """The difference between an offset in the original text and ``offset`` in `text`."""
        return self._shifts[bisect_right(self._begins, offset) - 1]


def _digit_spans(text: str) -> Iterator[tuple[int, int]]:
    start = stop = 0
    for begin, end in digit_lines(text):
        above = text.rfind("\n", 0, max(begin - 1, 0)) + 1
        if above > stop and stop:
            yield start, stop
            start = above
        elif not stop:
            start = above
        stop = end
    if stop:
        yield start, stop


def _matches(pattern: re.Pattern[str], spans: _Spans) -> Iterator[tuple[re.Match[str], int]]:
    """Each match of ``pattern`` in the spans, with what to add to its offsets."""
    for match in pattern.finditer(spans.text):
        yield match, spans.shift(match.start())


def find_numbered_paths(text: str, series: str) -> Iterator[tuple[int, str]]:
    """Offset and label of each file named by a number (``text/0195-associated-items.md``), as part of ``series``."""
    for match in _NUMBERED_PATH.finditer(text):
        # 0000-my-proposal.md is a document without a number yet.
        if int(match[1]):
            yield match.start(), f"{series.upper()} {int(match[1])}"


def find_pulls(text: str, repository: str, series: str) -> Iterator[tuple[int, str]]:
    """Offset and label of each pull request (``rfcs/pull/533``, ``rfcs#533``) that numbers a document of ``series``."""
    for begin, end in _lines_of(_FROM_PULL, text):
        for match in _PULL.finditer(text, begin, end):
            if match[1].casefold().endswith(repository.casefold()):
                yield match.start(), f"{series.upper()} {int(match[3])}"


def pull_series(document: Document) -> tuple[str, str]:
    """Repository and series of a document that is numbered by its pull request; else two empty strings.

    ``RFC PR: rust-lang/rfcs#533`` in ``0533-….md`` shows that: the field names the series, the repository its plural.
    """
    head = document.text[:_HEAD_CHARS].split("\n")[:25]
    for line in head:
        for match in _PULL.finditer(line):
            if re.search(rf"{match[2]}\b", line[: match.start()], re.IGNORECASE):
                return match[1], match[2].lower()
    return "", ""


def file_labels(document: Document) -> tuple[str, ...]:
    """The labels of a document, best first: from its header, its title and its file name.

    A file named by a number, whose series the document does not state, gets none here; `kbtui.records.links` derives
    the series from the documents that mention it.
    """
    # Every extractor calls this, so the result is cached by the beginning of the document, which determines it.
    return _labels_of(
        replace(document, text=document.text[:_HEAD_CHARS], headings=document.headings[:1], sha256="", mtime_ns=0)
    )


@lru_cache(maxsize=4)
def _labels_of(document: Document) -> tuple[str, ...]:
    path = PurePosixPath(document.path)
    labels = [*_field_labels(document, path.stem), *_title_labels(document.title, path.stem)]
    if document.headings:
        labels += _title_labels(document.headings[0].text, path.stem)
    labels += _name_labels(path, labels)
    if not labels and (number := file_number(document.path)) is not None and (word := _series_word(document, path)):
        labels.append(f"{word.upper()} {number}")
    seen: dict[str, str] = {}
    for label in labels:
        seen.setdefault(label_key(label), label)
    return tuple(seen.values())


def file_number(path: str) -> int | None:
    """The number of a file named by a number: 533 for ``text/0533-no-array.md``; None for dates and others."""
    stem = PurePosixPath(path).stem
    match = _NUMBERED_NAME.match(f"{stem} x" if stem.isdigit() else stem)
    return int(match[1]) if match and stem.isascii() else None


_NUMBER_FIELDS = frozenset({"number", "no", "nr", "num"})
_SERIES_FILE = re.compile(r"([A-Za-z]{2,10})[-_]?(\d{1,6})(?!\w)")


def _aliases(value: str) -> Iterator[str]:
    """The aliases of a note in Obsidian or Logseq, which links to it may use."""
    for name in value.strip("[]").split(","):
        alias = name.strip().strip("\"'").removeprefix("[[").removesuffix("]]").strip()
        if 1 < len(alias) <= _MAX_ALIAS_CHARS and not alias.isdigit():
            yield alias


def _field_labels(document: Document, stem: str) -> Iterator[str]:
    number = file_number(document.path)
    for field in document.fields:
        if number is not None:
            # "Proposal: [SE-0001](0001-….md)" states the number of the file with its series.
            yield from (label for _, label in find_labels(field.value[:200]) if number_of(label) == number)
        key, value = field.key.strip().strip("*_"), field.value.strip().strip("\"'`")
        if key.lower() in _ALIAS_FIELDS:
            yield from islice(_aliases(value), _MAX_ALIASES)
        elif key.lower() in {"id", "key", "ticket", "issue", "identifier", "编号", "工单"}:
            if is_ticket(value) or series_of(value) in SERIES_WORDS:
                yield value
        elif key.lower() in _NUMBER_FIELDS:
            # "Number: 141" in iwn-141.txt: the name of the file has the series.
            if (match := _SERIES_FILE.match(stem)) and value.isascii() and value.isdigit():
                yield from [f"{match[1].upper()} {int(value)}"] if int(match[2]) == int(value) else []
        elif (match := _SERIES_FIELD.fullmatch(key)) and re.fullmatch(r"\d{1,6}", value):
            word = match[1]
            is_in_name = stem.lower().startswith(word.lower())
            if word.lower() in SERIES_WORDS or is_in_name or (word.isupper() and word not in _NOT_A_SERIES):
                yield f"{word.upper()} {int(value)}"


def number_of(label: str) -> int | None:
    """The number of a numbered label: 484 for ``PEP 484``."""
    match = re.fullmatch(r"[a-z][a-z0-9]* (\d+)", label_key(label))
    return int(match[1]) if match else None


def _title_labels(title: str, stem: str) -> Iterator[str]:
    match = _TITLE.match(title)
    if match is None:
        return
    word, separator, digits = match.groups()
    is_series = word.lower() in SERIES_WORDS or (word.isupper() and word not in _NOT_A_SERIES)
    number_in_name = re.search(rf"(?<!\d)0*{int(digits)}(?!\d)", stem) is not None
    if is_series and (separator or number_in_name or word.lower() in SERIES_WORDS):
        is_hyphenated = separator == "-" and word.isupper()
        yield f"{word.upper()}-{digits}" if is_hyphenated else f"{word.upper()} {int(digits)}"


def _name_labels(path: PurePosixPath, known_labels: list[str]) -> Iterator[str]:
    match = _FILE_NAME.match(path.stem)
    if match is None or re.match(r"(19|20)\d\d[-_.]\d\d", path.stem[match.start(3) :]):
        return
    word, separator, digits = match.groups()
    is_confirmed = label_key(f"{word} {digits}") in map(label_key, known_labels)
    is_padded = digits.startswith("0") and len(digits) >= 3
    is_year = re.fullmatch(r"(?:19|20)\d\d", digits) is not None
    if word.isupper() and separator == "-" and word not in _NOT_A_SERIES and (is_confirmed or not is_year):
        yield f"{word}-{digits}"
    elif word.lower() in SERIES_WORDS or is_confirmed or is_padded:
        yield f"{word.upper()} {int(digits)}"


def _series_word(document: Document, path: PurePosixPath) -> str:
    _, series = pull_series(document)
    if series:
        return series
    folder = path.parent.name.lower()
    return next((word for word in (folder, folder.removesuffix("s")) if word in SERIES_WORDS), "")
