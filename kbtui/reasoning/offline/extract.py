"""Picks the sentences of the kept passages that answer one part of a question.

Every unit (sentence, list item, code block, table row) of the best passages is scored by the terms of the question it
holds, by its likeness to the question where a model can tell, and by what kind of sentence the question wants; the best
few that say different things are put back into the order of their documents.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from kbtui.domain.evidence import Evidence
from kbtui.domain.ports import CancelToken
from kbtui.domain.routing import SubQuestion
from kbtui.errors import EmbeddingError
from kbtui.question.normalise import has_han
from kbtui.reasoning.citing import Citations
from kbtui.reasoning.offline.cleaning import readable
from kbtui.reasoning.offline.features import Term, english_text, has_term, longest_run, prepared, question_terms
from kbtui.reasoning.offline.grader import Encodes
from kbtui.reasoning.offline.quotable import Run, Unit, document_kind, units_of
from kbtui.text.numbers import HAN, english_words
from kbtui.text.patterns import Patterns
from kbtui.text.tokenise import tokens
from kbtui.text.word_lists import filled, toml_in

MOST_ENCODED = 10
"""Sentences encoded for one answer: about 2 ms each."""

MOST_RUNS = 5
_NEAR_DUPLICATE = 0.7
_FEW_TOKENS = 5
_SHARE_OF_BEST = 0.65
_LEAST = 0.2
_CODE_LINES = 14
_MOST_CODE = 3
_ITEMS_AFTER_COLON = 8
_CHARS_AFTER_COLON = 600
_LONGEST_CODE_LINES = 30

_TABLES = toml_in(__package__, "extract.toml")
_RE: Final = Patterns(__package__, "extract.toml")
_WANTS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(asked), re.compile(filled(had, {"NUMBERS": english_words(), "HAN": HAN})))
    for asked, had in _TABLES["wants"]
)

_OPENING_UNITS = 3
_SHORTEST_OPENING = 4

_OPENING = 6
"""Tokens at the head of a sentence that are about where its subject stands."""

INTRODUCES = re.compile(
    r"\s*(?:[\d.]+\s*)?(?:abstract|introduction|overview|summary|definitions?|terminology|what is|background|purpose"
    r"|about|摘要|简介|概述|概览|定义|术语|背景|介绍)\b",
    re.I,
)
_FEWEST_STEPS = 2
_MOST_STEPS = 12


def best_runs(
    question: SubQuestion,
    evidence: Sequence[Evidence],
    citations: Citations,
    embedder: Callable[[], Encodes | None],
    cancel: CancelToken,
    *,
    most: int = MOST_RUNS,
    most_encoded: int = MOST_ENCODED,
) -> list[Run]:
    """The runs that answer ``question``, in reading order; empty when no unit is about it.

    Args:
        evidence: Kept for this question, best first.
        most: Most units that are picked for their own sake.
    """
    asked = set(tokens(question.semantic_intent))
    # What says only what the question says, such as the title of the page that answers it, answers nothing.
    units = [
        unit
        for unit in units_of(evidence, citations, cancel)
        if _announces(unit) or not asked.issuperset(tokens(readable(unit.text)))
    ]
    scored = _scored(question, evidence, units)
    scored = _with_likeness(question, scored, embedder, most_encoded)
    chosen = _with_little_code(_chosen(scored, most))
    terms = question_terms(question, False)
    completed = _completed(chosen, scored)
    if chosen and _RE.asks_steps.search(question.semantic_intent):
        completed = _with_steps(completed, scored, chosen[0])
    return _runs([trimmed(unit, terms.terms) for unit in completed])


def without(runs: Sequence[Run], said: Sequence[Run]) -> list[Run]:
    """The runs less the units that ``said`` has already."""
    known = [unit.text for run in said for unit in run.units]
    left = (tuple(u for u in run.units if not any(near_duplicate(u.text, text) for text in known)) for run in runs)
    return [Run(units) for units in left if units]


def opening_runs(
    question: SubQuestion, evidence: Sequence[Evidence], citations: Citations, cancel: CancelToken
) -> list[Run]:
    """How the document that a question asks about begins: its first sentences; empty when it is not in the evidence."""
    own = sorted(_own(question, evidence), key=lambda item: item.hit.start_line)
    units = [unit for unit in units_of(own, citations, cancel) if unit.kind not in ("field", "heading")]
    first = [unit for unit in units if unit.kind in ("sentence", "list_item")] or units
    start = next((at for at, unit in enumerate(first) if len(tokens(unit.text)) >= _SHORTEST_OPENING), 0)
    return _runs(sorted(first[start:], key=lambda unit: unit.start_line)[:_OPENING_UNITS])


def _own(question: SubQuestion, evidence: Sequence[Evidence]) -> Sequence[Evidence]:
    """The evidence from the very document that a question asks about."""
    named = question_terms(question, False).named
    return [item for item in evidence if any(not forms.isdisjoint(prepared(item.hit).around) for forms in named)]


def trimmed(unit: Unit, terms: Sequence[Term]) -> Unit:
    """The unit itself; of a long block of code only the lines around the one that holds most of the terms."""
    length = unit.end_line - unit.start_line + 1
    if unit.kind != "code" or length <= _CODE_LINES:
        return unit
    offset = unit.start_line - unit.excerpt.start_line
    lines = unit.excerpt.lines[offset : offset + length]
    held = [sum(term.weight for term in terms if not term.forms.isdisjoint(tokens(line))) for line in lines]
    centre = max(range(length), key=lambda at: (held[at], -at))
    first = min(max(0, centre - _CODE_LINES // 3), length - _CODE_LINES)
    shown = lines[first : first + _CODE_LINES]
    return replace(
        unit,
        text="\n".join(shown),
        start_line=unit.start_line + first,
        end_line=unit.start_line + first + len(shown) - 1,
    )


def _with_little_code(units: Sequence[Unit]) -> list[Unit]:
    """The units without the weaker blocks of code: a page of listings answers nothing."""
    code = [unit for unit in units if unit.kind == "code"][:_MOST_CODE]
    return [unit for unit in units if unit.kind != "code" or unit in code]


def _scored(question: SubQuestion, evidence: Sequence[Evidence], units: Sequence[Unit]) -> list[Unit]:
    """Units with the words of the question, the passage's own grade and the kind of sentence wanted as score."""
    intent = question.semantic_intent
    is_definition = _RE.definition_question.search(intent) is not None
    asks_code = _RE.asks_code.search(intent) is not None
    asks_field = _RE.asks_field.search(intent) is not None
    asks_list = _RE.asks_list.search(intent) is not None
    wanted = [pattern for trigger, pattern in _WANTS if trigger.search(intent)]
    asked = _surface(intent)
    scored: list[Unit] = []
    before: tuple[int, list[str]] = (-1, [])
    for unit in units:
        passage = prepared(evidence[unit.passage].hit)
        terms = question_terms(question, has_han(unit.text))
        own = tokens(unit.text)
        # What the sentence before names, this one often goes on about as "it".
        previous = before[1] if before[0] == unit.passage else []
        before = (unit.passage, own)
        heading = tokens(unit.heading)
        inside = has_term(terms, own)
        around = has_term(terms, [*own, *heading, *passage.around])
        score = 0.5 * inside + 0.2 * around + 0.2 * evidence[unit.passage].score
        score += 0.15 * has_term(terms, [*passage.around])
        score += 0.2 * (has_term(terms, [*own, *previous]) - inside)
        if unit.passage == 0:
            score += 0.1
        score += 0.06 * min(max(longest_run(asked, _surface(unit.text)) - 1, 0), 4)
        if terms.named:
            # "What does PEP 484 say": its own words before those of others about it.
            score += 0.15 if any(not forms.isdisjoint(passage.around) for forms in terms.named) else -0.1
        if is_definition and unit.kind == "sentence":
            score += 0.3 * _definition_share(unit.text, terms.terms) + 0.12 * has_term(terms, own[:_OPENING])
            if INTRODUCES.match(unit.heading):
                score += 0.08
        if any(pattern.search(unit.text) for pattern in wanted):
            score += 0.07
        if unit.index == 0 and unit.kind == "sentence":
            score += 0.03
        if _announces(unit) and not asks_list:
            score *= 0.95
        score *= _kind_factor(unit, asks_code, asks_field)
        scored.append(replace(unit, score=score))
    return scored


