"""The texts of the program that can be translated, read from its code and from the declaration of its commands."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kbtui.settings.reference import all_settings

PACKAGE = Path(__file__).parents[2] / "kbtui"
COMMANDS = PACKAGE / "ui" / "commands" / "commands.toml"
LINEAR = PACKAGE / "cli" / "linear.py"
_MARKED = {"_": 0, "N_": 0, "ngettext": 0, "pgettext": 1}
"""Which argument of these functions is the text."""
_ASKED = re.compile(r"ask_for\('(.+)'\)")


@dataclass(frozen=True)
class Source:
    """One text: where it stands, its plural where it counts something, its context where it is said in one.

    Without a text, any may be said in the context.
    """

    text: str
    place: str
    plural: str = ""
    context: str = ""


def sources() -> list[Source]:
    """Every text, in the order of the files."""
    found = [*_of_commands(), *_of_settings()]
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text("utf-8")
        if "kbtui.i18n import" in text:
            module = ast.parse(text)
            found += _of_module(module, path)
            if path == LINEAR:
                found += _of_linear(module)
    return found


def _of_commands() -> Iterator[Source]:
    for command in tomllib.loads(COMMANDS.read_text("utf-8"))["command"]:
        for field in ("title", "help", "hint"):
            if command.get(field):
                yield Source(command[field], f"{command['name']}.{field}", context=command["name"])
        yield Source(command["group"], f"{command['name']}.group")
        if asked := _ASKED.fullmatch(command["action"]):
            yield Source(asked[1], f"{command['name']}.action")


def _of_settings() -> Iterator[Source]:
    """What the list of settings says of each."""
    for setting in all_settings().values():
        yield Source(setting.description, setting.key)


def _of_linear(module: ast.Module) -> Iterator[Source]:
    """What /help says of a command: the text under its method."""
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("do_"):
            yield Source(ast.get_docstring(node) or "", f"cli/linear.py:{node.lineno}")


def _of_module(module: ast.Module, path: Path) -> Iterator[Source]:
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _MARKED:
            name, place = node.func.id, f"{path.relative_to(PACKAGE)}:{node.lineno}"
            texts = [arg.value if isinstance(arg, ast.Constant) else None for arg in node.args]
            text = texts[_MARKED[name]]
            if text is None:
                # A text of a table, which is marked there.
                assert name in ("_", "pgettext"), f"{place}: {name} needs the text itself"
                if name == "_":
                    continue
            yield Source(
                text or "",
                place,
                plural=str(texts[1]) if name == "ngettext" else "",
                context=str(texts[0]) if name == "pgettext" else "",
            )
