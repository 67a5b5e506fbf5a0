"""Finds mentions of files and named things in questions.

Labels and tickets are recognised by their form; quoted names, paths, people and titles by lookup in the folder.
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
from kbtui.records.families import find_members, group_families
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
VERSION = re.compile(r"\d+(?:\.\d+)+")
_MAX_TOKENS = 14
_MIN_PREFIX = 4
"""Fewest letters of a word that may match the beginning of another."""
_LAST_LETTER = chr(sys.maxunicode)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A mention of a thing in a question.

    Attributes:
        start: Offset of the first character.
        end: Offset after the last character; equal to ``start`` for a thing that is described rather than named.
        nodes: Nodes it may refer to, best first.
        certainty: `CERTAIN`, `LIKELY` or `POSSIBLE`.
    """

    start: int
    end: int
    nodes: tuple[str, ...]
    certainty: int


class Names:
    """Finds the nodes of one graph in questions.

    Args:
        aliases: Paths of files by label key.
        names: Display names of things that are not files, by key.
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
        self.families = group_families(self._paths, series)
        self._by_tokens: dict[tuple[str, ...], dict[str, None]] = defaultdict(dict)
        self._by_token: dict[str, dict[str, None]] = defaultdict(dict)
        for key, nodes in aliases.items():
            self._add(key, nodes)
        for key, name in names.items():
            words = self._add(name, (key,))
            if 2 <= len(words) <= 4 and name[:1].isupper() and not any(char.isdigit() for char in name):
                for word in {words[0], words[-1]}:
                    if len(word) > 2:
                        self._by_token[word].setdefault(key)

    def _add(self, name: str, nodes: Iterable[str]) -> tuple[str, ...]:
        """Have a name found; its words."""
        words = tuple(word for _, _, word in _tokens(name))
        if 0 < len(words) <= _MAX_TOKENS and not all(word.isdigit() or word in STOP_WORDS for word in words):
            for node in nodes:
                self._by_tokens[words].setdefault(node)
        return words

    def find(self, question: str) -> list[Mention]:
        """Mentions without overlap; more certain and longer ones come first and win."""
        mentions = [
            *self._label_mentions(question),
            *self._quoted_mentions(question),
            *self._path_mentions(question),
            *self._name_mentions(question),
        ]
        mentions += [
            Mention(start=start, end=end, nodes=nodes, certainty=LIKELY)
            for start, end, nodes in find_members(question, self.families)
        ]
        mentions.sort(key=lambda mention: (-mention.certainty, -(mention.end - mention.start), mention.start))
        kept: list[Mention] = []
        for mention in mentions:
            if all(mention.end <= other.start or mention.start >= other.end for other in kept):
                kept.append(mention)
        return kept

    def people(self, question: str) -> list[Mention]:
        """Mentions of names by their capitalised first or last word only."""
        return [
            Mention(start=start, end=end, nodes=tuple(self._by_token[word]), certainty=POSSIBLE)
            for start, end, word in _tokens(question)
            if question[start].isupper() and word in self._by_token
        ]

    def files_with_words(self, words: Collection[str]) -> tuple[str, ...]:
        """Files whose path and title contain every word, in full or as a prefix (*spec*), shortest first.

        Empty if there are more than five.
        """
        stems = {part for word in words for part in _stems(word)}
        if not stems:
            return ()
        files = set.intersection(*(self._files_with_stem(word) for word in stems))
        for version in filter(VERSION.fullmatch, words):
            files = {path for path in files if self._has_version(path, version)}
        return tuple(sorted(files, key=lambda path: (len(self._stems_by_file[path]), path))) if len(files) <= 5 else ()

    def _files_with_stem(self, word: str) -> set[str]:
        """Files with a stem in path or title; files with a word of that prefix if none has the stem."""
        if word in self._files_by_stem or len(word) < _MIN_PREFIX:
            return self._files_by_stem.get(word, set())
        stems = self._sorted_stems
        with_prefix = stems[bisect_left(stems, word) : bisect_left(stems, word + _LAST_LETTER)]
        return set().union(*(self._files_by_stem[stem] for stem in with_prefix))

    @cached_property
    def _sorted_stems(self) -> list[str]:
        return sorted(self._files_by_stem)

    @cached_property
    def _files_by_stem(self) -> dict[str, set[str]]:
        files_by_stem: dict[str, set[str]] = defaultdict(set)
        for path, stems in self._stems_by_file.items():
            for word_stem in stems:
                files_by_stem[word_stem].add(path)
        return dict(files_by_stem)

    def has_word(self, path: str, word: str) -> bool:
        """Whether path or title of a file contain a word, in full or as a prefix."""
        is_whole = VERSION.fullmatch(word) is None or self._has_version(path, word)
        return is_whole and all(path in self._files_with_stem(part) for part in _stems(word))

    def _has_version(self, path: str, version: str) -> bool:
        """Whether path or names of a file contain a version as it is written, not only its numbers."""
        whole = re.compile(rf"(?<![\d.]){re.escape(version)}(?!\.?\d)")
        return any(whole.search(name) for name in self._names_by_file.get(path, ()))

    def words_of(self, path: str) -> frozenset[str]:
        """Stems of the words in the path and the names of a file."""
        return self._stems_by_file.get(path, frozenset())

    @cached_property
    def _stems_by_file(self) -> dict[str, frozenset[str]]:
        """Stems of the path and all names of each file."""
        return {
            path: frozenset(part for name in file_names for part in _stems(name))
            for path, file_names in self._names_by_file.items()
        }

    @cached_property
    def _names_by_file(self) -> dict[str, list[str]]:
        """The path and all names of each file."""
        names: dict[str, list[str]] = {path: [path] for path in self._paths}
        for key, nodes in self._aliases.items():
            for node in nodes:
                names[node].append(key)
        return names

    def _nodes(self, name: str) -> tuple[str, ...]:
        if name in self._paths:
            return (name,)
        key = label_key(name)
        if key in self._aliases:
            return self._aliases[key]
        return (key,) if key in self._names else ()

    def _label_mentions(self, question: str) -> Iterable[Mention]:
        for match in _NUMBERED.finditer(question):
            if nodes := self._nodes(f"{match[1]}-{match[2]}"):
                yield Mention(start=match.start(), end=match.end(), nodes=nodes, certainty=CERTAIN)
        for match in _HASH.finditer(question):
            if nodes := self._nodes(match[1]):
                yield Mention(start=match.start(), end=match.end(), nodes=nodes, certainty=CERTAIN)

    def _quoted_mentions(self, question: str) -> Iterable[Mention]:
        for match in _QUOTED.finditer(question):
            name = next(group for group in match.groups() if group is not None)
            words = tuple(word for _, _, word in _tokens(name))
            nodes = self._nodes(name) or tuple(self._by_tokens.get(words, ())) or self._files_at(name)
            if nodes:
                yield Mention(start=match.start(), end=match.end(), nodes=nodes, certainty=CERTAIN)

    def _path_mentions(self, question: str) -> Iterable[Mention]:
        for match in _PATH.finditer(question):
            if nodes := self._nodes(match[1]) or self._files_at(match[1]):
                yield Mention(start=match.start(), end=match.end(), nodes=nodes, certainty=CERTAIN)

    def _files_at(self, fragment: str) -> tuple[str, ...]:
        """Files whose path contains ``fragment`` at boundaries: ``adr/0007`` for ``docs/adr/0007-deploys.md``."""
        if not re.search(r"[/.\d]", fragment):
            return ()
        pattern = re.compile(rf"(?:^|/){re.escape(fragment.strip('/'))}(?:$|[-_./])", re.IGNORECASE)
        padded = re.sub(r"/(\d{1,3})$", lambda match: f"/{int(match[1]):04d}", fragment)
        zero_padded = re.compile(rf"(?:^|/){re.escape(padded.strip('/'))}(?:$|[-_./])", re.IGNORECASE)
        paths = [path for path in self._paths if pattern.search(path) or zero_padded.search(path)]
        return tuple(paths) if len(paths) <= 5 else ()

    def _name_mentions(self, question: str) -> Iterable[Mention]:
        tokens = _tokens(question)
        index = 0
        while index < len(tokens):
            for count in range(min(_MAX_TOKENS, len(tokens) - index), 0, -1):
                words = tuple(word for _, _, word in tokens[index : index + count])
                nodes = self._by_tokens.get(words)
                if not nodes:
                    continue
                start, end = tokens[index][0], tokens[index + count - 1][1]
                # Unquoted *last* and *list* are words of the question, even if a thing has that name.
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
        # Several words written without spaces form a name: wrong-team.
        return LIKELY
    meaningful = [word for word in words if word not in STOP_WORDS]
    if len(words) > 1 and len(meaningful) > 1:
        return LIKELY
    return POSSIBLE


def _tokens(text: str) -> list[tuple[int, int, str]]:
    """Start, end and folded form of each word; a Chinese character is a word."""
    if text.isascii():
        return [(match.start(), match.end(), match[0].lower()) for match in _TOKEN.finditer(text)]
    return [(match.start(), match.end(), fold(match[0])) for match in _TOKEN.finditer(text)]
