"""Finds what a question names literally: identifiers, ticket ids, document numbers, files, quoted strings.

The router weighs them, the keyword picker keeps them whole, and the decomposer refuses to cut through them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from kbtui.reasoning.offline.lexicon import words

MentionKind = Literal["code", "quote", "ticket", "document", "path", "identifier", "errorcode", "flag", "name"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """Something named literally.

    Attributes:
        text: What is named, without its quotes or backticks.
        start: Offset of the mention in the question, quotes included.
        end: Offset behind it.
    """

    kind: MentionKind
    text: str
    start: int
    end: int


# Terms that look like ticket ids and are none.
_STANDARD = re.compile(
    r"(?:UTF|SHA|ISO|AES|RSA|MD|GPT|COVID|HTTP|TLS|SSL|IPV|BASE|RS|IEEE|ASCII|CP|CRC|UCS|EC|GB|P|H|X|F|Q|L)-?\d+\Z",
    re.I,
)

# Products whose spelling looks like an identifier; people write them as ordinary words.
_BRANDS = words("brands")

_EXTENSIONS = (
    "py|pyi|js|jsx|ts|tsx|rs|go|java|kt|c|h|cc|cpp|hpp|cs|rb|php|sh|bash|sql|md|mdx|rst|txt|adoc|html?|css|scss|csv|tsv|"
    "json|jsonl|ya?ml|toml|ini|cfg|conf|env|lock|xml|ipynb|pdf|docx?|log|lua|scala|swift|vue|svelte|proto|tf|gradle"
)

_EDGE = r"(?<![A-Za-z0-9_])"
_TAIL = r"(?![A-Za-z0-9_])"

_PATTERNS: tuple[tuple[MentionKind, re.Pattern[str]], ...] = (
    ("code", re.compile(r"``(?P<t>[^`]+)``|`(?P<u>[^`]+)`")),
    (
        "path",
        re.compile(
            r"(?<![\w/.-])(?P<t>\.(?:env|gitignore|dockerignore|editorconfig|npmrc|bashrc|zshrc)(?:\.\w+)*)(?!\w)", re.A
        ),
    ),
    ("path", re.compile(r"\[\[(?P<t>[^\[\]]+)\]\]")),
    (
        "quote",
        re.compile(
            r'"(?P<t>[^"\n]{2,200})"|“(?P<u>[^”\n]{2,200})”|「(?P<v>[^」\n]{1,200})」|『(?P<w>[^』\n]{1,200})』'
            # Single quotes only where they cannot be apostrophes.
            r"|(?<!\w)'(?P<x>[^'\n]{2,80})'(?!\w)"
        ),
    ),
    (
        "errorcode",
        re.compile(
            rf"{_EDGE}(?P<t>CVE-\d{{4}}-\d{{3,}}|0x[0-9A-Fa-f]{{3,}}|ORA-\d{{4,}}|sha(?:1|256):[0-9a-f]+){_TAIL}"
        ),
    ),
    (
        "path",
        re.compile(
            rf"(?<![\w/.~-])(?P<t>[~.]?/?(?:[\w.@-]+/)*[\w@-][\w.@-]*\.(?:{_EXTENSIONS}))(?::\d+)?(?![\w/])",
            re.I | re.A,
        ),
    ),
    ("path", re.compile(r"(?<![\w/.~-])(?P<t>lib[\w+-]+\.(?:so(?:\.\d+)*|a|dll|dylib))(?!\w)", re.A)),
    ("path", re.compile(r"(?<![\w/.~-])(?P<t>(?:[\w.@-]+/){2,}[\w.@-]+|~?/[\w.@-]+(?:/[\w.@-]+)+)(?::\d+)?", re.A)),
    ("ticket", re.compile(rf"{_EDGE}(?P<t>[A-Z]{{2,8}}(?:-[A-Z]{{1,8}}){{1,3}}-\d{{1,7}}){_TAIL}")),
    ("ticket", re.compile(rf"{_EDGE}(?P<t>[A-Z][A-Z0-9]{{1,11}}-\d{{1,7}}(?:-\d+)*){_TAIL}")),
    ("errorcode", re.compile(rf"{_EDGE}(?P<t>[A-Z]{{1,4}}\d{{3,5}}){_TAIL}")),
    (
        "errorcode",
        re.compile(
            rf"{_EDGE}(?P<t>SIG(?:SEGV|KILL|TERM|INT|HUP|ABRT|BUS|FPE|ILL|PIPE|ALRM|CHLD|CONT|STOP|QUIT|USR[12]|TRAP)){_TAIL}"
        ),
    ),
    (
        "errorcode",
        re.compile(rf"{_EDGE}(?P<t>(?:HTTP(?:/\d(?:\.\d)?)?|[Ee]xit code|[Ss]tatus code|[Ee]rrno)\s\d{{1,3}}){_TAIL}"),
    ),
    ("flag", re.compile(r"(?<![\w-])(?P<t>--[a-zA-Z][\w-]+)", re.A)),
    ("flag", re.compile(r"(?<!\S)(?P<t>-[A-Za-z]\w{0,15})(?=[\s=?,.]|\Z)", re.A)),
    ("identifier", re.compile(rf"{_EDGE}(?P<t>[A-Za-z_][\w]*(?:(?:\.|::)[A-Za-z_]\w*)+)(?:\(\))?(?!\w)", re.A)),
    (
        "identifier",
        re.compile(rf"{_EDGE}(?P<t>_*[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)+_*|__\w+__){_TAIL}(?:\(\))?", re.A),
    ),
    ("identifier", re.compile(rf"{_EDGE}(?P<t>[A-Za-z_]\w*)\(\)", re.A)),
    ("identifier", re.compile(rf"{_EDGE}(?P<t>[a-z][a-z0-9]*(?:[A-Z][a-z0-9]+|[A-Z]{{2,}})[A-Za-z0-9]*){_TAIL}")),
    ("identifier", re.compile(rf"{_EDGE}(?P<t>E[A-Z]{{4,9}}){_TAIL}")),
    ("identifier", re.compile(r"(?<![\w-])(?P<t>X(?:-[A-Z][A-Za-z0-9]+)+)(?![\w-])", re.A)),
    (
        "identifier",
        re.compile(
            rf"{_EDGE}(?P<t>(?:[A-Z][a-z0-9]+){{2,}}(?:Error|Exception|Warning|Timeout)|(?:[A-Z][a-z0-9]+)+(?:Error|Exception)){_TAIL}"
        ),
    ),
    ("identifier", re.compile(rf"{_EDGE}(?P<t>v\d+(?:\.\d+){{2,}}(?:[-+][\w.]+)?){_TAIL}", re.A)),
    (
        "identifier",
        re.compile(
            rf"{_EDGE}(?P<t>[0-9a-f]{{4,}}(?:-[0-9a-f]{{2,}})+|(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{{7,40}}){_TAIL}"
        ),
    ),
    (
        "document",
        re.compile(
            rf"{_EDGE}(?P<t>[A-Z]{{2,6}}s?[ #]{{1,2}}\d{{1,5}}"
            rf"|(?:[Ii]ssue|[Tt]icket|[Bb]ug|PR|[Pp]ull request|MR)\s*\#?\d{{1,7}}"
            rf"|(?<![\w&])\#\d{{1,7}}|(?:pep|rfc|adr|rfcs|peps)[ -]?\d{{1,5}}){_TAIL}"
        ),
    ),
    ("name", re.compile(rf"{_EDGE}(?P<t>(?:[A-Z]+[a-z0-9]+){{2,}}[A-Z]*|[A-Z][a-z0-9]+[A-Z]+){_TAIL}")),
)

# Errno names start with E and are upper case, and so are many English words typed in capitals.
_ERRNO = words("errno")

_DOMAIN_OR_ABBREVIATION = re.compile(
    r"(?:[\w-]+\.)+(?:com|org|net|ai|io|dev|edu|gov|co|uk|de|cn|app)|(?:[a-z]\.)+[a-z]|[\w-]+\.?(?:js|NET)", re.I
)
_STANDARD_ABBREVIATIONS = words("abbreviations")


def find_mentions(question: str) -> tuple[Mention, ...]:
    """What ``question`` names literally, in order, without overlaps; earlier kinds in the table win.

    Args:
        question: As typed, NFKC-normalised.
    """
    taken: list[Mention] = []
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(question):
            text = next((group for group in match.groups() if group), "").strip()
            if not text or any(match.start() < other.end and other.start < match.end() for other in taken):
                continue
            if _is_ordinary(kind, text):
                continue
            taken.append(Mention(kind=kind, text=text, start=match.start(), end=match.end()))
    return tuple(sorted(taken, key=lambda mention: mention.start))


def _is_ordinary(kind: MentionKind, text: str) -> bool:
    """True when ``text`` only looks like a mention of that kind."""
    if kind in ("ticket", "errorcode") and _STANDARD.match(text):
        return True
    if kind == "identifier":
        if re.fullmatch(r"E[A-Z]{4,9}", text):
            return text not in _ERRNO
        return text.lower() in _BRANDS or _DOMAIN_OR_ABBREVIATION.fullmatch(text) is not None
    if kind == "name":
        return text.lower() in _BRANDS or (text.endswith("s") and text[:-1].isupper())
    if kind == "document":
        return text.split()[0].rstrip("#").strip() in _STANDARD_ABBREVIATIONS
    return False


def masked(question: str, mentions: tuple[Mention, ...]) -> str:
    """``question`` in lower case with each mention replaced by ``‹kind›``, so that rules never read inside one."""
    parts: list[str] = []
    position = 0
    for mention in mentions:
        parts += [question[position : mention.start].lower(), f"‹{mention.kind}›"]
        position = mention.end
    parts.append(question[position:].lower())
    return "".join(parts)
