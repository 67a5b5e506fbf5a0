# ruff: noqa: E501 (lists of words read best in long lines)
"""Words of a question taken for tables, columns, values and numbers: what is left is the question's own grammar."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import pairwise
from typing import Any, Final

from kbtui.data.nl2sql.model import Named, SchemaModel
from kbtui.data.nl2sql.name_fit import COUNTING, NameFit, Synonyms
from kbtui.data.nl2sql.query import Ref
from kbtui.text.inflection import lemma, root
from kbtui.text.numbers import plain, read_numbers

_TOKEN: Final = re.compile(
    r"\"[^\"]*\"|“[^”]*”|「[^」]*」|(?<![\w])'[^']+'(?!\w)|‘[^’]*’|`[^`]*`"
    r"|@\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d|\d{4}-\d{1,2}-\d{1,2}|\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?%?|[A-Za-zÀ-ɏ_][\wÀ-ɏ]*(?:[.&'’](?=\w)[\wÀ-ɏ]+)*"
    r"|[\u3400-\u9fff]+|[<>]=?|!=|=|[.,;:?!()]"
)


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


STOP: Final = _listed(
    "a an the of in on at to for from by with and or is are was were be been being do does did done have has had that which who "
    "whom whose what when where how why this these those it its their his her him he she they them i me my we us our you your "
    "please show list find give return display tell get many much all any each every some other than more less not no nor as "
    "there also along can could would will should may might must if then else so such but about into over under between "
    "through during before after above below up down out off again once here both few same too very just only own corresponding respective "
    "respectively result results order sorted sort ordered number count total average sum mean maximum minimum max min "
    "most least highest lowest largest smallest greatest fewest different distinct unique top bottom per s t one ones "
    "least exactly either neither without never ever none together among across within like contain contains containing "
    "common popular ascending descending alphabetical alphabetically asc desc lexicographical reverse high low higher lower "
    "larger smaller bigger greater fewer older younger oldest youngest newest latest earliest longest shortest cheapest "
    "expensive long short old young tall tallest heavy heaviest big biggest start starts starting end ends ending begin begins "
    "letter word substring string value values belong belongs belonging exist list listed given known "
    "want need know see look let using used use make made compute calculate report include including details detail information "
    "chart graph plot bar pie histogram scatter draw visualize group grouped ever another next last past"
)
_WEAK: Final = _listed(
    "number total count average sum min max minimum maximum order most least different use details detail information list "
    "report value one high low name id date type code result long old show last next first"
)
_ORDERINGS: Final = _listed(
    "alphabetical alphabetic ascending descending lexicographical increasing decreasing reverse the in"
)
_PARTS: Final = ("detail", "date", "code", "type", "result")
_ARTICLES: Final = ("a", "an", "any", "each", "every", "no", "one")
_COUNTED: Final = ("cardinal", "percent", "multiplier")
_SPELT: Final = ("letter", "letters", "character", "substring", "word", "string")
_SHARED_HEAD: Final = re.compile(
    r"\b(first|last|middle)(?: names?)?((?:, | and | or |, and )(?:first|last|middle))* names?\b", re.I
)
_FULL_NAME: Final = re.compile(r"\bfull names?\b", re.I)


@dataclass(slots=True)
class Mention:
    """A span of the question taken for something.

    Attributes:
        columns: Candidate columns, each with how well the words fit (0 to 1).
        tables: Candidate tables, likewise.
        values: Candidate column and stored value.
        number: For a number.
        literal: For text in quotes or a name that no column is known to hold.
        said: As it was asked, where the question was put into English to be linked.
    """

    start: int
    end: int
    text: str
    columns: list[tuple[float, Ref]] = field(default_factory=list)
    tables: list[tuple[float, str]] = field(default_factory=list)
    values: list[tuple[float, Ref, Any]] = field(default_factory=list)
    number: int | float | Decimal | None = None
    literal: str | None = None
    strength: float = 1.0
    said: str = ""

    @property
    def letter(self) -> str:
        """What it is above all: N, V, Q, C or T."""
        if self.number is not None:
            return "N"
        column = self.columns[0][0] if self.columns else 0.0
        table = self.tables[0][0] if self.tables else 0.0
        value = self.values[0][0] if self.values else 0.0
        if value and value >= max(column, table):
            return "V"
        if self.literal is not None:
            return "Q"
        return "T" if table >= column else "C"


@dataclass(slots=True)
class Linked:
    """A question as a line of words and mentions (``show C0 of T1 whose C2 more than N3``)."""

    line: str
    mentions: list[Mention]
    unlinked: list[str]
    content: int
    """Words that matter, linked or not."""
    tokens: list[str]
    measures: frozenset[str] = frozenset()
    """Mentions of columns that numbers can be compared with."""

    def fits(self, column: str, value: str) -> bool:
        """Whether the column of a mention may hold the value of another."""
        held, meant = self.mentions[int(column[1:])], self.mentions[int(value[1:])]
        if meant.letter == "N" and not meant.values:
            return column in self.measures
        if meant.letter != "V" or meant.literal is not None:
            return True
        return bool({ref for _, ref in held.columns} & {ref for _, ref, _ in meant.values})


Nearest = Callable[[Sequence[str]], Sequence[Sequence[tuple[float, Named]]]]
"""For each word, names near in meaning by embedding, best first."""


class Linker:
    """Links the words of questions to one schema.

    Args:
        model: The schema.
        synonyms: General words for the same thing.
        nearest: Asked for content words that nothing else links.
    """

    def __init__(self, model: SchemaModel, synonyms: Synonyms, nearest: Nearest | None = None) -> None:
        self._model = model
        self._names_fit = NameFit(model, synonyms)
        self._nearest = nearest

    def link(self, question: str) -> Linked:
        """The question with its mentions, in order."""
        question = _SHARED_HEAD.sub(self._heads, _FULL_NAME.sub(self._full, question))
        question = question.replace("'s ", " 's ").replace("’s ", " 's ")
        matches = [match for match in _TOKEN.finditer(question) if match.group() != "'s"]
        tokens = [match.group() for match in matches]
        quoted = [len(token) > 1 and token[0] in "\"'“「‘`" for token in tokens]
        words = [token.lower() for token in tokens]
        lemmas = [lemma(word) for word in words]
        taken: list[Mention | None] = [None] * len(tokens)
        found: list[Mention] = []
        numbers = self._numbers(question, matches, quoted)
        for position, token in enumerate(tokens):
            mention = self._literal(tokens, quoted, position) or numbers.get(position) or self._day(position, token)
            if mention is not None:
                found.append(mention)
        spans: list[Mention] = [*self._values(tokens, words, quoted), *self._names(words, lemmas, quoted)]
        for mention in found:
            for position in range(mention.start, mention.end):
                taken[position] = mention
        # The longest and surest first; what overlaps them is only kept where it is the same span.
        spans.sort(key=lambda m: (-self._worth(m), m.start))
        for mention in spans:
            here = {id(taken[p]): taken[p] for p in range(mention.start, mention.end)}
            if set(here) == {id(None)}:
                for position in range(mention.start, mention.end):
                    taken[position] = mention
                found.append(mention)
            elif len(here) == 1:
                held = next(iter(here.values()))
                if held is not None and held.number is None and (held.start, held.end) == (mention.start, mention.end):
                    held.columns = held.columns or mention.columns
                    held.tables = held.tables or mention.tables
                    held.values = held.values or mention.values
        self._capitalised(tokens, words, taken, found, quoted)
        self._by_meaning(words, taken, found)
        found.sort(key=lambda m: m.start)
        self._elliptic(tokens, lemmas, found)
        self._in_roles(found)
        for first, second in pairwise(found):
            # "a cat allergy", "king bed": the value's own column named behind it.
            if first.letter == "V" and second.letter in "CT" and first.end == second.start:
                same = [v for v in first.values if any(r == v[1] for _, r in second.columns)]
                if same:
                    first.values = same
                    first.end = second.end
                    for spot in range(second.start, second.end):
                        taken[spot] = first
        found = [m for m in found if any(t is m for t in taken)]
        unlinked = [
            tokens[p]
            for p in range(len(tokens))
            if taken[p] is None and words[p] not in STOP and words[p][0].isalpha() and len(words[p]) > 1
        ]
        content = sum(1 for w in words if w not in STOP and (w[0].isalnum() or w[0] in "\"'"))
        line: list[str] = []
        position = 0
        while position < len(tokens):
            mention_here = taken[position]
            if mention_here is not None:
                line.append(f"{mention_here.letter}{found.index(mention_here)}")
                position = mention_here.end
            else:
                line.append(words[position])
                position += 1
        measures = frozenset(
            f"{mention.letter}{position}"
            for position, mention in enumerate(found)
            if mention.tables or any(self._measures(ref) for _, ref in mention.columns)
        )
        return Linked(" ".join(line), found, unlinked, content, tokens, measures)

    def _in_roles(self, found: Sequence[Mention]) -> None:
        """A name beside "home team" is that of the home team."""
        for first, second in pairwise(found):
            alias = first.tables[0][1] if first.letter == "T" else ""
            role = self._model.roles.get(alias)
            if role is not None and second.letter == "V" and second.start - first.end <= 3:
                own = [(s + 0.02, Ref(alias, ref.column), v) for s, ref, v in second.values if ref.table == role.table]
                second.values = own + second.values

    def _elliptic(self, tokens: Sequence[str], lemmas: Sequence[str], found: Sequence[Mention]) -> None:
        """``color code and description`` asks for the color description, where there is one."""
        for first, second in pairwise(found):
            between = [token.lower() for token in tokens[first.end : second.start]]
            if (
                not between
                or not set(between) <= {"and", ","}
                or first.end - first.start < 2
                or second.end - second.start > 1
                or "C" not in (first.letter, second.letter)
                or not second.columns
            ):
                continue
            columns: dict[Ref, float] = {}
            self._names_fit.score(
                [*lemmas[first.start : first.end - 1], *lemmas[second.start : second.end]], 1.0, columns, {}
            )
            whole = [(score + 0.05, ref) for ref, score in columns.items() if score >= 0.97]
            if whole:
                rest = [(s - 0.25, r) for s, r in second.columns if r not in columns or columns[r] < 0.97]
                second.columns = whole + rest

    def _measures(self, ref: Ref) -> bool:
        column = self._model.column(ref)
        if column is None or column.kind not in ("text", "other"):
            return True
        return any(str(sample).replace(".", "", 1).isdigit() for sample in column.samples)

    @staticmethod
    def _heads(match: re.Match[str]) -> str:
        """``first and last names`` are first names and last names."""
        found = re.findall(r"first|last|middle|and|or|,", match.group().lower())
        return " ".join(word if word in ("and", "or", ",") else f"{word} name" for word in found)

    def _full(self, match: re.Match[str]) -> str:
        parts = {named.own for named in self._model.columns.values()}
        halves = {root(w) for w in ("first", "last")}
        split = any(halves & own for own in parts) and not any("full" in n.words for n in self._model.columns.values())
        return "first name and last name" if split else match.group()

    @staticmethod
    def _worth(mention: Mention) -> float:
        best = max(
            [score for score, *_ in mention.columns]
            + [score for score, *_ in mention.tables]
            + [score for score, *_ in mention.values]
        )
        return best + 0.35 * (mention.end - mention.start)

    def _literal(self, tokens: Sequence[str], quoted: Sequence[bool], position: int) -> Mention | None:
        written = tokens[position]
        if written.startswith("@"):
            return Mention(position, position + 1, written[1:], literal=written[1:])
        if quoted[position]:
            text = written[1:-1].strip()
            values = [(1.0, ref, value) for ref, value in self._model.values.find(text)]
            return Mention(position, position + 1, text, values=values, literal=text)
        before = tokens[position - 1].lower() if position else ""
        if len(written) == 1 and written.isalpha() and (before in _SPELT or (before == "with" and written != "a")):
            return Mention(position, position + 1, written, literal=written)
        if (
            written == "A"
            and before in ("letter", "with")
            and position + 1 < len(tokens)
            and tokens[position + 1] in ".?,"
        ):
            return Mention(position, position + 1, written, literal=written)
        return None

    def _numbers(self, question: str, tokens: Sequence[re.Match[str]], quoted: Sequence[bool]) -> dict[int, Mention]:
        """The numbers that the question compares and counts with, by the token that each begins at."""
        found: dict[int, Mention] = {}
        for span in read_numbers(question):
            covered = [n for n, token in enumerate(tokens) if token.start() < span.end and span.start < token.end()]
            if span.kind not in _COUNTED or not covered or any(quoted[n] for n in covered):
                continue
            # 35% is compared with a column of percentages.
            value = plain(span.value * 100 if span.kind == "percent" else span.value)
            first, last = covered[0], covered[-1]
            said = question[tokens[first].start() : tokens[last].end()]
            mention = Mention(first, last + 1, said, number=value)
            if said[0].isdigit():
                mention.values = [(0.9, ref, stored) for ref, stored in self._model.values.find(tokens[first].group())]
            found[first] = mention
        return found

    @staticmethod
    def _day(position: int, token: str) -> Mention | None:
        if not re.fullmatch(r"\d{4}-\d{1,2}-\d{1,2}", token):
            return None
        year, month, day = (int(part) for part in token.split("-"))
        text = f"{year:04d}-{month:02d}-{day:02d}"
        return Mention(position, position + 1, text, literal=text)

    def _values(self, tokens: Sequence[str], words: Sequence[str], quoted: Sequence[bool]) -> list[Mention]:
        index = self._model.values
        found = []
        for start in range(len(tokens)):
            for end in range(min(len(tokens), start + index.longest_words + 1), start, -1):
                if any(quoted[start:end]) or not words[start][0].isalpha() or not words[end - 1][0].isalnum():
                    continue
                span = " ".join(tokens[start:end])
                hits = index.find(span)
                if not hits and end - start <= 2 and len(span) > 3:
                    single = " ".join([*words[start : end - 1], lemma(words[end - 1])])
                    hits = index.find(single) if single != span.lower() else []
                if not hits:
                    continue
                if end - start == 1 and (words[start] in STOP or len(span) < 2):
                    continue
                score = self._value_score(tokens, words, start, end, hits)
                if score > 0:
                    found.append(Mention(start, end, span, values=[(score, ref, value) for ref, value in hits]))
        for position, word in enumerate(words):
            found.extend(self._coded(position, word))
            if tokens[position].isupper() and len(word) <= 3 and (word in STOP or len(word) == 1):
                # "Size S", "grade A": short codes count where their column stands beside them.
                beside = {
                    root(lemma(one))
                    for one in (*words[max(0, position - 1) : position], *words[position + 1 : position + 2])
                }
                held = [(0.98, r, v) for r, v in index.find(word) if self._model.columns[r].roots & beside]
                if held:
                    found.append(Mention(position, position + 1, tokens[position], values=held))
        return found

    @staticmethod
    def _value_score(
        tokens: Sequence[str], words: Sequence[str], start: int, end: int, hits: Sequence[tuple[Ref, Any]]
    ) -> float:
        """A capital letter says that a name is meant; common words may only happen to be somewhere in the data."""
        if start > 0 and tokens[start][0].isupper():
            return 0.97
        if any(value == " ".join(tokens[start:end]) for _, value in hits):
            return 0.92
        if end - start > 1 and sum(word not in STOP for word in words[start:end]) > 1:
            return 0.92
        plain = all(word not in STOP and lemma(word) not in _WEAK for word in words[start:end])
        return 0.8 if plain else 0.3

    def _coded(self, position: int, word: str) -> list[Mention]:
        """``female`` where a column holds F and M; ``yes`` where it holds Y and N."""
        codes = {"female": "f", "females": "f", "woman": "f", "women": "f", "girl": "f", "girls": "f", "male": "m",
                 "males": "m", "man": "m", "men": "m", "boy": "m", "boys": "m"}  # fmt: skip
        code = codes.get(word)
        if code is None:
            return []
        values = []
        for ref, domain in self._model.values.domains.items():
            full = {"f": "female", "m": "male"}[code]
            wanted = code if code in domain and domain <= {"f", "m", "u", "o", "n"} else full if full in domain else ""
            if wanted:
                values += [(0.95, ref, value) for hit, value in self._model.values.find(wanted) if hit == ref]
        return [Mention(position, position + 1, word, values=values)] if values else []

    def _names(self, words: Sequence[str], lemmas: Sequence[str], quoted: Sequence[bool]) -> list[Mention]:
        found = []
        for start in range(len(words)):
            if quoted[start] or not words[start][0].isalpha():
                continue
            for end in range(min(len(words), start + 5), start, -1):
                if any(quoted[start:end]) or not all(w[0].isalnum() for w in words[start:end]):
                    continue
                if words[end - 1] in STOP and lemmas[end - 1] not in _WEAK and end - start > 1:
                    continue
                following = words[end] if end < len(words) else ""
                mention = self._name(
                    start, end, lemmas[start:end], words[start:end], words[start - 1] if start else "", following
                )
                if mention is not None:
                    found.append(mention)
        return found

    def _name(
        self, start: int, end: int, span: Sequence[str], words: Sequence[str], before: str, following: str
    ) -> Mention | None:
        inner = [word for word in span if word not in ("of", "the", "a", "an", "for", "in")]
        if not inner or span[0] in ("of", "the", "a", "an", "for", "in"):
            return None
        if len(inner) == 1 and (words[-1] in STOP and inner[0] not in _WEAK):
            return None
        acts = span[-1].endswith("ed") or words[-2:-1] != span[-2:-1]
        if len(inner) > 1 and acts and inner == span and self._is_table(inner[:-1]):
            # "Institutions founded after 1880", "employees earn": things, and what they do or what happened to them.
            return None
        if len(inner) == 1 and words[0] in ("named", "called", "titled", "name's"):
            return None
        if inner == ["order"] and words[0] == "order" and before in _ORDERINGS:
            return None
        if (
            len(inner) == 1
            and inner[0] in COUNTING
            and following == "of"
            and before not in ("average", "of", "maximum", "minimum", "highest")
        ):
            return None
        if inner[0] in ("number",) and len(inner) > 1 and len(inner) < len(span):
            # "number of cities" is a column only where one is called so.
            exact = {root(word) for word in inner}
            held = [
                n
                for n in self._model.columns.values()
                if exact <= n.roots and n.words[0] == "number" and not self._model.is_key(n.ref)
            ]
            if not held:
                return None
        columns: dict[Ref, float] = {}
        tables: dict[str, float] = {}
        for phrase, worth in self._names_fit.phrasings(inner):
            # Another word for it counts for less where the word itself names something.
            literal = max([*columns.values(), *tables.values()], default=0.0)
            doubt = 0.8 if worth < 0.9 and literal >= 0.6 else 1.0
            self._names_fit.score(phrase, worth * doubt, columns, tables)
        if inner == ["id"] or inner == ["name"]:
            # What tells rows apart, and what they are called, under whatever name.
            for table in self._model.tables:
                ref = self._identifier(table) if inner == ["id"] else self._model.display(table)
                column = self._model.column(ref) if ref is not None else None
                if ref is not None and column is not None and (inner == ["id"] or column.kind == "text"):
                    columns[ref] = max(columns.get(ref, 0.0), 0.8)
        if len(inner) < len(span):
            # Words with "of" between them are one name only where the name itself says all of them.
            asked = {root(word) for word in inner}
            columns = {
                ref: score
                for ref, score in columns.items()
                if asked <= self._model.columns[ref].roots and self._says_all(asked, ref)
            }
            tables = {}
        if not columns and not tables:
            return None
        if len(inner) == 1 and inner[0] in _WEAK:
            # These words are grammar unless a column is called just that.
            thing = words[0] != inner[0] or before in _ARTICLES
            listed = inner[0] in _PARTS and {before, following} & {",", "and"}
            columns = {ref: score for ref, score in columns.items() if score >= (0.6 if listed else 0.8)}
            tables = {name: score for name, score in tables.items() if score >= (0.6 if thing else 0.95)}
            if not columns and not tables:
                return None
        # What fits far worse than the best fit is noise.
        best = max([*columns.values(), *tables.values()])
        ranked = sorted(((s, r) for r, s in columns.items() if s >= best - 0.45), key=lambda item: -item[0])
        named = sorted(((s, t) for t, s in tables.items() if s >= best - 0.45), key=lambda item: -item[0])
        return Mention(start, end, " ".join(words), columns=ranked[:16], tables=named[:4])

    def _identifier(self, table: str) -> Ref | None:
        """The key, unless another column is called an id and the key is not."""
        key = self._model.key(table)
        called = [n.ref for n in self._model.columns.values() if n.ref.table == table and n.words[-1:] == ("id",)]
        return called[0] if called and key not in called else key

    def _is_table(self, inner: Sequence[str]) -> bool:
        asked = {root(word) for word in inner}
        return any(named.roots == asked for named in self._model.tables.values())

    def _says_all(self, asked: set[str], ref: Ref) -> bool:
        """The words besides those of the table are still several, or a number is counted in the column."""
        table = self._model.tables[ref.table].roots
        if "number" not in asked and any(named.roots < asked for named in self._model.tables.values()):
            return False
        return len(asked - table) > 1 or "number" in asked

    def _capitalised(
        self,
        tokens: Sequence[str],
        words: Sequence[str],
        taken: list[Mention | None],
        found: list[Mention],
        quoted: Sequence[bool],
    ) -> None:
        """Names in mid-sentence that nothing holds are still meant as values."""
        position = 1
        while position < len(tokens):
            end = position
            while (
                end < len(tokens)
                and taken[end] is None
                and not quoted[end]
                and tokens[end][0].isupper()
                and words[end] not in STOP
                and tokens[position - 1] not in ".?!"
            ):
                end += 1
            if end > position:
                text = " ".join(tokens[position:end])
                mention = Mention(position, end, text, literal=text, strength=0.6)
                for spot in range(position, end):
                    taken[spot] = mention
                found.append(mention)
            position = max(end, position + 1)

    def _by_meaning(self, words: Sequence[str], taken: list[Mention | None], found: list[Mention]) -> None:
        open_words = {
            position: lemma(word)
            for position, word in enumerate(words)
            if taken[position] is None and word not in STOP and word.isalpha() and len(word) >= 3
        }
        if self._nearest is None or not open_words:
            return
        for (position, _), near in zip(open_words.items(), self._nearest(list(open_words.values())), strict=True):
            columns = [(score, named.ref) for score, named in near if named.column is not None]
            tables = [(score, named.ref.table) for score, named in near if named.column is None]
            if columns or tables:
                mention = Mention(position, position + 1, words[position], columns=columns, tables=tables, strength=0.5)
                taken[position] = mention
                found.append(mention)
