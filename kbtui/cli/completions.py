"""``kbtui completions``: the completion scripts of shells."""

from __future__ import annotations

import click

from kbtui.cli import console
from kbtui.cli.options import no_color_option

INSTALL_LINES = {
    "bash": 'eval "$(kbtui completions bash)"      in ~/.bashrc',
    "zsh": 'eval "$(kbtui completions zsh)"       in ~/.zshrc',
    "fish": "kbtui completions fish > ~/.config/fish/completions/kbtui.fish",
}


@click.command("completions", epilog="\b\nTo install:\n" + "\n".join(f"  {line}" for line in INSTALL_LINES.values()))
@click.argument("shell", type=click.Choice(tuple(INSTALL_LINES)))
@no_color_option
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script for SHELL."""
    from click.shell_completion import get_completion_class

    completion = get_completion_class(shell)
    if completion is None:
        raise click.UsageError(f"No completion for {shell} in this version of click.", ctx)
    console.print_line(completion(ctx.find_root().command, {}, "kbtui", "_KBTUI_COMPLETE").source())
