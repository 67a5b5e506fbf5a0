"""Applies the user's keys, the table ``[keys]`` of the settings, to the commands.

An assignment that is not valid is reported as a problem, and the command keeps its declared keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace
from textual.keys import KEY_NAME_REPLACEMENTS, REPLACED_KEYS, Keys, _character_to_key, key_to_character

from kbtui.errors import nearest
from kbtui.i18n import N_, _
from kbtui.ui.commands import COMMANDS, INSIDE, Command, binding_ids

_MODIFIERS = {"alt", "ctrl", "hyper", "meta", "shift", "super"}

_DISPLAY_NAMES = {
    **{"up": "↑", "down": "↓", "left": "←", "right": "→", "escape": "esc", "delete": "del"},
    **{"pageup": "pgup", "pagedown": "pgdn", "space": "space", "comma": "comma"},
}
_KEY_NAMES = {**{shown: name for name, shown in _DISPLAY_NAMES.items()}, "return": "enter"}

_RESERVED = {
    "ctrl+i": N_("terminals send it as Tab"),
    "ctrl+m": N_("terminals send it as Enter"),
    "ctrl+h": N_("terminals send it as Backspace"),
    "ctrl+left_square_bracket": N_("terminals send it as Escape"),
    "ctrl+c": N_("it copies what is selected"),
}


class KeyProblem(Struct, frozen=True, kw_only=True):
    """An assignment of ``[keys]`` that was ignored: the reason, and what to write instead."""

    message: str
    hint: str


class Keymap(Struct, frozen=True, kw_only=True):
    """The commands with the keys in effect.

    Attributes:
        commands: All commands, in order of declaration.
        bindings: Keys by Textual's binding id, for the commands that the user changed.
        problems: Assignments that were ignored.
    """

    commands: tuple[Command, ...] = COMMANDS
    bindings: Mapping[str, str]
    problems: tuple[KeyProblem, ...] = ()


def user_keymap(user_keys: Mapping[str, str]) -> Keymap:
    """The commands with the keys of ``user_keys``, which maps names of commands to keys separated by commas."""
    problems: list[KeyProblem] = []
    changed: dict[str, Command] = {}
    for name, keys in user_keys.items():
        result = _with_keys(name, keys)
        if isinstance(result, KeyProblem):
            problems.append(result)
        else:
            changed[name] = result
    # A command that keeps its declared keys may clash with another one, so clashes are resolved until none is left.
    while clash := next(_clashes(changed), None):
        name, problem = clash
        del changed[name]
        problems.append(problem)
    return Keymap(
        commands=_effective_commands(changed),
        bindings={id: ",".join(command.keys) for command in changed.values() for id in binding_ids(command)},
        problems=tuple(problems),
    )


def key_name(text: str) -> str:
    """Textual's name of a key as people write it (``?``, ``ctrl+Y``, ``pgup``); empty where it is no key."""
    head, _, base = text.strip().rpartition("+")
    if text.strip() and not base and (not head or head.endswith("+")):
        head, base = head.removesuffix("+"), "+"
    modifiers = {part.lower() for part in head.split("+")} if head else set()
    if modifiers or len(base) > 1:
        base = base.lower()
    base = _KEY_NAMES.get(base, base)
    base = _character_to_key(base) if len(base) == 1 else KEY_NAME_REPLACEMENTS.get(base, base)
    if not modifiers <= _MODIFIERS or not (base in _named_keys() or character_of(base)):
        return ""
    return "+".join([*sorted(modifiers), base])


def character_of(key: str) -> str | None:
    """The character that a key types; None if it types none."""
    return key_to_character(REPLACED_KEYS.get(key, key))


def key_display(key: str) -> str:
    """A key for display, such as ``esc``, ``?``, ``alt+←`` or ``F5``."""
    *modifiers, base = key.split("+")
    if base in _DISPLAY_NAMES:
        base = _DISPLAY_NAMES[base]
    elif base.startswith("f") and base[1:].isdigit():
        base = base.upper()
    elif (character := character_of(base)) and character.isprintable():
        base = character
    return "+".join([*modifiers, base])


