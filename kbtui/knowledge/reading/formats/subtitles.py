"""The text of subtitles, with the time of each as its place; line numbers are those of the file."""

from __future__ import annotations

import re
from typing import Final

from kbtui.domain.document import Place
from kbtui.knowledge.reading.formats.base import MAX_CHARS, Extracted, plain
from kbtui.text.decoding import decode

_TIMES: Final = re.compile(r"\s*((?:\d{1,3}:)?\d{1,2}:\d{2})[.,]\d{1,3}\s+-->\s")
_MARKUP: Final = re.compile(r"</?[\w.]{1,30}(?:\s[^<>]{0,100})?>|\{\\[^{}]{0,100}\}|<\d[\d:.]{4,15}>")
_NOTES: Final = ("WEBVTT", "NOTE", "STYLE", "REGION")


def extract(data: bytes, _path: str) -> Extracted | None:
    """The text of subtitles, with a place for each time; None for a file without times."""
    lines = plain(decode(data).text[:MAX_CHARS]).split("\n")
    places: list[Place] = []
    texts = [""] * len(lines)
    in_cue = False
    for index, line in enumerate(lines):
        if match := _TIMES.match(line):
            time = match[1] if match[1].count(":") == 2 else f"00:{match[1].zfill(5)}"
            places.append(Place(line=index + 1, name=time))
            in_cue = True
        elif not line.strip() or line.startswith(_NOTES):
            in_cue = False
        elif in_cue:
            texts[index] = _MARKUP.sub("", line).strip()
    if not places:
        return None
    return Extracted(text="\n".join(texts), kind="text", places=(Place(line=1, name=""), *places))
