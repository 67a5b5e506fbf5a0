"""What was said before, as follow-ups can mean it: the question, the people, files, labels and list items of a turn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from kbtui.domain.conversation import Turn
from kbtui.question.asking import understand
from kbtui.question.mentions import find_mentions
from kbtui.question.normalise import Language, clean, question_language
from kbtui.reasoning.offline.followup.words import bare, listed, starters, word_set

_ITEM = re.compile(r"^\s*(?:[-*•]|\d{1,3}[.)、])\s+(.+)$")
_MARKS = re.compile(r"\s*\[\d{1,3}\]")
_FOOTER = re.compile(r"^\[\d{1,3}\]\s")
_CODE = re.compile(r"^`([^`]+)`")
_NAME = re.compile(
    r"(?<![\w/.-])[^\W\da-z_][^\W\d_]+(?:[-’'][^\W\d_]+)?(?:\s+(?:van|von|de|der|di|la|bin|al))*"
    r"(?:\s+[^\W\da-z_][^\W\d_]*\.?(?:[-’'][^\W\d_]+)?)+(?![\w/-])"
)
_ONE_NAME = re.compile(r"^\s*([^\W\da-z_][^\W\d_]+)[.。,，\s]*$")
_NAME_ZH = re.compile(
    rf"(?:是|由|：|:|，|、|和|^)([{''.join(listed('zh', 'surnames'))}][\u4e00-\u9fff]{{1,2}})(?=[。，、；\s和]|负责|$)"
)
_WHO = re.compile(r"\b(?:who|whom|whose|authors?|owners?|maintainers?)\b|谁|作者|负责人|维护者|哪位", re.I)
_WHO_IS = re.compile(r"^\W*who\s+(?:is|was|are)\s+[^\W\da-z_]|是谁\W*$", re.I)
_LONGEST_ITEM = 90
_FEW = 3
_SAME_LABEL = re.compile(r"[\s#_-]+0*")


@dataclass(frozen=True)
class Said:
    """The turns that were about something, oldest first; never empty.

    Attributes:
        turns: Without small talk.
    """

    turns: tuple[Turn, ...]

    @property
    def last(self) -> Turn:
        return self.turns[-1]

    @cached_property
    def question(self) -> str:
        """The last question as it was understood, without courtesies and the mark at its end."""
        return bare(self.last.standalone)

    @cached_property
    def language(self) -> Language:
        """Of the last question."""
        return question_language(self.question)

    @cached_property
    def items(self) -> tuple[str, ...]:
        """The items of the list in the last answer."""
        return items_of(self.last.answer)

    @property
    def few(self) -> str:
        """The items of the last answer side by side, where they are two or three; more are better described."""
        return (" 和 " if self.language == "zh" else " and ").join(self.items) if 1 < len(self.items) <= _FEW else ""

    @cached_property
    def asks_who(self) -> bool:
        """True where the last question asked for people."""
        return _WHO.search(self.question) is not None

    def speaks_of(self, word: str) -> bool:
        """True where the last turn, or a path that it cites, holds ``word`` (lower case)."""
        texts = (self.last.standalone, self.last.answer, *self.last.paths)
        return any(word in text.lower() for text in texts)

    def file(self) -> str:
        """The first file that the latest answer with any cites; empty where none does."""
        return next((turn.paths[0] for turn in reversed(self.turns) if turn.paths), "")

    def label(self, kind: str) -> str:
        """The latest ``PEP 484`` or ``ADR-7`` for ``kind`` (``pep``, ``adr``); empty where there is none.

        What a question named comes before what its answer did, unless the question asked which one it is.
        """
        series = kind.lower().removesuffix("s")
        asked = re.compile(
            rf"\b(?:which|what|whose)\s+{re.escape(kind)}|(?:哪|什么)[^，。]{{0,4}}{re.escape(kind)}", re.I
        )
        for turn in reversed(self.turns):
            texts = [turn.standalone, said_by(turn.answer)]
            for text in reversed(texts) if asked.search(turn.standalone) else texts:
                for mention in find_mentions(clean(text)):
                    if _SAME_LABEL.split(mention.text.lower(), maxsplit=1)[0] == series:
                        return mention.text
            for path in turn.paths:
                if re.search(rf"(?:^|[/_-]){re.escape(series)}[/_-]?\d", path.lower()):
                    return path
        return ""

    def people(self) -> tuple[str, ...]:
        """The people last spoken of: those an answer to "who" names, else those that a question does."""
        for turn in reversed(self.turns):
            if _WHO_IS.search(turn.standalone) and (named := names_in(turn.standalone, sure=True)):
                return named[:3]
            if _WHO.search(turn.standalone):
                lists = [item for item in items_of(turn.answer) if _MARKS.sub("", item)]
                found = [name for text in (lists or [said_by(turn.answer)]) for name in names_in(text)]
                known = turn.standalone.casefold()
                found = [name for name in dict.fromkeys(found) if name.casefold() not in known]
                if found:
                    return tuple(found[:3])
            if named := names_in(turn.standalone, sure=True):
                return named[:3]
        return ()


def said_in(history: Sequence[Turn]) -> Said | None:
    """What a follow-up can mean; None where nothing was said but small talk."""
    turns = tuple(turn for turn in history if understand(turn.standalone).query_type != "chitchat")
    return Said(turns) if turns else None


def said_by(answer: str) -> str:
    """The answer's text without the list of its sources, and without marks."""
    lines = [line for line in answer.split("\n") if not _FOOTER.match(line) and line.strip() != "---"]
    return _MARKS.sub("", "\n".join(lines)).strip()


def items_of(answer: str) -> tuple[str, ...]:
    """The items of the lists in an answer, each as what it is known by: a file's path, else its first words."""
    found = []
    for line in answer.split("\n"):
        match = _ITEM.match(line)
        if match is None or _FOOTER.match(line):
            continue
        text = _MARKS.sub("", match[1]).strip()
        if code := _CODE.match(text):
            found.append(code[1])
            continue
        text = re.split(r"\s+—\s+", text, maxsplit=1)[0].strip(" .;。；")
        if len(text) > _LONGEST_ITEM:
            text = text[:_LONGEST_ITEM].rsplit(maxsplit=1)[0]
        if text:
            found.append(text)
    return tuple(found)


def names_in(text: str, *, sure: bool = False) -> tuple[str, ...]:
    """Names of people in a text: capitalised words side by side, or where that is all the text says, one.

    Args:
        sure: Only what looks like a name wherever it stands; the first word of a sentence may not begin one.
    """
    body = said_by(text)
    found = []
    for match in _NAME.finditer(body):
        parts = match[0].split()
        while parts and parts[0].lower() in starters():
            parts = parts[1:]
        if len(parts) > 1 and not any(part.lower() in _NO_PEOPLE for part in parts):
            found.append(" ".join(parts))
    if found or sure:
        return tuple(dict.fromkeys(found))
    if (alone := _ONE_NAME.match(body)) is not None:
        return (alone[1],)
    return tuple(dict.fromkeys(_NAME_ZH.findall(body)))


_NO_PEOPLE = word_set("en", "files", "labels") | {"the", "service", "office"}
