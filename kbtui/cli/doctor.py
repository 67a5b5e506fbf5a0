"""``kbtui doctor``: checks everything that kbtui needs, and says what to do about each problem."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TextIO

import click

from kbtui.cli import console
from kbtui.cli.checks import (
    check_dependencies,
    check_folders,
    check_log,
    check_python,
    check_ripgrep,
    check_terminal,
)
from kbtui.cli.failures import FAILED
from kbtui.cli.options import json_option, kb_option, no_color_option
from kbtui.domain.health import Check, Status
from kbtui.errors import KbtuiError, SettingsError
from kbtui.settings.model import Settings
from kbtui.settings.secrets import redact

MARKS: dict[Status, tuple[str, str]] = {
    "ok": ("✓ ok  ", "green"),
    "warn": ("! warn", "yellow"),
    "fail": ("✗ fail", "red"),
}


@click.command("doctor")
@kb_option
@json_option("Print one JSON object a check: name, status, detail, todo.")
@click.option("--report", "as_report", is_flag=True, help="Print a report for a bug, without what is private.")
@no_color_option
def command(kb: Path, as_json: bool, as_report: bool) -> int:
    """Check everything kbtui needs. Exit code 1 when something fails; a warning is no failure.

    A configured chat model is asked one question of a few tokens; nothing of the folder is sent.
    """
    from kbtui.text.terminal import one_line

    if as_report:
        if as_json:
            raise click.UsageError("--report is text; leave --json out.")
        from kbtui.cli.report import report

        console.print_line(report(kb, checks(kb)).rstrip("\n"))
        console.say("Read it before you send it: names of files and sources can stand in the log.")
        return 0
    failed = False
    for check in checks(kb):
        failed = failed or check.status == "fail"
        if as_json:
            console.print_json({"name": check.name, "status": check.status, "detail": check.detail, "todo": check.todo})
            continue
        from rich.text import Text

        mark, colour = MARKS[check.status]
        line = (
            Text(mark, style=colour).append(f"  {check.name}", style="bold").append(f"  {one_line(check.detail)}", "")
        )
        out = console.out()
        out.print(line, soft_wrap=True)
        if check.todo:
            out.print(f"         {one_line(check.todo)}", soft_wrap=True)
    return FAILED if failed else 0


def checks(kb: Path, flags: Mapping[str, Any] | None = None, *, output: TextIO | None = None) -> Iterator[Check]:
    """Yield the results of all checks, cheap ones first; a check that raises an error counts as failed.

    Args:
        kb: The folder whose settings and index are checked.
        flags: Settings given on the command line, as for `load_settings`.
        output: The stream of the terminal; standard output by default.
    """
    from kbtui.cli import checks_of_model as model
    from kbtui.cli import checks_of_parts as parts
    from kbtui.settings.load import load_settings

    settings, problem = Settings(), None
    warnings: tuple[str, ...] = ()
    try:
        loaded = load_settings(kb, flags)
        settings, warnings = loaded.settings, loaded.warnings
    except SettingsError as error:
        problem = error
    all_checks: tuple[tuple[str, Callable[[], Iterator[Check]]], ...] = (
        ("python", check_python),
        ("packages", check_dependencies),
        ("terminal", partial(check_terminal, output)),
        ("folders", check_folders),
        ("log file", check_log),
        ("ripgrep", check_ripgrep),
        ("settings", partial(parts.check_settings, problem, kb, warnings)),
        ("chat model", partial(model.check_chat_model, settings)),
        ("keyring", partial(model.check_keyring, settings)),
        ("MCP servers", partial(model.check_mcp_servers, settings)),
        ("web search", partial(model.check_web_search, settings)),
        ("embedding model", partial(parts.check_weights, settings)),
        ("editor", partial(parts.check_editor, settings)),
        ("themes", partial(parts.check_themes, settings)),
        ("keys", partial(parts.check_keys, settings)),
        ("sessions", partial(parts.check_sessions)),
        ("sources", partial(parts.check_sources, settings)),
        ("loader commands", partial(parts.check_commands, settings)),
        ("plug-ins", parts.check_plugins),
        ("index", partial(parts.check_index, settings, kb)),
    )
    for name, check in all_checks:
        try:
            yield from check()
        except KbtuiError as error:
            yield Check(name=name, status="fail", detail=error.message, todo=error.hint)
        # A broken installation may raise any error, which the check is to report.
        except Exception as error:  # noqa: BLE001
            detail = redact(f"could not be checked: {type(error).__name__}: {error}")
            yield Check(
                name=name, status="fail", detail=detail, todo="Reinstall kbtui; if that does not help, report this."
            )
