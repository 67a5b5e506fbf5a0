"""Questions about a set of entries, read by slots: which versions and days, in which order, counted, listed or dated.

*How many 1.1.x releases without betas*, *the newest 5.2 release and its date*, *when was 1.4 released*, *which releases
fixed CVE-2024-1*. Each condition takes its words out of the question; what is left must say nothing more, or the
question is not read here. What comes of it is a statement over the tables like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Final

from rapidfuzz import fuzz

from kbtui.domain.analysis import QueryKind, Reading
from kbtui.knowledge.relations.labels import find_labels
from kbtui.records.changes import Change, asks_for_change, read_change
from kbtui.records.families import Family
from kbtui.records.filed import read_family, read_places
from kbtui.records.kinds import Fact, Kind, Thing
from kbtui.records.selection import Selection, statement
from kbtui.records.series import STAGES
from kbtui.records.versioned import read_stages, read_versions, versions_of
from kbtui.text.language import answered_in
from kbtui.text.numbers import value_of
from kbtui.text.patterns import Patterns
from kbtui.text.tokenise import content_words, stem
from kbtui.text.word_lists import toml_in

if TYPE_CHECKING:
    from kbtui.records.tables import Tables
    from kbtui.records.texts import Texts

_RE: Final = Patterns(__package__, "selecting.toml")
_SAYS: Final = toml_in(__package__, "selecting.toml")["says"]
_ALIKE: Final = 84
"""Likeness of a word to that for a kind from which it is a slip of the finger."""
_LONG: Final = 6
"""Letters of a word that may be one."""
_COMMON: Final = 0.6
"""Share of the headings that a word must be in to say nothing of one of them."""
_SURE: Final = 0.9
_CLAUSE: Final = 2
"""Words with content that a clause has at least."""
_MOST_CHOSEN: Final = 60
"""Things that a topic or a clause may choose; more of them share words, not what is said."""
_CORE: Final = ("version", "series", "level", "stage", "date")
_READ: Final = frozenset({*_CORE, "mentions", "name", "folder", "type", "lines", "language", "year"})
"""Fields that conditions of their own are read for."""
_SPANNED: Final = ("year", "date", "version")
"""Fields of which the first and the last value may be asked for, best first."""
_QUOTE: Final = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'"})


class Selecting:
    """Reads questions about the entries of one folder.

    Args:
        kinds: Those that are made of entries.
        tables: Where they are.
        today: The day that "last month" is counted from.
        texts: What the files say; without them no clause is looked for.
        families: Files that are named alike.
        meant: The kinds of things that words mean, whatever they are known by.
        name: What the whole folder is called.
    """

    def __init__(
        self,
        kinds: Sequence[Kind],
        tables: Callable[[], Tables],
        today: Callable[[], date],
        texts: Texts | None = None,
        families: Sequence[Family] = (),
        meant: Callable[[str], Sequence[Kind]] = lambda _: (),
        name: str = "",
    ) -> None:
        self._kinds = tuple(kinds)
        self._tables = tables
        self._today = today
        self._texts = texts
        self._families = families
        self._meant = meant
        self._name = name.lower()

    @cached_property
    def _nouns(self) -> dict[str, list[Kind]]:
        """Kinds by the stems of what they are called."""
        found: dict[str, list[Kind]] = {}
        for kind in self._kinds:
            for word in dict.fromkeys((kind.name, *kind.words)):
                found.setdefault(stem(word.partition("_")[0]), []).append(kind)
        return found

    @cached_property
    def _common(self) -> dict[str, frozenset[str]]:
        """By kind the stems that say nothing of one entry: of most headings, of the names of its documents."""
        found = {}
        for kind in self._kinds:
            counted: dict[str, int] = {}
            for thing in kind.things:
                for word in thing.stems | thing.place_stems:
                    counted[word] = counted.get(word, 0) + 1
            found[kind.name] = frozenset(word for word, n in counted.items() if n >= _COMMON * len(kind.things))
        return found

    def read(self, question: str) -> list[tuple[Reading, dict[str, Fact]]]:
        """The statements that a question may be, best first; none where a word of it is not read.

        With each, by the key of a thing, the line that says what is asked, where that is no field.
        """
        levelled = question.translate(_QUOTE)
        return [reading for kind in self._asked_of(levelled) if (reading := self._reading(kind, levelled)) is not None]

    def _asked_of(self, question: str) -> list[Kind]:
        """Kinds that the question may be about: called by their name, else those that know a version it names."""
        lowered = question.lower()
        named: dict[str, Kind] = {}
        for word in re.findall(r"[^\W\d_]+", lowered):
            for kind in self._nouns_of(word):
                named.setdefault(kind.name, kind)
        for noun, kinds in self._nouns.items():
            if not noun.isascii() and noun in lowered:
                named.update((kind.name, kind) for kind in kinds)
        versions = {match["value"].lstrip("v.") for match in _RE.exact.finditer(lowered)}
        knowing = [kind for kind in self._kinds if versions & versions_of(kind)]
        knowing += [kind for kind in self._kinds if "folder" in kind.fields and self._speaks_of_files(lowered)]
        if asks_for_change(lowered):
            knowing += [kind for kind in self._kinds if "version" in kind.fields]
        return list(({kind.name: kind for kind in (*named.values(), *knowing)}).values())

    def _speaks_of_files(self, text: str) -> bool:
        """Whether it calls files by what their names share, or as parts of a folder."""
        return _RE.part.search(text) is not None or any(family.pattern.search(text) for family in self._families)

    def _nouns_of(self, word: str) -> list[Kind]:
        known = self._nouns.get(stem(word))
        if known is None and len(word) >= _LONG:
            near = [noun for noun in self._nouns if fuzz.ratio(stem(word), noun) >= _ALIKE]
            known = self._nouns[near[0]] if near else None
        return known or []

    def _reading(self, kind: Kind, question: str) -> tuple[Reading, dict[str, Fact]] | None:
        counted = _RE.counted.search(question.lower())
        is_filed = "folder" in kind.fields
        named = counted is None or any(kind in self._nouns_of(word) for word in counted["words"].split())
        if not named and not (is_filed and self._speaks_of_files(question.lower())):
            # Something else is counted: how many tickets a page shows.
            return None
        chosen = Selection(kind=kind, rest=f" {question.lower()} ")
        language = answered_in(question)
        says = _SAYS[language]
        self._identifiers(chosen, question, says)
        change = self._slots(chosen, says)
        if change is not None:
            self._change(chosen, says, change)
            if not chosen.proofs:
                return None
            if change.is_first:
                chosen.order, chosen.limit = "ASC", 1
        elif self._left(chosen) and not chosen.when:
            # A day that is asked for beside a clause is that of what the clause tells, not of its entry.
            self._clause(chosen, says)
        if self._left(chosen) or not chosen.asks:
            return None
        if is_filed and not (chosen.counting or chosen.sized[0] or chosen.spanned or chosen.proofs):
            # Which files there are is told by the search for files, with more to choose by.
            return None
        self._say_order(chosen, says)
        if (chosen.when or chosen.order) and "date" in kind.fields and change is None:
            for thing in kind.things:
                chosen.proofs.update((thing.key, fact) for fact in thing.facts.get("date", ())[:1])
        sql = statement(self._tables(), chosen)
        if not sql:
            return None
        things = f"{kind.name.replace('_', ' ')}{'s' if language == 'en' and not kind.name.endswith('s') else ''}"
        told = says["of"].format(things=things, conditions=", ".join(chosen.said)) if chosen.said else things
        told = says["count"].format(things=told) if chosen.counting else told
        kept: QueryKind = "aggregation" if chosen.counting else "top_n" if chosen.order else "filter"
        return Reading(sql=sql, query_kind=kept, confidence=_SURE, says=told), chosen.proofs

    def _slots(self, chosen: Selection, says: dict[str, str]) -> Change | None:
        """Read what is asked of the things and the conditions on their fields; the change that is asked for, if any."""
        fields = chosen.kind.fields
        chosen.when = chosen.takes(_RE.when) and "date" in fields
        chosen.counting = chosen.takes(_RE.counting)
        chosen.spanned = next((name for name in _SPANNED if name in fields and chosen.takes(_RE.span)), "")
        has_versions = "version" in fields
        change = read_change(chosen) if has_versions and self._texts is not None else None
        if has_versions:
            read_stages(chosen, says)
        chosen.order, chosen.limit = self._order(chosen)
        if has_versions:
            read_versions(chosen, says, is_set=chosen.counting or chosen.order != "")
        self._days(chosen, says)
        chosen.sized = self._size_order(chosen) if "lines" in fields else ("", 0)
        if "folder" in fields:
            read_places(chosen, says)
            read_family(chosen, self._families, says)
        if self._left(chosen):
            self._values(chosen)
        if chosen.joined:
            chosen.rest = _RE.fixing.sub(" ", chosen.rest)
        return change

    @staticmethod
    def _say_order(chosen: Selection, says: dict[str, str]) -> None:
        """What comes first, in words; the newest of versions is a final one unless another stage is asked for."""
        order, (sized, _) = chosen.order, chosen.sized
        staged = "stage" in chosen.kind.fields and not any('"stage"' in one for one in chosen.conditions)
        if order == "DESC" and staged:
            chosen.add(f"\"stage\" = '{STAGES[0]}'", says["final"])
        if order:
            chosen.said.insert(0, says["newest" if order == "DESC" else "oldest"])
        if sized:
            chosen.said.insert(0, says["longest" if sized == "DESC" else "shortest"])

    @staticmethod
    def _identifiers(chosen: Selection, question: str, says: dict[str, str]) -> None:
        """What is named by an identifier of its own: an advisory, a ticket."""
        for _, label in find_labels(question):
            at = chosen.rest.find(label.lower())
            if at < 0:
                continue
            chosen.rest = f"{chosen.rest[:at]} {chosen.rest[at + len(label) :]}"
            if ("mentions", label) not in chosen.joined:
                chosen.joined.append(("mentions", label))
                chosen.said.append(says["names"].format(what=label))

    def _days(self, chosen: Selection, says: dict[str, str]) -> None:
        from kbtui.question.reader import read

        if "date" not in chosen.kind.fields:
            return
        for period in read(chosen.rest, today=self._today()).periods:
            at = chosen.rest.find(period.words)
            if at < 0:
                continue
            chosen.rest = f"{chosen.rest[:at]} {chosen.rest[at + len(period.words) :]}"
            first = period.first.isoformat() if period.first is not None else ""
            last = period.last.isoformat() if period.last is not None else ""
            bounds = [f"\"date\" >= '{first}'"] * bool(first) + [f"\"date\" <= '{last}'"] * bool(last)
            said = says["between" if first and last else "since" if first else "until"].format(first=first, last=last)
            chosen.add(" AND ".join(bounds), f"{says['date']} {said}")

    def _values(self, chosen: Selection) -> None:
        """Words that are values of a field with few of them: an issue rated *high*."""
        left = set(self._left(chosen))
        for name in chosen.kind.fields:
            if name in _READ:
                continue
            facts = [fact.value for thing in chosen.kind.things for fact in thing.facts.get(name, ())]
            values = dict.fromkeys(facts)
            if len(values) * 2 > len(facts):
                continue
            for value in values:
                words = content_words(value.lower())
                if words and left.issuperset(words) and (name, value) not in chosen.joined:
                    chosen.joined.append((name, value))
                    chosen.said.append(f"{name} {value}")
                    for word in (*words, *content_words(name)):
                        chosen.rest = re.sub(rf"(?<!\w){re.escape(word)}\w{{0,2}}(?!\w)", " ", chosen.rest)

    def _clause(self, chosen: Selection, says: dict[str, str]) -> None:
        """What else is asked of the things: words of their titles, or what their texts say in one place."""
        left = self._left(chosen)
        stems = list(dict.fromkeys(stem(word) for word in left))
        things = chosen.kind.things
        found: list[Thing] = []
        if self._texts is not None and len(stems) >= _CLAUSE and _RE.saying.search(chosen.rest):
            verb = {stem(word) for word in _RE.saying.findall(chosen.rest)}
            stems = [word for word in stems if word not in verb] if _RE.telling.search(chosen.rest) else stems
            for thing in self._texts.among(things, stems):
                fact = self._texts.stating(thing, stems)
                if fact is not None:
                    chosen.proofs[thing.key] = fact
                    found.append(thing)
        elif chosen.counting and left:
            found = self._about(things, stems)
        if found and len(found) <= _MOST_CHOSEN:
            chosen.things = found
            chosen.said.append(says["names"].format(what=" ".join(left)))
            chosen.rest = ""

    def _change(self, chosen: Selection, says: dict[str, str], change: Change) -> None:
        """The releases of which an item says that this was added, removed or deprecated."""
        left = [word for word in self._left(chosen) if word != self._name]
        stems = list(dict.fromkeys(stem(word) for word in left))
        whose = _RE.whose.search(chosen.rest)
        if whose is not None and whose["word"] in left:
            # A version of something else, which these releases may well tell of.
            return
        if self._texts is None or not (stems or change.literals):
            return
        for thing in self._texts.among(chosen.kind.things, stems):
            fact = self._texts.stating(thing, stems, change)
            if fact is not None:
                chosen.proofs[thing.key] = fact
        if chosen.proofs:
            chosen.things = [thing for thing in chosen.kind.things if thing.key in chosen.proofs]
            chosen.said.append(says["names"].format(what=" ".join((*left, *change.literals))))
            chosen.rest = ""

    def _about(self, things: Sequence[Thing], stems: Sequence[str]) -> list[Thing]:
        """Things with all of the words in the title, or with one there and the others in the texts of all."""
        about = [thing for thing in things if thing.stems.issuperset(stems)]
        if about or self._texts is None:
            return about if len(about) < len(things) else []
        best: list[Thing] = []
        for word in stems:
            titled = [thing for thing in things if word in thing.stems]
            rest = [other for other in stems if other != word]
            if len(best) < len(titled) <= _MOST_CHOSEN and all(self._texts.has(thing, rest) for thing in titled):
                best = titled
        return best

    def _size_order(self, chosen: Selection) -> tuple[str, int]:
        """The same for the longest and the shortest."""
        return self._ordered(chosen, ((_RE.longest, "DESC"), (_RE.shortest, "ASC")))

    def _order(self, chosen: Selection) -> tuple[str, int]:
        """``DESC`` for the newest, ``ASC`` for the oldest, and how many."""
        if "date" not in chosen.kind.fields and "version" not in chosen.kind.fields:
            return "", 0
        return self._ordered(chosen, ((_RE.newest, "DESC"), (_RE.oldest, "ASC")))

    @staticmethod
    def _ordered(chosen: Selection, forms: Sequence[tuple[re.Pattern[str], str]]) -> tuple[str, int]:
        for pattern, order in forms:
            if (match := pattern.search(chosen.rest)) is not None:
                chosen.take(match)
                return order, int(value_of(match["n"] or match["m"] or "1") or 1)
        return "", 0

    def _left(self, chosen: Selection) -> list[str]:
        """Words with content that nothing has read."""
        rest = chosen.rest
        for noun in self._nouns:
            if not noun.isascii():
                rest = rest.replace(noun, " ")
        rest = _RE.idle.sub(" ", _RE.listing.sub(" ", rest))
        known = self._common[chosen.kind.name]
        words = [word for word in content_words(rest) if re.search(r"\w", word) and stem(word) not in known]
        return [word for word in words if chosen.kind not in self._nouns_of(word) and not self._is_of_all(word, chosen)]

    def _is_of_all(self, word: str, chosen: Selection) -> bool:
        """Whether it says what kind of things those that are chosen are anyway."""
        own = {thing.path for thing in chosen.things or ()}
        return bool(own) and any(own <= {thing.path for thing in kind.things} for kind in self._meant(word))
