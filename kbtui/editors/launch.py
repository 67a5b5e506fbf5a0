"""Which editor to use, the command that opens a line in it, and starting it."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from kbtui.editors.templates import BY_NAME, INSTALLED_ORDER, EditorTemplate
from kbtui.errors import EditorError
from kbtui.late_patterns import pattern
from kbtui.settings.model import EditorSettings
from kbtui.settings.private import user_umask

Which = Callable[[str], str | None]

_HOW_TO_SET = 'Set EDITOR (EDITOR=nano), or editor.command in the settings: command = "code --goto {path}:{line}".'
_SUFFIXES = pattern(r"\.(?:exe|sh|cmd|bat)$", re.IGNORECASE)
_LINE_LIKE = pattern(r":\d+(?::|$)")
_PREFIXES = {"gui:": False, "terminal:": True}
_IMMEDIATELY_S = 0.3
_in_terminal: list[subprocess.Popen[bytes]] = []
"""The editor that has the terminal now, if one has."""


class EditorCommand(Struct, frozen=True, kw_only=True):
    """An editor, ready to be given a place.

    Attributes:
        name: What to call it on the screen (``nvim``).
        terminal: It draws in the terminal: suspend the screen and use ``run_in_terminal``; else ``open_detached``.
        template: The command, with ``{path}`` and ``{line}`` to be put in.
        source: What chose it: ``editor.command``, ``KBTUI_EDITOR``, ``VISUAL``, ``EDITOR`` or ``installed``.
    """

    name: str
    terminal: bool
    template: tuple[str, ...]
    source: str

    def argv(self, path: Path, line: int) -> list[str]:
        """The command that opens ``path`` at ``line`` (1-based).

        The path is always absolute, so one that begins with a dash is no flag.

        Raises:
            EditorError: There is no such file (any more), or it is a folder.
        """
        absolute = path.absolute()
        name = str(absolute)
        try:
            if absolute.is_dir():
                raise EditorError(f"{name} is a folder.", "Open one of its files.")
            there = absolute.exists()
        except (OSError, ValueError) as error:
            raise EditorError(f"{name} cannot be opened: {error}.", "Check the permissions of its folder.") from error
        if not there:
            raise EditorError(f"{name} is not there any more.", "Index the folder again: kbtui index")
        template = self.template
        if _LINE_LIKE.search(name):
            # `notes:12.md:3` would be taken apart in the wrong place: better the right file than the right line.
            template = tuple("{path}" if arg == "{path}:{line}" else arg for arg in template if arg != "--goto")
        values = {"{path}": name, "{line}": str(max(1, line))}
        return [re.sub(r"\{path\}|\{line\}", lambda match: values[match.group()], arg) for arg in template]


def resolve(
    settings: EditorSettings, environ: Mapping[str, str] | None = None, which: Which = shutil.which
) -> EditorCommand:
    """The editor to use: ``editor.command``, ``KBTUI_EDITOR``, ``VISUAL``, ``EDITOR``, else what is installed.

    A value may hold flags (``code -w``) and may be a template (``… {path} {line}``). A program that is not in the
    table is opened as ``program path``, in the terminal, unless ``gui:`` stands in front of the value; ``terminal:``
    says the opposite.

    Raises:
        EditorError: The value cannot be read as a command, names no program, or no editor is there at all.
    """
    environ = os.environ if environ is None else environ
    choices = {"editor.command": settings.command} | {
        name: environ.get(name, "") for name in ("KBTUI_EDITOR", "VISUAL", "EDITOR")
    }
    for source, value in choices.items():
        if value.strip():
            return _command(value.strip(), source, environ, which)
    display = has_display(environ)
    for name in INSTALLED_ORDER:
        row = BY_NAME[name]
        if which(name) and (display or row.terminal or row.terminal_flags):
            return _command(name, "installed", environ, which)
    raise EditorError("There is no editor to open the file with.", _HOW_TO_SET)


def open_detached(argv: Sequence[str], immediately_s: float = _IMMEDIATELY_S) -> None:
    """Start a graphical editor that outlives kbtui. Blocks for up to ``immediately_s`` seconds.

    Raises:
        EditorError: It could not be started, or failed at once.
    """
    try:
        process = subprocess.Popen(
            list(argv),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            umask=user_umask(),
        )
    except (OSError, ValueError) as error:
        raise _not_started(argv, error) from error
    try:
        code = process.wait(timeout=immediately_s)
    except subprocess.TimeoutExpired:
        threading.Thread(target=process.wait, daemon=True).start()  # or it would stay a zombie once it is closed
        return
    if code != 0:
        raise EditorError(
            f"{argv[0]} stopped at once with exit code {code}.",
            f'If it draws in the terminal, say so: editor.command = "terminal:{argv[0]} {{path}}".',
        )


def run_in_terminal(argv: Sequence[str]) -> int:
    """Run an editor in this terminal until it is closed; the screen has to be suspended meanwhile.

    Ctrl-C and ctrl-\\ typed meanwhile reach all programs of the terminal and are the editor's.

    Returns:
        Its exit code.

    Raises:
        EditorError: It could not be started.
    """
    try:
        process = subprocess.Popen(list(argv), umask=user_umask())
    except (OSError, ValueError) as error:
        raise _not_started(argv, error) from error
    _in_terminal.append(process)
    try:
        with _left_to_the_editor(signal.SIGINT, signal.SIGQUIT):
            return process.wait()
    finally:
        _in_terminal.remove(process)


def end_in_terminal() -> None:
    """Ask the editor in the terminal to end, if there is one; it saves what it saves at SIGTERM."""
    for process in _in_terminal:
        process.terminate()


@contextlib.contextmanager
def _left_to_the_editor(*numbers: int) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # Not SIG_IGN: the editor would inherit that.
    before = {number: signal.signal(number, lambda *_: None) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _command(value: str, source: str, environ: Mapping[str, str], which: Which) -> EditorCommand:
    told: bool | None = None
    for prefix, terminal in _PREFIXES.items():
        if value.startswith(prefix):
            value, told = value.removeprefix(prefix).strip(), terminal
    words = command_words(value, source, which)
    program, flags = words[0], words[1:]
    if which(program) is None:
        raise EditorError(f"{source} says {value}, and there is no program {program}.", _HOW_TO_SET)
    name = _SUFFIXES.sub("", Path(program).name)
    row = BY_NAME.get(name)
    if not any("{path}" in word for word in words):
        words += _arguments(row, flags)
    if told is None:
        told = _draws_in_terminal(row, flags, environ)
    return EditorCommand(name=name, terminal=told, template=tuple(words), source=source)


def command_words(value: str, source: str, which: Which) -> list[str]:
    """``value`` as a shell would take it apart, except that a path with spaces in it may stand unquoted.

    Raises:
        EditorError: It cannot be read as a command; ``source`` is named as what says so.
    """
    expanded = _home(value)
    if " " in value and which(expanded) is not None:
        return [expanded]
    try:
        words = shlex.split(value)
    except ValueError as error:
        raise EditorError(
            f"{source} cannot be read as a command: {value} ({error}).", "Close every quote in it."
        ) from error
    if not words:
        raise EditorError(f"{source} names no program: {value}", _HOW_TO_SET)
    words[0] = _home(words[0])
    return words


def _home(word: str) -> str:
    return os.path.expanduser(word)  # noqa: PTH111 -- a Path would turn ./editor into editor, another program


def _arguments(row: EditorTemplate | None, flags: list[str]) -> tuple[str, ...]:
    if row is None:
        return ("{path}",)
    if row.args == ("--goto", "{path}:{line}") and {"-g", "--goto"} & set(flags):
        return ("{path}:{line}",)
    return row.args


def _draws_in_terminal(row: EditorTemplate | None, flags: list[str], environ: Mapping[str, str]) -> bool:
    if row is None:
        return True  # a window that blocks the screen is a nuisance; a terminal editor without one is lost
    if row.terminal_flags & set(flags):
        return True
    if row.graphical_flags & set(flags):
        return False
    if row is BY_NAME["emacs"]:
        return not has_display(environ)
    return row.terminal


def has_display(environ: Mapping[str, str]) -> bool:
    """Whether a window can be opened."""
    return sys.platform == "darwin" or bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def _not_started(argv: Sequence[str], error: Exception) -> EditorError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return EditorError(f"{argv[0]} could not be started: {reason}.", _HOW_TO_SET)
