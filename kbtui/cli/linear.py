"""The conversation as plain lines, for screen readers and terminals that cannot move their cursor.

It uses the same engine and the same run states as the screen, but nothing is redrawn. The user types a question, a
number (of a source) or, with a slash in front, a command.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from kbtui.cli import console
from kbtui.cli.answers import offered_lines, print_for_screen_reader, where
from kbtui.cli.asking import exit_code, follow, print_failure
from kbtui.cli.failures import say_failure
from kbtui.cli.narration import Narrator
from kbtui.errors import KbtuiError, UsageError
from kbtui.i18n import _, made, ngettext, use
from kbtui.settings.published import url_of
from kbtui.text.file_formats import format_of
from kbtui.text.language import interface_language
from kbtui.text.terminal import one_line
from kbtui.view.view_state import RunView

if TYPE_CHECKING:
    from kbtui.bootstrap import Engine
    from kbtui.domain.answer import Citation
    from kbtui.settings.model import Settings

_PROMPT = "> "
_CONTINUED = "\\"
"""At the end of a line, it continues the question on the next one."""
_CONTEXT_LINES = 2
"""Lines of a file that are printed before and after the cited ones."""
_MAX_SESSIONS = 10


class Conversation:
    """A conversation of questions and commands.

    Args:
        engine: Answers the questions.
        kb: The folder.
        settings: Settings in effect.
    """

    def __init__(self, engine: Engine, kb: Path, settings: Settings) -> None:
        use(interface_language(settings.ui.language, os.environ))
        self._engine = engine
        self._kb = kb
        self._settings = settings
        self._views: list[RunView] = []
        self._listed_ids: list[str] = []
        self._is_typed = sys.stdin.isatty() and sys.stdout.isatty()
        self._is_running = True
        self.commands: dict[str, Callable[[str], object]] = {
            name.removeprefix("do_"): getattr(self, name) for name in dir(self) if name.startswith("do_")
        }

    def run(self) -> int:
        """Answer until the input ends or ``/quit``, and return the exit code of the last question."""
        if self._is_typed:
            console.print_line(_("kbtui, {folder}. Type a question, or /help.", folder=one_line(self._kb.name)))
            self._prepare_typing()
        for line in self._lines():
            try:
                self.execute(line)
            except KbtuiError as error:
                say_failure(made(error.message), made(error.hint))
            sys.stdout.flush()
            if not self._is_running:
                break
        return exit_code(self._views[-1]) if self._views else 0

    def execute(self, line: str) -> None:
        """Execute one line: a question, a number or a command.

        Raises:
            KbtuiError: It failed.
        """
        line = line.strip()
        if line.startswith("/"):
            name, _space, argument = line[1:].partition(" ")
            if name not in self.commands:
                raise UsageError(_("There is no command /{name}.", name=one_line(name)), _("/help lists them."))
            self.commands[name](argument.strip())
        elif line.isdecimal() and self._views and int(line) <= len(self._views[-1].citations):
            self.do_source(line)
        elif line:
            self.ask(line)

    def ask(self, query: str) -> None:
        """Ask a question, and print each stage as it ends, then the answer with its sources and their quotes."""
        if not self._is_typed:
            console.print_line(f"{_PROMPT}{one_line(query)}")
        view = follow(self._engine, query, Narrator(live=False))
        self._views.append(view)
        if view.markdown:
            console.print_line()
            print_for_screen_reader(view)
            console.print_line()
        if offered := offered_lines(view, taken_by="/reading N"):
            console.print_line("\n".join(offered))
        print_failure(view)

    # Commands: the user types the name after do_, and /help prints the docstring.

    def do_help(self, argument: str) -> None:  # noqa: ARG002
        """List the commands."""
        for name, command in sorted(self.commands.items()):
            console.print_line(f"/{name}: {_((command.__doc__ or '').strip())}")
        closing_line = _("A figure reads out the source with this number. Ctrl-C stops an answer, Ctrl-D ends kbtui.")
        console.print_line(closing_line)

    def do_quit(self, argument: str) -> None:  # noqa: ARG002
        """Close kbtui."""
        self._is_running = False

    def do_again(self, argument: str) -> None:  # noqa: ARG002
        """Ask the last question again."""
        self.ask(self._last.query)

    def do_new(self, argument: str) -> None:  # noqa: ARG002
        """Begin a conversation that knows nothing of the questions so far."""
        self._engine.new_conversation()
        console.print_line(_("A new conversation."))

    def do_reading(self, argument: str) -> None:
        """With a number: ask what an offered reading says."""
        self.ask(
            self._choice(argument, [reading.says for reading in self._last.offered], _("There is no reading {number}."))
        )

    def do_source(self, argument: str) -> None:
        """With a number: read out the source with the lines around it."""
        citation = self._citation(argument)
        console.print_line(f"[{citation.n}] {where(citation)}")
        if citation.kind != "file" or not citation.path:
            console.print_line(citation.sql or citation.quote or citation.url or "")
            return
        lines = self._engine.read_source(citation.path).text.split("\n")
        first, last = citation.start_line or 1, citation.end_line or citation.start_line or 1
        for number in range(max(1, first - _CONTEXT_LINES), min(len(lines), last + _CONTEXT_LINES) + 1):
            cited = _("cited ") if first <= number <= last else ""
            console.print_line(f"{cited}{number}: {lines[number - 1]}")

    def do_open(self, argument: str) -> None:
        """With a number: open the source in your editor, at its line."""
        from kbtui.editors import launch
        from kbtui.editors.viewers import viewer_argv
        from kbtui.settings.joined import file_in, is_within
        from kbtui.view.user_files import page_of, write_extracted, write_statement

        citation = self._citation(argument)
        if citation.kind == "sql" and citation.sql:
            path = write_statement(citation.sql, citation.source or "")
        elif citation.kind == "file" and citation.path:
            path = file_in(self._kb, citation.path)
            if not is_within(self._kb, citation.path):
                raise UsageError(_("That path leaves the folder."), _("It is not opened."))
            page = page_of(citation.path, citation.locator or "")
            if url := url_of(self._kb):
                # Of a published document only the text is here.
                page = None
                console.say(_("This is a read-only copy of {url}.", url=one_line(url)))
            viewer_command = viewer_argv(self._settings.editor, path, page) if page is not None else None
            if viewer_command is not None:
                launch.open_detached(viewer_command)
                return
            file_format = format_of(citation.path, self._settings.index.commands)
            if file_format is not None and not file_format.in_place:
                source = self._engine.read_source(citation.path)
                path = write_extracted(citation.path, source.text) if source.is_extracted else path
        else:
            raise UsageError(_("Source {n} is no file.", n=citation.n), one_line(citation.url or ""))
        editor = launch.resolve(self._settings.editor)
        argv = editor.argv(path, citation.start_line or 1)
        (launch.run_in_terminal if editor.terminal else launch.open_detached)(argv)

    def do_copy(self, argument: str) -> None:  # noqa: ARG002
        """Copy the answer and its sources; where the terminal has no clipboard, write them to a file."""
        text = self._last.markdown
        if console.is_interactive(sys.stdout):
            console.copy(text)
            console.print_line(_("The answer is in the clipboard."))
            return
        from kbtui.view.user_files import write_pasted_text

        console.print_line(_("The answer is in {path}", path=one_line(str(write_pasted_text(text)))))

    def do_sessions(self, argument: str) -> None:
        """List earlier sessions, the latest first; with words, those that hold them."""
        from kbtui.sessions.store import SessionStore

        store = SessionStore()
        summaries = store.list()
        if words := argument.split():
            matching = store.search(summaries, words)
            summaries = tuple(summary for summary in summaries if summary.session_id in matching)
        self._listed_ids = [summary.session_id for summary in summaries[:_MAX_SESSIONS]]
        for number, summary in enumerate(summaries[:_MAX_SESSIONS], 1):
            question_count = ngettext("{count:,} question", "{count:,} questions", summary.runs)
            console.print_line(f"{number}. {one_line(summary.title)} ({question_count})")
        console.print_line(_("/resume N goes on with one.") if self._listed_ids else _("There is none."))

    def do_resume(self, argument: str) -> None:
        """With a number of /sessions: read out its questions and answers, and go on from there."""
        from kbtui.sessions.recording import read
        from kbtui.sessions.store import SessionStore
        from kbtui.view.folding import reduce_all

        if not self._listed_ids:
            self.do_sessions("")
        session = self._choice(argument, self._listed_ids, _("There is no session {number}."))
        recording = read(SessionStore().path_of(session))
        self._engine.continue_session(session)
        for run in recording.runs:
            view = reduce_all(run)
            self._views.append(view)
            console.print_line(f"{_PROMPT}{one_line(view.query)}\n")
            print_for_screen_reader(view)
            console.print_line()

    def do_export(self, argument: str) -> None:
        """With md, html or jsonl: write this session into the current folder."""
        from kbtui.sessions.recording import read
        from kbtui.sessions.store import SessionStore
        from kbtui.view.export import write_export

        if not self._engine.session_id or not self._views:
            raise UsageError(_("Nothing is recorded yet."), _("Ask something first."))
        if argument not in ("md", "html", "jsonl"):
            message = (
                _("There is no format {name}.", name=one_line(argument)) if argument else _("There is no format given.")
            )
            raise UsageError(message, _("Write /export md, html or jsonl."))
        recording = read(SessionStore().path_of(self._engine.session_id))
        console.print_line(_("Written: {path}", path=one_line(str(write_export(recording, argument, Path.cwd())))))

    # Input

    def _lines(self) -> Iterator[str]:
        continued = ""
        while True:
            try:
                line = input(_PROMPT if not continued else ". ") if self._is_typed else next(sys.stdin).rstrip("\n")
            except KeyboardInterrupt:
                console.print_line()
                continued = ""
                continue
            except (EOFError, StopIteration):
                if continued:
                    yield continued
                if self._is_typed:
                    console.print_line()
                return
            except UnicodeDecodeError as error:
                raise UsageError(
                    _("Standard input is not text in the encoding of this terminal."), _("Use UTF-8.")
                ) from error
            if line.endswith(_CONTINUED):
                continued += line.removesuffix(_CONTINUED) + "\n"
                continue
            yield continued + line
            continued = ""

    def _prepare_typing(self) -> None:
        """Enable editing, history and completion of commands, where Python has readline."""
        with contextlib.suppress(ImportError):
            import readline

            words = [f"/{name}" for name in sorted(self.commands)]

            def complete(text: str, state: int) -> str | None:
                matches = [word for word in words if text.startswith("/") and word.startswith(text)]
                return matches[state] if state < len(matches) else None

            readline.set_completer_delims(" ")
            readline.set_completer(complete)
            readline.parse_and_bind("tab: complete")

    # Earlier answers

    @property
    def _last(self) -> RunView:
        if not self._views:
            raise UsageError(_("Nothing has been asked yet."), _("Type a question."))
        return self._views[-1]

    def _citation(self, argument: str) -> Citation:
        citations = {str(citation.n): citation for citation in self._last.citations}
        if argument not in citations:
            numbers = ", ".join(citations) or _("none")
            message = _("There is no source {n}.", n=one_line(argument) or _("without a number"))
            raise UsageError(message, _("There are: {numbers}.", numbers=numbers))
        return citations[argument]

    def _choice(self, argument: str, choices: list[str], missing: str) -> str:
        """The choice with the number ``rest``; ``missing`` is the message where there is none."""
        if argument.isdecimal() and 1 <= int(argument) <= len(choices):
            return choices[int(argument) - 1]
        hint = _("Give a number from 1 to {count}.", count=len(choices)) if choices else _("None is listed.")
        raise UsageError(missing.format(number=one_line(argument) or _("without a number")), hint)
