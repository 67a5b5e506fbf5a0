"""An answer out of the tables of a folder, in words: the value first, then the things, each with its line."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from kbtui.domain.answer import Outcome, WrittenAnswer
from kbtui.question.normalise import Language, question_language
from kbtui.reasoning.citing import Citations, ReadsLines
from kbtui.reasoning.offline.phrases import relation_intro
from kbtui.records.acceptance import persons_of
from kbtui.records.lines import hit_of_fact
from kbtui.records.texts import TEXT_FIELD
from kbtui.records.wording import wants_person
from kbtui.text.terminal import one_line
from kbtui.text.word_lists import toml_in

if TYPE_CHECKING:
    from kbtui.domain.evidence import Hit
    from kbtui.records.asking import TableAnswer
    from kbtui.records.kinds import Fact, Thing
    from kbtui.records.members import Row
    from kbtui.records.relating import RelationAnswer, Step, ValueCheck

_COUNTED: Final = 12
"""Things that are named beside a figure; the others are only counted."""
_GROUPED: Final = 3
"""The same beside each of several figures."""
_LISTED: Final = 100
_MOST_STEPS: Final = 300
_MOST_CELLS: Final = 3
_CALLED_BY: Final = ("title", "number", "path")
"""Columns of what a thing is called by."""
_LONGEST_VALUE: Final = 160
"""Cells of a value that is shown beside a thing."""
_SHORT_VALUE: Final = 80
_TOLD: Final = 8
"""Fields that are told of a single thing."""
_ESCAPED: Final = re.compile(r"([\\`*_\[\]<|])")


class _Telling:
    """One answer while it is written."""

    def __init__(self, found: TableAnswer, citations: Citations, language: Language) -> None:
        self._found = found
        self._words = _words(language)
        self._citations = citations

    def block(self) -> str:
        rows = self._found.result.rows
        return "\n".join(self._figures(rows) if self._found.result.is_figure else self._things(rows))

    def _figures(self, rows: Sequence[Row]) -> Iterator[str]:
        says = self._says()
        if len(rows) == 1:
            row = rows[0]
            if self._found.reading.truth:
                yield self._words["yes"].format(stated=says) + self._words["stop"]
            else:
                yield f"**{_cells(row.cells)}**{self._words['aside'].format(text=says)}"
            if row.things:
                yield ""
                yield self._members(row, _COUNTED) + self._words["stop"]
            return
        yield f"{says}{self._words['colon']}"
        yield ""
        for row in rows:
            members = self._members(row, _GROUPED) if row.things else ""
            yield f"- **{_cells(row.cells, self._words['none'])}**{self._words['dash'] if members else ''}{members}"

    def _things(self, rows: Sequence[Row]) -> Iterator[str]:
        shown = self._shown()
        if len(rows) == 1 and len(rows[0].things) == 1:
            yield self._line(rows[0], shown)
            return
        count = sum(len(row.things) for row in rows)
        yield f"**{count}**{self._words['aside'].format(text=self._says())}"
        yield ""
        for row in rows[:_LISTED]:
            yield f"- {self._line(row, shown)}"
        if len(rows) > _LISTED:
            yield f"- {self._words['more'].format(count=len(rows) - _LISTED)}"

    def _line(self, row: Row, shown: Sequence[int]) -> str:
        if told := self._told_fields(row):
            return self._thing_with(row, told)
        cells = _cells([self._as_written(row, at) for at in shown])
        named = self._members(row, _COUNTED)
        fact = row.proofs[0]
        if cells:
            said = (
                _escaped(one_line(fact.value, _LONGEST_VALUE)) if fact is not None and fact.field == TEXT_FIELD else ""
            )
            return f"**{cells}**{self._words['dash']}{named}{self._words['dash'] if said else ''}{said}"
        if not self._varies or fact is None or fact.value in row.things[0].display_name:
            return named
        value = _escaped(one_line(fact.value, _LONGEST_VALUE))
        if fact.field == TEXT_FIELD:
            return f"{named}{self._words['dash']}{value}"
        return named + self._words["detail"].format(name=_escaped(fact.field.replace("-", " ")), value=value)

    def _told_fields(self, row: Row) -> list[str]:
        """The fields that are told of a thing because of what else is asked: all, or those that state persons.

        Those that the statement speaks of come first.
        """
        result = self._found.result
        asks_person = result.is_details and wants_person(self._found.question)
        if len(row.things) != 1 or not (asks_person or self._found.tells_rows):
            return []
        if any(fact is not None and fact.field == TEXT_FIELD for fact in row.proofs):
            return []
        facts = row.things[0].facts
        if not self._found.tells_rows:
            persons = persons_of(result)
            conditions = [fact.field for own in row.conditions for fact in own]
            return [name for name in dict.fromkeys((*conditions, *persons)) if name in facts] if persons else []
        names = dict.fromkeys((*(field.field for field in result.fields), *facts))
        values = {name: facts[name][0].value for name in names if name in facts}
        known = row.things[0].display_name
        kept = (name for name, value in values.items() if value != known and "://" not in value)
        return [name for name in kept if len(values[name]) <= _SHORT_VALUE][:_TOLD]

    def _thing_with(self, row: Row, fields: Sequence[str]) -> str:
        """A thing with these of its fields; lines that stand next to one another are cited as one."""
        thing = row.things[0]
        distinct = [list({fact.value: fact for fact in thing.facts[name][::-1]}.values())[::-1] for name in fields]
        stated = [fact for facts in distinct for fact in facts[:_MOST_CELLS]]
        hits: list[Hit] = []
        for fact in sorted(stated, key=lambda one: (one.path, one.line)):
            hit = hit_of_fact(thing, fact, self._citations.source)
            if hits and hits[-1].path == hit.path and hit.start_line <= hits[-1].end_line + 1:
                hits[-1] = replace(hits[-1], end_line=hit.end_line)
            else:
                hits.append(hit)
        marks = [self._mark(hit) for hit in hits]
        told = [
            f"{name.replace('-', ' ')}: {', '.join(one_line(fact.value, _LONGEST_VALUE) for fact in facts)}"
            for name, facts in zip(fields, distinct, strict=True)
        ]
        return f"{_escaped(thing.display_name)}{self._words['dash']}{_escaped('; '.join(told))} {' '.join(marks)}"

    def _mark(self, hit: Hit) -> str:
        excerpt = self._citations.excerpt(hit, whole=False)
        return f"[{self._citations.number(excerpt, hit.start_line, hit.end_line)}]"

    @cached_property
    def _varies(self) -> bool:
        """Whether the cited values differ from row to row, or there is one row alone: they are worth telling."""
        values = {row.proofs[0].value for row in self._found.result.rows if row.proofs[0] is not None}
        return len(values) > 1 or len(self._found.result.rows) == 1

    def _as_written(self, row: Row, at: int) -> Any:
        """A cell, a figure with its unit as the thing of the row states it."""
        column = self._found.result.columns[at]
        field = next((own.field for own in self._found.result.fields if own.column == column), "")
        facts = row.things[0].facts.get(field, ()) if len(row.things) == 1 and isinstance(row.cells[at], float) else ()
        return facts[0].value if len(facts) == 1 else row.cells[at]

    def _shown(self) -> list[int]:
        """Places of the cells that are asked for: fields the statement speaks of, not all that a thing has.

        Of all that a thing has those come first, before what it is called by.
        """
        columns = self._found.result.columns
        if self._found.result.is_details:
            columns = tuple(itertools.takewhile(lambda name: name not in _CALLED_BY, columns))
        kept = [at for at, name in enumerate(columns) if name not in _CALLED_BY]
        return kept if len(kept) <= _MOST_CELLS else []

    def _members(self, row: Row, most: int) -> str:
        pairs = list(zip(row.things, row.proofs, strict=True))
        named = [f"{_escaped(thing.display_name)} {mark}".rstrip() for thing, mark in self._marked(pairs[:most])]
        text = self._words["comma"].join(named)
        if len(pairs) > most:
            text += self._words["and_more"].format(count=len(pairs) - most)
        return text

    def _marked(self, pairs: Sequence[tuple[Thing, Fact | None]]) -> Iterator[tuple[Thing, str]]:
        for thing, fact in pairs:
            yield thing, self._mark(hit_of_fact(thing, fact, self._citations.source))

    def _says(self) -> str:
        says = self._found.reading.says.strip().rstrip(".。")
        total = sum(len(kind.things) for kind in self._found.kinds)
        return self._words["counted"].format(says=_escaped(says), total=f"{total:,}") if total else _escaped(says)


def told(found: TableAnswer | RelationAnswer | ValueCheck, source: ReadsLines | None, question: str) -> WrittenAnswer:
    """The answer in words, in the language of the question."""
    citations = Citations(source)
    block = block_of(found, citations, question_language(question))
    # That something holds now does not tell what was.
    is_partial = getattr(found, "holds", True) is None and getattr(found, "is_own_word", True)
    outcome: Outcome = "partial" if is_partial else "answered"
    return WrittenAnswer(markdown=f"{block}\n\n{citations.footer()}", outcome=outcome, citations=citations.all)


def block_of(found: TableAnswer | RelationAnswer | ValueCheck, citations: Citations, language: Language) -> str:
    """The answer in words without its footer; what it cites is added to ``citations``."""
    from kbtui.records.relating import RelationAnswer, ValueCheck

    match found:
        case RelationAnswer():
            return _relations(found, citations, language)
        case ValueCheck():
            return _check(found, citations, language)
        case _:
            return _Telling(found, citations, language).block()


def asked_in_words(found: TableAnswer | RelationAnswer | ValueCheck) -> str:
    """What was looked at, in English, for whoever watches."""
    from kbtui.records.relating import RelationAnswer, ValueCheck

    match found:
        case RelationAnswer():
            asked = next(step for step in found.steps if step.via == found.entity)
            return _intro(asked, "en").rstrip(":")
        case ValueCheck():
            return f"{found.thing.display_name}, {found.fact.field.replace('-', ' ')}"
        case _:
            return found.reading.says


def _relations(found: RelationAnswer, citations: Citations, language: Language) -> str:
    """A list for each relation; a thing that was reached through others says through which."""
    groups: dict[str, list[Step]] = {}
    for step in found.steps:
        intro = _intro(step, language)
        # Every step of a chain answers what the first relation asks, in whichever file it is stated.
        groups.setdefault(next(iter(groups), intro) if found.follows_on else intro, []).append(step)
    blocks = []
    for intro, steps in groups.items():
        lines = [_step(step, citations, _words(language)) for step in steps[:_MOST_STEPS]]
        if len(steps) == 1 and (found.is_value or len(groups) > 1):
            blocks.append(f"{_escaped(intro)} {lines[0]}")
            continue
        if len(steps) > _MOST_STEPS:
            lines.append(_words(language)["more"].format(count=len(steps) - _MOST_STEPS))
        blocks.append("\n".join([_escaped(intro), "", *(f"- {line}" for line in lines)]))
    return "\n\n".join(blocks)


def _intro(step: Step, language: Language) -> str:
    return relation_intro(step.item.relation, step.via, reverse=step.item.direction == "reverse", language=language)


def _check(found: ValueCheck, citations: Citations, language: Language) -> str:
    """Yes or no with what is stated, or that alone where it does not tell."""
    words = _words(language)
    hit = hit_of_fact(found.thing, found.fact, citations.source)
    mark = f"[{citations.number(citations.excerpt(hit, whole=False), hit.start_line, hit.end_line)}]"
    name = found.fact.field.replace("-", " ")
    stated = f"{_escaped(found.thing.display_name)}{words['dash']}{_escaped(name)}: {_escaped(found.fact.value)} {mark}"
    if not found.is_own_word:
        return stated
    return {True: words["yes"], False: words["no"], None: words["untold"]}[found.holds].format(stated=stated)


def _words(language: Language) -> dict[str, str]:
    words: dict[str, str] = toml_in(__package__, "recorded.toml")[language]
    return words


def _step(step: Step, citations: Citations, words: dict[str, str]) -> str:
    item = step.item
    excerpt = citations.excerpt(item.hit, whole=False)
    mark = f"[{citations.number(excerpt, excerpt.start_line, excerpt.end_line)}]"
    title = f"{words['dash']}{_escaped(item.title)}" if item.title else ""
    via = words["via"].format(name=_escaped(step.via)) if step.depth > 1 else ""
    return f"**{_escaped(item.label)}**{title}{via} {mark}"


def _cells(cells: Sequence[Any], none: str = "") -> str:
    told = [none if cell is None else _escaped(_cell(cell)) for cell in cells]
    return ", ".join(text for text in told if text)


def _cell(cell: Any) -> str:
    if isinstance(cell, float):
        return f"{int(cell):,}" if cell.is_integer() else f"{cell:,.6g}"
    return cell.isoformat() if isinstance(cell, date) else str(cell)


def _escaped(text: str) -> str:
    return _ESCAPED.sub(r"\\\1", text)
