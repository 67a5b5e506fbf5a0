"""Which things of the knowledge base a question is about.

Labels and tickets by their form; quoted names, file names, people and titles by what the knowledge base really holds.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from kbtui.knowledge.relations.labels import fold, label_key
from kbtui.records.families import families_of, members_in
from kbtui.records.wording import asks
from kbtui.text.language import CJK
from kbtui.text.stop_words import STOP_WORDS
from kbtui.text.tokenise import stem

CERTAIN, LIKELY, POSSIBLE = 3, 2, 1

_TOKEN = re.compile(f"[{CJK}]|[^\\W_{CJK}]+")
_NUMBERED = re.compile(r"(?<![A-Za-z0-9_])([A-Za-z][A-Za-z0-9]{1,9})[ \-_]?#?(\d{1,7})(?![0-9]|\.\d|[A-Za-z_])")
_HASH = re.compile(r"(?<!\w)(?:[\w.-]+/)?[\w.-]*(#\d{1,7})\b")
_QUOTED = re.compile(
    r"`([^`]+)`|\"([^\"]+)\"|“([^”]+)”|「([^」]+)」|《([^》]+)》|『([^』]+)』|(?<!\w)'([^']{2,})'(?!\w)"
)
_PATH = re.compile(
    r"(?<![\w/.])((?:[\w.@-]+/)*[\w@-][\w.@-]*\.[A-Za-z]{1,8}|(?:[\w.@-]+/)+[\w.@-]*)(?![\w/])", re.ASCII
)
_MOST_TOKENS = 14
_LEAST_BEGINNING = 4
"""Letters of a word from which on it may be the beginning of another."""
_LAST_LETTER = chr(sys.maxunicode)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A thing named in a question: where (character offsets), which nodes it may be, and how sure that is."""

    start: int
    end: int
    nodes: tuple[str, ...]
    certainty: int


