"""The text of manual pages, without the requests of roff; line numbers are those of the file."""

from __future__ import annotations

import re
from typing import Final

from kbtui.knowledge.reading.formats.base import MAX_CHARS, Extracted, plain
from kbtui.text.decoding import decode

_SAMPLE_CHARS: Final = 8_000
_IS_PAGE: Final = re.compile(r"^[.'](?:TH|Dd|Dt|SH|Sh)\b", re.MULTILINE)
_ESCAPES: Final = {
    "(bu": "•", "(em": "—", "(en": "–", "(lq": "“", "(rq": "”", "(oq": "‘", "(cq": "’", "(aq": "'", "(dq": '"',
    "(co": "©", "(rg": "®", "(tm": "™", "(ga": "`", "(ha": "^", "(ti": "~", "(rs": "\\", "(mu": "×", "(->": "→",
    "(hy": "-", "(mi": "-", "(pl": "+", "(eq": "=", "(<=": "≤", "(>=": "≥", "(ul": "_", "(at": "@", "(sh": "#",
}  # fmt: skip
_ESCAPE: Final = re.compile(
    r"\\(?:(?P<quoted>\".*$)|f(?:\([A-Za-z]{2}|\[[^\]]{0,20}\]|.)|s[-+]?\d{1,2}|(?P<special>\(..)"
    r"|\[(?P<named>[^\]]{1,30})\]|\*(?:\(..|\[[^\]]{0,30}\]|.)|[mMnFgkYV](?:\(..|\[[^\]]{0,30}\]|.)"
    r"|[hvwlLoXZ]'[^']{0,100}'|(?P<plain>[-e&|^/,:%c~0 .'`\\]))"
)
_PLAIN: Final = {"-": "-", "e": "\\", "~": " ", "0": " ", " ": " ", ".": ".", "'": "'", "`": "`", "\\": "\\"}
_WORD: Final = re.compile(r'"((?:[^"]|"")*)"|(\S+)')
_FONT_WORDS: Final = "B I R BR RB BI IB IR RI SM SB"
_FONTS: Final = frozenset(_FONT_WORDS.split())
_LITERAL: Final = frozenset({"nf", "EX", "Bd"})
_FLOWING: Final = frozenset({"fi", "EE", "Ed"})
_MDOC_WORDS: Final = """
Ar Cm Em Sy Li Pa Va Fa Fn Ev Ic Dv Er Tn Ns Ql Sq Dq Qq Pq Aq Bq Op Oo Nm Fl Xr Nd D1 Dl Ft Ux Bx Cd Lk Mt An At
St Vt Tg No Ad Rv Ms
"""
_MDOC_MACROS: Final = frozenset(_MDOC_WORDS.split())
_MDOC_WRAPS: Final = {"Op": "[]", "Oo": "[]", "Pq": "()", "Bq": "[]", "Aq": "<>", "Dq": '""', "Qq": '""', "Sq": "''"}


def extract(data: bytes, _path: str) -> Extracted | None:
    """The text of a manual page, as Markdown; None for a file of such a name that is none."""
    text = plain(decode(data).text[:MAX_CHARS])
    if not _IS_PAGE.search(text[:_SAMPLE_CHARS]):
        return None
    page = _Page()
    lines = [page.convert(line) for line in text.split("\n")]
    return Extracted(text="\n".join(line.rstrip() for line in lines), kind="markdown", title=page.title)


class _Page:
    """Converts a manual page line by line."""

    def __init__(self) -> None:
        self.title = ""
        self._name = ""
        self._literal = False
        self._tag = False
        self._ignored = False

    def convert(self, line: str) -> str:
        """A line as Markdown; empty for one that only formats others."""
        if self._ignored:
            self._ignored = not line.startswith("..")
            return ""
        if not line.startswith((".", "'")):
            text = _unescape(line)
            if self._tag and text.strip():
                self._tag = False
                return f"- {text.strip()}"
            return f"    {text}" if self._literal and text else text
        body = line[1:].lstrip()
        request, _, rest = body.partition(" ")
        if request.startswith('\\"') or not request:
            return ""
        if request in ("de", "ig", "am", "de1"):
            self._ignored = True
            return ""
        return self._request(request, [quoted or bare for quoted, bare in _WORD.findall(rest)])

    def _request(self, request: str, words: list[str]) -> str:
        text = _unescape(" ".join(words))
        match request:
            case "TH" | "Dt":
                self.title = f"{words[0].lower()}({words[1]})" if len(words) > 1 else text
                return f"# {self.title}" if text else ""
            case "SH" | "Sh":
                return f"## {text}" if text else ""
            case "SS" | "Ss":
                return f"### {text}" if text else ""
            case "TP" | "TQ":
                self._tag = True
                return ""
            case "IP":
                mark = _unescape(words[0]) if words else ""
                return "" if mark in ("", "•", "\\(bu", "*", "-", "o") else f"- {mark}"
            case "It":
                return f"- {self._mdoc(words)}"
            case "UR" | "URL" | "MT":
                return text
        if request in _LITERAL:
            self._literal = True
        elif request in _FLOWING:
            self._literal = False
        if request in _FONTS:
            return self._in_fonts(request, words)
        if request in _MDOC_MACROS:
            return self._mdoc([request, *words])
        return ""

    def _in_fonts(self, request: str, words: list[str]) -> str:
        text = _unescape(("" if len(request) == 2 and request not in ("SM", "SB") else " ").join(words))
        if self._tag:
            self._tag = False
            return f"- {text}"
        return f"    {text}" if self._literal else text

    def _mdoc(self, words: list[str]) -> str:
        """The text of mdoc words, some of which are macros that format the next ones."""
        parts: list[str] = []
        closing = ""
        joined = False
        index = 0
        while index < len(words):
            word = words[index]
            index += 1
            if word == "Fl":
                flag = _unescape(words[index]) if index < len(words) and words[index] not in _MDOC_MACROS else ""
                index += bool(flag)
                text = f"-{flag}"
            elif word == "Xr" and index + 1 < len(words):
                text = f"{_unescape(words[index])}({_unescape(words[index + 1])})"
                index += 2
            elif word == "Nm":
                name = _unescape(words[index]) if index < len(words) and words[index][:1].isalnum() else ""
                index += bool(name)
                self._name = self._name or name
                text = name or self._name
            elif word == "Nd":
                text = "—"
            elif word == "Ns":
                joined = True
                continue
            elif word in _MDOC_WRAPS:
                text, closing, joined = _MDOC_WRAPS[word][0], closing + _MDOC_WRAPS[word][1], False
                parts.append(text)
                continue
            elif word in _MDOC_MACROS:
                continue
            else:
                text = _unescape(word)
            is_near = joined or (parts and parts[-1][-1:] in "([<") or text in (".", ",", ";", ":", ")", "]", "?", "!")
            parts.append(text if is_near or not parts else f" {text}")
            joined = False
        return "".join(parts) + closing[::-1]


def _unescape(text: str) -> str:
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(match: re.Match[str]) -> str:
    if special := match["special"]:
        return _ESCAPES.get(special, "")
    if named := match["named"]:
        if named.startswith("u") and len(named) in (5, 6):
            try:
                return chr(int(named[1:], 16))
            except ValueError:
                return ""
        return _ESCAPES.get(f"({named}", "")
    return _PLAIN.get(match["plain"] or "", "")
