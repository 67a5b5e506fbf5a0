"""Compares two runs of a question: their answers, sources, evidence, searches and times.

The command line and the screen show the same parts.
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
from kbtui.i18n import N_, _, ngettext
from kbtui.sessions.recording import Recording, read
from kbtui.sessions.store import SessionStore
from kbtui.text.sentences import sentence_ends
from kbtui.text.terminal import one_line
from kbtui.view.export import answer_body, call_outcome, outcome_text, start_time_text
from kbtui.view.folding import reduce_all
from kbtui.view.kind_words import model_words, name_words
from kbtui.view.usage_words import usage_text
from kbtui.view.view_state import CallView, RunView

_CITE = re.compile(r"\s*\[(\d{1,3})\](?![(\[])")


class Line(Struct, frozen=True):
    """A line of one run, with the source that it can open; empty beside a line of the other run without counterpart."""

    text: str = ""
    source: Citation | None = None


class Pair(Struct, frozen=True):
    """A line of the earlier run beside its counterpart in the later one."""

    before: Line
    after: Line

    @property
    def is_same(self) -> bool:
        """Whether both runs have the same text."""
        return self.before.text == self.after.text


class Part(Struct, frozen=True):
    """Lines under one heading."""

    heading: str
    pairs: tuple[Pair, ...]

    @property
    def changes(self) -> int:
        """The number of lines that differ."""
        return sum(not pair.is_same for pair in self.pairs)


def compare(before: RunView, after: RunView) -> tuple[Part, ...]:
    """The parts of a comparison of two runs, without empty ones; the first part names the runs."""
    facts = zip(_run_facts(before), _run_facts(after), strict=True)
    parts = (
        Part(N_("Runs"), (Pair(Line(_run_label(before)), Line(_run_label(after))),)),
        Part(N_("Question"), _aligned([Line(one_line(before.query))], [Line(one_line(after.query))])),
        Part(
            N_("Run"),
            tuple(
                Pair(Line(before_fact), Line(after_fact))
                for before_fact, after_fact in facts
                if before_fact or after_fact
            ),
        ),
        Part(N_("Answer"), _aligned(_sentences(before), _sentences(after))),
        Part(N_("Sources"), _sources(before, after)),
        Part(N_("Evidence"), _paired_by_key(_evidence(before), _evidence(after))),
        Part(N_("Understood as"), _aligned(_interpretation(before), _interpretation(after))),
        Part(N_("Searches"), _paired_by_key(_calls(before), _calls(after))),
    )
    return tuple(part for part in parts if part.pairs)


def comparison_text(parts: Iterable[Part]) -> str:
    """The comparison as a diff: ``-`` marks lines of the earlier run, ``+`` those of the later one, none marks both."""
    lines: list[str] = []
    for part in parts:
        lines += ["", _(part.heading)] if lines else [_(part.heading)]
        for pair in part.pairs:
            if pair.is_same:
                lines.append(f"  {pair.before.text}")
            else:
                lines += [f"{sign} {side.text}" for sign, side in (("-", pair.before), ("+", pair.after)) if side.text]
    return "\n".join(lines)


def runs_of_shared_question(first: Recording, second: Recording) -> tuple[RunView, RunView]:
    """The last runs in two sessions of the last question that both asked, or of their last questions if none is shared.

    A session compared with itself yields the last two runs of the last question that it asked twice.

    Raises:
        SessionError: The sessions are the same, and no question was asked twice.
    """
    views = [reduce_all(run) for run in second.runs]
    if first.path == second.path:
        for at in range(len(views) - 1, 0, -1):
            earlier = [view for view in views[:at] if _question_key(view) == _question_key(views[at])]
            if earlier:
                return earlier[-1], views[at]
        raise SessionError(
            _("Session {name} asked no question twice.", name=first.path.stem),
            _("Name two sessions, or ask it again first."),
        )
    others = {_question_key(view): view for view in map(reduce_all, first.runs)}
    after = next((view for view in reversed(views) if _question_key(view) in others), views[-1])
    return others.get(_question_key(after), reduce_all(first.runs[-1])), after


def last_two_runs(store: SessionStore, recording: Recording) -> tuple[RunView, RunView]:
    """The last two runs, in any session, of the last question of a session over the same folder.

    Raises:
        SessionError: The question was asked only once.
    """
    last = reduce_all(recording.runs[-1])
    runs = _recorded_runs(store, last)
    if len(runs) < 2:
        raise _asked_once_error(last)
    return runs[-2], runs[-1]


def with_previous_run(
    store: SessionStore, view: RunView, unrecorded: Iterable[RunView] = ()
) -> tuple[RunView, RunView]:
    """A run with the previous run of its question over the same folder, in order; with the next one if it is the first.

    Args:
        unrecorded: Further runs, such as those of this screen, which need not be recorded.

    Raises:
        SessionError: The question was asked only once.
    """
    others = {run.run_id: run for run in (*_recorded_runs(store, view), *unrecorded) if _is_same_question(run, view)}
    others.pop(view.run_id, None)
    runs = sorted(others.values(), key=lambda run: run.started_at)
    if not runs:
        raise _asked_once_error(view)
    earlier = [run for run in runs if run.started_at < view.started_at]
    return (earlier[-1], view) if earlier else (view, runs[0])


def _recorded_runs(store: SessionStore, view: RunView) -> list[RunView]:
    """The recorded runs of the question of ``view`` over the same folder, oldest first."""
    runs: list[RunView] = []
    for session in store.list():
        if session.kb == view.kb and any(
            _normalised(question) == _question_key(view) for question in session.questions
        ):
            views = (reduce_all(run) for run in read(session.path).runs)
            runs += [view for view in views if _is_same_question(view, view)]
    return sorted(runs, key=lambda view: view.started_at)


def _is_same_question(first: RunView, second: RunView) -> bool:
    return _question_key(first) == _question_key(second) and first.kb == second.kb


def _asked_once_error(view: RunView) -> SessionError:
    return SessionError(
        _("{question} was asked once.", question=repr(one_line(view.query))),
        _("Ask it again, or compare two sessions."),
    )


def _question_key(view: RunView) -> str:
    return _normalised(view.query)


def _normalised(question: str) -> str:
    return " ".join(question.casefold().split()).rstrip(" ?？.。!！")


def _run_label(view: RunView) -> str:
    return (
        " · ".join((start_time_text(view), _("session {id}", id=view.session_id)))
        if view.session_id
        else start_time_text(view)
    )


def _run_facts(view: RunView) -> tuple[str, ...]:
    """Facts of a run, in the same order and number for every run; a fact that is not known is empty."""
    passes = ngettext("{count} pass", "{count} passes", view.iteration)
    return (
        outcome_text(view),
        _("{n:.2f} s", n=view.duration_ms / 1000 or view.elapsed_s),
        passes + _(", ") + ngettext("{count} call", "{count} calls", len(view.calls)),
        model_words(view.model),
        usage_text(view.usage),
        one_line(view.kb),
    )


def _sentences(view: RunView) -> list[Line]:
    """The sentences of the answer, each with the source whose mark follows it in the line.

    The marks are removed, because their numbers differ between runs; the sources are a part of their own.
    """
    cited = {citation.n: citation for citation in view.citations}
    lines: list[Line] = []
    for line in answer_body(view).split("\n"):
        text, marks = _without_marks(line)
        for start, stop in pairwise((0, *sentence_ends(text), len(text))):
            if sentence := one_line(text[start:stop].strip()):
                lines.append(Line(sentence, next((cited.get(n) for at, n in marks if at > start), None)))
    return lines


def _without_marks(line: str) -> tuple[str, list[tuple[int, int]]]:
    """A line without its citation marks, and the position and number of each mark."""
    marks: list[tuple[int, int]] = []
    text, end = "", 0
    for mark in _CITE.finditer(line):
        text += line[end : mark.start()]
        marks.append((len(text), int(mark[1])))
        end = mark.end()
    return text + line[end:], marks


def _sources(before: RunView, after: RunView) -> tuple[Pair, ...]:
    """Sources paired by label; a source whose quote differs is shown with its quote."""
    cited_before, cited_after = (
        {one_line(citation.label): citation for citation in view.citations} for view in (before, after)
    )
    reworded = {
        label
        for label in cited_before.keys() & cited_after.keys()
        if cited_before[label].quote != cited_after[label].quote
    }

    def lines(cited: dict[str, Citation]) -> list[tuple[str, Line]]:
        quoted = {label: f": {one_line(cited[label].quote or '')}" for label in reworded}
        return [(label, Line(label + quoted.get(label, ""), citation)) for label, citation in cited.items()]

    return _paired_by_key(lines(cited_before), lines(cited_after))


def _evidence(view: RunView) -> list[tuple[str, Line]]:
    """Kept passages by label; the score of a passage may differ between runs."""
    items = [
        (line_label(item.path, item.start_line, item.end_line, item.locator), item)
        for item in view.evidence
        if item.kept
    ]
    return [(place, Line(f"{item.score:.2f} {one_line(place)}", _item_citation(item))) for place, item in items]


def _item_citation(item: EvidenceItem) -> Citation:
    return Citation(n=0, path=item.path, start_line=item.start_line, end_line=item.end_line, quote=item.preview)


def _interpretation(view: RunView) -> list[Line]:
    """The kinds that the question was classified as, and its sub-questions."""
    plan = view.routing_plan
    kind = (view.request_type, plan.query_type if plan else "", plan.complexity if plan else "")
    texts = [" · ".join(name_words(one_line(part)) for part in kind if part)]
    texts += [one_line(part.semantic_intent) for part in plan.sub_questions] if plan else []
    return [Line(text) for text in texts if text]


def _calls(view: RunView) -> list[tuple[str, Line]]:
    """Tool calls by their arguments, each with its result; durations are left out, because they always differ."""
    calls = [(f"{one_line(call.tool)}: {_arguments_text(call)}", call) for call in view.calls]
    return [(arguments, Line(f"{arguments} · {call_outcome(call)}")) for arguments, call in calls]


def _arguments_text(call: CallView) -> str:
    texts = [one_line(value) for value in call.args.values() if isinstance(value, str) and value.strip()]
    return " | ".join(dict.fromkeys(texts)) or one_line(call.sub_question)


def _aligned(before: Sequence[Line], after: Sequence[Line]) -> tuple[Pair, ...]:
    """Lines in order, replaced lines beside their replacements."""
    pairs: list[Pair] = []
    before_texts, after_texts = ([line.text for line in side] for side in (before, after))
    for _kind, start, stop, new_start, new_stop in difflib.SequenceMatcher(
        None, before_texts, after_texts, False
    ).get_opcodes():
        sides = zip_longest(before[start:stop], after[new_start:new_stop], fillvalue=Line())
        pairs += [Pair(left, right) for left, right in sides]
    return tuple(pairs)


def _paired_by_key(before: Sequence[tuple[str, Line]], after: Sequence[tuple[str, Line]]) -> tuple[Pair, ...]:
    """Lines paired by key, in the order of ``before``, then those that only ``after`` has."""
    before_lines, after_lines = dict(before), dict(after)
    return tuple(
        Pair(before_lines.get(key, Line()), after_lines.get(key, Line())) for key in {**before_lines, **after_lines}
    )
