"""The dialogue before a follow-up: the questions, people, files, labels and list items that it can refer to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from kbtui.domain.conversation import Turn
from kbtui.question.mentions import find_mentions
from kbtui.question.normalise import Language, clean, question_language, strip_courtesies
from kbtui.question.noun_phrases import HAN, is_of_kind, starts_request, words_of_kind
from kbtui.question.understanding import understand
from kbtui.text.patterns import Patterns

RE: Final = Patterns(
    "kbtui.question", "words/dialogue.toml", HAN=HAN, SURNAMES="".join(words_of_kind("zh", "surnames"))
)
_LONGEST_ITEM: Final = 90
_MOST_NAMED: Final = 3


def without_courtesies(query: str) -> str:
    """A question on one line without courtesies and final punctuation."""
    text = clean(query)
    return (strip_courtesies(text) or text).strip().rstrip("?？!！.。~ ")


@dataclass(frozen=True)
class Dialogue:
    """The turns of a conversation without small talk, oldest first; never empty."""

    turns: tuple[Turn, ...]

    @property
    def last(self) -> Turn:
        return self.turns[-1]

    @cached_property
    def question(self) -> str:
        """The last question as a standalone question, without courtesies and final punctuation."""
        return without_courtesies(self.last.standalone)

    @cached_property
    def language(self) -> Language:
        """The language of the last question."""
        return question_language(self.question)

    @cached_property
    def items(self) -> tuple[str, ...]:
        """The items of the list in the last answer."""
        return list_items(self.last.answer)

    @property
    def asks_who(self) -> bool:
        """True where the last question asked for people."""
        return RE.who.search(self.question) is not None

    def speaks_of(self, word: str) -> bool:
        """True where the last turn, or a path that it cites, holds ``word``."""
        texts = (self.last.standalone, self.last.answer, *self.last.paths)
        return any(word.lower() in text.lower() for text in texts)

    def latest_file(self) -> str:
        """The first file that the latest answer with any cites; empty where none does."""
        return next((turn.paths[0] for turn in reversed(self.turns) if turn.paths), "")

    def latest_label(self, kind: str) -> str:
        """The latest ``PEP 484`` or ``ADR-7`` for ``kind`` (``pep``, ``adr``); empty where there is none.

        A label in a question takes precedence over one in its answer, unless the question asks which label it is.
        """
        series = kind.lower().removesuffix("s")
        for turn in reversed(self.turns):
            texts = [turn.standalone, _plain_answer(turn.answer)]
            asks = any(match[1].lower().startswith(series) for match in RE.which.finditer(turn.standalone))
            for text in reversed(texts) if asks else texts:
                for mention in find_mentions(clean(text)):
                    if re.match(rf"{re.escape(series)}[\s#_-]*\d", mention.text.lower()):
                        return mention.text
            for path in turn.paths:
                if re.search(rf"(?:^|[/_-]){re.escape(series)}[/_-]?\d", path.lower()):
                    return path
        return ""

    def latest_people(self) -> tuple[str, ...]:
        """The people mentioned last: those named in the answer to a "who" question, else those named in a question."""
        for turn in reversed(self.turns):
            people_in_question = tuple(_full_names_in(turn.standalone))
            if RE.who.search(turn.standalone) and not (people_in_question and RE.who_is.search(turn.standalone)):
                question_text = turn.standalone.casefold()
                names = [name for text in list_items(turn.answer) or (turn.answer,) for name in _people_named(text)]
                if names := [name for name in dict.fromkeys(names) if name.casefold() not in question_text]:
                    return tuple(names[:_MOST_NAMED])
            if people_in_question:
                return people_in_question[:_MOST_NAMED]
        return ()


def dialogue_of(history: Sequence[Turn]) -> Dialogue | None:
    """The dialogue that a follow-up can refer to; None if it was only small talk."""
    turns = tuple(turn for turn in history if understand(turn.standalone).query_type != "chitchat")
    return Dialogue(turns) if turns else None


def _plain_answer(answer: str) -> str:
    """The text of an answer without its list of sources and without Markdown marks."""
    return RE.marks.sub("", RE.footer.sub("", answer)).strip()


def list_items(answer: str) -> tuple[str, ...]:
    """The list items of an answer, each shortened to the path of a file or its first words."""
    items = []
    for match in RE.item.finditer(_plain_answer(answer)):
        text = match[1].strip()
        if code := re.match(r"`([^`]+)`", text):
            text = code[1]
        text = re.split(r"\s+—\s+", text, maxsplit=1)[0].strip(" .;。；")
        if len(text) > _LONGEST_ITEM:
            text = text[:_LONGEST_ITEM].rsplit(maxsplit=1)[0]
        items += [text] if text else []
    return tuple(items)


def _full_names_in(text: str) -> Iterator[str]:
    """Runs of two or more capitalised words; a word that starts a request does not begin one."""
    for match in RE.name.finditer(text):
        parts = match[0].split()
        while parts and starts_request(parts[0]):
            parts = parts[1:]
        if len(parts) > 1 and not any(
            is_of_kind("files", part) or is_of_kind("labels", part) or part == "The" for part in parts
        ):
            yield " ".join(parts)


def _people_named(answer: str) -> tuple[str, ...]:
    """The people named in an answer to a "who" question; a single word only if it is the whole answer."""
    text = _plain_answer(answer)
    alone = RE.one_name.match(text)
    return tuple(_full_names_in(text)) or ((alone[1],) if alone else tuple(RE.name_zh.findall(text)))
