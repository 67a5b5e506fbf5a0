"""Options that limit a question to files, kinds, fields and dates: the names that the prompt takes behind an ``@``."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from kbtui.errors import UsageError
from kbtui.text.terminal import one_line

_Command = TypeVar("_Command", bound=Callable[..., Any])
_WILDCARDS: Final = "*?["


def scope_options(command: _Command) -> _Command:
    """``--in``, ``--kind``, ``--where``, ``--after`` and ``--before``."""
    for option in (
        click.option("--before", metavar="DATE", help="Only documents dated before this day, month or year."),
        click.option("--after", metavar="DATE", help="Only documents dated on or after this day, month or year."),
        click.option(
            "--where",
            metavar="FIELD=VALUE",
            multiple=True,
            help="Only documents whose field has this value; repeatable.",
        ),
        click.option("--kind", "kinds", metavar="KIND", multiple=True, help="Only documents of this kind; repeatable."),
        click.option(
            "--in", "inside", metavar="PATH", multiple=True, help="Only this file, folder or pattern; repeatable."
        ),
    ):
        command = option(command)
    return command


def scope_of(
    kb: Path,
    *,
    inside: Sequence[str] = (),
    kinds: Sequence[str] = (),
    where: Sequence[str] = (),
    after: str | None = None,
    before: str | None = None,
) -> tuple[str, ...]:
    """The names that the options stand for: ``runbooks/``, ``kind:ticket``, ``status:open``, ``after:2025-01-01``.

    Raises:
        UsageError: There is no such path in the folder, or an option has no value.
    """
    return (
        *(_path_in(kb, path) for path in inside),
        *(f"kind:{_stated(kind, '--kind')}" for kind in kinds),
        *_fields(where),
        *(() if after is None else (f"after:{_stated(after, '--after')}",)),
        *(() if before is None else (f"before:{_stated(before, '--before')}",)),
    )


def _fields(conditions: Sequence[str]) -> Iterator[str]:
    """Each condition with its operator: ``created>=2025`` is ``created:>=2025``."""
    for condition in conditions:
        field = condition.rstrip()
        for sign in ("=", "!", "<", ">", "~"):
            field = field.split(sign, 1)[0]
        value = condition[len(field) :].strip()
        value = value[1:].strip() if value.startswith("=") else value
        if not field.strip() or not value:
            raise UsageError(
                f"--where takes FIELD=VALUE, and {one_line(condition, 80)!r} is not of this form.",
                "For example: --where status=open, or --where 'created>=2025-01-01'.",
            )
        yield f"{'-'.join(field.split()).lower()}:{_stated(value, '--conditions')}"


def _path_in(kb: Path, written: str) -> str:
    display_path = one_line(written, 200)
    if any(sign in written for sign in _WILDCARDS):
        return written.removeprefix("./")
    if not written.strip():
        raise UsageError("--in has no path.", "Give a file or a folder, for example: --in runbooks/")
    try:
        # `normpath` keeps symbolic links, by which the index names files.
        path = Path(os.path.normpath(kb / Path(written).expanduser())).relative_to(os.path.normpath(kb))
        is_folder, exists = (kb / path).is_dir(), (kb / path).exists()
    except (OSError, ValueError, RuntimeError):
        raise UsageError(f"{display_path} does not lie in the folder {kb}.", "--in takes a path within it.") from None
    if not exists:
        raise UsageError(f"There is no {display_path} in the folder {kb}.", "--in takes a path within it.")
    if path == Path():
        return "*"
    return f"{path.as_posix()}/" if is_folder else path.as_posix()


def _stated(value: str, option: str) -> str:
    value = value.strip()
    if not value or '"' in value or "\n" in value:
        raise UsageError(f"{option} has no value that can be asked for.", "Give one without quotation marks in it.")
    return value
