"""``kbtui serve``: serves the screen to browsers."""

from __future__ import annotations

import asyncio
import errno
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from kbtui.cli import console
from kbtui.cli.options import (
    SCREEN_OPTIONS,
    Folder,
    data_sources,
    debugging,
    flags_of_screen,
    folder_given,
    folders_option,
    merge_shared,
    no_color_option,
    settings_for,
)
from kbtui.errors import KbtuiError, UsageError

if TYPE_CHECKING:
    from kbtui.settings.joined import NamedFolder

_PORT: Final = 8765


@click.command("serve")
@click.argument("path", type=Folder(), required=False)
@folders_option
@SCREEN_OPTIONS
@click.option("--host", metavar="HOST", default="127.0.0.1", help="Where to listen.  [default: 127.0.0.1]")
@click.option("--port", metavar="N", type=click.IntRange(0, 65535), default=_PORT, help="Port; 0 takes a free one.")
@click.option("--token", metavar="T", help="The token of the address; - reads it from standard input.")
@click.option("--visitor", is_flag=True, hidden=True)
@no_color_option
@click.pass_context
def command(
    ctx: click.Context,
    path: Path | None,
    kb: tuple[NamedFolder, ...],
    data: tuple[str, ...],
    model: str | None,
    host: str,
    port: int,
    token: str | None,
    visitor: bool,
) -> int:
    """Show the screen over the folder PATH to browsers that open the printed address, each in a process of its own."""
    data, model = merge_shared(ctx, data, model)
    root = folder_given(path, kb)
    flags = flags_of_screen(model)
    loaded = settings_for(root, flags)
    sources = data_sources(loaded, data)
    if visitor:
        from kbtui.cli.open import screen_over
        from kbtui.cli.screen import run_for_page

        return run_for_page(screen_over(root, loaded.settings, sources, flags))

    token = token_for(token, host)
    argv = [sys.executable, "-P", "-m", "kbtui", "serve", "--visitor"]
    argv += [part for source in data for part in ("--data", source)]
    argv += ["--model", model] if model else []
    argv += ["--debug"] if debugging() else []
    return _serve([*argv, "--", str(root)], token, host, port, title=f"kbtui · {root.name}")


def token_for(requested: str | None, host: str) -> str:
    """The token of a server: the one given, the one on standard input for ``-``, or a new one.

    Raises:
        UsageError: It is too short, or ``host`` is reachable from other machines and none was given.
    """
    from kbtui.cli.serving.guard import MIN_TOKEN_CHARS, is_loopback, new_token

    if requested == "-":
        requested = sys.stdin.readline().strip()
    if requested is None:
        if not is_loopback(host):
            raise UsageError(
                f"Other machines reach {host}, and this one's folder would be open to them.",
                f"Give --token of {MIN_TOKEN_CHARS} characters, or leave --host out and forward the port by ssh.",
            )
        return new_token()
    if len(requested) < MIN_TOKEN_CHARS:
        raise UsageError(
            f"The token has {len(requested)} characters.", f"Give {MIN_TOKEN_CHARS} or more, or leave --token out."
        )
    if not is_loopback(host):
        console.warn("What is asked and answered goes over the network unencrypted; put it behind HTTPS or ssh.")
    return requested


def _serve(argv: list[str], token: str, host: str, port: int, *, title: str) -> int:
    try:
        from kbtui.cli.serving.server import ScreenServer
    except ModuleNotFoundError as error:
        raise KbtuiError(
            f"kbtui serve needs the package {(error.name or 'textual-serve').partition('.')[0]}.",
            "Run `pip install 'kbtui[serve]'`.",
        ) from None
    from urllib.parse import quote

    from kbtui.cli.serving.guard import Guard
    from kbtui.cli.signals import stopping

    def print_address(port: int) -> None:
        name = f"[{host}]" if ":" in host else host
        console.say("Open this address in a browser; ctrl+c ends it.")
        console.print_line(f"http://{name}:{port}/?token={quote(token, safe='')}")
        sys.stdout.flush()

    async def run() -> None:
        loop, end = asyncio.get_running_loop(), asyncio.Event()
        with stopping(lambda: loop.call_soon_threadsafe(end.set)):
            await ScreenServer(argv, Guard(token, host), host=host, port=port, title=title).run(print_address, end)

    try:
        asyncio.run(run())
    except OSError as error:
        raise cannot_listen(error, host, port) from None
    return 0


def cannot_listen(error: OSError, host: str, port: int) -> KbtuiError:
    """The error for an address on which the server cannot listen."""
    hint = "--port 0 takes a free port." if error.errno == errno.EADDRINUSE else "Check --host and --port."
    return KbtuiError(f"Nothing can listen on {host}, port {port}: {error.strerror or error}.", hint)
