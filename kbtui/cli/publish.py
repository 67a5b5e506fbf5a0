"""``kbtui publish``: puts a generation of a folder's index on object storage."""

from __future__ import annotations

from pathlib import Path

import click

from kbtui.cli import console, signals
from kbtui.cli.indexing import Meter
from kbtui.cli.options import Folder, json_option, no_color_option, own_folder, settings_for
from kbtui.domain.ports import CancelToken
from kbtui.text.plurals import counted


@click.command("publish")
@click.argument("path", metavar="FOLDER", type=Folder())
@click.argument("url", metavar="URL")
@click.option(
    "--keep",
    metavar="N",
    type=click.IntRange(1, 1_000),
    help="Generations to leave there.  [default: published.keep]",
)
@click.option("--whole", is_flag=True, help="Send everything, also what is there already; mends a damaged collection.")
@json_option("Print one JSON object: what was published.")
@no_color_option
def command(path: Path, url: str, keep: int | None, whole: bool, as_json: bool) -> None:
    """Put the index and the texts of FOLDER at URL (s3://bucket/prefix, or a name from the settings).

    The folder is indexed first. Readers switch when everything is there: kbtui --kb URL. Credentials are those of other
    AWS tools (environment, AWS_PROFILE, roles); AWS_ENDPOINT_URL names another server than Amazon's.
    """
    from kbtui.errors import UsageError
    from kbtui.settings.published import collection_url

    path = own_folder(path, "publish")
    settings = settings_for(path, {"published.keep": keep}).settings
    address = collection_url(url, settings.published.names)
    if not address:
        raise UsageError(
            f"{url} is no address of object storage.", "Give s3://bucket/prefix, or a name of published.names."
        )

    from kbtui.publishing.publish import Publisher

    cancel = CancelToken()
    with signals.stopping(cancel.cancel), Meter() as meter:
        report = Publisher(path, address, settings).publish(meter, cancel, whole=whole)
    if as_json:
        console.print_json(
            {
                "url": address,
                "generation": report.generation,
                "new": report.is_new,
                "files": report.files,
                "bytes": report.size,
                "sent_bytes": report.sent,
                "removed": report.removed,
            }
        )
        return
    if not report.is_new:
        console.print_line(f"{address} has the same contents already: generation {report.generation}")
        return
    if report.problem:
        console.warn(f"older generations were not removed: {report.problem}")
    removed = f" · {counted(report.removed, 'older generation')} removed" if report.removed else ""
    console.print_line(
        f"{address} · generation {report.generation} · {counted(report.files, 'file')} · "
        f"{report.size / 1e6:,.1f} MB, {report.sent / 1e6:,.1f} MB of them sent{removed}"
    )
    console.say(f"To ask it: kbtui {address}, or kbtui ask --kb {address} QUESTION")
