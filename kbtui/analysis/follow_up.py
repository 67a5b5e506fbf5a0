"""Follow-up questions over data: "and for 2012?", "only Germany", 按月呢, 画成饼图.

What such a question leaves to the one before is put in by rules that propose full questions, and of those the one is
taken that reads best over the source. So whether "Germany" takes the place of "Brazil" or narrows a list of countries
down is decided by what is in the data, not by the words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from kbtui.analysis.chart_words import named
from kbtui.analysis.decomposition import decompose
from kbtui.analysis.follow_up_words import either
from kbtui.analysis.proposals import PICTURES, Proposal, Proposals
from kbtui.domain.analysis import Reading, Readings
from kbtui.domain.conversation import Turn
from kbtui.domain.routing import Signal
from kbtui.reasoning.offline.followup import Condensed
from kbtui.reasoning.offline.followup.said import bare
from kbtui.text.language import has_cjk, simplified
from kbtui.text.terminal import one_line
from kbtui.text.tokenise import content_words, tokens

ANALYSED: Final = frozenset({"data_query", "visualization", "calculation", "consultation", "multi_step_analysis"})
"""Types of requests that the data answer."""

_LEAST: Final = 0.2
"""Confidence below which a proposal that need not be a follow-up is not taken for one."""
_SAME_COLUMN: Final = 0.5
_SAME_KIND: Final = 0.2
_OTHER_KIND: Final = -0.3
_ALONE: Final = 0.6
_SIGNAL_CHARS: Final = 80
_MOST_READ: Final = 14
_FEW: Final = 2
_POINTS: Final = re.compile(rf"\b{either('en', 'pronouns')}\b|{either('zh', 'pronouns')}", re.I)
_BESIDE_HAN: Final = re.compile(r"(?<=[\u3400-\u9fff])\s+|\s+(?=[\u3400-\u9fff])")


def is_of_data(turn: Turn) -> bool:
    """True where a question was asked of the data, and the documents did not answer it instead."""
    return turn.request_type in ANALYSED and not turn.paths


def may_follow(query: str) -> bool:
    """False for what is too long to leave anything to the question before."""
    return proposals(query, "问" if has_cjk(query) else "?") is not None


def leans(query: str) -> bool:
    """True where a query may mean something of the question before, also in a way that no rule knows."""
    return may_follow(query) or len(content_words(query)) <= _FEW or _POINTS.search(query) is not None


def proposals(query: str, question: str) -> Proposals | None:
    """What ``query`` may mean after ``question``, by rules in its language; None where it stands alone."""
    if has_cjk(query) and not has_cjk(question):
        return _across(query, question)
    if has_cjk(question):
        from kbtui.analysis.follow_up_zh import proposals_zh

        # A name or a figure is of no language.
        if has_cjk(query) or len(query.split()) == 1:
            return proposals_zh(_unspaced(query), _unspaced(question))
        return None
    from kbtui.analysis.follow_up_en import proposals_en

    return proposals_en(bare(query), bare(question))


def _across(query: str, question: str) -> Proposals | None:
    """A Chinese follow-up to an English question: another picture, or a name or figure said with Chinese around it."""
    from kbtui.analysis.follow_up_en import proposals_en
    from kbtui.analysis.follow_up_zh import proposals_zh, uttered

    said = _unspaced(query)
    if (found := proposals_zh(said, "问")) is None:
        return None
    if (chart := named(found.means)).any:
        return proposals_en(f"as a {PICTURES['en'].get(chart.kind or '', 'chart')}", bare(question))
    core = uttered(said)
    return None if has_cjk(core) else proposals_en(f"what about {core}", bare(question))


def in_full(query: str, history: Sequence[Turn], read: Callable[[str], Readings]) -> Condensed | None:
    """``query`` with what it means of the last question about data; None where it stands alone.

    Args:
        history: What was asked and answered before, oldest first.
        read: Reads a question over the source that was asked.
    """
    if not history or not is_of_data(history[-1]):
        return None
    question = history[-1].standalone
    found = proposals(query, question)
    if found is None:
        return None
    chosen = _chosen(found, query, question, read)
    if chosen is None:
        return None
    was = f"{one_line(chosen.was)} → " if chosen.was else ""
    signal = Signal(name="follow-up", detail=one_line(f"{was}{one_line(found.means)}", _SIGNAL_CHARS), weight=0.8)
    mark = question.rstrip()[-1:] if question.rstrip().endswith(("?", "？")) else ""
    return Condensed(standalone=one_line(chosen.text) + mark, signals=(signal,))


def _unspaced(text: str) -> str:
    """Chinese in its simplified form, without the marks at its end and the spaces that some put around figures."""
    return _BESIDE_HAN.sub("", simplified(one_line(text))).strip().rstrip("?？!！.。~ ")


def _chosen(found: Proposals, query: str, question: str, read: Callable[[str], Readings]) -> Proposal | None:
    if found.steps:
        only = found.found[0]
        # A request of several steps says itself what its later ones speak of.
        own = len(decompose(query)) > 1
        return only if not own and any(part.uses for part in decompose(only.text)) else None
    if found.certain and len(found.found) == 1:
        return found.found[0]
    before = read(question)
    if not found.certain and _stands_alone(query, found, read):
        return None
    best: tuple[float, Proposal] | None = None
    for proposal in dict.fromkeys(found.found[:_MOST_READ]):
        score = _score(proposal, found, before, read)
        if score is not None and (best is None or score > best[0]):
            best = score, proposal
    if best is None or (not found.certain and best[0] < _LEAST):
        return found.found[0] if found.certain else None
    return best[1]


def _stands_alone(query: str, found: Proposals, read: Callable[[str], Readings]) -> bool:
    """True where the words of the query are those of a question of its own, and not of a fragment."""
    if query.strip() != found.means and len(content_words(found.means)) <= 2:
        return False
    alone = read(query).best
    return alone is not None and alone.confidence >= _ALONE and len(content_words(query)) > 2


def _score(proposal: Proposal, found: Proposals, before: Readings, read: Callable[[str], Readings]) -> float | None:
    """How well a proposal reads; None where what is new in it was not recognised."""
    readings = read(proposal.text)
    reading = readings.best
    if reading is None or (before.best is not None and reading.sql == before.best.sql):
        return None
    if _unread(found.means, reading):
        return None
    return reading.confidence + (_exchanged(before.best, reading) if before.best is not None else 0.0)


def _exchanged(before: Reading, now: Reading) -> float:
    """Whether what the question lost is of the kind of what it gained: a value for one of the same column."""
    was, meant = {link.detail for link in before.links}, {link.detail for link in now.links}
    lost, gained = was - meant, meant - was
    if not lost:
        return 0.0
    return max((_alike(old, new) for old in lost for new in gained), default=_OTHER_KIND)


def _unread(means: str, reading: Reading) -> bool:
    """True where a word of what is new was taken for nothing."""
    new = set(tokens(means))
    return any(set(tokens(word)) & new for word in reading.unlinked)


def _alike(old: str, new: str) -> float:
    """How likely one target (``Table``, ``Table.column``, ``Table.column = value``) stands in for another."""
    if " = " in old and " = " in new:
        return _SAME_COLUMN if old.split(" = ")[0] == new.split(" = ")[0] else 0.0
    if (" = " in old) != (" = " in new) or ("." in old) != ("." in new):
        return _OTHER_KIND
    return _SAME_KIND
