"""What a chat model wrote as Markdown in which nothing reaches out: no image, no HTML, no link that no source has.

An image is fetched by whatever shows the answer, and its address can carry what the model was shown to whoever wrote
the document ("EchoLeak", CVE-2025-32711). So images become their text, and a link stays one only where a source has the
very address. What is left is read by the parser that shows answers: should it still find a link, the words are escaped,
and at last shown as one block of code. Code is never touched: nothing in it is live.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from html import unescape
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from kbtui.text.hidden import visible

if TYPE_CHECKING:
    from markdown_it.token import Token

_MOST_PARSED: Final = 100_000
"""Characters past which an answer is no answer any more, and is shown as it is."""

_BOUNDARY = re.compile(r"</?passage\b[^<>\n]{0,2000}\bkey=\"[0-9a-f]{8,}\"[^<>\n]{0,2000}>", re.IGNORECASE)
_LEAST_RULE_CHARS: Final = 24
"""Letters from which a sentence of the rules is in an answer by no accident."""

_FENCE = re.compile(r"^(?:[ \t]|>|[-*+][ \t]|\d{1,9}[.)][ \t]){0,12}(`{3,}|~{3,})([^\n]*)$")
_TICKS = re.compile(r"(?<!\\)`+|\n[ \t]*\n")
# What addresses are made of; others are written in percents.
_CHAR: Final = r"[!#-;=?-Z\[\]^_a-z{}~]"
_URL: Final = rf"(?:[a-zA-Z][a-zA-Z0-9+.-]{{1,30}}://|www\.|(?<![:/])//(?=[\w-]{{1,63}}\.)){_CHAR}{{1,2000}}"
_BARE_HOST: Final = rf"(?<![\w./@-])(?:[\w-]{{1,63}}\.){{1,6}}[a-zA-Z]{{2,18}}(?::\d{{1,5}})?[/?#]{_CHAR}{{1,2000}}"
_LIVE = re.compile(
    # A link or image in one piece.
    r"(?<!\\)(?P<image>!?)\[(?P<label>[^\[\]\n]{0,500})\]\(\s{0,3}<?(?P<url>(?:[^\s()<>]|\([^\s()<>]{0,200}\)){0,2000})>?"
    r"(?:\s{1,3}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'|\([^()\n]{0,300}\)))?\s{0,3}\)"
    # A definition: with one of "1" every mark [1] would become a link.
    r"|(?P<definition>^[ \t>*+\d.)-]{0,24}\[[^\[\]\n]{1,300}\])(?=:)"
    r"|<(?P<auto>[a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^\s<>]{0,2000})>"
    rf"|(?P<bare>{_URL}|{_BARE_HOST})"
    # What the rest of a link or a tag could begin with.
    r"|(?P<seam>(?<=\])\(|<(?=[a-zA-Z/!?]))",
    re.MULTILINE,
)
_CLOSING: Final = ".,:;!?'*_~)]}。，；：！？）】」』”’…"
_ACTIVE = re.compile(r"\\*([\[\]<!&])")
_ACTIVE_IN_ADDRESS = re.compile(r"\\*([\[\]<>!:/.@&?#=()])")
_WORD = re.compile(r"\S+")
_ADDRESS = re.compile(r"//|www\.|@|\.[^\s/?#]*[/?#]")
_MARK = re.compile(r"\[\d{1,3}\](?![(\[:])|\[\?\]")


def safe_markdown(markdown: str, allowed_urls: Iterable[str] = ()) -> str:
    """``markdown`` without images, HTML, hidden characters, and links to anything but ``allowed_urls``.

    Args:
        markdown: Anything.
        allowed_urls: Addresses that the sources of the answer have; they are allowed as they are, not what begins so.
    """
    text = visible(markdown)
    allowed = frozenset(_normal(url) for url in allowed_urls)
    if len(text) > _MOST_PARSED:
        return _as_code(text)
    for change in (_changed, _changed_or_escaped, _all_escaped):
        made = change(text, allowed)
        if not live_parts(made, allowed):
            return made
    return _as_code(text)


def urls_in(texts: Iterable[str]) -> frozenset[str]:
    """The addresses that stand in texts, for ``allowed_urls``."""
    return frozenset(match[0].rstrip(_CLOSING) for text in texts for match in re.finditer(_URL, text))


def without_rules(markdown: str, rules: str) -> str:
    """``markdown`` without the tags of passages, and without the sentences of ``rules`` (a system prompt) in it.

    Spaces, case and Markdown around the words make no difference.
    """
    given = markdown
    markdown = _BOUNDARY.sub("", markdown)
    for sentence in re.split(r"(?<=[.!?。！？:;])\s+|\n+", rules):
        words = sentence.strip("-* \t").split()
        if sum(map(len, words)) < _LEAST_RULE_CHARS:
            continue
        spaced = r"[\s>*_`]+".join(map(re.escape, words))
        markdown = re.sub(
            rf"[ \t]{{0,8}}{spaced}(?:[ \t]{{0,8}}\[(?:\d{{1,3}}|\?)\])*", "", markdown, flags=re.IGNORECASE
        )
    return re.sub(r"(?m)^[ \t]{0,8}[-*+][ \t]{0,8}\n", "", markdown) if markdown != given else given


def live_parts(markdown: str, allowed_urls: Iterable[str] = ()) -> tuple[str, ...]:
    """What the parser of answers takes for an image, HTML or a link that is not allowed: its address or source.

    Addresses without a path that are not written as a link (``config.py`` is one in Paraguay) and mail addresses carry
    nothing anywhere, and are left out.
    """
    from markdown_it import MarkdownIt
    from markdown_it.common.normalize_url import normalizeLink

    allowed = frozenset(form for url in allowed_urls for form in (_normal(url), _normal(normalizeLink(url))))
    return tuple(_live(MarkdownIt("gfm-like").parse(markdown), allowed))


def _live(tokens: Iterable[Token], allowed: frozenset[str]) -> Iterator[str]:
    for token in tokens:
        if token.type == "image":
            yield str(token.attrs.get("src", ""))
        elif token.type in ("html_inline", "html_block"):
            yield token.content
        elif token.type == "link_open":
            url = str(token.attrs.get("href", ""))
            harmless = token.markup == "linkify" and (url.startswith("mailto:") or _is_bare_host(url))
            if not harmless and _normal(url) not in allowed:
                yield url
        if token.children:
            yield from _live(token.children, allowed)


def _is_bare_host(url: str) -> bool:
    """Whether a parser made this of a name with a dot: no path, no question, and the scheme it adds by itself."""
    parts = urlsplit(url)
    return parts.scheme == "http" and parts.path in ("", "/") and not parts.query and not parts.fragment


def _changed(text: str, allowed: frozenset[str]) -> str:
    return _outside_code(text, lambda part: _defused(part, allowed))


def _changed_or_escaped(text: str, allowed: frozenset[str]) -> str:
    """As `_changed`, and the paragraphs in which something is still live escaped: the others keep their looks."""
    pieces: list[str] = []
    for is_code, piece in _fences(text):
        for paragraph in (piece,) if is_code else re.split(r"(\n[ \t]*\n)", piece):
            made = _changed(paragraph, allowed)
            pieces.append(_all_escaped(paragraph, allowed) if live_parts(made, allowed) else made)
        pieces.append("\n")
    return "".join(pieces[:-1])


def _all_escaped(text: str, _allowed: frozenset[str]) -> str:
    return _outside_code(text, _escaped)


def _defused(text: str, allowed: frozenset[str]) -> str:
    def change(match: re.Match[str]) -> str:
        if match["label"] is not None:
            return _link(match, allowed)
        if match["definition"] is not None:
            return f"{match[0]}\\"
        url = match["auto"] or match["bare"]
        if url is None:
            return match[0] if _is_escaped(text, match.start()) else f"\\{match[0]}"
        end = "" if match["auto"] else url[len(url.rstrip(_CLOSING)) :]
        address = url[: len(url) - len(end)]
        return match[0] if _normal(address) in allowed else f"{_code(address)}{end}"

    return _LIVE.sub(change, text)


def _link(match: re.Match[str], allowed: frozenset[str]) -> str:
    url, label = match["url"], match["label"].strip()
    if not match["image"] and _normal(url) in allowed and _honest(label, url):
        return match[0]
    label = _defused(label, frozenset())
    if not url:
        return label
    return f"{label} ({_code(url)})" if label and label != url else _code(url)


def _honest(label: str, url: str) -> bool:
    """Whether a link leads where it says it does, as far as it says so."""
    said = re.search(rf"{_URL}|(?:[\w-]{{1,63}}\.)+[a-zA-Z]{{2,18}}", label)
    return said is None or _host(said[0]) == _host(url)


def _host(url: str) -> str:
    return urlsplit(url if "//" in url else f"//{url}").netloc.lower().removeprefix("www.")


def _normal(url: str) -> str:
    """An address as it is compared: scheme and host do not tell upper from lower case, everything else does."""
    url = unescape(url).strip().rstrip("/")
    head, slashes, rest = url.partition("//")
    host, slash, path = rest.partition("/")
    return f"{head.lower()}{slashes}{host.lower()}{slash}{path}"


def _code(text: str) -> str:
    return f"`{text.replace('`', '%60')}`"


def _is_escaped(text: str, at: int) -> bool:
    before = text[max(0, at - 64) : at]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1


def _escaped(text: str) -> str:
    """Every sign that could begin a link, a tag or an address as itself; our own marks stay."""
    parts: list[str] = []
    position = 0
    for mark in _MARK.finditer(text):
        parts += [_signs_escaped(text[position : mark.start()]), mark[0]]
        position = mark.end()
    parts.append(_signs_escaped(text[position:]))
    return "".join(parts)


def _signs_escaped(text: str) -> str:
    return _WORD.sub(
        lambda word: (_ACTIVE_IN_ADDRESS if _ADDRESS.search(word[0]) else _ACTIVE).sub(r"\\\1", word[0]), text
    )


def _as_code(text: str) -> str:
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    """``text`` with ``change`` made to what is in no fenced block and no code span."""
    pieces: list[str] = []
    for is_code, piece in _fences(text):
        if is_code:
            pieces.append(piece)
            continue
        parts: list[str] = []
        position = 0
        for start, end in _spans(piece):
            parts += [change(piece[position:start]), piece[start:end]]
            position = end
        pieces.append("".join([*parts, change(piece[position:])]))
    return "\n".join(pieces)


def _fences(text: str) -> Iterator[tuple[bool, str]]:
    """Pieces of the text in order, whole lines, and whether each is a fenced block."""
    piece: list[str] = []
    fence = ""
    for line in text.split("\n"):
        match = _FENCE.match(line)
        if not fence and match and not (match[1][0] == "`" and "`" in match[2]):
            if piece:
                yield False, "\n".join(piece)
            piece, fence = [line], match[1]
        elif fence and match and match[1].startswith(fence) and not match[2].strip():
            yield True, "\n".join([*piece, line])
            piece, fence = [], ""
        else:
            piece.append(line)
    if piece:
        yield bool(fence), "\n".join(piece)


def open_fence(text: str) -> str:
    """The run of signs that closes the fenced block in which ``text`` ends; empty where it ends in none."""
    fence = ""
    for line in text.split("\n"):
        match = _FENCE.match(line)
        if not fence and match and not (match[1][0] == "`" and "`" in match[2]):
            fence = match[1]
        elif fence and match and match[1].startswith(fence) and not match[2].strip():
            fence = ""
    return fence


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Where code spans are: from a run of backticks to the next one as long, in the same paragraph."""
    runs: list[tuple[int, int]] = []
    following: dict[int, int] = {}
    # Backwards, so that each run knows the next one of its length.
    for match in reversed(list(_TICKS.finditer(text))):
        if match[0][0] == "\n":
            following.clear()
            continue
        runs.append((match.start(), following.get(len(match[0]), -1)))
        following[len(match[0])] = match.end()
    position = 0
    for start, end in reversed(runs):
        if start >= position and end >= 0:
            yield start, end
            position = end
