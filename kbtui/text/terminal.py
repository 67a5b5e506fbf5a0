"""Text from documents and models is data: here it is made safe to print, so that no file can steer the terminal."""

from __future__ import annotations

import re

from kbtui.late_patterns import pattern

_NEWLINES = pattern(r"\r\n?")
_ESCAPES = pattern(
    # String sequences (OSC, DCS, SOS, PM, APC) first: they carry a payload that must go with them. Each stops at the
    # next escape, so that unterminated ones cost linear time.
    r"(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?"
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    r"|\x1b[ -/]*[0-~]?"
)
_LINE_LIKE = pattern("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_CONTROLS = pattern(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f"
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # direction overrides: text that reads differently than it is
    "\u200b\u2060-\u2064\u206a-\u206f\ufeff\u00ad\u180e\ufff9-\ufffb"  # invisible
    "\U000e0000-\U000e01ef]"  # tag characters and supplementary selectors: they hide whole messages
)
_JOINERS = pattern("(?<![^\x00-\x7f])[\u200c\u200d]+|[\u200c\u200d]+(?![^\x00-\x7f])|[\u200c\u200d]{2,}")
_STACKED = pattern(
    "([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{4})"
    "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+"
)
_SURROGATES = pattern("[\ud800-\udfff]")
_SELECTORS = pattern("[\U000e0100-\U000e01ef]")
_SPACE = pattern(r"\s+")
_FIRST_COMBINING = "\u0300"
"""What is printable and comes before it stays as it is."""


def clean(text: str, keep_newlines: bool = True) -> str:
    """``text`` without control characters, escape sequences, direction overrides and invisible characters.

    Tabs stay; ``\\r\\n`` and ``\\r`` become ``\\n``, other line-like characters a space; lone surrogates become U+FFFD.

    Args:
        text: Anything.
        keep_newlines: False turns line ends into spaces.
    """
    text = _NEWLINES.sub("\n", text)
    if not (text.isprintable() and (text.isascii() or max(text) < _FIRST_COMBINING)):
        text = _ESCAPES.sub("", text)
        text = _LINE_LIKE.sub(" ", text)
        text = _CONTROLS.sub("", text)
        if not text.isascii():
            text = _JOINERS.sub("", text)
            text = _STACKED.sub(r"\1", text)
            text = _SURROGATES.sub("\ufffd", text)
    return text if keep_newlines else text.replace("\n", " ")


_NOT_PLAIN = pattern("[^\x20-\x7e]+")


def safe_json(text: str) -> str:
    """JSON text with everything escaped in it (``\\u009b``) that a terminal could obey or that shows nothing.

    It parses to the same values. Escaped are control and format characters (C1 controls, marks of direction, tags),
    separators, lone surrogates and what Unicode has not assigned; line ends between tokens stay.
    """
    return _NOT_PLAIN.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    part = match[0]
    if part.isprintable() and not _SELECTORS.search(part):
        return part
    return "".join(map(_escaped_character, part))


def _escaped_character(character: str) -> str:
    if character in "\n\r\t" or (character.isprintable() and not _SELECTORS.match(character)):
        return character
    code = ord(character)
    if code < 0x10000:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"


_UNFINISHED = pattern(
    r"(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]{0,4096}\x1b?\Z"
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*\Z|\x1b[ -/]*\Z"
)


def unfinished(text: str) -> int:
    """Where an escape sequence begins that ``text`` ends in the middle of; its length where it ends in none.

    What streams in must be cleaned up to there: the rest of the sequence would pass for text.
    """
    match = _UNFINISHED.search(text)
    return match.start() if match else len(text)


def one_line(text: str, width: int | None = None) -> str:
    """``text`` cleaned and on one line, whitespace collapsed, ends stripped.

    Args:
        text: Anything.
        width: Most terminal cells it may take (wide characters take two); what is cut off ends in ``…``.
    """
    line = _SPACE.sub(" ", clean(text, keep_newlines=False)).strip()
    if width is None:
        return line
    # Rich is imported only by commands that print.
    from rich.cells import cell_len, set_cell_size

    if width <= 0:
        return ""
    # No character is narrower than its share of the cut: a megabyte of text is not measured to show 80 cells of it.
    head = line[: width * 8 + 1]
    if len(head) == len(line) and cell_len(line) <= width:
        return line
    return set_cell_size(head, width - 1).rstrip() + "…"
