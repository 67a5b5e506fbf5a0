"""``kbtui [PATH]``: opens the screen over a folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kbtui.cli import console
from kbtui.cli.options import (
    SCREEN_OPTIONS,
    Folder,
    data_sources,
    flags_of_screen,
    folder_given,
    folders_option,
    linear,
    linear_option,
    merge_shared,
    no_color,
    no_color_option,
    settings_for,
)
from kbtui.errors import FolderNotFound, UsageError, nearest

if TYPE_CHECKING:
    from kbtui.bootstrap import Engine
    from kbtui.settings.joined import NamedFolder
    from kbtui.settings.model import Settings
    from kbtui.ui.app import KbtuiApp


class FolderOrCommand(Folder):
    """A folder; a word that is no folder may be a mistyped command."""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Convert as `Folder` does, and suggest a command of a similar name.

        Raises:
            FolderNotFound: There is no such folder.
            UsageError: There is no such folder, and the word is similar to the name of a command.
        """
        try:
            return super().convert(value, param, ctx)
        except FolderNotFound as error:
            if similar := _near_command(str(value), ctx):
                raise UsageError(
                    f"There is no folder and no command {value}.", f"Did you mean kbtui {similar}?"
                ) from error
            raise


@click.command("open", add_help_option=False)
@click.argument("path", type=FolderOrCommand(), required=False)
@folders_option
@SCREEN_OPTIONS
@linear_option
@no_color_option
@click.option("-h", "--help", is_flag=True, expose_value=False, is_eager=True, callback=lambda c, _, v: _help(c, v))
@click.argument("rest", nargs=-1)
@click.pass_context
def command(
    ctx: click.Context,
    path: Path | None,
    kb: tuple[NamedFolder, ...],
    data: tuple[str, ...],
    model: str | None,
    rest: tuple[str, ...] = (),
) -> int:
    """Open the screen over the folder PATH, or hold the conversation as plain lines."""
    if rest:
        similar = _near_command(rest[0], ctx, cutoff=1.0)
        hint = f"The command comes first: kbtui {similar} …" if similar else "Quote a path with spaces."
        raise UsageError(f"kbtui opens one folder; {rest[0]!r} is one too many.", hint)
    data, model = merge_shared(ctx, data, model)
    root = folder_given(path, kb)
    is_plain_terminal = sys.stdin.isatty() and sys.stdout.isatty() and not console.is_interactive(sys.stdout)
    return (open_linear if linear() or is_plain_terminal else open_screen)(root, data=data, model=model)


def open_linear(kb: Path, *, data: Sequence[str] = (), model: str | None = None) -> int:
    """Hold the conversation as plain lines, and return the exit code of its last question.

    Raises:
        UsageError: A source of ``data`` cannot be opened.
    """
    loaded = settings_for(kb, flags_of_screen(model))

    from kbtui import bootstrap
    from kbtui.cli.linear import Conversation

    engine = bootstrap.Engine(loaded.settings, kb=kb, sources=data_sources(loaded, tuple(data)))
    try:
        return Conversation(engine, kb, loaded.settings).run()
    finally:
        engine.close()


def open_screen(
    kb: Path,
    *,
    data: Sequence[str] = (),
    own_data: Sequence[str] = (),
    model: str | None = None,
    suggestions: tuple[str, ...] = (),
) -> int:
    """Run the screen until the user leaves it.

    Args:
        data: Sources given by the user.
        own_data: Bundled sources, which need no check before the screen opens.

    Raises:
        UsageError: Standard input or output is no terminal; or a source of ``data`` cannot be opened.
    """
    require_screen("kbtui --linear PATH, or kbtui ask --kb PATH QUESTION")
    flags = flags_of_screen(model)
    loaded = settings_for(kb, flags)
    if no_color():
        # Textual reads the variable at its import.
        os.environ["NO_COLOR"] = "1"

    from kbtui.cli import background

    with background.query_terminal(loaded) as terminal:
        import kbtui.ui.app  # noqa: F401 - imported while the terminal answers
        from kbtui.cli.screen import run_screen

    sources = (*own_data, *data_sources(loaded, tuple(data)))
    app = screen_over(
        kb, terminal.settings, sources, flags, suggestions=suggestions, theme=terminal.theme, sixel=terminal.sixel
    )
    return run_screen(app, typed=terminal.typed)


def screen_over(
    kb: Path,
    settings: Settings,
    sources: tuple[str, ...],
    flags: Mapping[str, Any],
    *,
    suggestions: tuple[str, ...] = (),
    theme: str = "",
    sixel: bool = False,
) -> KbtuiApp:
    """The app over a folder and sources, not yet running.

    Args:
        flags: Settings given by options of the command.
        theme: Theme to use while none is set; empty for the default one.
        sixel: Whether the terminal said that it shows sixel pictures.
    """
    from kbtui.cli.screen import startup
    from kbtui.ui.app import KbtuiApp

    def engine() -> Engine:
        # Called after the first paint, which this import would delay.
        from kbtui import bootstrap

        return bootstrap.Engine(settings, kb=kb, sources=sources, vectors_follow=True)

    return KbtuiApp(engine, settings, kb=kb, suggestions=suggestions, started=startup(kb, flags, theme, sixel))


def require_screen(instead: str) -> None:
    """Check that the terminal can show a screen.

    Raises:
        UsageError: It cannot; the hint gives the command ``instead``.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("The screen needs a terminal for input and output.", f"Without one: {instead}")


def _near_command(word: str, ctx: click.Context | None, cutoff: float = 0.7) -> str:
    from kbtui.cli.group import KbtuiGroup

    root = ctx.find_root().command if ctx else None
    names = list(root.entries) if isinstance(root, KbtuiGroup) else []
    return nearest(word, names, cutoff)


def _help(ctx: click.Context, is_requested: bool) -> None:
    if is_requested:
        console.print_line(ctx.find_root().get_help())
        ctx.exit()