def _surface(text: str) -> list[str]:
    """Words with their function words, as they stand: what terms alone cannot tell apart."""
    return re.findall(r"[^\W\u3400-\u9fff]+|[\u3400-\u9fff]", text.lower())


def _kind_factor(unit: Unit, asks_code: bool, asks_field: bool) -> float:
    is_code_file = document_kind(unit.excerpt.path) == "code"
    match unit.kind:
        case "code":
            return 1.0 if asks_code or is_code_file else 0.55
        case "field":
            # Headers say who and when, never what.
            return 0.6 if asks_field else 0.3
        case "table_row":
            return 0.9
        case _:
            words = len(unit.text.split()) if not has_han(unit.text) else len(unit.text) // 2
            # Fragments and questions seldom answer.
            # Pointers elsewhere say nothing themselves.
            pointer = 0.6 if re.match(r"(?:please )?see\b|参见|详见", unit.text, re.I) else 1.0
            return pointer * (0.7 if words < 4 else 1.0) * (0.7 if unit.text.rstrip().endswith(("?", "？")) else 1.0)


def _definition_share(text: str, terms: Sequence[Term]) -> float:
    """How much a sentence opens like a definition, 0 to 1: ``A breaker is …`` has nothing else before the verb."""
    match = _RE.defines.search(text[:120])
    if match is None:
        return 0.0
    before = set(tokens(text[: match.start()]))
    if not before:
        return 0.0
    named = [term for term in terms if not term.forms.isdisjoint(before)]
    said = {token for token in before if any(token in term.forms for term in named)}
    return len(said) / len(before) * sum(term.weight for term in named) / (sum(term.weight for term in terms) or 1.0)


