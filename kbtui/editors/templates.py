"""How each editor is told to open a file at a line, and each viewer a page: the tables of ``templates.toml``."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from kbtui.text.built_tables import built_toml


class EditorTemplate(Struct, frozen=True, kw_only=True):
    """One kind of editor.

    Attributes:
        names: Programs that start it.
        args: What follows the program and the reader's own flags; ``{path}`` and ``{line}`` are put in.
        terminal: It draws in the terminal, so the screen has to make room for it.
        terminal_flags: Flags that make a graphical editor draw in the terminal after all.
        graphical_flags: Flags that make a terminal editor open a window after all.
    """

    names: tuple[str, ...]
    args: tuple[str, ...]
    terminal: bool
    terminal_flags: frozenset[str] = frozenset()
    graphical_flags: frozenset[str] = frozenset()


class ViewerTemplate(Struct, frozen=True, kw_only=True):
    """One viewer of PDF files.

    Attributes:
        name: What to call it.
        program: What starts it.
        args: What follows the program; ``{path}``, ``{url}`` and ``{page}`` are put in.
        app: What must be there beside the program; empty for nothing.
    """

    name: str
    program: str
    args: tuple[str, ...]
    app: str = ""


PLUS = ("+{line}", "{path}")


def _template(row: dict[str, Any]) -> EditorTemplate:
    return EditorTemplate(
        names=tuple(row["names"].split()),
        args=tuple(row.get("args", " ".join(PLUS)).split()),
        terminal=row.get("terminal", False),
        terminal_flags=frozenset(row.get("terminal_flags", "").split()),
        graphical_flags=frozenset(row.get("graphical_flags", "").split()),
    )


def _viewer(row: dict[str, Any]) -> ViewerTemplate:
    program = row.get("program", row["name"])
    return ViewerTemplate(name=row["name"], program=program, args=tuple(row["args"].split()), app=row.get("app", ""))


_READ = built_toml(__package__, "templates.toml")
TEMPLATES: tuple[EditorTemplate, ...] = tuple(map(_template, _READ["editor"]))
BY_NAME: dict[str, EditorTemplate] = {name: row for row in TEMPLATES for name in row.names}
INSTALLED_ORDER: tuple[str, ...] = tuple(_READ["installed_order"].split())
"""Tried in this order when nothing says which."""
VIEWERS: tuple[ViewerTemplate, ...] = tuple(map(_viewer, _READ["viewer"]))
"""Tried in this order when nothing says which."""
