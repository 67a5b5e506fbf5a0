"""What was said before, as follow-ups can mean it: the question, the people, files, labels and list items of a turn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from kbtui.domain.conversation import Turn
from kbtui.question.asking import understand
from kbtui.question.mentions import find_mentions
from kbtui.question.normalise import Language, clean, question_language, strip_courtesies
from kbtui.question.things import HAN, is_in, listed, starts_request
from kbtui.text.patterns import Patterns

RE: Final = Patterns("kbtui.question", "words/said.toml", HAN=HAN, SURNAMES="".join(listed("zh", "surnames")))
_LONGEST_ITEM: Final = 90
_MOST_NAMED: Final = 3


def bare(query: str) -> str:
    """A question on one line without courtesies and without the mark at its end."""
    text = clean(query)
    return (strip_courtesies(text) or text).strip().rstrip("?？!！.。~ ")


@dataclass(frozen=True)
class Said:
    """The turns that were about something, oldest first; never empty."""

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
    def asks_who(self) -> bool:
        """True where the last question asked for people."""
        return RE.who.search(self.question) is not None

    def speaks_of(self, word: str) -> bool:
        """True where the last turn, or a path that it cites, holds ``word``."""
        texts = (self.last.standalone, self.last.answer, *self.last.paths)
        return any(word.lower() in text.lower() for text in texts)

    def file(self) -> str:
        """The first file that the latest answer with any cites; empty where none does."""
        return next((turn.paths[0] for turn in reversed(self.turns) if turn.paths), "")

    def label(self, kind: str) -> str:
        """The latest ``PEP 484`` or ``ADR-7`` for ``kind`` (``pep``, ``adr``); empty where there is none.

        What a question named comes before what its answer did, unless the question asked which one it is.
        """
        series = kind.lower().removesuffix("s")
        for turn in reversed(self.turns):
            texts = [turn.standalone, _without_sources(turn.answer)]
            asks = any(match[1].lower().startswith(series) for match in RE.which.finditer(turn.standalone))
            for text in reversed(texts) if asks else texts:
                for mention in find_mentions(clean(text)):
                    if re.match(rf"{re.escape(series)}[\s#_-]*\d", mention.text.lower()):
                        return mention.text
            for path in turn.paths:
                if re.search(rf"(?:^|[/_-]){re.escape(series)}[/_-]?\d", path.lower()):
                    return path
        return ""

    def people(self) -> tuple[str, ...]:
        """The people last spoken of: those an answer to "who" names, else those that a question does."""
        for turn in reversed(self.turns):
            own = tuple(_full_names(turn.standalone))
            if RE.who.search(turn.standalone) and not (own and RE.who_is.search(turn.standalone)):
                known = turn.standalone.casefold()
                found = [name for text in items_of(turn.answer) or (turn.answer,) for name in _names(text)]
                if found := [name for name in dict.fromkeys(found) if name.casefold() not in known]:
                    return tuple(found[:_MOST_NAMED])
            if own:
                return own[:_MOST_NAMED]
        return ()


def said_in(history: Sequence[Turn]) -> Said | None:
    """What a follow-up can mean; None where nothing was said but small talk."""
    turns = tuple(turn for turn in history if understand(turn.standalone).query_type != "chitchat")
    return Said(turns) if turns else None


def _without_sources(answer: str) -> str:
    """The answer's text without the list of its sources, and without marks."""
    return RE.marks.sub("", RE.footer.sub("", answer)).strip()


def items_of(answer: str) -> tuple[str, ...]:
    """The items of the lists in an answer, each as what it is known by: a file's path, else its first words."""
    found = []
    for match in RE.item.finditer(_without_sources(answer)):
        text = match[1].strip()
        if code := re.match(r"`([^`]+)`", text):
            text = code[1]
        text = re.split(r"\s+—\s+", text, maxsplit=1)[0].strip(" .;。；")
        if len(text) > _LONGEST_ITEM:
            text = text[:_LONGEST_ITEM].rsplit(maxsplit=1)[0]
        found += [text] if text else []
    return tuple(found)


def _full_names(text: str) -> Iterator[str]:
    """Capitalised words side by side; the first word of a sentence may not begin one."""
    for match in RE.name.finditer(text):
        parts = match[0].split()
        while parts and starts_request(parts[0]):
            parts = parts[1:]
        if len(parts) > 1 and not any(is_in("files", part) or is_in("labels", part) or part == "The" for part in parts):
            yield " ".join(parts)


def _names(answer: str) -> tuple[str, ...]:
    """Names of people in an answer to who it is, where that is all it says a single one."""
    text = _without_sources(answer)
    alone = RE.one_name.match(text)
    return tuple(_full_names(text)) or ((alone[1],) if alone else tuple(RE.name_zh.findall(text)))
