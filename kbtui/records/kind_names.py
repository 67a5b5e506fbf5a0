"""Words for kinds of things: from their series or folder, their fields and titles, and what they call themselves."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from kbtui.knowledge.relations.labels import series_of
from kbtui.knowledge.relations.vocabulary import ATTRIBUTES
from kbtui.knowledge.relations.words import word_set
from kbtui.text.language import has_cjk
from kbtui.text.tokenise import content_words
from kbtui.text.word_lists import toml_in

if TYPE_CHECKING:
    from kbtui.records.kinds import Thing

WORDS: Final = toml_in(__package__, "words.toml")

_COMMON_SHARE: Final = 0.6
"""Share of the titles that must contain a word for it to name the kind."""
_NAMING_SHARE: Final = 0.8
"""Share of values equal to the file name from which the field names the kind: *check* from ``CheckID``."""
_MIN_SELF_NAMED: Final = 3
"""Documents that must use a noun for themselves that the name of their folder abbreviates."""
_PLAIN: Final = word_set(WORDS["describing"]["plain"])
LABELS: Final = word_set(WORDS["describing"]["labels"])
"""What a field says that is the name of a thing, beside what kind of thing that is."""
_LABEL_ENDING: Final = re.compile(f"(?<=.)(?:{'|'.join(WORDS['describing']['label_endings'].split())})$")
_DOCUMENT_WORDS: Final = word_set(f"{WORDS['folders']['other']} {WORDS['folders']['file']} {WORDS['series']['other']}")
_GENERAL: Final = word_set(WORDS["folders"]["self"])
_ATTRIBUTES: Final = LABELS | ATTRIBUTES
_PART = re.compile(r"[^\W_]+")
_WORD = re.compile(r"[^\W\d_]{2,}")


def stated_fields(things: Iterable[Thing]) -> Counter[str]:
    """How many of the things state each field."""
    return Counter(name for thing in things for name in thing.facts)


def naming_words(things: Sequence[Thing]) -> list[str]:
    """Words of the field whose values are the names of the files: *check* from ``CheckID``."""
    field_counts = stated_fields(things)
    match_counts: Counter[str] = Counter()
    for thing in things:
        matching_fields = [
            name for name, facts in thing.facts.items() if any(f.value.casefold() == thing.base for f in facts)
        ]
        match_counts.update(matching_fields)
    naming_fields = [
        name
        for name, count in match_counts.most_common(3)
        if count >= _NAMING_SHARE * max(field_counts[name], len(things) / 2)
    ]
    words = [word for name in naming_fields[:1] for word in _PART.findall(name) if word not in LABELS]
    return [_LABEL_ENDING.sub("", word) for word in words]


def _qualifying_words(things: Sequence[Thing]) -> list[str]:
    """Nouns that qualify a general field of nearly all things: *package* in ``package-version``."""
    field_counts = stated_fields(things)
    partitions = [name.rpartition("-") for name, count in field_counts.items() if count >= _NAMING_SHARE * len(things)]
    return [word for word, _, attribute in partitions if attribute in _ATTRIBUTES and word.isalpha()]


def own_words(things: Sequence[Thing], self_names: Mapping[str, frozenset[str]]) -> list[str]:
    """The nouns that things use for themselves: what their folder abbreviates, and the usual one if it is specific."""
    word_counts = Counter(word for thing in things for word in self_names.get(thing.path, ()))
    folder = singular(posixpath.basename(posixpath.dirname(things[0].path)))
    in_full = [word for word, count in word_counts.items() if count >= _MIN_SELF_NAMED and _abbreviates(folder, word)]
    usual = Counter({word: count for word, count in word_counts.items() if word not in _GENERAL})
    return [*in_full[:1], *(word for word, count in usual.most_common(1) if 2 * count >= len(things))]


def _abbreviates(short: str, word: str) -> bool:
    """Whether a name is the first letter of a word and some of its others, in order: *cmd* for *command*."""
    rest = iter(word)
    return 2 < len(short) < len(word) and short[0] == word[0] and all(letter in rest for letter in short)


def section_words(things: Sequence[Thing], sections: Mapping[str, str]) -> list[str]:
    """Words of the part of a site that most things lie in, its head first: *code*, *error* of *Error codes*."""
    section_counts = Counter(sections[thing.path] for thing in things if thing.path in sections)
    usual = [name for name, count in section_counts.most_common(1) if count >= _COMMON_SHARE * len(things)]
    words = [singular(word) for name in usual for word in content_words(name)[::-1] if word.isalpha()]
    # *Release notes* are releases: a general word for documents tells nothing.
    return sorted(words, key=_DOCUMENT_WORDS.__contains__)


def words_of_group(group_type: str, name: str, things: Sequence[Thing], root: str) -> tuple[str, ...]:
    """Words for a kind, best first: from its series or folder, its titles and general words for such things."""
    # Among equally frequent words the last of a title rank first: English titles end in the head noun.
    title_words = Counter(word for thing in things for word in dict.fromkeys(_WORD.findall(thing.title.lower())[::-1]))
    title_words = Counter({word: count for word, count in title_words.items() if content_words(word)})
    frequent_words = [word for word, count in title_words.most_common(3) if count >= _COMMON_SHARE * len(things)]
    # Chinese titles end in the head noun, too.
    title_endings = Counter(thing.title[-size:] for thing in things for size in (2, 3) if has_cjk(thing.title[-size:]))
    frequent_words += [end for end, count in title_endings.most_common(1) if count >= _COMMON_SHARE * len(things)]
    series = WORDS["series"]
    match group_type:
        case "series":
            series_words = series.get(name, series["other"]).split()
            words = [*(series_words if name in series else ()), name, *frequent_words, *series_words]
        case "ticket":
            folders = {posixpath.basename(posixpath.dirname(thing.path)) for thing in things}
            folder_words = map(singular, folders if len(folders) == 1 else ())
            words = [*series.get(name, "").split(), *series["ticket"].split(), name, *frequent_words, *folder_words]
        case "labelled":
            words = [*([singular(folder)] if (folder := posixpath.basename(name)) else []), *frequent_words]
            words += series["ticket"].split() if not folder or singular(folder) in series["ticket"].split() else []
        case "described":
            top_folders = Counter(thing.key.split("/")[0] for thing in things if "/" in thing.key).most_common(1)
            top = [singular(top_folders[0][0])] if top_folders and top_folders[0][1] == len(things) else []
            # Folders that lie in the root are what the root is called.
            top = top or ([singular(root)] if root and not top_folders else [])
            main_file_words = [name] if name not in _PLAIN else []
            labelled_series = [series_of(thing.name) for thing in things if thing.name]
            words = [
                *_qualifying_words(things),
                *main_file_words,
                *labelled_series[:1],
                *top,
                *frequent_words,
                *series["other"].split(),
            ]
        case _:
            place, _, names = name.rpartition("|")
            folder, first = posixpath.basename(place), names.rpartition("*")[0]
            words = [*naming_words(things), *([singular(first)] if first else [])]
            words += [*([singular(folder)] if folder else []), *frequent_words]
            words += [*WORDS["folders"]["other"].split(), *([] if folder else [singular(root)])]
    plain = [re.sub(r"\W+", "_", word.lower()).strip("_") for word in words]
    return tuple(dict.fromkeys(word for word in plain if word)) or ("document",)


def singular(word: str) -> str:
    """The singular of an English word, in lower case."""
    lowered = word.lower()
    if lowered.endswith("ies") and len(lowered) > 4:
        return f"{lowered[:-3]}y"
    return lowered[:-1] if lowered.endswith("s") and not lowered.endswith("ss") and len(lowered) > 3 else lowered
