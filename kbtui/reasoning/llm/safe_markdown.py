"""Sanitises Markdown of a chat model: no images, no HTML, and only links whose URL a source contains.

A viewer fetches images, so the URL of an image can leak the prompt to the author of a document ("EchoLeak",
CVE-2025-32711). Images therefore become text, and a link is kept only if a source has exactly its URL. The result is
parsed by the parser that renders answers: if it still finds a link, the text is escaped, and at last shown as a block
of code. Code is never changed, because nothing in it is active.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from html import unescape
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from kbtui.text.code_marks import code_block
from kbtui.text.hidden import visible

if TYPE_CHECKING:
    from markdown_it.token import Token

_MAX_PARSED: Final = 100_000
"""Most characters to parse; a longer text is shown as code."""

_BOUNDARY = re.compile(r"</?passage\b[^<>\n]{0,2000}\bkey=\"[0-9a-f]{8,}\"[^<>\n]{0,2000}>", re.IGNORECASE)
_MIN_RULE_CHARS: Final = 24
"""Fewest letters of a sentence of the rules that does not occur in an answer by chance."""

_FENCE = re.compile(r"^(?:[ \t]|>|[-*+][ \t]|\d{1,9}[.)][ \t]){0,12}(`{3,}|~{3,})([^\n]*)$")
_TICKS = re.compile(r"(?<!\\)`+|\n[ \t]*\n")
# Characters of URLs; all others are percent-encoded.
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
    # The beginning of a link or tag that the patterns above did not match.
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
    """Remove images, HTML, hidden characters, and links except those to ``allowed_urls``.

    Args:
        markdown: Any text.
        allowed_urls: URLs in the sources of the answer, which must match exactly, not as prefixes.
    """
    text = visible(markdown)
    allowed = frozenset(_normalise_url(url) for url in allowed_urls)
    if len(text) > _MAX_PARSED:
        return code_block(text)
    for change in (_neutralise_links, _neutralise_or_escape, _escape_all):
        sanitised = change(text, allowed)
        if not live_parts(sanitised, allowed):
            return sanitised
    return code_block(text)


def urls_in(texts: Iterable[str]) -> frozenset[str]:
    """The URLs in texts, for ``allowed_urls``."""
    return frozenset(match[0].rstrip(_CLOSING) for text in texts for match in re.finditer(_URL, text))


def without_rules(markdown: str, rules: str) -> str:
    """Remove tags of passages, and sentences of ``rules`` (a system prompt), from ``markdown``.

    Matching ignores spaces, case and Markdown around the words.
    """
    original = markdown
    markdown = _BOUNDARY.sub("", markdown)
    for sentence in re.split(r"(?<=[.!?。！？:;])\s+|\n+", rules):
        words = sentence.strip("-* \t").split()
        if sum(map(len, words)) < _MIN_RULE_CHARS:
            continue
        spaced = r"[\s>*_`]+".join(map(re.escape, words))
        markdown = re.sub(
            rf"[ \t]{{0,8}}{spaced}(?:[ \t]{{0,8}}\[(?:\d{{1,3}}|\?)\])*", "", markdown, flags=re.IGNORECASE
        )
    return re.sub(r"(?m)^[ \t]{0,8}[-*+][ \t]{0,8}\n", "", markdown) if markdown != original else original


def live_parts(markdown: str, allowed_urls: Iterable[str] = ()) -> tuple[str, ...]:
    """Images, HTML and links that are not allowed, as the renderer parses them: their URLs or source.

    Bare host names (``config.py`` is one in Paraguay) and mail addresses cannot leak anything and are left out.
    """
    from markdown_it import MarkdownIt
    from markdown_it.common.normalize_url import normalizeLink

    allowed = frozenset(
        form for url in allowed_urls for form in (_normalise_url(url), _normalise_url(normalizeLink(url)))
    )
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
            if not harmless and _normalise_url(url) not in allowed:
                yield url
        if token.children:
            yield from _live(token.children, allowed)


def _is_bare_host(url: str) -> bool:
    """Whether the parser made a URL from a name with a dot: no path, no query, and the default scheme."""
    parts = urlsplit(url)
    return parts.scheme == "http" and parts.path in ("", "/") and not parts.query and not parts.fragment


def _neutralise_links(text: str, allowed: frozenset[str]) -> str:
    return _outside_code(text, lambda part: _replace_active(part, allowed))


def _neutralise_or_escape(text: str, allowed: frozenset[str]) -> str:
    """Like `_neutralise_links`, but also escape paragraphs that still have active parts."""
    pieces: list[str] = []
    for is_code, piece in _fences(text):
        for paragraph in (piece,) if is_code else re.split(r"(\n[ \t]*\n)", piece):
            changed = _neutralise_links(paragraph, allowed)
            pieces.append(_escape_all(paragraph, allowed) if live_parts(changed, allowed) else changed)
        pieces.append("\n")
    return "".join(pieces[:-1])


def _escape_all(text: str, _allowed: frozenset[str]) -> str:
    return _outside_code(text, _escape)


def _replace_active(text: str, allowed: frozenset[str]) -> str:
    def change(match: re.Match[str]) -> str:
        if match["label"] is not None:
            return _replace_link(match, allowed)
        if match["definition"] is not None:
            return f"{match[0]}\\"
        url = match["auto"] or match["bare"]
        if url is None:
            return match[0] if _is_escaped(text, match.start()) else f"\\{match[0]}"
        end = "" if match["auto"] else url[len(url.rstrip(_CLOSING)) :]
        address = url[: len(url) - len(end)]
        return match[0] if _normalise_url(address) in allowed else f"{_code(address)}{end}"

    return _LIVE.sub(change, text)


def _replace_link(match: re.Match[str], allowed: frozenset[str]) -> str:
    url, label = match["url"], match["label"].strip()
    if not match["image"] and _normalise_url(url) in allowed and _is_honest_label(label, url):
        return match[0]
    label = _replace_active(label, frozenset())
    if not url:
        return label
    return f"{label} ({_code(url)})" if label and label != url else _code(url)


def _is_honest_label(label: str, url: str) -> bool:
    """Whether a label that contains a URL or host names the host of its link."""
    named_url = re.search(rf"{_URL}|(?:[\w-]{{1,63}}\.)+[a-zA-Z]{{2,18}}", label)
    return named_url is None or _host(named_url[0]) == _host(url)


def _host(url: str) -> str:
    return urlsplit(url if "//" in url else f"//{url}").netloc.lower().removeprefix("www.")


def _normalise_url(url: str) -> str:
    """Normalise a URL for comparison: scheme and host are case-insensitive, the rest is not."""
    url = unescape(url).strip().rstrip("/")
    head, slashes, rest = url.partition("//")
    host, slash, path = rest.partition("/")
    return f"{head.lower()}{slashes}{host.lower()}{slash}{path}"


def _code(text: str) -> str:
    return f"`{text.replace('`', '%60')}`"


def _is_escaped(text: str, at: int) -> bool:
    before = text[max(0, at - 64) : at]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1


def _escape(text: str) -> str:
    """Escape every character that could begin a link, tag or URL, except in citation marks."""
    parts: list[str] = []
    position = 0
    for mark in _MARK.finditer(text):
        parts += [_escape_characters(text[position : mark.start()]), mark[0]]
        position = mark.end()
    parts.append(_escape_characters(text[position:]))
    return "".join(parts)


def _escape_characters(text: str) -> str:
    return _WORD.sub(
        lambda word: (_ACTIVE_IN_ADDRESS if _ADDRESS.search(word[0]) else _ACTIVE).sub(r"\\\1", word[0]), text
    )


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    """Apply ``change`` to the parts of ``text`` outside fenced blocks and code spans."""
    pieces: list[str] = []
    for is_code, piece in _fences(text):
        if is_code:
            pieces.append(piece)
            continue
        parts: list[str] = []
        position = 0
        for start, end in _code_spans(piece):
            parts += [change(piece[position:start]), piece[start:end]]
            position = end
        pieces.append("".join([*parts, change(piece[position:])]))
    return "\n".join(pieces)


def _fences(text: str) -> Iterator[tuple[bool, str]]:
    """Split the text into pieces of whole lines, each with whether it is a fenced block."""
    piece: list[str] = []
    fence = ""
    for line, fence_after in _lines(text):
        if fence_after and not fence and piece:
            yield False, "\n".join(piece)
            piece = []
        piece.append(line)
        if fence and not fence_after:
            yield True, "\n".join(piece)
            piece = []
        fence = fence_after
    if piece:
        yield bool(fence), "\n".join(piece)


def open_fence(text: str) -> str:
    """The fence that closes the block in which ``text`` ends; empty if it ends outside of any."""
    *_, (_, fence) = _lines(text)
    return fence


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """The lines of a text, each with the fence of the block that is open behind it."""
    fence = ""
    for line in text.split("\n"):
        match = _FENCE.match(line)
        if not fence and match and not (match[1][0] == "`" and "`" in match[2]):
            fence = match[1]
        elif fence and match and match[1].startswith(fence) and not match[2].strip():
            fence = ""
        yield line, fence


def _code_spans(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of code spans: from a run of backticks to the next of the same length in its paragraph."""
    runs: list[tuple[int, int]] = []
    following: dict[int, int] = {}
    # Iterating backwards gives each run the position of the next run of its length.
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
