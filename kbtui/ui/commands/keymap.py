"""The user's own keys: the table ``[keys]`` of the settings, held against what the commands declare.

What cannot be done is no error: it is said, and the command keeps the keys it is declared with.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace
from textual.keys import KEY_NAME_REPLACEMENTS, REPLACED_KEYS, Keys, _character_to_key, key_to_character

from kbtui.ui.commands import COMMANDS, INSIDE, Command, binding_ids

_MODIFIERS = {"alt", "ctrl", "hyper", "meta", "shift", "super"}

_WRITTEN = {
    **{"up": "↑", "down": "↓", "left": "←", "right": "→", "escape": "esc", "delete": "del"},
    **{"pageup": "pgup", "pagedown": "pgdn", "space": "space", "comma": "comma"},
}
_READ = {**{shown: name for name, shown in _WRITTEN.items()}, "return": "enter"}

_RESERVED = {
    "ctrl+i": "terminals send it as Tab",
    "ctrl+m": "terminals send it as Enter",
    "ctrl+h": "terminals send it as Backspace",
    "ctrl+left_square_bracket": "terminals send it as Escape",
    "ctrl+c": "it copies what is selected",
}


class KeyProblem(Struct, frozen=True, kw_only=True):
    """A line of ``[keys]`` that was left out: why, and what to write instead."""

    message: str
    hint: str


class Keymap(Struct, frozen=True, kw_only=True):
    """The commands with the keys in effect.

    Attributes:
        commands: All of them, in the order declared.
        bindings: Keys by binding id, for Textual, of those that the user changed.
        problems: What was left out.
    """

    commands: tuple[Command, ...] = COMMANDS
    bindings: Mapping[str, str]
    problems: tuple[KeyProblem, ...] = ()


def user_keymap(wanted: Mapping[str, str]) -> Keymap:
    """The commands with the keys of ``wanted``: a command's name, and its keys with commas between them."""
    problems: list[KeyProblem] = []
    changed: dict[str, Command] = {}
    for name, keys in wanted.items():
        found = _changed(name, keys)
        if isinstance(found, KeyProblem):
            problems.append(found)
        else:
            changed[name] = found
    # A command that keeps its keys may be in the way of another: what stays is looked at again until nothing goes.
    while clash := next(_clashes(changed), None):
        name, problem = clash
        del changed[name]
        problems.append(problem)
    return Keymap(
        commands=_in_effect(changed),
        bindings={id: ",".join(command.keys) for command in changed.values() for id in binding_ids(command)},
        problems=tuple(problems),
    )


def key_name(written: str) -> str:
    """Textual's name of a key as people write it (``?``, ``ctrl+Y``, ``pgup``); empty where it is no key."""
    head, _, base = written.strip().rpartition("+")
    if written.strip() and not base and (not head or head.endswith("+")):
        head, base = head.removesuffix("+"), "+"
    modifiers = {part.lower() for part in head.split("+")} if head else set()
    if modifiers or len(base) > 1:
        base = base.lower()
    base = _READ.get(base, base)
    base = _character_to_key(base) if len(base) == 1 else KEY_NAME_REPLACEMENTS.get(base, base)
    if not modifiers <= _MODIFIERS or not (base in _named_keys() or character_of(base)):
        return ""
    return "+".join([*sorted(modifiers), base])


def character_of(key: str) -> str | None:
    """What is typed by a key; None where it types nothing."""
    return key_to_character(REPLACED_KEYS.get(key, key))


def written(key: str) -> str:
    """A key as people write it: ``esc``, ``?``, ``alt+←``, ``F5``."""
    *modifiers, base = key.split("+")
    if base in _WRITTEN:
        base = _WRITTEN[base]
    elif base.startswith("f") and base[1:].isdigit():
        base = base.upper()
    elif (character := character_of(base)) and character.isprintable():
        base = character
    return "+".join([*modifiers, base])


def _named_keys() -> set[str]:
    return {key.value.rpartition("+")[2] for key in Keys if not key.value.startswith("<")}


def _changed(name: str, keys: str) -> Command | KeyProblem:
    """The command with these keys, or why it cannot have them, looked at by itself."""
    command = next((one for one in COMMANDS if one.name == name), None)
    if command is None:
        near = difflib.get_close_matches(name, [one.name for one in COMMANDS], n=1, cutoff=0.5)
        hint = f"Did you mean {near[0]}?" if near else "`kbtui keys` lists every command."
        return KeyProblem(message=f"keys.{name}: there is no such command.", hint=hint)
    if command.digits:
        return _kept(command, "its keys are the figures of the sources", "Take this line out.")
    parts = [part.strip() for part in keys.split(",") if part.strip()]
    names = tuple(dict.fromkeys(key_name(part) for part in parts))
    if not names:
        return _kept(command, "it names no key", "Write one, or several with commas between them.")
    for part, key in zip(parts, map(key_name, parts), strict=True):
        if not key:
            return _kept(command, f"{part} is no key", "Keys are written y, Y, ?, ctrl+y, alt+left, f5, space, comma.")
        if key in _RESERVED:
            return _kept(command, f"{part} cannot be used: {_RESERVED[key]}", "Choose another key.")
        is_first = command.priority and command.scope == "app"
        if character_of(key) and (command.scope in ("prompt", "find", "setting_text") or is_first):
            return _kept(command, f"{part} is typed into questions", f"Choose a chord, such as ctrl+{part}, or f5.")
        if command.scope in _beside_the_prompt() and (use := _editing().get(key)):
            return _kept(command, f"{part} is used while a question is typed ({use})", "Choose another key.")
    return replace(command, keys=names, shown=" ".join(map(written, names)))


def _kept(command: Command, reason: str, hint: str) -> KeyProblem:
    """``keys.copy: e is no key; y stays.``"""
    stays = f"; {command.shown} stays" if command.keys else ""
    return KeyProblem(message=f"keys.{command.name}: {reason}{stays}.", hint=hint)


def _clashes(changed: Mapping[str, Command]) -> Iterator[tuple[str, KeyProblem]]:
    """Changed commands with a key that another command has where both work."""
    declared = {command.name: command for command in COMMANDS}
    for name, command in changed.items():
        around = {command.scope, *_around(command.scope)}
        for other in _in_effect(changed):
            if other.name == name or not (other.scope in around or command.scope in _around(other.scope)):
                continue
            # A key that both have from the start is meant: the inner one comes first.
            taken = set(command.keys) & set(other.keys) - set(declared[name].keys)
            if taken:
                key = written(min(taken))
                hint = f"Give {other.name} another key too, or choose another one here."
                yield (
                    name,
                    _kept(declared[name], f"{key} does something else there ({other.title}: {other.name})", hint),
                )


def _in_effect(changed: Mapping[str, Command]) -> tuple[Command, ...]:
    return tuple(changed.get(command.name, command) for command in COMMANDS)


def _around(scope: str) -> set[str]:
    """The scopes whose keys work in ``scope`` too."""
    direct = INSIDE.get(scope, [])
    return set(direct).union(*map(_around, direct))


def _beside_the_prompt() -> set[str]:
    return _around("prompt")


def _editing() -> dict[str, str]:
    """Chords that edit what is typed, and what they do."""
    from textual.binding import BindingsMap
    from textual.widgets import TextArea

    found = BindingsMap(TextArea.BINDINGS).key_to_bindings
    return {key: bindings[0].description.lower() for key, bindings in found.items() if "+" in key}