def _with_likeness(
    question: SubQuestion, units: Sequence[Unit], embedder: Callable[[], Encodes | None], most: int
) -> list[Unit]:
    """Units with their likeness to the question added, for the most promising ones that an English model can read."""
    text = english_text(question)
    candidates = [
        position
        for position, unit in enumerate(units)
        if unit.kind in ("sentence", "list_item", "field") and not has_han(unit.text)
    ]
    candidates.sort(key=lambda position: (-units[position].score, position))
    candidates = candidates[:most]
    if not candidates or not text.strip():
        return list(units)
    try:
        model = embedder()
        if model is None:
            return list(units)
        vectors = model.encode([_short(units[position]) for position in candidates])
        likeness = (vectors @ model.query(text)).tolist()
    except EmbeddingError:
        return list(units)
    liked = list(units)
    for position, cosine in zip(candidates, likeness, strict=True):
        unit = units[position]
        liked[position] = replace(unit, score=unit.score * 0.6 + 0.5 * max(0.0, float(cosine)))
    lowered = set(range(len(units))) - set(candidates)
    for position in lowered:
        liked[position] = replace(units[position], score=units[position].score * 0.85)
    return liked


def _short(unit: Unit) -> str:
    heading = f"{unit.heading}: " if unit.heading else ""
    return f"{heading}{unit.text}"[:240]


def _chosen(units: Sequence[Unit], most: int) -> list[Unit]:
    ranked = sorted(units, key=lambda unit: (-unit.score, unit.passage, unit.index))
    if not ranked or ranked[0].score < _LEAST:
        return []
    best = ranked[0].score
    chosen: list[Unit] = []
    for unit in ranked:
        if len(chosen) >= most or unit.score < _SHARE_OF_BEST * best:
            break
        if not any(near_duplicate(unit.text, other.text) for other in chosen):
            chosen.append(unit)
    return chosen


