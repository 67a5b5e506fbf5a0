"""Options that several commands share, and the settings for a command."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from kbtui.errors import FolderNotFound, StorageError, UsageError, nearest

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from kbtui.settings.joined import NamedFolder
    from kbtui.settings.load import LoadedSettings

_Command = TypeVar("_Command", bound=Callable[..., Any])
_DATA, _MODEL, _NO_COLOR, _DEBUG, _LINEAR, _KB = (
    f"kbtui.{name}" for name in ("data", "model", "no_color", "debug", "linear", "kb")
)
TAKES_SHARED = ("open", "ask", "serve", "mcp")
"""Commands that use ``--data``, ``--model`` and ``--debug`` given before the name of the command."""
_TAKES_KB = ("open", "ask", "search", "serve", "mcp", "doctor", "config")
"""Commands that use ``--kb`` given before the name of the command."""


class Folder(click.ParamType[Path]):
    """A folder that exists, or what stands for a published collection on this machine."""

    name = "folder"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:  # noqa: ARG002
        return knowledge_base(value) if isinstance(value, str) else Path(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="dir")]


def _flag(name: str, key: str, text: str, *, is_eager: bool = False) -> Callable[[_Command], _Command]:
    """A flag that is kept in the context under ``key``, instead of being passed to the command."""

    def remember(ctx: click.Context, _: click.Parameter, value: bool) -> None:
        if value:
            ctx.meta[key] = True

    return click.option(name, is_flag=True, expose_value=False, is_eager=is_eager, callback=remember, help=text)


def _is_given(key: str) -> bool:
    """Whether the flag kept under ``key`` was given; False outside of a command."""
    ctx = click.get_current_context(silent=True)
    return bool(ctx and ctx.meta.get(key))


linear_option = _flag("--linear", _LINEAR, "Plain lines instead of the screen, for screen readers.")
"""``--linear``: the conversation as plain lines instead of the screen."""
no_color_option = _flag("--no-color", _NO_COLOR, "Plain text, no styling.", is_eager=True)


def SCREEN_OPTIONS(command: _Command) -> _Command:
    """``--data``, ``--model`` and ``--debug``."""
    command = _flag("--debug", _DEBUG, "Write the chat model's prompts and raw answers to the audit log.")(command)
    command = click.option("--model", metavar="M", help="Chat model: offline, or provider:name.")(command)
    return click.option("--data", metavar="SRC", multiple=True, help="Data source to use as well; repeatable.")(command)


def linear() -> bool:
    """Whether ``--linear`` was given."""
    return _is_given(_LINEAR)


def debugging() -> bool:
    """Whether ``--debug`` was given."""
    return _is_given(_DEBUG)


def no_color() -> bool:
    """Whether styling was turned off by option or environment (no-color.org: any text that is not empty)."""
    return _is_given(_NO_COLOR) or bool(os.environ.get("NO_COLOR"))


class Named(Folder):
    """A folder that exists, and a name for it: ``PATH`` or ``NAME=PATH``."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from kbtui.settings.joined import NamedFolder

        if not isinstance(value, str):
            return value
        name, sign, path = value.partition("=")
        if sign and name and "/" not in name and not Path(value).exists():
            return NamedFolder(super().convert(path, param, ctx), name)
        return NamedFolder(super().convert(value, param, ctx))


def folders_option(command: _Command, callback: Callable[..., Path] | None = None) -> _Command:
    """``--kb PATH``, repeatable, of commands that take a folder as their argument too, for `folder_given`."""
    return click.option(
        "--kb",
        metavar="PATH",
        type=Named(),
        multiple=True,
        callback=callback,
        help="The folder to use, or a published collection; folders repeatable, as NAME=PATH too.  [default: .]",
    )(command)


def kb_option(command: _Command) -> _Command:
    """``--kb PATH``, repeatable: the knowledge base, by default the current folder; several are joined."""
    return folders_option(command, callback=lambda _ctx, _param, folders: folder_given(None, folders))


def folder_given(path: Path | None, folders: Sequence[NamedFolder]) -> Path:
    """The folder of an argument PATH, or of ``--kb`` before or after the command; by default the current one.

    Raises:
        click.UsageError: PATH and ``--kb`` are both given.
        UsageError: Several folders cannot be joined.
    """
    context = click.get_current_context(silent=True)
    folders = (*(context.meta.get(_KB, ()) if context else ()), *folders)
    if not folders:
        return path or knowledge_base(".")
    if path is not None:
        raise click.UsageError("PATH and --kb are both given; name every folder by --kb.")
    from kbtui.settings.joined import joined_folder

    return joined_folder(folders)


