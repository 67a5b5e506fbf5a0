"""Prints ``docs/kbtui.1``, the manual page, from what the commands say of themselves; the wheel brings it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import click

from kbtui.cli.group import KbtuiGroup
from kbtui.cli.main import cli

EXIT_CODES = (
    ("0", "answered, also in part; or done"),
    ("1", "failed"),
    ("2", "the command or a setting makes no sense"),
    ("3", "nothing was found, and the answer says so"),
    ("124", "timed out"),
    ("130", "interrupted"),
)
FILES = (
    ("$XDG_CONFIG_HOME/kbtui/config.toml", "settings; .kbtui.toml in the folder goes before it"),
    ("$XDG_CONFIG_HOME/kbtui/themes/*.toml", "themes"),
    ("$XDG_DATA_HOME/kbtui/sessions/*.jsonl", "recorded sessions"),
    ("$XDG_CACHE_HOME/kbtui/", "indexes and caches"),
    ("$XDG_STATE_HOME/kbtui/", "logs"),
)


def man_page() -> str:
    """The text of ``docs/kbtui.1``."""
    assert isinstance(cli, KbtuiGroup)
    root = click.Context(cli, info_name="kbtui")
    lines = [
        '.\\" Written by `python benchmarks/man_page.py`; edit the help of the commands instead.',
        '.TH KBTUI 1 "" "kbtui" "User Commands"',
        ".SH NAME",
        "kbtui \\- ask a folder of notes, docs and code, and land on the line that backs each claim",
        ".SH SYNOPSIS",
        ".B kbtui",
        "[\\fIPATH\\fR] [\\fB\\-\\-data\\fR \\fISRC\\fR]... [\\fB\\-\\-model\\fR \\fIM\\fR]",
        ".br",
        ".B kbtui",
        "\\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIARGS\\fR]...",
        ".SH DESCRIPTION",
        *_paragraphs(cli.help or ""),
        ".SH OPTIONS",
        *_options(root),
        ".SH COMMANDS",
    ]
    for name, entry in cli.entries.items():
        lines += _command(entry.load(), root, f"kbtui {name}")
    lines += [".SH EXIT STATUS", *(line for row in EXIT_CODES for line in _item(*row))]
    lines += [".SH FILES", *(line for row in FILES for line in _item(*row))]
    return "\n".join(lines) + "\n"


def _command(command: click.Command, parent: click.Context, path: str) -> Iterator[str]:
    context = click.Context(command, info_name=path.rpartition(" ")[2], parent=parent)
    pieces = " ".join(command.collect_usage_pieces(context))
    yield f".SS {_escaped(f'{path} {pieces}')}"
    yield from _paragraphs(command.help or "")
    yield from _options(context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            part = command.get_command(context, name)
            if part is not None:
                yield from _command(part, context, f"{path} {name}")


def _options(context: click.Context) -> Iterator[str]:
    for parameter in context.command.get_params(context):
        record = parameter.get_help_record(context)
        # An argument is in the line above, and described in the text.
        if record is not None and isinstance(parameter, click.Option) and "--help" not in parameter.opts:
            yield from _item(*record)


def _item(term: str, text: str) -> Iterator[str]:
    yield ".TP"
    yield f"\\fB{_escaped(term)}\\fR"
    yield _escaped(re.sub(r"\s+", " ", text))


def _paragraphs(text: str) -> Iterator[str]:
    for number, paragraph in enumerate(inspect.cleandoc(text).split("\n\n")):
        if number:
            yield ".PP"
        yield _escaped(" ".join(paragraph.split()).replace("\b ", ""))


def _escaped(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    # A full stop at the start of a line begins a request.
    return f"\\&{text}" if text.startswith(".") else text


if __name__ == "__main__":
    print(man_page(), end="")