def _announces(unit: Unit) -> bool:
    """True when what follows is what the unit is about: ``Calls are let through when:``."""
    return unit.text.rstrip().endswith((":", "："))


def near_duplicate(text: str, other: str) -> bool:
    """True when two texts say the same in nearly the same words, or one holds the other."""
    first, second = set(tokens(text)), set(tokens(other))
    if not first or not second:
        return text.strip() == other.strip()
    shared, shorter = len(first & second), min(len(first), len(second))
    if shorter < _FEW_TOKENS:
        # A few words are inside of many sentences that say something else.
        return first == second
    return shared / len(first | second) >= _NEAR_DUPLICATE or shared / shorter >= 0.9


def _completed(chosen: Sequence[Unit], units: Sequence[Unit]) -> list[Unit]:
    """Chosen units with what they announce ("as follows:" brings its list) and what announces them."""
    by_place = {(unit.passage, unit.index): unit for unit in units}
    kept = {(unit.passage, unit.index): unit for unit in chosen}
    for unit in chosen:
        passage, index = unit.passage, unit.index
        if _announces(unit) and unit.kind in ("sentence", "list_item"):
            room = _CHARS_AFTER_COLON
            for place in range(index + 1, index + 1 + _ITEMS_AFTER_COLON):
                following = by_place.get((passage, place))
                if following is None or following.kind not in ("list_item", "code", "table_row") or room <= 0:
                    break
                room -= len(following.text)
                is_code, lines = following.kind == "code", following.end_line - following.start_line
                if not is_code or (place == index + 1 and lines < _LONGEST_CODE_LINES):
                    kept.setdefault((passage, place), following)
                if is_code:
                    break
        before = by_place.get((passage, index - 1))
        if before is None or before.kind != "sentence":
            continue
        leans = unit.kind == "sentence" and _RE.leans.match(unit.text) and unit.start_line <= before.end_line + 1
        if leans or (unit.kind in ("code", "table_row") and _announces(before)):
            kept.setdefault((passage, index - 1), before)
    return list(kept.values())


def _with_steps(units: Sequence[Unit], scored: Sequence[Unit], best: Unit) -> list[Unit]:
    """The units, and the best numbered list of the document that answers best: who asks how wants all the steps."""
    own = sorted((u for u in scored if u.excerpt.path == best.excerpt.path), key=lambda u: (u.start_line, u.end_line))
    lists: list[list[Unit]] = []
    for before, unit in zip([None, *own], own, strict=False):
        line = unit.excerpt.lines[unit.start_line - unit.excerpt.start_line]
        if unit.kind != "list_item" or not _RE.step.match(line):
            continue
        if before is not None and lists and lists[-1][-1] is before and unit.heading == before.heading:
            lists[-1].append(unit)
        else:
            lists.append([unit])
    steps = max(
        (one for one in lists if len(one) >= _FEWEST_STEPS),
        key=lambda one: sum(unit.score for unit in one) / len(one),
        default=[],
    )
    missing = [unit for unit in steps[:_MOST_STEPS] if unit not in units]
    return [*units, *missing]


def _runs(units: Sequence[Unit]) -> list[Run]:
    """Units as runs: neighbours of one passage together, passages by their best unit, units in document order."""
    best: dict[str, float] = {}
    for unit in units:
        best[unit.excerpt.path] = max(best.get(unit.excerpt.path, 0.0), unit.score)
    ordered = sorted(units, key=lambda unit: (-best[unit.excerpt.path], unit.excerpt.path, unit.start_line, unit.index))
    runs: list[list[Unit]] = []
    for unit in ordered:
        last = runs[-1][-1] if runs else None
        if (
            last is not None
            and last.passage == unit.passage
            and unit.index == last.index + 1
            and last.kind == unit.kind == "sentence"
            and unit.start_line <= last.end_line + 1
        ):
            runs[-1].append(unit)
        else:
            runs.append([unit])
    return [Run(tuple(run)) for run in runs]
