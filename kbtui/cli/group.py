"""The click group of the command.

It imports commands when they are called, opens the screen where the first word is no command, and ends every failure
with two lines and an exit code.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from kbtui.cli.failures import broken_pipe_as_reader_closed, run_guarded

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class Entry(Struct, frozen=True):
    """A command: the module whose attribute ``command`` it is, and its line in the help."""

    module: str
    help: str

    def load(self) -> click.Command:
        from importlib import import_module

        command: click.Command = import_module(self.module).command
        return command


class KbtuiGroup(click.Group):
    """See the docstring of the module."""

    def __init__(self, *args: Any, entries: Mapping[str, Entry], default: Entry, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.entries = entries
        self.default = default

    # click would end a command with code 1 for a broken pipe, so it must not see the error.

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        with broken_pipe_as_reader_closed():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        with broken_pipe_as_reader_closed():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(self.entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        entry = self.entries.get(cmd_name)
        return entry.load() if entry else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] in self.entries:
            return super().resolve_command(ctx, args)
        return "open", self.default.load(), args

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage(ctx.command_path, "[PATH] [--kb PATH]... [--data SRC]... [--model M]")
        formatter.write_usage(ctx.command_path, "COMMAND [OPTIONS] [ARGS]...", prefix="       ")

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in self.entries.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        if incomplete.startswith("-"):
            return click.Command.shell_complete(self, ctx, incomplete)
        # Folders come first, because bash drops the items before them.
        items: list[CompletionItem] = [CompletionItem(incomplete, type="dir")]
        items += [
            CompletionItem(name, help=entry.help) for name, entry in self.entries.items() if name.startswith(incomplete)
        ]
        return items

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run, and exit with the codes of the contract; with ``standalone_mode=False``, return and raise instead."""
        prog_name = prog_name or "kbtui"

        def run() -> Any:
            return super(KbtuiGroup, self).main(args, prog_name, complete_var, standalone_mode=False, **extra)

        if not standalone_mode:
            return run()
        sys.exit(run_guarded(run))

    def run(self) -> int:
        """Run the command line of this process and return its exit code."""
        try:
            self.main()
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else 0
        return 0
