"""Every command of the screen, declared once: bindings, footer, palette and help are all read from here.

A command lives in a *scope*: the screen or widget whose ``action_…`` method it runs and that must be on the way from
the focus to the app for its keys to work. Ctrl+I, ctrl+M and ctrl+H are never bound: terminals send them as Tab, Enter
and Backspace. Every chord has a plain way too, because many terminals swallow chords.
"""

from __future__ import annotations

from dataclasses import dataclass

from textual.binding import Binding, BindingType

DIGITS = tuple("123456789")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One thing a user can do.

    Attributes:
        name: Stable identifier.
        title: What the palette and the help call it.
        keys: Textual key names, the first is the main one.
        shown: The keys as people write them, for footer and help.
        help: One sentence.
        group: Heading in the help.
        action: Textual action, resolved in ``scope``; for ``digits`` the pressed figure is its argument.
        scope: Where it works: ``app``, ``ask``, ``prompt``, ``answer``, ``sources``, ``evidence``, ``preview`` …
        hint: Words in the footer; empty keeps it out of there.
        rank: Place in the footer, lower first; the last ones are left out where it is narrow.
        palette: Listed in the command palette.
        priority: Works before the focused widget sees the key.
        digits: The keys 1 to 9, each passing its figure to the action.
    """

    name: str
    title: str
    keys: tuple[str, ...]
    shown: str
    help: str
    group: str
    action: str
    scope: str = "app"
    hint: str = ""
    rank: int = 50
    palette: bool = True
    priority: bool = False
    digits: bool = False


COMMANDS: tuple[Command, ...] = (
    Command(
        name="ask",
        title="Ask",
        keys=("enter",),
        shown="enter",
        help="Ask the question in the prompt.",
        group="Asking",
        action="submit",
        scope="prompt",
        hint="ask",
        rank=10,
        palette=False,
    ),
    Command(
        name="earlier_question",
        title="Earlier question",
        keys=("up",),
        shown="↑",
        help="Bring back a question asked before.",
        group="Asking",
        action="recall(-1)",
        scope="prompt",
        hint="earlier",
        rank=60,
        palette=False,
    ),
    Command(
        name="later_question",
        title="Later question",
        keys=("down",),
        shown="↓",
        help="Go forward again, back to what you were typing.",
        group="Asking",
        action="recall(1)",
        scope="prompt",
        palette=False,
    ),
    Command(
        name="cancel",
        title="Cancel or step back",
        keys=("escape",),
        shown="esc",
        help="Cancel the running question; otherwise move between the prompt and the answer.",
        group="Asking",
        action="cancel_or_leave",
        scope="ask",
        hint="cancel",
        rank=15,
        palette=False,
    ),
    Command(
        name="prompt",
        title="Go to the prompt",
        keys=("slash",),
        shown="/",
        help="Type a question.",
        group="Asking",
        action="focus_prompt",
        scope="ask",
        hint="ask",
        rank=30,
    ),
    Command(
        name="new",
        title="New question",
        keys=("ctrl+l",),
        shown="ctrl+l",
        help="Clear the screen for a new question; earlier answers stay within reach.",
        group="Asking",
        action="new_question",
        scope="ask",
        hint="new",
        rank=70,
    ),
    Command(
        name="earlier_run",
        title="Earlier answer",
        keys=("alt+left", "ctrl+up", "left_square_bracket"),
        shown="[ alt+←",
        help="Show the answer before this one.",
        group="Reading",
        action="show_run(-1)",
        scope="ask",
        hint="earlier",
        rank=60,
    ),
    Command(
        name="later_run",
        title="Later answer",
        keys=("alt+right", "ctrl+down", "right_square_bracket"),
        shown="] alt+→",
        help="Show the answer after this one.",
        group="Reading",
        action="show_run(1)",
        scope="ask",
    ),
    Command(
        name="source",
        title="Look at source 1 to 9",
        keys=DIGITS,
        shown="1-9",
        help="Preview the source with this number (leave the prompt with esc first, or hold alt).",
        group="Reading",
        action="cite",
        scope="panes",
        hint="source",
        rank=20,
        palette=False,
        digits=True,
    ),
    Command(
        name="source_from_prompt",
        title="Look at a source while typing",
        keys=tuple(f"alt+{digit}" for digit in DIGITS),
        shown="alt+1-9",
        help="Preview the source with this number, from the prompt too.",
        group="Reading",
        action="cite",
        scope="ask",
        palette=False,
        digits=True,
    ),
    Command(
        name="edit",
        title="Open in the editor",
        keys=("e",),
        shown="e",
        help="Open the selected source in your editor, at its line.",
        group="Reading",
        action="edit",
        scope="panes",
        hint="editor",
        rank=22,
    ),
    Command(
        name="copy",
        title="Copy the answer",
        keys=("y",),
        shown="y",
        help="Copy the answer and its sources as Markdown.",
        group="Reading",
        action="copy_answer",
        scope="panes",
        hint="copy",
        rank=40,
    ),
    Command(
        name="focus_next",
        title="Next part of the screen",
        keys=("tab",),
        shown="tab",
        help="Move the focus on; shift+tab moves it back.",
        group="Reading",
        action="app.focus_next",
        scope="ask",
        palette=False,
    ),
    Command(
        name="preview",
        title="Preview the selected source",
        keys=("enter",),
        shown="enter",
        help="Show the lines around the selected source or evidence.",
        group="Reading",
        action="select",
        scope="list",
        hint="preview",
        rank=12,
        palette=False,
    ),
    Command(
        name="tab_view",
        title="Next tab",
        keys=("t",),
        shown="t",
        help="On a narrow screen: answer, steps, evidence in turn.",
        group="Reading",
        action="next_tab",
        scope="panes",
        hint="tabs",
        rank=18,
    ),
    Command(
        name="next_source",
        title="Next source",
        keys=("n",),
        shown="n",
        help="Show the next source.",
        group="Source preview",
        action="step(1)",
        scope="preview",
        hint="next",
        rank=20,
        palette=False,
    ),
    Command(
        name="previous_source",
        title="Previous source",
        keys=("p",),
        shown="p",
        help="Show the source before.",
        group="Source preview",
        action="step(-1)",
        scope="preview",
        hint="previous",
        rank=22,
        palette=False,
    ),
    Command(
        name="preview_edit",
        title="Open in the editor",
        keys=("e",),
        shown="e",
        help="Open the file in your editor at the cited line.",
        group="Source preview",
        action="edit",
        scope="preview",
        hint="editor",
        rank=24,
        palette=False,
    ),
    Command(
        name="preview_source",
        title="Source 1 to 9",
        keys=DIGITS,
        shown="1-9",
        help="Show the source with this number.",
        group="Source preview",
        action="cite",
        scope="preview",
        hint="source",
        rank=30,
        palette=False,
        digits=True,
    ),
    Command(
        name="preview_back",
        title="Back to the cited lines",
        keys=("c",),
        shown="c",
        help="Scroll back to the lines that are cited.",
        group="Source preview",
        action="show_cited",
        scope="preview",
        hint="cited lines",
        rank=40,
        palette=False,
    ),
    Command(
        name="preview_close",
        title="Close the preview",
        keys=("escape", "q"),
        shown="esc",
        help="Back to the answer.",
        group="Source preview",
        action="close",
        scope="preview",
        hint="back",
        rank=10,
        palette=False,
    ),
    Command(
        name="sessions",
        title="Sessions",
        keys=("ctrl+r",),
        shown="ctrl+r",
        help="Resume or replay what was asked before.",
        group="Everywhere",
        action="sessions",
        hint="sessions",
        rank=80,
    ),
    Command(
        name="themes",
        title="Colour theme",
        keys=("ctrl+t",),
        shown="ctrl+t",
        help="Choose the colours, with a live preview.",
        group="Everywhere",
        action="themes",
        hint="theme",
        rank=90,
    ),
    Command(
        name="palette",
        title="Commands",
        keys=("ctrl+p",),
        shown="ctrl+p",
        help="Find any command by its name.",
        group="Everywhere",
        action="command_palette",
        hint="commands",
        rank=75,
        palette=False,
    ),
    Command(
        name="help",
        title="Help",
        keys=("f1", "question_mark"),
        shown="F1 ?",
        help="All keys on one page.",
        group="Everywhere",
        action="help",
        hint="help",
        rank=5,
    ),
    Command(
        name="quit",
        title="Quit",
        keys=("ctrl+q",),
        shown="ctrl+q",
        help="Leave kbtui.",
        group="Everywhere",
        action="quit",
        priority=True,
    ),
)


def bindings(scope: str) -> list[BindingType]:
    """The Textual bindings of one scope."""
    return [
        Binding(
            key,
            f"{command.action}({key[-1]})" if command.digits else command.action,
            command.title,
            show=False,
            key_display=command.shown,
            priority=command.priority,
            id=f"{command.scope}.{command.name}" + (f".{key[-1]}" if command.digits else ""),
        )
        for command in COMMANDS
        if command.scope == scope
        for key in ((",".join(command.keys),) if not command.digits else command.keys)
    ]


def groups() -> dict[str, list[Command]]:
    """The commands by heading, in the order declared."""
    result: dict[str, list[Command]] = {}
    for command in COMMANDS:
        result.setdefault(command.group, []).append(command)
    return result