class Names:
    """Finds the nodes of one graph in questions.

    Args:
        aliases: Paths of files by label key.
        names: Things that are no files: display name by key.
        paths: All file paths.
        series: Names of numbered series.
    """

    def __init__(
        self,
        aliases: Mapping[str, tuple[str, ...]],
        names: Mapping[str, str],
        paths: Iterable[str],
        series: Collection[str] = (),
    ) -> None:
        self._aliases = aliases
        self._names = names
        self._paths = dict.fromkeys(paths)
        self.families = families_of(self._paths, series)
        self._by_tokens: dict[tuple[str, ...], dict[str, None]] = defaultdict(dict)
        self._by_token: dict[str, dict[str, None]] = defaultdict(dict)
        for key, nodes in aliases.items():
            self._add(key, nodes)
        for key, name in names.items():
            self._add(name, (key,))
            words = _tokens(name)
            if 2 <= len(words) <= 4 and name[:1].isupper() and not any(char.isdigit() for char in name):
                for word in {words[0][2], words[-1][2]}:
                    if len(word) > 2:
                        self._by_token[word].setdefault(key)

    def _add(self, name: str, nodes: Iterable[str]) -> None:
        words = tuple(word for _, _, word in _tokens(name))
        if 0 < len(words) <= _MOST_TOKENS and not all(word.isdigit() or word in STOP_WORDS for word in words):
            for node in nodes:
                self._by_tokens[words].setdefault(node)

    def find(self, question: str) -> list[Mention]:
        """Mentions that do not overlap, surest and longest first."""
        found = [*self._numbered(question), *self._quoted(question), *self._files(question), *self._named(question)]
        found += [
            Mention(start=start, end=end, nodes=nodes, certainty=LIKELY)
            for start, end, nodes in members_in(question, self.families)
        ]
        found.sort(key=lambda mention: (-mention.certainty, -(mention.end - mention.start), mention.start))
        kept: list[Mention] = []
        for mention in found:
            if all(mention.end <= other.start or mention.start >= other.end for other in kept):
                kept.append(mention)
        return kept

    def people(self, question: str) -> list[Mention]:
        """Names of which the question gives only the first or the last word, with a capital."""
        return [
            Mention(start=start, end=end, nodes=tuple(self._by_token[word]), certainty=POSSIBLE)
            for start, end, word in _tokens(question)
            if question[start].isupper() and word in self._by_token
        ]

    def described(self, words: Iterable[str]) -> tuple[str, ...]:
        """Files whose path and title hold every one of these words, in full or its beginning (*spec*), shortest first.

        None when they are many.
        """
        wanted = {part for word in words for part in _stems(word)}
        if not wanted:
            return ()
        found = set.intersection(*(self._holding(word) for word in wanted))
        return tuple(sorted(found, key=lambda path: (len(self._described[path]), path))) if len(found) <= 5 else ()

    def _holding(self, word: str) -> set[str]:
        """Files with a word in path or title; with one that begins so where none has it."""
        if word in self._by_stem or len(word) < _LEAST_BEGINNING:
            return self._by_stem.get(word, set())
        known = self._stems_in_order
        begun = known[bisect_left(known, word) : bisect_left(known, word + _LAST_LETTER)]
        return set().union(*(self._by_stem[one] for one in begun))

    @cached_property
    def _stems_in_order(self) -> list[str]:
        return sorted(self._by_stem)

    @cached_property
    def _by_stem(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for path, stems in self._described.items():
            for one in stems:
                found[one].add(path)
        return dict(found)

    def has_word(self, path: str, word: str) -> bool:
        """Whether path or title of a file has a word, in full or its beginning."""
        return all(path in self._holding(part) for part in _stems(word))

    def words_of(self, path: str) -> frozenset[str]:
        """Stems of the words in the path and the titles of a file."""
        return self._described.get(path, frozenset())

    @cached_property
    def _described(self) -> dict[str, frozenset[str]]:
        """Stems of path and title of each file."""
        names: dict[str, list[str]] = {path: [path] for path in self._paths}
        for key, nodes in self._aliases.items():
            for node in nodes:
                names[node].append(key)
        return {path: frozenset(part for name in found for part in _stems(name)) for path, found in names.items()}

    def _nodes(self, name: str) -> tuple[str, ...]:
        if name in self._paths:
            return (name,)
        key = label_key(name)
        if key in self._aliases:
            return self._aliases[key]
        return (key,) if key in self._names else ()

    def _numbered(self, question: str) -> Iterable[Mention]:
        for match in _NUMBERED.finditer(question):
            if nodes := self._nodes(f"{match[1]}-{match[2]}"):
                yield Mention(start=match.start(), end=match.end(), nodes=nodes, certainty=CERTAIN)
        for match in _HASH.finditer(question):
            if nodes := self._nodes(match[1]):
                yield Mention(start=match.start(), end=match.end(), nodes=nodes, certainty=CERTAIN)

    def _quoted(self, question: str) -> Iterable[Mention]:
        for match in _QUOTED.finditer(question):
            name = next(group for group in match.groups() if group is not None)
            words = tuple(word for _, _, word in _tokens(name))
            nodes = self._nodes(name) or tuple(self._by_tokens.get(words, ())) or self._files_at(name)
            if nodes:
                yield Mention(start=match.start(), end=match.end(), nodes=nodes, certainty=CERTAIN)

    def _files(self, question: str) -> Iterable[Mention]:
        for match in _PATH.finditer(question):
            if nodes := self._nodes(match[1]) or self._files_at(match[1]):
                yield Mention(start=match.start(), end=match.end(), nodes=nodes, certainty=CERTAIN)

    def _files_at(self, fragment: str) -> tuple[str, ...]:
        """Files whose path has ``fragment`` at a boundary: ``adr/0007`` is ``docs/adr/0007-deploys.md``."""
        if not re.search(r"[/.\d]", fragment):
            return ()
        pattern = re.compile(rf"(?:^|/){re.escape(fragment.strip('/'))}(?:$|[-_./])", re.IGNORECASE)
        padded = re.sub(r"/(\d{1,3})$", lambda match: f"/{int(match[1]):04d}", fragment)
        zero_padded = re.compile(rf"(?:^|/){re.escape(padded.strip('/'))}(?:$|[-_./])", re.IGNORECASE)
        found = [path for path in self._paths if pattern.search(path) or zero_padded.search(path)]
        return tuple(found) if len(found) <= 5 else ()

    def _named(self, question: str) -> Iterable[Mention]:
        tokens = _tokens(question)
        index = 0
        while index < len(tokens):
            for count in range(min(_MOST_TOKENS, len(tokens) - index), 0, -1):
                words = tuple(word for _, _, word in tokens[index : index + count])
                nodes = self._by_tokens.get(words)
                if not nodes:
                    continue
                start, end = tokens[index][0], tokens[index + count - 1][1]
                # Without quotes *last* and *list* ask, whatever is called so.
                if count > 1 or not asks(question[start:end]):
                    certainty = _certainty(words, question[start:end])
                    yield Mention(start=start, end=end, nodes=tuple(nodes), certainty=certainty)
                    index += count - 1
                break
            index += 1


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for _, _, word in _tokens(text) if word not in STOP_WORDS)


def _certainty(words: tuple[str, ...], written: str) -> int:
    if len(words) > 1 and written.isascii() and not re.search(r"\s", written):
        # Words that are written as one are a name: wrong-team.
        return LIKELY
    meaningful = [word for word in words if word not in STOP_WORDS]
    if len(words) > 1 and len(meaningful) > 1:
        return LIKELY
    return POSSIBLE


def _tokens(text: str) -> list[tuple[int, int, str]]:
    """Start, end and folded form of each word; a Chinese character is a word."""
    return [(match.start(), match.end(), fold(match[0])) for match in _TOKEN.finditer(text)]