class Finite(click.FloatRange):
    """A number above one bound and up to another; refuses ``inf``, and ``nan``, which click accepts."""

    def __init__(self, above: float, most: float) -> None:
        super().__init__(min=above, max=most, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not in the range {self._describe_range()}.", param, ctx)
        return number


def json_option(text: str) -> Callable[[_Command], _Command]:
    """``--json`` with the given help."""
    return click.option("--json", "as_json", is_flag=True, help=text)


def remember_shared(
    ctx: click.Context, data: tuple[str, ...], model: str | None, folders: tuple[NamedFolder, ...] = ()
) -> None:
    """Store ``--data``, ``--model`` and ``--kb`` given before the name of the command; ``--debug`` is stored already.

    Raises:
        click.UsageError: The command does not use them.
    """
    for is_given, options, commands in (
        (data or model, "--data and --model mean", TAKES_SHARED),
        (debugging(), "--debug means", TAKES_SHARED),
        (linear(), "--linear means", ("open",)),
        (folders, "--kb means", _TAKES_KB),
    ):
        if is_given and ctx.invoked_subcommand not in (None, *commands):
            raise click.UsageError(f"{options} nothing to kbtui {ctx.invoked_subcommand}.", ctx)
    ctx.meta[_DATA], ctx.meta[_MODEL], ctx.meta[_KB] = data, model, folders


def merge_shared(ctx: click.Context, data: tuple[str, ...], model: str | None) -> tuple[tuple[str, ...], str | None]:
    """``--data`` and ``--model``, given before or after the name of the command."""
    return (*ctx.meta.get(_DATA, ()), *data), model or ctx.meta.get(_MODEL)


def flags_of_screen(model: str | None) -> dict[str, Any]:
    """The settings that ``--model`` and ``--debug`` set; None for options that were not given."""
    return {"model.name": model, "agent.debug": True if debugging() else None}


def data_sources(
    loaded: LoadedSettings,
    data: tuple[str, ...],
    deadline_s: float | None = None,
    *,
    meanwhile: Callable[[], None] = lambda: None,
) -> tuple[str, ...]:
    """The sources of ``--data`` and of the settings, as ``NAME=LOCATION``, without duplicate locations.

    Those of ``--data`` are opened, so that a wrong one ends the command before anything is indexed; ``meanwhile`` is
    called meanwhile.

    Raises:
        SourceNotFound: A ``--data`` is neither a file, a URL nor a configured name.
        UsageError: A ``--data`` cannot be opened.
        TimedOut: Opening them took longer than ``deadline_s`` seconds.
    """
    from kbtui.settings.sources import parse_entry, resolve

    configured = loaded.settings.data_sources
    requested = [resolve(src, configured) for src in data]
    if requested:
        from kbtui.cli.source_probe import require

        require(requested, deadline_s, meanwhile=meanwhile)
    by_location = {source.location: source for source in (*requested, *map(parse_entry, configured))}
    return tuple(source.entry for source in by_location.values())


def knowledge_base(path: str) -> Path:
    """The folder at ``path``, absolute; for the address or the name of a published collection, the one that stands for
    it.

    Raises:
        FolderNotFound: There is none, it is a file, or it may not be read.
        UsageError: The address of a collection is not well-formed.
    """
    from kbtui.settings.published import is_url
    from kbtui.text.terminal import one_line

    if is_url(path):
        return _collection(path, {})

    if not path:
        # Probably an unset variable of a shell script, which must not mean the current folder.
        raise FolderNotFound("The path of the folder is empty.", "Give a folder; . is the current one.")
    try:
        folder = Path(path).expanduser()
        if folder.is_dir():
            if not os.access(folder, os.R_OK | os.X_OK):
                raise FolderNotFound(f"The folder {path} may not be read.", "Check its permissions.")
            return Path(os.path.abspath(folder))  # noqa: PTH100 - keeps symlinks as the user sees them
        exists = folder.exists() or folder.is_symlink()
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FolderNotFound(
            f"{one_line(path, 200)} cannot be opened: {one_line(reason, 200)}.", "Give the path of a folder."
        ) from None
    if exists:
        raise FolderNotFound(f"{path} is not a folder.", f"Give its folder: {folder.parent}")
    from kbtui.settings.load import load_settings

    names = load_settings().settings.published.names
    if path in names:
        return _collection(path, names)
    similar = nearest(path, names, 0.7)
    hint = f"Did you mean the collection {similar}?" if similar else _similar_folder_hint(folder)
    raise FolderNotFound(f"There is no folder {path}.", hint or "Check the path, or create the folder.")


def _collection(text: str, names: Mapping[str, str]) -> Path:
    """The folder that stands for a published collection.

    Raises:
        UsageError: Its address is not well-formed.
        StorageError: The cache is not writable.
    """
    from kbtui.settings.published import collection_url, local_root

    url = collection_url(text, names)
    try:
        return local_root(url)
    except OSError as error:
        raise StorageError(
            f"The cache of published collections cannot be written: {error.strerror or error}.",
            "Check the permissions of the cache, or set XDG_CACHE_HOME to another folder.",
        ) from error


def own_folder(path: Path, command: str) -> Path:
    """``path``, for a command that changes the index of a folder.

    Raises:
        UsageError: It stands for a published collection, which is read only.
    """
    from kbtui.settings.published import url_of

    if url := url_of(path):
        raise UsageError(
            f"kbtui {command} takes a folder; {url} is read only.",
            "Publish a newer generation: kbtui publish FOLDER URL",
        )
    return path


def _similar_folder_hint(folder: Path) -> str:
    try:
        names = [entry.name for entry in os.scandir(folder.parent) if entry.is_dir()]
    except OSError:
        return ""
    similar = nearest(folder.name, names, 0.7)
    return f"Did you mean {folder.parent / similar}?" if similar else ""


def settings_for(kb: Path | None, flags: Mapping[str, Any] | None = None) -> LoadedSettings:
    """The settings in effect for a command; values that were ignored are reported on standard error.

    Raises:
        SettingsError: A file, variable or flag is not valid.
    """
    from kbtui.cli import console
    from kbtui.cli.logs import configure_logging
    from kbtui.settings.load import load_settings

    configure_logging()
    loaded = load_settings(kb, flags)
    for warning in loaded.warnings:
        console.warn(warning)
    return loaded
