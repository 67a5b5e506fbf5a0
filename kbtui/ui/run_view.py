"""Rail, conversation and proof as a pure function of `RunView`s, for live runs, replays and screenshots."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Literal, get_args

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.widget import Widget
from textual.worker import Worker

from kbtui.i18n import _
from kbtui.settings.published import is_same_folder
from kbtui.ui.arrangement import Arrangement, Layout, ProofShare, Side, is_edge
from kbtui.ui.commands import bindings, shown_keys
from kbtui.ui.messages import (
    CiteChosen,
    OpenRequested,
    PreviewRequested,
    QuestionChosen,
    SaveRequested,
    SchemaRefreshRequested,
    TurnChosen,
    bubble,
    spots_of,
)
from kbtui.ui.panes.evidence import EvidencePane
from kbtui.ui.panes.proof import ProofPane, ReadSource, Rerun, open_spot
from kbtui.ui.panes.rail import Rail
from kbtui.ui.panes.reading import Reading
from kbtui.ui.panes.transcript import Transcript
from kbtui.ui.panes.turn import Turn
from kbtui.ui.restyling import restyle
from kbtui.ui.source_changes import changed_files
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.source_text import SourceText
from kbtui.view.view_state import EMPTY, RunView


class RunPanes(Widget):
    """The conversation, the proof and the stages of the current run.

    ``show`` accepts states in any order (a replay steps back), and equal states look the same. The widget posts
    `EditRequested`, `SaveRequested`, `WhyRequested` and `QuestionChosen`.

    Args:
        read: Reads a file of the folder; blocks.
        rerun: Runs a statement again; None if statements cannot be run.
        kb: Folder whose files are checked for changes since an answer cited them; None to skip this (a replay).
    """

    BINDINGS = bindings("panes")

    def __init__(
        self, read: ReadSource, rerun: Rerun | None = None, kb: Path | None = None, *, id: str | None = None
    ) -> None:
        super().__init__(id=id, classes="scope-panes")
        self._kb = kb
        self._checked: tuple[str, bool] = ("", False)
        self.view: RunView = EMPTY
        self._read, self._rerun = read, rerun
        self._arrangement = Arrangement()
        self._width = 0
        self._share = ProofShare()

    def compose(self) -> ComposeResult:
        yield LinesView(id="rail-line")
        with Container(id="panes"):
            yield Rail(id="rail")
            yield Reading(id="reading")
            yield ProofPane(self._read, self._rerun, self._kb, id="proof")

    def on_mount(self) -> None:
        self.show(self.view)

    # Showing

    def show(self, view: RunView, now: str = "", *, runs: Sequence[RunView] = (), position: int = 0) -> None:
        """Render a state.

        Args:
            view: State of a run, whose stages and sources are shown.
            now: Current time (ISO 8601) for the elapsed time of a live run; if empty, that of the last event.
            runs: All turns of the conversation, with ``view`` at ``position``; if empty, ``view`` is the only turn.
            position: Index of ``view`` in ``runs``.
        """
        keys = [self.check_action(action, ()) for action in ("save", "refresh_schema")]
        has_started = (
            view.query and (view.query, view.run_id) != (self.view.query, self.view.run_id) and not view.finished
        )
        self.view = view
        if keys != [self.check_action(action, ()) for action in ("save", "refresh_schema")]:
            self.refresh_bindings()
        if has_started:
            self._arrangement.show_run()
            self._arrange()
        self.query_one(Rail).show(view, now)
        self.query_one(Reading).show(runs or ((view,) if view.query else ()), position if runs else 0, now)
        self.query_one(ProofPane).show_sources(spots_of(view))
        self.query_one("#rail-line", LinesView).set_lines(lambda width: self.query_one(Rail).line(view, width))
        if self._checked != (view.run_id, view.finished):
            self._checked = (view.run_id, view.finished)
            self.check_sources()

    def check_sources(self) -> None:
        """Check in a thread whether the files still contain the quotes of the current answer."""
        turn = self.query_one(Transcript).current
        if turn is not None and turn.view.finished and self._kb is not None and is_same_folder(turn.view.kb, self._kb):
            # A function and not a coroutine, which would never be awaited if the worker is replaced before it starts.
            check = partial(self._check_sources, turn)
            _worker: Worker[None] = self.run_worker(check, exclusive=True, group="changed", exit_on_error=False)

    async def _check_sources(self, turn: Turn) -> None:
        spots = turn.spots
        changed = await asyncio.to_thread(changed_files, spots, self._read)
        if spots == turn.spots:
            turn.show_changed(changed)

    def tick(self, now: str) -> None:
        """Update the elapsed time of a live run between events."""
        self.query_one(Rail).tick(self.view, now)
        self.query_one(Transcript).tick(now)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable and hide keys that do not apply to the current run or layout."""
        if action == "save":
            return bool(self.view.tables or self.view.charts)
        if action == "refresh_schema":
            return bool(self.view.sources)
        if action == "rerun":
            return self.query_one(ProofPane).can_rerun
        if action == "compare":
            return self.view.finished
        if action == "share":
            return self._arrangement.zoomed is None and self._arrangement.is_shown("proof")
        if action in ("find_step", "stop_finding"):
            return self.query_one(Reading).is_finding
        return True

    # Columns

    def on_resize(self, event: events.Resize) -> None:
        if changed := self.fit(event.size.width):
            restyle(self, changed)

    def fit(self, width: int) -> frozenset[str]:
        """Choose the layout for a width in cells; returns the classes that changed."""
        if width == self._width:
            return frozenset()
        self._width = width
        self._arrangement.fit(width)
        before = self.classes
        self.update_classes({f"-{name}": name == self._arrangement.layout for name in get_args(Layout)}, update=False)
        self._arrange()
        return self.classes ^ before

    def _arrange(self) -> None:
        """Show and hide the parts according to the arrangement."""
        alone = self._arrangement.zoomed is not None
        self.query_one(Reading).display = self._arrangement.is_shown("conversation")
        self.query_one(Rail).display = self._arrangement.is_shown("rail")
        self.query_one(ProofPane).display = self._arrangement.is_shown("proof")
        for pane in (self.query_one(Rail), self.query_one(ProofPane)):
            pane.set_class(alone, "-alone")
        self._share.apply(self._arrangement.layout, self.query_one(ProofPane), alone=alone)
        focused = self.screen.focused  # a hidden widget must not keep the focus
        if self.display and (focused is None or not all(node.display for node in focused.ancestors_with_self)):
            (self.query_one("#source") if self._arrangement.zoomed == "proof" else self.query_one(Transcript)).focus()
        self.refresh_bindings()

    def action_share(self, by: int) -> None:
        """Enlarge or shrink the proof."""
        self._share.step(self._arrangement.layout, by)
        self._arrange()

    def take_hold(self, event: events.MouseDown) -> None:
        """Start dragging the border between conversation and proof, if that is where the button was pressed."""
        # The panes have no proof yet if the button is pressed before they are composed.
        if self._arrangement.zoomed is None and any(
            is_edge(self._arrangement.layout, event.screen_offset, proof.region) for proof in self.query(ProofPane)
        ):
            self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Drag the border."""
        if self.app.mouse_captured is self:
            self._share.move_edge(self._arrangement.layout, event.screen_offset, self.query_one("#panes").region)
            self._arrange()

    def on_mouse_up(self) -> None:
        """Stop dragging the border."""
        if self.app.mouse_captured is self:
            self.release_mouse()

    def show_side(self, side: Side) -> None:
        """Show the rail or the proof in a layout that has no room for both."""
        self._arrangement.show_side(side)
        self._arrange()

    def action_side(self, part: Literal["rail", "proof"]) -> None:
        """Show or hide a part, also for later questions."""
        is_shown = self._arrangement.toggle(part)
        self._arrange()
        if is_shown and part == "rail":
            self.call_after_refresh(self.query_one(Rail).enter)

    def action_zoom(self) -> None:
        """Let the focused part, or the part that covers the others, fill the screen; or end the zoom."""
        sides: tuple[Literal["rail", "proof"], ...] = ("rail", "proof")
        overlay = next(
            (part for part in sides if self._arrangement.has_overlay and self._arrangement.is_shown(part)), None
        )
        focused = next((part for part in sides if self.query_one(f"#{part}").has_focus_within), overlay)
        self._arrangement.zoom(focused or "conversation")
        self._arrange()

    @property
    def is_aside(self) -> bool:
        """Whether stepping back leads to the conversation: from a zoom, an overlay, the rail or the proof."""
        beside = any(self.query_one(name).has_focus_within for name in ("#rail", "#proof"))
        return self._arrangement.zoomed is not None or self._arrangement.has_overlay or beside

    def step_back(self) -> None:
        """End the zoom, or else focus the conversation and hide an overlay."""
        if self._arrangement.zoomed is not None:
            self.action_zoom()
            return
        if self._arrangement.has_overlay:
            self.show_side("")
        self.focus_answer()

    def focus_answer(self) -> None:
        """Focus the conversation."""
        self.query_one(Transcript).focus()

    def on_show(self) -> None:
        """Take the focus from the browser that was hidden."""
        if self.screen.focused is None:
            self.focus_answer()

    def page(self, by: int) -> None:
        """Scroll the conversation by a screenful."""
        self.query_one(Transcript).page(by)

    # Find

    def action_find(self, words: str = "") -> None:
        """Open the find bar, ending a zoom that hides the conversation; with ``words``, search for them."""
        if self._arrangement.zoomed not in (None, "conversation"):
            self.action_zoom()
        self.query_one(Reading).find(words)
        self.refresh_bindings()

    def action_find_step(self, by: int) -> None:
        """Go to the next or previous hit."""
        self.query_one(Reading).step(by)

    def action_stop_finding(self) -> None:
        """Close the find bar, without scrolling."""
        self.query_one(Reading).stop_finding()
        self.refresh_bindings()

    def on_reading_found(self, event: Reading.Found) -> None:
        """Highlight hits in quotes in the proof."""
        event.stop()
        at = event.hit.at if event.hit is not None and event.hit.kind == "quote" else -1
        self.query_one(SourceText).find(event.pattern, at)

    # Sources

    def on_cite_chosen(self, event: CiteChosen) -> None:
        """Show a source of a turn, which becomes the current turn."""
        event.stop()
        transcript = self.query_one(Transcript)
        if event.turn is not transcript.current and event.turn in transcript.turns:
            bubble(self, TurnChosen(transcript.turns.index(event.turn)))
        self.cite(event.n)

    def cite(self, n: int) -> bool:
        """Show source ``n`` of the current turn and highlight its marks; returns False if there is none."""
        if not self.query_one(ProofPane).cite(n):
            return False
        self.query_one(Transcript).mark(n)
        if not self._arrangement.is_shown("proof"):
            self._arrangement.zoomed = None
            self.show_side("proof")
        return True

    @property
    def digit_count(self) -> int:
        """The number of digit keys that act in an empty prompt: those of the sources, or else of offered questions."""
        return len(self.view.citations) or len(self.offered)

    @property
    def offered(self) -> dict[int, str]:
        """The questions offered under the current turn, by the digits that choose them."""
        turn = self.query_one(Transcript).current
        return turn.offered if turn is not None else {}

    def action_cite(self, n: int) -> None:
        """Show source ``n``, or ask the offered question with that number."""
        if (question := self.offered.get(n)) is not None:
            bubble(self, QuestionChosen(question))
        elif not self.cite(n) and self.view.answer is not None:
            self.notify(_("There is no source {n}.", n=n), markup=False)

    def on_preview_requested(self, event: PreviewRequested) -> None:
        """Show a piece of evidence in its file."""
        event.stop()
        self.query_one(ProofPane).show_spots(event.spots, event.index, event.items)
        self.show_side("proof")
        self.query_one("#source").focus()

    def action_edit(self) -> None:
        """Open the selected evidence or the shown source in the editor; the address of a web page is copied."""
        evidence = self.query_one(EvidencePane)
        spot = evidence.selected_spot if evidence.has_focus_within else self.query_one(ProofPane).spot
        if spot is None:
            self.notify(_("Nothing to open: the answer has no source yet."), markup=False)
        else:
            if self.app.is_web:
                self.show_side("proof")
            open_spot(self, spot)

    def on_open_requested(self, event: OpenRequested) -> None:
        event.stop()
        self.action_edit()

    def action_rerun(self) -> None:
        """Show the proof and run its statement again."""
        self.show_side("proof")
        self.query_one(ProofPane).run_again()

    # Asking again

    def action_ask_again(self) -> None:
        """Ask the question of the current turn again; a follow-up is asked in its standalone form."""
        bubble(self, QuestionChosen(self.view.standalone or self.view.query))

    def action_edit_question(self) -> None:
        """Put the question of the current turn into the prompt."""
        bubble(self, QuestionChosen(self.view.standalone or self.view.query, to_edit=True))

    def action_compare(self) -> None:
        """Compare the current turn with the previous run of its question."""
        from kbtui.ui.screens.compare import compare_with_previous

        turns = [turn.view for turn in self.query_one(Transcript).turns if turn.view.finished]
        self.app.run_worker(compare_with_previous(self.app, self.view, turns), group="compare", exit_on_error=False)

    # Copying and saving

    def action_copy_answer(self) -> None:
        """Copy the answer and its sources as Markdown."""
        if self.view.markdown:
            self.app.copy_to_clipboard(self.view.markdown)
            message = _("The answer is in the clipboard.")
            # Whoever walks over the sources may have meant the shown one.
            turn, keys = self.query_one(Transcript).current, shown_keys(self.app, "copy_source")
            if turn is not None and turn.cite and keys:
                message = f"{message} {_('Only the quote of [{n}]: {keys}', n=turn.cite, keys=keys)}"
            self.notify(message, markup=False)

    def action_copy_source(self) -> None:
        """Copy the quote of the shown source."""
        turn = self.query_one(Transcript).current
        if self._arrangement.is_shown("proof") or (turn is not None and turn.cite):
            self.query_one(ProofPane).action_copy()
        else:
            self.notify(_("No source is shown: j or its number shows one."), markup=False)

    def action_save(self) -> None:
        """Save the focused chart or table, or the last one."""
        turn = self.query_one(Transcript).current
        selected = turn.selected_part if turn is not None else None
        if selected is None:
            self.notify(_("Nothing to save: the answer has no chart and no table."), markup=False)
        else:
            bubble(self, SaveRequested(selected, self.view.query))

    def action_refresh_schema(self) -> None:
        """Have the schema of the data sources read again."""
        self.post_message(SchemaRefreshRequested())