def _named_keys() -> set[str]:
    return {key.value.rpartition("+")[2] for key in Keys if not key.value.startswith("<")}


def _with_keys(name: str, keys: str) -> Command | KeyProblem:
    """The command with these keys, or the problem with them, regardless of other commands."""
    command = next((candidate for candidate in COMMANDS if candidate.name == name), None)
    if command is None:
        similar = nearest(name, (candidate.name for candidate in COMMANDS), 0.5)
        hint = _("Did you mean {name}?", name=similar) if similar else _("`kbtui keys` lists every command.")
        return KeyProblem(message=_("keys.{name}: there is no such command.", name=name), hint=hint)
    if command.digits:
        return _problem(command, _("its keys are the figures of the sources"), _("Take this line out."))
    parts = [part.strip() for part in keys.split(",") if part.strip()]
    names = tuple(dict.fromkeys(key_name(part) for part in parts))
    if not names:
        return _problem(command, _("it names no key"), _("Write one, or several with commas between them."))
    for part, key in zip(parts, map(key_name, parts), strict=True):
        if not key:
            hint = _("Keys are written y, Y, ?, ctrl+y, alt+left, f5, space, comma.")
            return _problem(command, _("{key} is no key", key=part), hint)
        if key in _RESERVED:
            reason = _("{key} cannot be used: {reason}", key=part, reason=_(_RESERVED[key]))
            return _problem(command, reason, _("Choose another key."))
        is_first = command.priority and command.scope == "app"
        if character_of(key) and (command.scope in ("prompt", "find", "setting_text", "name_text") or is_first):
            hint = _("Choose a chord, such as ctrl+{key}, or f5.", key=part)
            return _problem(command, _("{key} is typed into questions", key=part), hint)
        if command.scope in _beside_the_prompt() and (use := _editing_chords().get(key)):
            reason = _("{key} is used while a question is typed ({use})", key=part, use=use)
            return _problem(command, reason, _("Choose another key."))
    return replace(command, keys=names, shown=" ".join(map(key_display, names)))


def _problem(command: Command, reason: str, hint: str) -> KeyProblem:
    """A problem with the message ``keys.copy: e is no key; y stays.``"""
    stays = _("; {keys} stays", keys=command.shown) if command.keys else ""
    return KeyProblem(message=f"keys.{command.name}: {reason}{stays}.", hint=hint)


def _clashes(changed: Mapping[str, Command]) -> Iterator[tuple[str, KeyProblem]]:
    """Changed commands with a key that another command has in the same scope, with their problems."""
    declared = {command.name: command for command in COMMANDS}
    for name, command in changed.items():
        scopes = {command.scope, *_enclosing_scopes(command.scope)}
        for other in _effective_commands(changed):
            if other.name == name or not (other.scope in scopes or command.scope in _enclosing_scopes(other.scope)):
                continue
            # A key that both commands are declared with is intended; the inner scope takes precedence.
            shared = set(command.keys) & set(other.keys) - set(declared[name].keys)
            if shared:
                key = key_display(min(shared))
                use = f"{_(other.title)}: {other.name}"
                reason = _("{key} does something else there ({use})", key=key, use=use)
                hint = _("Give {name} another key too, or choose another one here.", name=other.name)
                yield name, _problem(declared[name], reason, hint)


def _effective_commands(changed: Mapping[str, Command]) -> tuple[Command, ...]:
    return tuple(changed.get(command.name, command) for command in COMMANDS)


def _enclosing_scopes(scope: str) -> set[str]:
    """The scopes around ``scope``, whose keys work in it too."""
    direct = INSIDE.get(scope, [])
    return set(direct).union(*map(_enclosing_scopes, direct))


def _beside_the_prompt() -> set[str]:
    return _enclosing_scopes("prompt")


def _editing_chords() -> dict[str, str]:
    """Chords that edit text in the prompt, with their descriptions."""
    from textual.binding import BindingsMap
    from textual.widgets import TextArea

    keys = BindingsMap(TextArea.BINDINGS).key_to_bindings
    return {key: bindings[0].description.lower() for key, bindings in keys.items() if "+" in key}
