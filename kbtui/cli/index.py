"""``kbtui index``: brings the index of a folder up to date, and prints a summary."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kbtui.cli import console, signals
from kbtui.cli.failures import say_failure
from kbtui.cli.indexing import Meter, notes, print_report, summary
from kbtui.cli.options import Folder, json_option, no_color_option, own_folder, settings_for
from kbtui.domain.codec import encode
from kbtui.domain.events import Progress, RunCompleted, RunStarted, Warned
from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, FolderNotFound, KbtuiError, SettingsError
from kbtui.runs.run import Run

if TYPE_CHECKING:
    from kbtui.knowledge.store.indexer import Indexer
    from kbtui.settings.model import Settings

WATCH_INTERVAL_S = 2.0
WATCH_SHARE = 0.05
"""Share of one core that looking for changes may take; a folder of 100,000 files is checked twice a minute."""


@click.command("index")
@click.argument("path", type=Folder(), default=".")
@click.option("--rebuild", is_flag=True, help="Make everything anew; the present index serves until that is done.")
@click.option(
    "--ray",
    "cluster",
    metavar="ADDRESS",
    help="Read and embed on a cluster of Ray: HOST:PORT of its head, or `local`.  Needs kbtui[ray].",
)
@click.option("--watch", is_flag=True, help="Stay, and index again whenever the folder changes; ctrl-c ends.")
@json_option("Print progress events, one JSON object a line, and nothing else.")
@no_color_option
def command(path: Path, rebuild: bool, cluster: str | None, watch: bool, as_json: bool) -> None:
    """Bring the index of the folder PATH (default: the current one) up to date: only what changed is read."""
    path = own_folder(path, "index")

    from kbtui.settings.joined import members_of

    # A folder of links stands for several folders, each with an index and settings of its own.
    folders = tuple(members_of(path).values()) or (path,)
    settings = [settings_for(folder).settings for folder in folders]

    cancel = CancelToken()
    # On a signal, what was indexed so far is kept; a second signal ends the program at once.
    with signals.stopping(cancel.cancel), _indexers_on(cluster) as make:
        indexers = tuple(make(folder, own) for folder, own in zip(folders, settings, strict=True))
        _index(indexers, path, cancel, rebuild=rebuild, as_json=as_json)
        if watch:
            _watch(indexers, path, cancel, as_json=as_json)


def _indexers_on(cluster: str | None) -> contextlib.AbstractContextManager[Callable[[Path, Settings], Indexer]]:
    """Makes indexers that work on the cluster at this address, or on this machine."""
    if cluster is not None:
        from kbtui.cluster.indexing import cluster_indexers

        return cluster_indexers(cluster)
    from kbtui.knowledge.store.indexer import Indexer

    return contextlib.nullcontext(Indexer)


def _watch(indexers: Sequence[Indexer], root: Path, cancel: CancelToken, *, as_json: bool) -> None:
    """Check for changes repeatedly, until cancelled.

    Sizes and times of files are compared, which works on network drives too and needs no file system notifications,
    whose number is limited.
    """
    pause, last_message = WATCH_INTERVAL_S, ""
    while True:
        _wait(pause, cancel)
        started = time.monotonic()
        try:
            is_complete = all(indexer.staleness().is_complete for indexer in indexers)
            pause = max(WATCH_INTERVAL_S, (time.monotonic() - started) / WATCH_SHARE)
            if not is_complete:
                _index(indexers, root, cancel, as_json=as_json)
            last_message = ""
        except (Cancelled, FolderNotFound, SettingsError):
            raise
        except KbtuiError as error:
            # The failure, such as a full disk, may be temporary; it is printed once.
            if error.message != last_message:
                say_failure(error.message, error.hint)
            last_message = error.message


def _index(
    indexers: Sequence[Indexer], root: Path, cancel: CancelToken, *, rebuild: bool = False, as_json: bool
) -> None:
    if as_json:
        _index_as_events(indexers, root, cancel, rebuild)
        return
    for indexer in indexers:
        with Meter() as meter:
            report = indexer.run(meter, cancel, rebuild)
        print_report(report)


def _index_as_events(indexers: Sequence[Indexer], root: Path, cancel: CancelToken, rebuild: bool) -> None:
    """Index, and print the events as those of a run of a question."""
    import uuid

    run = Run(uuid.uuid4().hex[:12], (lambda event: console.print_json_text(encode(event)),))
    run.emit(RunStarted(query="index", kb=str(root)))
    for indexer in indexers:
        try:
            report = indexer.run(run.emit, cancel, rebuild)
        except KbtuiError as error:
            run.fail(error)
            raise
        for note in notes(report):
            run.emit(Warned(message=note, where="index"))
        run.emit(Progress(stage="done", done=report.files, total=report.files, message=summary(report)))
    run.emit(RunCompleted(duration_ms=run.elapsed_ms))


def _wait(pause_s: float, cancel: CancelToken) -> None:
    until = time.monotonic() + pause_s
    while time.monotonic() < until:
        cancel.check()
        time.sleep(0.1)
