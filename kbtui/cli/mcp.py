"""``kbtui mcp``: serves tools over the folder to other programs, by the Model Context Protocol."""

from __future__ import annotations

import asyncio
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from kbtui.cli import console
from kbtui.cli.options import (
    SCREEN_OPTIONS,
    Folder,
    data_sources,
    flags_of_screen,
    folder_given,
    folders_option,
    merge_shared,
    no_color_option,
    settings_for,
)
from kbtui.cli.serve import cannot_listen, token_for
from kbtui.errors import KbtuiError, UsageError

if TYPE_CHECKING:
    from kbtui.bootstrap import Engine
    from kbtui.settings.joined import NamedFolder

_PORT: Final = 8766


@click.command("mcp")
@click.argument("path", type=Folder(), required=False)
@folders_option
@SCREEN_OPTIONS
@click.option("--http", "over_http", is_flag=True, help="Listen on this machine instead of using standard streams.")
@click.option("--host", metavar="HOST", default="127.0.0.1", help="With --http: where to listen.  [default: 127.0.0.1]")
@click.option(
    "--port", metavar="N", type=click.IntRange(0, 65535), default=_PORT, help="With --http: port; 0 takes a free one."
)
@click.option(
    "--token", metavar="T", help="With --http: the token that requests carry; - reads it from standard input."
)
@click.option("--no-session", is_flag=True, help="Do not record the questions.")
@no_color_option
@click.pass_context
def command(
    ctx: click.Context,
    path: Path | None,
    kb: tuple[NamedFolder, ...],
    data: tuple[str, ...],
    model: str | None,
    over_http: bool,
    host: str,
    port: int,
    token: str | None,
    no_session: bool,
) -> int:
    """Serve read-only tools over the folder PATH to a program that speaks the Model Context Protocol.

    That program starts it and talks over standard streams; with --http any number of programs of this machine do.
    """
    data, model = merge_shared(ctx, data, model)
    if not over_http and token is not None:
        raise UsageError("--token means nothing without --http.", "Only who started the process can talk to it.")
    token = token_for(token, host) if over_http else ""
    root = folder_given(path, kb)
    loaded = settings_for(root, flags_of_screen(model))
    _require_sdk()

    from kbtui import bootstrap

    sources = data_sources(loaded, data)
    engine = bootstrap.Engine(loaded.settings, kb=root, sources=sources, record=not no_session, follow_ups=False)
    try:
        if over_http:
            _serve_http(engine, host, port, token)
        else:
            _serve_standard_streams(engine)
    finally:
        engine.close()
    return 0


def _require_sdk() -> None:
    """Check that the SDK of the protocol is installed.

    Raises:
        KbtuiError: It is not.
    """
    try:
        from mcp.server import lowlevel  # noqa: F401 - imported before any other thread runs
    except ModuleNotFoundError as error:
        raise KbtuiError(
            f"kbtui mcp needs the package {(error.name or 'mcp').partition('.')[0]}.",
            "Run `pip install 'kbtui[mcp]'`.",
        ) from None


def _serve_standard_streams(engine: Engine) -> None:
    from kbtui.cli.mcp_server.server import FolderServer
    from kbtui.cli.mcp_server.transports import over_standard_streams

    if sys.stdin.isatty():
        console.say(
            "This speaks the Model Context Protocol over standard streams; a program starts it. ctrl+c ends it."
        )
    asyncio.run(over_standard_streams(FolderServer(engine)))


def _serve_http(engine: Engine, host: str, port: int, token: str) -> None:
    from kbtui.cli.mcp_server.server import FolderServer
    from kbtui.cli.mcp_server.transports import PATH, over_http
    from kbtui.cli.serving.guard import Guard

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family)
    except OSError as error:
        raise cannot_listen(error, host, port) from None
    name = f"[{host}]" if ":" in host else host
    number = listening.getsockname()[1]

    def print_address() -> None:
        console.say("Give this address and this header to the program; ctrl+c ends it.")
        console.print_line(f"http://{name}:{number}{PATH}")
        console.print_line(f"Authorization: Bearer {token}")
        sys.stdout.flush()

    asyncio.run(over_http(FolderServer(engine), Guard(token, host), listening, print_address))
