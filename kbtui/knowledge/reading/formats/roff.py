"""Manual pages: what they say without the requests of roff; lines are those of the file."""

from __future__ import annotations

import re
from typing import Final

from kbtui.knowledge.reading.decoding import decode
from kbtui.knowledge.reading.formats.base import MOST_CHARS, Extracted, plain

_LOOKED_AT: Final = 8_000
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
_MDOC_SAID: Final = frozenset(_MDOC_WORDS.split())
_MDOC_WRAPS: Final = {"Op": "[]", "Oo": "[]", "Pq": "()", "Bq": "[]", "Aq": "<>", "Dq": '""', "Qq": '""', "Sq": "''"}


def extract(data: bytes, path: str) -> Extracted | None:
    """The text of a manual page, as Markdown; None for another file of such a name."""
    del path
    text = plain(decode(data).text[:MOST_CHARS])
    if not _IS_PAGE.search(text[:_LOOKED_AT]):
        return None
    page = _Page()
    lines = [page.line(line) for line in text.split("\n")]
    return Extracted(text="\n".join(line.rstrip() for line in lines), kind="markdown", title=page.title)


class _Page:
    """What has been seen of a page so far."""

    def __init__(self) -> None:
        self.title = ""
        self._name = ""
        self._literal = False
        self._tag = False
        self._ignored = False

    def line(self, line: str) -> str:
        """A line as it is read; one that only says how others look is empty."""
        if self._ignored:
            self._ignored = not line.startswith("..")
            return ""
        if not line.startswith((".", "'")):
            text = _said(line)
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
        return self._requested(request, [one or other for one, other in _WORD.findall(rest)])

    def _requested(self, request: str, words: list[str]) -> str:
        said = _said(" ".join(words))
        match request:
            case "TH" | "Dt":
                self.title = f"{words[0].lower()}({words[1]})" if len(words) > 1 else said
                return f"# {self.title}" if said else ""
            case "SH" | "Sh":
                return f"## {said}" if said else ""
            case "SS" | "Ss":
                return f"### {said}" if said else ""
            case "TP" | "TQ":
                self._tag = True
                return ""
            case "IP":
                mark = _said(words[0]) if words else ""
                return "" if mark in ("", "•", "\\(bu", "*", "-", "o") else f"- {mark}"
            case "It":
                return f"- {self._mdoc(words)}"
            case "UR" | "URL" | "MT":
                return said
        if request in _LITERAL:
            self._literal = True
        elif request in _FLOWING:
            self._literal = False
        if request in _FONTS:
            return self._in_fonts(request, words)
        if request in _MDOC_SAID:
            return self._mdoc([request, *words])
        return ""

    def _in_fonts(self, request: str, words: list[str]) -> str:
        text = _said(("" if len(request) == 2 and request not in ("SM", "SB") else " ").join(words))
        if self._tag:
            self._tag = False
            return f"- {text}"
        return f"    {text}" if self._literal else text

    def _mdoc(self, words: list[str]) -> str:
        """Words of mdoc, some of which say how the next ones look."""
        said: list[str] = []
        closing = ""
        joined = False
        at = 0
        while at < len(words):
            word = words[at]
            at += 1
            if word == "Fl":
                flag = _said(words[at]) if at < len(words) and words[at] not in _MDOC_SAID else ""
                at += bool(flag)
                text = f"-{flag}"
            elif word == "Xr" and at + 1 < len(words):
                text = f"{_said(words[at])}({_said(words[at + 1])})"
                at += 2
            elif word == "Nm":
                given = _said(words[at]) if at < len(words) and words[at][:1].isalnum() else ""
                at += bool(given)
                self._name = self._name or given
                text = given or self._name
            elif word == "Nd":
                text = "—"
            elif word == "Ns":
                joined = True
                continue
            elif word in _MDOC_WRAPS:
                text, closing, joined = _MDOC_WRAPS[word][0], closing + _MDOC_WRAPS[word][1], False
                said.append(text)
                continue
            elif word in _MDOC_SAID:
                continue
            else:
                text = _said(word)
            is_near = joined or (said and said[-1][-1:] in "([<") or text in (".", ",", ";", ":", ")", "]", "?", "!")
            said.append(text if is_near or not said else f" {text}")
            joined = False
        return "".join(said) + closing[::-1]


def _said(text: str) -> str:
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
