"""Two runs of one question beside each other: what changed in the answer, its sources, the evidence, the searches and
the time. The command line and the screen show the same parts.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise, zip_longest

from msgspec import Struct

from kbtui.domain.answer import Citation, line_label
from kbtui.domain.events import EvidenceItem
from kbtui.errors import SessionError
from kbtui.sessions.recording import Recording, read
from kbtui.sessions.store import SessionStore
from kbtui.text.sentences import sentence_ends
from kbtui.text.terminal import one_line
from kbtui.view.export import asked_at, body, call_found, ending
from kbtui.view.folding import reduce_all
from kbtui.view.usage_words import usage_text
from kbtui.view.view_state import CallView, RunView

_CITE = re.compile(r"\s*\[(\d{1,3})\](?![(\[])")


class Line(Struct, frozen=True):
    """One line of one run, and the source that can be opened for it; without text, nothing corresponds to the other."""

    text: str = ""
    source: Citation | None = None


class Pair(Struct, frozen=True):
    """One line of the comparison."""

    before: Line
    after: Line

    @property
    def is_same(self) -> bool:
        """True where nothing changed."""
        return self.before.text == self.after.text


class Part(Struct, frozen=True):
    """Lines under one heading."""

    heading: str
    pairs: tuple[Pair, ...]

    @property
    def changes(self) -> int:
        """How many of the lines differ."""
        return sum(not pair.is_same for pair in self.pairs)


def compare(before: RunView, after: RunView) -> tuple[Part, ...]:
    """What two runs have in common and where they differ, part by part; parts without lines are left out.

    The first part says which runs these are.
    """
    facts = zip(_facts(before), _facts(after), strict=True)
    parts = (
        Part("Runs", (Pair(Line(_name(before)), Line(_name(after))),)),
        Part("Question", _aligned([Line(one_line(before.query))], [Line(one_line(after.query))])),
        Part("Run", tuple(Pair(Line(was), Line(is_now)) for was, is_now in facts if was or is_now)),
        Part("Answer", _aligned(_sentences(before), _sentences(after))),
        Part("Sources", _sources(before, after)),
        Part("Evidence", _matched(_evidence(before), _evidence(after))),
        Part("Understood as", _aligned(_understood(before), _understood(after))),
        Part("Searches", _matched(_calls(before), _calls(after))),
    )
    return tuple(part for part in parts if part.pairs)


def comparison_text(parts: Iterable[Part]) -> str:
    """The comparison as lines: ``-`` stands before what was, ``+`` before what is, nothing before what stayed."""
    lines: list[str] = []
    for part in parts:
        lines += ["", part.heading] if lines else [part.heading]
        for pair in part.pairs:
            if pair.is_same:
                lines.append(f"  {pair.before.text}")
            else:
                lines += [f"{sign} {side.text}" for sign, side in (("-", pair.before), ("+", pair.after)) if side.text]
    return "\n".join(lines)


def runs_of_both(first: Recording, second: Recording) -> tuple[RunView, RunView]:
    """The last question that both sessions asked, as each answered it last; the last run of each where none is shared.

    Of one session with itself: the last question that it asked twice.

    Raises:
        SessionError: It is one session, and asked no question twice.
    """
    views = [reduce_all(run) for run in second.runs]
    if first.path == second.path:
        for at in range(len(views) - 1, 0, -1):
            earlier = [view for view in views[:at] if _asks(view) == _asks(views[at])]
            if earlier:
                return earlier[-1], views[at]
        raise SessionError(
            f"Session {first.path.stem} asked no question twice.", "Name two sessions, or ask it again first."
        )
    others = {_asks(view): view for view in map(reduce_all, first.runs)}
    after = next((view for view in reversed(views) if _asks(view) in others), views[-1])
    return others.get(_asks(after), reduce_all(first.runs[-1])), after


def last_two_runs(store: SessionStore, recording: Recording) -> tuple[RunView, RunView]:
    """The last two times that the last question of a session was asked of its folder, in whatever session.

    Raises:
        SessionError: It was asked once.
    """
    asked = reduce_all(recording.runs[-1])
    found = _times_asked(store, asked)
    if len(found) < 2:
        raise _asked_once(asked)
    return found[-2], found[-1]


def with_run_before(store: SessionStore, view: RunView, sitting: Iterable[RunView] = ()) -> tuple[RunView, RunView]:
    """A run and the time before it that its question was asked of its folder; the time after it where it is the first.

    Args:
        sitting: Runs that need not be recorded.

    Raises:
        SessionError: It was asked once.
    """
    others = {one.run_id: one for one in (*_times_asked(store, view), *sitting) if _is_same_question(one, view)}
    others.pop(view.run_id, None)
    times = sorted(others.values(), key=lambda one: one.started_at)
    if not times:
        raise _asked_once(view)
    before = [one for one in times if one.started_at < view.started_at]
    return (before[-1], view) if before else (view, times[0])


def _times_asked(store: SessionStore, asked: RunView) -> list[RunView]:
    """The recorded runs of a question over its folder, in their order."""
    found: list[RunView] = []
    for one in store.list():
        if one.kb == asked.kb and any(_folded(question) == _asks(asked) for question in one.questions):
            views = (reduce_all(run) for run in read(one.path).runs)
            found += [view for view in views if _is_same_question(view, asked)]
    return sorted(found, key=lambda view: view.started_at)


def _is_same_question(one: RunView, other: RunView) -> bool:
    return _asks(one) == _asks(other) and one.kb == other.kb


def _asked_once(view: RunView) -> SessionError:
    return SessionError(f"{one_line(view.query)!r} was asked once.", "Ask it again, or compare two sessions.")


def _asks(view: RunView) -> str:
    return _folded(view.query)


def _folded(question: str) -> str:
    return " ".join(question.casefold().split()).rstrip(" ?？.。!！")


def _name(view: RunView) -> str:
    return f"{asked_at(view)} · session {view.session_id}" if view.session_id else asked_at(view)


def _facts(view: RunView) -> tuple[str, ...]:
    """The same number of lines for every run, those that tell nothing empty."""
    calls = len(view.calls)
    return (
        ending(view),
        f"{view.duration_ms / 1000 or view.elapsed_s:.2f} s",
        f"{view.iteration} pass{'' if view.iteration == 1 else 'es'}, {calls} call{'' if calls == 1 else 's'}",
        one_line(view.model),
        usage_text(view.usage),
        one_line(view.kb),
    )


def _sentences(view: RunView) -> list[Line]:
    """What the answer says, each sentence with the source whose mark comes next in its line.

    The marks are taken out: they are numbered anew in each run, and sources are compared for themselves.
    """
    cited = {citation.n: citation for citation in view.citations}
    found: list[Line] = []
    for line in body(view).split("\n"):
        text, marks = _without_marks(line)
        for start, stop in pairwise((0, *sentence_ends(text), len(text))):
            if said := one_line(text[start:stop].strip()):
                found.append(Line(said, next((cited.get(n) for at, n in marks if at > start), None)))
    return found


def _without_marks(line: str) -> tuple[str, list[tuple[int, int]]]:
    """A line without its marks of sources, and where in it each of them stood."""
    marks: list[tuple[int, int]] = []
    text, end = "", 0
    for mark in _CITE.finditer(line):
        text += line[end : mark.start()]
        marks.append((len(text), int(mark[1])))
        end = mark.end()
    return text + line[end:], marks


def _sources(before: RunView, after: RunView) -> tuple[Pair, ...]:
    """Sources by their places; where a place says something else by now, with what it says."""
    was, is_now = ({one_line(citation.label): citation for citation in view.citations} for view in (before, after))
    reworded = {label for label in was.keys() & is_now.keys() if was[label].quote != is_now[label].quote}

    def lines(cited: dict[str, Citation]) -> list[tuple[str, Line]]:
        quoted = {label: f": {one_line(cited[label].quote or '')}" for label in reworded}
        return [(label, Line(label + quoted.get(label, ""), citation)) for label, citation in cited.items()]

    return _matched(lines(was), lines(is_now))


def _evidence(view: RunView) -> list[tuple[str, Line]]:
    """Kept passages by place; one that is found again may have another score."""
    kept = [
        (line_label(item.path, item.start_line, item.end_line, item.locator), item)
        for item in view.evidence
        if item.kept
    ]
    return [(place, Line(f"{item.score:.2f} {one_line(place)}", _place(item))) for place, item in kept]


def _place(item: EvidenceItem) -> Citation:
    return Citation(n=0, path=item.path, start_line=item.start_line, end_line=item.end_line, quote=item.preview)


def _understood(view: RunView) -> list[Line]:
    """What kind of question it was taken for, and its parts."""
    plan = view.routing_plan
    kind = (view.request_type, plan.query_type if plan else "", plan.complexity if plan else "")
    told = [" · ".join(one_line(part) for part in kind if part)]
    told += [one_line(part.semantic_intent) for part in plan.sub_questions] if plan else []
    return [Line(one) for one in told if one]


def _calls(view: RunView) -> list[tuple[str, Line]]:
    """Calls of tools by what they were asked, each with what it brought; how long it took differs every time."""
    asked = [(f"{one_line(call.tool)}: {_asked_of_tool(call)}", call) for call in view.calls]
    return [(words, Line(f"{words} · {call_found(call)}")) for words, call in asked]


def _asked_of_tool(call: CallView) -> str:
    texts = [one_line(value) for value in call.args.values() if isinstance(value, str) and value.strip()]
    return " | ".join(dict.fromkeys(texts)) or one_line(call.sub_question)


def _aligned(before: Sequence[Line], after: Sequence[Line]) -> tuple[Pair, ...]:
    """Lines in their order, those that were replaced beside those that replaced them."""
    pairs: list[Pair] = []
    was, is_now = ([line.text for line in side] for side in (before, after))
    for _, start, stop, new_start, new_stop in difflib.SequenceMatcher(None, was, is_now, False).get_opcodes():
        sides = zip_longest(before[start:stop], after[new_start:new_stop], fillvalue=Line())
        pairs += [Pair(left, right) for left, right in sides]
    return tuple(pairs)


def _matched(before: Sequence[tuple[str, Line]], after: Sequence[tuple[str, Line]]) -> tuple[Pair, ...]:
    """Things by their keys, whatever their order: those of both or of the first, then those that came."""
    was, is_now = dict(before), dict(after)
    return tuple(Pair(was.get(key, Line()), is_now.get(key, Line())) for key in {**was, **is_now})
