"""Reads questions about a set of entries by slot filling: versions, dates, order, and whether to count or list.

*How many 1.1.x releases without betas*, *the newest 5.2 release and its date*, *when was 1.4 released*, *which releases
fixed CVE-2024-1*. Each condition removes its words from the question. If any content words remain, the question
is not read here; otherwise the result is a SQL statement over the tables.
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
_MIN_SIMILARITY: Final = 84
"""Similarity (0 to 100) to the noun of a kind from which a word counts as a misspelling of it."""
_MIN_LETTERS: Final = 6
"""Fewest letters of a misspelling."""
_COMMON_SHARE: Final = 0.6
"""Share of the headings from which a word does not distinguish any of them."""
_CONFIDENCE: Final = 0.9
_MIN_CLAUSE_WORDS: Final = 2
"""Fewest content words of a clause."""
_MAX_SELECTED: Final = 60
"""Most things that a topic or clause may select; more of them share the words by chance."""
_ENTRY_FIELDS: Final = ("version", "series", "level", "stage", "date")
_SLOT_FIELDS: Final = frozenset({*_ENTRY_FIELDS, "mentions", "name", "folder", "type", "lines", "language", "year"})
"""Fields with slots of their own."""
_RANGE_FIELDS: Final = ("year", "date", "version")
"""Fields of which a question may ask for the first and last value, best first."""
_QUOTE: Final = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'"})


def without_included(question: str) -> str:
    """The question without the stages that it counts as well: *everything of 2012, betas too*."""
    return _RE.included.sub("", question)


class SelectionReader:
    """Reads questions about the entries of one folder.

    Args:
        kinds: The kinds of entries, and that of all files.
        tables: Returns the tables; called only when a statement is built.
        today: Returns the date that "last month" is relative to.
        texts: The texts of the files; without them clauses are not searched for.
        families: Families of files.
        kinds_in: Returns the kinds that words of a question name.
        name: Name of the folder.
    """

    def __init__(
        self,
        kinds: Sequence[Kind],
        tables: Callable[[], Tables],
        today: Callable[[], date],
        texts: Texts | None = None,
        families: Sequence[Family] = (),
        kinds_in: Callable[[str], Sequence[Kind]] = lambda _: (),
        name: str = "",
    ) -> None:
        self._kinds = tuple(kinds)
        self._tables = tables
        self._today = today
        self._texts = texts
        self._families = families
        self._kinds_in = kinds_in
        self._name = name.lower()

    @cached_property
    def _nouns(self) -> dict[str, list[Kind]]:
        """Kinds by the stems of their names and words."""
        kinds_by_stem: dict[str, list[Kind]] = {}
        for kind in self._kinds:
            for word in dict.fromkeys((kind.name, *kind.words)):
                kinds_by_stem.setdefault(stem(word.partition("_")[0]), []).append(kind)
        return kinds_by_stem

    @cached_property
    def _common_stems(self) -> dict[str, frozenset[str]]:
        """Stems that do not distinguish the entries of a kind, by its name: those of most titles and paths."""
        stems_by_kind = {}
        for kind in self._kinds:
            counts: dict[str, int] = {}
            for thing in kind.things:
                for word in thing.stems | thing.place_stems:
                    counts[word] = counts.get(word, 0) + 1
            stems_by_kind[kind.name] = frozenset(
                word for word, n in counts.items() if n >= _COMMON_SHARE * len(kind.things)
            )
        return stems_by_kind

    def read(self, question: str) -> list[tuple[Reading, dict[str, Fact]]]:
        """The possible readings of a question, best first; empty if a word is not read.

        Each comes with the proofs found in texts, by key of the thing.
        """
        normalised = _RE.released.sub("which releases", question.translate(_QUOTE))
        return [
            reading
            for kind in self._candidate_kinds(normalised)
            if (reading := self._read_kind(kind, normalised)) is not None
        ]

    def _candidate_kinds(self, question: str) -> list[Kind]:
        """Kinds that the question names, then those with a version, a file name or a change that it mentions."""
        lowered = question.lower()
        named_kinds: dict[str, Kind] = {}
        for word in re.findall(r"[^\W\d_]+", lowered):
            for kind in self._nouns_of(word):
                named_kinds.setdefault(kind.name, kind)
        for noun, kinds in self._nouns.items():
            if not noun.isascii() and noun in lowered:
                named_kinds.update((kind.name, kind) for kind in kinds)
        versions = {match["value"].lstrip("v.") for match in _RE.exact.finditer(lowered)}
        further = [kind for kind in self._kinds if versions & versions_of(kind)]
        further += [kind for kind in self._kinds if "folder" in kind.fields and self._mentions_files(lowered)]
        if asks_for_change(lowered):
            further += [kind for kind in self._kinds if "version" in kind.fields]
        return list(({kind.name: kind for kind in (*named_kinds.values(), *further)}).values())

    def _mentions_files(self, text: str) -> bool:
        """Whether a text mentions a family of files or parts of a folder."""
        return _RE.part.search(text) is not None or any(family.pattern.search(text) for family in self._families)

    def _nouns_of(self, word: str) -> list[Kind]:
        kinds = self._nouns.get(stem(word))
        if kinds is None and len(word) >= _MIN_LETTERS:
            similar = [noun for noun in self._nouns if fuzz.ratio(stem(word), noun) >= _MIN_SIMILARITY]
            kinds = self._nouns[similar[0]] if similar else None
        return kinds or []

    def _read_kind(self, kind: Kind, question: str) -> tuple[Reading, dict[str, Fact]] | None:
        count_match = _RE.counted.search(question.lower())
        is_filed = "folder" in kind.fields
        counts_kind = count_match is None or any(kind in self._nouns_of(word) for word in count_match["words"].split())
        if not counts_kind and not (is_filed and self._mentions_files(question.lower())):
            # The question counts something else: how many tickets a page shows.
            return None
        selection = Selection(kind=kind, rest=f" {question.lower()} ")
        language = answered_in(question)
        says = _SAYS[language]
        self._read_labels(selection, question, says)
        change = self._fill_slots(selection, says)
        if change is not None:
            self._select_by_change(selection, says, change)
            if not selection.proofs:
                return None
            if change.is_first:
                selection.order, selection.limit = "ASC", 1
        elif self._unread_words(selection) and not selection.wants_date:
            # A date asked for beside a clause is the date of the event in the clause, not of its entry.
            self._select_by_clause(selection, says)
        if self._unread_words(selection) or not selection.asks:
            return None
        if is_filed and not (
            selection.wants_count or selection.size_order[0] or selection.range_field or selection.proofs
        ):
            # The file search lists files with more criteria.
            return None
        self._describe_order(selection, says)
        if (selection.wants_date or selection.order) and "date" in kind.fields and change is None:
            for thing in kind.things:
                selection.proofs.update((thing.key, fact) for fact in thing.facts.get("date", ())[:1])
        sql = statement(self._tables(), selection)
        if not sql:
            return None
        things = f"{kind.name.replace('_', ' ')}{'s' if language == 'en' and not kind.name.endswith('s') else ''}"
        paraphrase = (
            says["of"].format(things=things, conditions=", ".join(selection.phrases)) if selection.phrases else things
        )
        paraphrase = says["count"].format(things=paraphrase) if selection.wants_count else paraphrase
        query_kind: QueryKind = "aggregation" if selection.wants_count else "top_n" if selection.order else "filter"
        return Reading(sql=sql, query_kind=query_kind, confidence=_CONFIDENCE, says=paraphrase), selection.proofs

    def _fill_slots(self, selection: Selection, says: dict[str, str]) -> Change | None:
        """Fill the slots of a selection from the question; the change it asks about, if any."""
        fields = selection.kind.fields
        selection.wants_date = selection.takes(_RE.when) and "date" in fields
        selection.wants_count = selection.takes(_RE.counting)
        selection.range_field = next(
            (name for name in _RANGE_FIELDS if name in fields and selection.takes(_RE.span)), ""
        )
        has_versions = "version" in fields
        change = read_change(selection) if has_versions and self._texts is not None else None
        if has_versions:
            read_stages(selection, says)
        selection.order, selection.limit = self._date_order(selection)
        if has_versions:
            read_versions(selection, says, is_set=selection.wants_count or selection.order != "")
        self._read_periods(selection, says)
        selection.size_order = self._size_order(selection) if "lines" in fields else ("", 0)
        if "folder" in fields:
            read_places(selection, says)
            read_family(selection, self._families, says)
        if self._unread_words(selection):
            self._read_values(selection)
        if selection.value_conditions:
            selection.rest = _RE.fixing.sub(" ", selection.rest)
        return change

    @staticmethod
    def _describe_order(selection: Selection, says: dict[str, str]) -> None:
        """Describe the order in words; the newest version is a final one unless the question names another stage."""
        order, (size_order, _) = selection.order, selection.size_order
        adds_stage = "stage" in selection.kind.fields and not any(
            '"stage"' in condition for condition in selection.conditions
        )
        if order == "DESC" and adds_stage:
            selection.add(f"\"stage\" = '{STAGES[0]}'", says["final"])
        if order:
            selection.phrases.insert(0, says["newest" if order == "DESC" else "oldest"])
        if size_order:
            selection.phrases.insert(0, says["longest" if size_order == "DESC" else "shortest"])

    @staticmethod
    def _read_labels(selection: Selection, question: str, says: dict[str, str]) -> None:
        """Read labels (advisories, tickets) into conditions on mentions."""
        for _, label in find_labels(question):
            position = selection.rest.find(label.lower())
            if position < 0:
                continue
            selection.rest = f"{selection.rest[:position]} {selection.rest[position + len(label) :]}"
            if ("mentions", label) not in selection.value_conditions:
                selection.value_conditions.append(("mentions", label))
                selection.phrases.append(says["names"].format(what=label))

    def _read_periods(self, selection: Selection, says: dict[str, str]) -> None:
        from kbtui.question.reader import read

        if "date" not in selection.kind.fields:
            return
        for period in read(selection.rest, today=self._today()).periods:
            position = selection.rest.find(period.words)
            if position < 0:
                continue
            selection.rest = f"{selection.rest[:position]} {selection.rest[position + len(period.words) :]}"
            first = period.first.isoformat() if period.first is not None else ""
            last = period.last.isoformat() if period.last is not None else ""
            bounds = [f"\"date\" >= '{first}'"] * bool(first) + [f"\"date\" <= '{last}'"] * bool(last)
            phrase = says["between" if first and last else "since" if first else "until"].format(first=first, last=last)
            selection.add(" AND ".join(bounds), f"{says['date']} {phrase}")

    def _read_values(self, selection: Selection) -> None:
        """Read words that are values of a field with few distinct ones: an issue rated *high*."""
        unread = set(self._unread_words(selection))
        for name in selection.kind.fields:
            if name in _SLOT_FIELDS:
                continue
            facts = [fact.value for thing in selection.kind.things for fact in thing.facts.get(name, ())]
            values = dict.fromkeys(facts)
            if len(values) * 2 > len(facts):
                continue
            for value in values:
                words = content_words(value.lower())
                if words and unread.issuperset(words) and (name, value) not in selection.value_conditions:
                    selection.value_conditions.append((name, value))
                    selection.phrases.append(f"{name} {value}")
                    for word in (*words, *content_words(name)):
                        selection.rest = re.sub(rf"(?<!\w){re.escape(word)}\w{{0,2}}(?!\w)", " ", selection.rest)

    def _select_by_clause(self, selection: Selection, says: dict[str, str]) -> None:
        """Select things by the remaining words: by title, or by a passage of their text that contains all of them."""
        unread = self._unread_words(selection)
        stems = list(dict.fromkeys(stem(word) for word in unread))
        things = selection.kind.things
        matches: list[Thing] = []
        if self._texts is not None and len(stems) >= _MIN_CLAUSE_WORDS and _RE.saying.search(selection.rest):
            verb = {stem(word) for word in _RE.saying.findall(selection.rest)}
            stems = [word for word in stems if word not in verb] if _RE.telling.search(selection.rest) else stems
            for thing in self._texts.filter_by_words(things, stems):
                fact = self._texts.find_passage(thing, stems)
                if fact is not None:
                    selection.proofs[thing.key] = fact
                    matches.append(thing)
        elif selection.wants_count and unread:
            matches = self._things_about(things, stems)
        if matches and len(matches) <= _MAX_SELECTED:
            selection.things = matches
            selection.phrases.append(says["names"].format(what=" ".join(unread)))
            selection.rest = ""

    def _select_by_change(self, selection: Selection, says: dict[str, str], change: Change) -> None:
        """Select the releases with an item that states the change."""
        unread = [word for word in self._unread_words(selection) if word != self._name]
        stems = list(dict.fromkeys(stem(word) for word in unread))
        owner = _RE.whose.search(selection.rest)
        if owner is not None and owner["word"] in unread:
            # The version belongs to something else, which these releases may mention.
            return
        if self._texts is None or not (stems or change.literals):
            return
        for thing in self._texts.filter_by_words(selection.kind.things, stems):
            fact = self._texts.find_passage(thing, stems, change)
            if fact is not None:
                selection.proofs[thing.key] = fact
        if selection.proofs:
            selection.things = [thing for thing in selection.kind.things if thing.key in selection.proofs]
            selection.phrases.append(says["names"].format(what=" ".join((*unread, *change.literals))))
            selection.rest = ""

    def _things_about(self, things: Sequence[Thing], stems: Sequence[str]) -> list[Thing]:
        """Things with all stems in the title; else those with one in the title, if all their texts have the others."""
        matching = [thing for thing in things if thing.stems.issuperset(stems)]
        if matching or self._texts is None:
            return matching if len(matching) < len(things) else []
        best: list[Thing] = []
        for word in stems:
            with_word = [thing for thing in things if word in thing.stems]
            rest = [other for other in stems if other != word]
            if len(best) < len(with_word) <= _MAX_SELECTED and all(
                self._texts.contains(thing, rest) for thing in with_word
            ):
                best = with_word
        return best

    def _size_order(self, selection: Selection) -> tuple[str, int]:
        """Order and limit by size: ``DESC`` for the longest, ``ASC`` for the shortest."""
        return self._read_order(selection, ((_RE.longest, "DESC"), (_RE.shortest, "ASC")))

    def _date_order(self, selection: Selection) -> tuple[str, int]:
        """Order and limit by date or version: ``DESC`` for the newest, ``ASC`` for the oldest."""
        if "date" not in selection.kind.fields and "version" not in selection.kind.fields:
            return "", 0
        return self._read_order(selection, ((_RE.newest, "DESC"), (_RE.oldest, "ASC")))

    @staticmethod
    def _read_order(selection: Selection, forms: Sequence[tuple[re.Pattern[str], str]]) -> tuple[str, int]:
        for pattern, order in forms:
            if (match := pattern.search(selection.rest)) is not None:
                selection.take(match)
                return order, int(value_of(match["n"] or match["m"] or "1") or 1)
        return "", 0

    def _unread_words(self, selection: Selection) -> list[str]:
        """Content words of the question that no slot has read."""
        rest = selection.rest
        for noun in self._nouns:
            if not noun.isascii():
                rest = rest.replace(noun, " ")
        rest = _RE.idle.sub(" ", _RE.listing.sub(" ", rest))
        common = self._common_stems[selection.kind.name]
        words = [word for word in content_words(rest) if re.search(r"\w", word) and stem(word) not in common]
        return [
            word
            for word in words
            if selection.kind not in self._nouns_of(word) and not self._names_kind_of_all(word, selection)
        ]

    def _names_kind_of_all(self, word: str, selection: Selection) -> bool:
        """Whether a word only names a kind that contains all selected things."""
        paths = {thing.path for thing in selection.things or ()}
        return bool(paths) and any(paths <= {thing.path for thing in kind.things} for kind in self._kinds_in(word))
