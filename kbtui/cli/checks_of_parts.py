"""Checks of `kbtui doctor` of parts of kbtui: settings, embedding, editor, themes, sessions, sources and the index."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from kbtui.cli.checks import fail, ok, warn, warn_unless
from kbtui.domain.health import Check
from kbtui.errors import KbtuiError
from kbtui.plugins import EntryPoint, entry_points
from kbtui.settings import paths
from kbtui.settings.model import Settings
from kbtui.text.terminal import one_line

MULTILINGUAL = "paraphrase-multilingual-MiniLM-L12-v2"
"""The model suggested for searching in several languages: small, Apache-2.0, fifty languages."""


def check_settings(problem: KbtuiError | None, kb: Path, warnings: Sequence[str] = ()) -> Iterator[Check]:
    """The settings files and variables.

    Args:
        problem: The error with which loading them failed; None where they were loaded.
        warnings: Warnings of loading them.
    """
    if problem is not None:
        yield fail("settings", problem.message, problem.hint)
        return
    files = [str(file) for file in (paths.config_file(), paths.folder_file(kb)) if file.is_file()]
    yield ok("settings", " and ".join(files) or "defaults, there is no settings file")
    for warning in warnings:
        yield warn("settings", warning, "Change it, or leave it as it is.")


def check_weights(settings: Settings) -> Iterator[Check]:
    """The embedding model: whether it is complete and can be loaded, and which library runs it."""
    from kbtui.knowledge.embedding import BUNDLED, open_embedder, sentence
    from kbtui.knowledge.embedding.multilingual import shared_multilingual

    name = settings.embedding.model
    if name != BUNDLED:
        open_embedder(settings.embedding)
        yield ok("embedding model", f"{name}, through sentence-transformers")
        return
    open_embedder(settings.embedding).load()
    shared_multilingual()
    yield ok("embedding model", "all-MiniLM-L6-v2, int8, SHA-256 as expected, loads and runs")
    extra = "sentence-transformers is installed" if sentence.installed() else f"not installed. {sentence.INSTALL}"
    yield ok("other embedding models", extra)
    yield ok(
        "Chinese by meaning",
        "texts in Chinese, Japanese and Korean have vectors of universal-sentence-encoder-multilingual 3. "
        f'One model for all languages: embedding.model = "{MULTILINGUAL}"',
    )


def check_editor(settings: Settings) -> Iterator[Check]:
    """The editor that opens a line."""
    from kbtui.editors.launch import resolve

    try:
        editor = resolve(settings.editor)
    except KbtuiError as error:
        yield warn("editor", error.message, error.hint)
        return
    yield ok(
        "editor", f"{editor.name} from {editor.source}, {'in the terminal' if editor.terminal else 'in its own window'}"
    )


def check_themes(settings: Settings) -> Iterator[Check]:
    """The themes, bundled and of the user; each one that cannot be loaded is reported."""
    from textual.theme import BUILTIN_THEMES

    from kbtui.ui.theming import load_themes

    themes = load_themes()
    names = {theme.name for theme in themes.loaded}
    is_known = settings.ui.theme in names or settings.ui.theme in BUILTIN_THEMES
    yield warn_unless(
        is_known,
        "themes",
        f"{len(names)} and Textual's own; chosen is {settings.ui.theme}" + ("" if is_known else ", which there is not"),
        f"Set ui.theme to one of {', '.join(sorted(names))}.",
    )
    for failure in themes.failed:
        yield warn("theme", f"{failure.path} was skipped: {failure.reason}", "Mend or delete it.")


def check_keys(settings: Settings) -> Iterator[Check]:
    """The keys that the user set; each line that was ignored is reported."""
    from kbtui.ui.commands.keymap import user_keymap

    keymap = user_keymap(settings.keys)
    if keymap.bindings:
        yield ok("keys", f"{len(settings.keys) - len(keymap.problems)} of the commands have keys of yours")
    for problem in keymap.problems:
        yield warn("keys", problem.message, problem.hint)


def check_sessions() -> Iterator[Check]:
    """The recorded sessions; those that cannot be opened are listed."""
    from kbtui.sessions.store import SessionStore

    store = SessionStore()
    sessions = store.list()
    broken = [session for session in sessions if session.problem]
    size = sum(session.size for session in sessions)
    yield warn_unless(
        not broken,
        "sessions",
        f"{len(sessions)} in {store.folder}, {size / 1e6:.1f} MB"
        + (f"; cannot be opened: {', '.join(session.session_id for session in broken[:5])}" if broken else ""),
        "kbtui sessions delete removes them.",
    )


def check_sources(settings: Settings) -> Iterator[Check]:
    """The configured data sources, each opened without changing it."""
    from kbtui.cli.source_probe import describe
    from kbtui.settings.sources import parse_entry

    for source in map(parse_entry, settings.data_sources):
        try:
            yield ok(f"source {source.name}", describe(source))
        except KbtuiError as error:
            yield warn(f"source {source.name}", error.message, error.hint)


def check_commands(settings: Settings) -> Iterator[Check]:
    """The commands of the settings that print the text of files, and whether their programs are installed."""
    for pattern, command in settings.index.commands.items():
        program = next(iter(command.split()), "")
        yield warn_unless(
            shutil.which(program) is not None,
            "loader command",
            f"{pattern} is read by {command}",
            "Its program was not found: install it, or correct index.commands.",
        )


def check_plugins() -> Iterator[Check]:
    """What other packages bring; each part that cannot be loaded is reported. Their code is run."""
    from kbtui.data import plugin as sources
    from kbtui.text.file_formats import ENTRY_POINT_GROUP, plugin_formats, plugin_suffix
    from kbtui.tools import load_plugins

    for entry in entry_points(ENTRY_POINT_GROUP):
        suffix = plugin_suffix(entry)
        if (row := plugin_formats().get(suffix)) is None or row.plugin != entry:
            yield warn(
                "plug-in", f"the loader of {entry.package} for {suffix} is not used", "Something else reads such files."
            )
            continue
        yield from _loaded(entry, f"{entry.package} reads {suffix}")
    for entry in entry_points(sources.ENTRY_POINT_GROUP):
        if entry.name.lower() in sources.OWN_SCHEMES:
            yield warn(
                "plug-in",
                f"the source of {entry.package} for {entry.name} is not used",
                "kbtui opens such addresses itself.",
            )
        else:
            yield from _loaded(entry, f"{entry.package} opens {entry.name}://")
    tools, problems = load_plugins()
    for tool in tools:
        yield ok("plug-in", f"the tool {tool.name}")
    for problem in problems:
        yield warn("plug-in", problem, "Update or remove that package.")


def _loaded(entry: EntryPoint, detail: str) -> Iterator[Check]:
    try:
        entry.load()
    except Exception as error:  # noqa: BLE001 - code of third parties; the program works without it
        reason = one_line(str(error), 100)
        yield warn(
            "plug-in",
            f"{entry.name} of {entry.package} could not be loaded: {reason}",
            "Update or remove that package.",
        )
    else:
        yield ok("plug-in", detail)


def check_index(settings: Settings, kb: Path) -> Iterator[Check]:
    """The index of the folder, or of each that it stands for, and what has changed; or a published collection."""
    from kbtui.settings.joined import members_of
    from kbtui.settings.published import url_of

    if url := url_of(kb):
        yield _check_collection(url, settings)
        return
    for folder in members_of(kb).values() or (kb,):
        yield from _check_index_of(settings, folder)


def _check_index_of(settings: Settings, kb: Path) -> Iterator[Check]:
    from kbtui.knowledge.store.index import Index

    index = Index(kb, settings)
    try:
        if not index.exists:
            yield ok("index", f"none yet for {kb}; asking or kbtui index makes it")
            return
        from kbtui.knowledge.store.indexer import Indexer

        stats, stale = index.stats(), Indexer(kb, settings).staleness()
    except KbtuiError as error:
        yield fail("index", error.message, error.hint)
        return
    state = "up to date"
    if changed_count := stale.added + stale.changed + stale.removed:
        state = f"{changed_count} files have changed since, the next question takes them up"
    yield ok(
        "index",
        f"{stats.files:,} files, {stats.chunks:,} chunks, {stats.size_bytes / 1e6:.0f} MB of {kb}; {state}",
    )


def _check_collection(url: str, settings: Settings) -> Check:
    from kbtui.domain.ports import CancelToken
    from kbtui.publishing.collection import Collection

    collection = Collection(url, settings.published)
    try:
        generation = collection.open(lambda _: None, CancelToken())
    except KbtuiError as error:
        return fail("index", error.message, error.hint)
    if (warning := collection.warning()) is not None:
        return warn("index", warning.message, "")
    files, size_mb = len(generation.manifest.files), generation.manifest.size / 1e6
    published_at = generation.pointer.published_at
    return ok("index", f"{files:,} files, {size_mb:.0f} MB of {url}, published {published_at}")
