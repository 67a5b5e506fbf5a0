"""A real file of each format: ``kbtui ask`` answers from it and names the place. Broken twins are named and skipped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from kbtui.domain.ports import CancelToken
from kbtui.knowledge.base import KnowledgeBase
from kbtui.settings.model import Settings
from tests.cli.conftest import Invoke
from tests.support import documents as made


class Asked(NamedTuple):
    """What is asked of a file, words of the answer, and how its source is named."""

    question: str
    words: str
    label: str


_HANDBOOK: Final = made.pdf(
    [
        made.column(72, 700, ["The quay of Molde was built from granite blocks."]),
        made.column(72, 700, ["The crane of Molde lifts sixty tonnes at low tide."]),
    ]
)
FILES: Final[dict[str, bytes]] = {
    "handbook.pdf": _HANDBOOK,
    "guide.docx": made.docx(),
    "review.pptx": made.pptx(),
    "stations.xlsx": made.xlsx(),
    "lights.epub": made.epub(),
    "tides.ipynb": made.notebook(),
    "fees.eml": made.message("Mooring fees", "The mooring fee rises to 310 kroner in May.", attached="fees.pdf"),
    "office.mbox": made.mbox(
        [
            made.message("Lunch", "Lunch is at noon."),
            made.message("Pilot", "", html="<p>The pilot boat is painted <b>orange</b> every spring.</p>"),
        ]
    ),
    "bundle.zip": made.zipped(
        {
            "notes/whales.md": "# Whales\n\nThe whale survey counted fifty-one minke whales.\n",
            "papers/ice.pdf": made.pdf([[], made.column(72, 700, ["Sea ice at Jan Mayen thinned by a third."])]),
        }
    ),
    "backup.tar.gz": made.tarred({"etc/motd.txt": b"The backup server sleeps on Sundays.\n"}),
    "walrus.md.gz": made.compressed(b"# Walrus\n\nThe walrus colony moved to Torellneset.\n", "gz"),
    "field.org": made.ORG,
    "ferry.adoc": made.ADOC,
    "glacier.tex": made.LATEX,
    "fjordctl.8": made.MANUAL,
    "lockd.8": made.MDOC,
    "road.srt": made.SUBTITLES,
    "ferry.vtt": made.WEBVTT,
    "turbine.svg": made.SVG,
    "network.drawio": made.drawio(),
    "plan.canvas": made.CANVAS,
    "server.xml": made.XML,
}

ASKED: Final[dict[str, Asked]] = {
    "handbook.pdf": Asked("How much does the crane of Molde lift?", "sixty tonnes", "handbook.pdf p.2"),
    "guide.docx": Asked("How long does a rollback of the billing service take?", "eleven minutes", "guide.docx:5"),
    "review.pptx": Asked("Where does the cartography team move?", "Bergen", "review.pptx slide 2"),
    "stations.xlsx": Asked("Who is the keeper of Gaustatoppen?", "Liv Aasen", "stations.xlsx Stations!A2"),
    "lights.epub": Asked("What did the storm of 1907 break?", "northern pier", "lights.epub ch.2"),
    "tides.ipynb": Asked("What is the tide model fitted on?", "forty years of gauges", "tides.ipynb cell 1"),
    "fees.eml": Asked("What does the mooring fee rise to?", "310 kroner", "fees.eml:7"),
    "office.mbox": Asked("In which colour is the pilot boat painted?", "orange", "office.mbox message 2"),
    "bundle.zip": Asked("How many minke whales did the survey count?", "fifty-one", "bundle.zip notes/whales.md:L3"),
    "backup.tar.gz": Asked("When does the backup server sleep?", "Sundays", "backup.tar.gz etc/motd.txt:L1"),
    "walrus.md.gz": Asked("Where did the walrus colony move?", "Torellneset", "walrus.md.gz:3"),
    "field.org": Asked("How many animals did the herd of Finse count in June?", "412", "field.org:6"),
    "ferry.adoc": Asked("What does the ramp of the ferry carry?", "forty tonnes", "ferry.adoc:7"),
    "glacier.tex": Asked("How much ice did the glacier lose in one year?", "two metres", "glacier.tex:6"),
    "fjordctl.8": Asked("What does --drain do?", "Drains the lower lock", "fjordctl.8:"),
    "lockd.8": Asked("On which port does the lockd daemon listen?", "7411", "lockd.8:"),
    "road.srt": Asked("When does the ice road open?", "second week of January", "road.srt 00:01:02"),
    "ferry.vtt": Asked("How many lorries does the ferry carry?", "eleven lorries", "ferry.vtt 00:01:02"),
    "turbine.svg": Asked("At what pressure does valve K7 close?", "nine bar", "turbine.svg:3"),
    "network.drawio": Asked("How many replicas does the archive node keep?", "nine", "network.drawio page Network"),
    "plan.canvas": Asked("For how long does the migration freeze writes?", "ninety seconds", "plan.canvas card 1"),
    "server.xml": Asked("What is the port of the server narvik?", "8471", "server.xml:"),
}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all files, and beside it the cache in which its index is."""
    place = tmp_path_factory.mktemp("formats")
    (place / "docs").mkdir()
    for name, data in FILES.items():
        (place / "docs" / name).write_bytes(data)
    return place


@pytest.mark.parametrize("name", FILES)
def test_an_answer_from_each_format_names_the_place(
    shared: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch, shared_model: None, name: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(shared / "cache"))
    asked = ASKED[name]
    result = invoke("ask", "--kb", str(shared / "docs"), "--no-session", "--json", asked.question)
    answer = [
        event for line in result.stdout.splitlines() if (event := json.loads(line))["kind"] == "answer_completed"
    ][-1]
    text = answer["markdown"]
    assert answer["outcome"] in ("answered", "partial"), text
    assert asked.words in text
    path, _, locator = asked.label.partition(" ")
    mine = [one for one in answer["citations"] if asked.words in (one["quote"] or "")]
    assert mine, (text, answer["citations"])
    if locator:
        assert (mine[0]["path"], mine[0]["locator"]) == (path, locator)
        assert f"[{mine[0]['n']}] {asked.label}" in text
    else:
        path, _, line = asked.label.partition(":")
        assert (mine[0]["path"], mine[0]["locator"]) == (path, None)
        assert line in ("", str(mine[0]["start_line"]))


BROKEN: Final[dict[str, tuple[bytes, str]]] = {
    "locked.pdf": (made.locked_pdf(), "protected by a password"),
    "scan.pdf": (made.pdf([[], []]), "no text layer"),
    "cut.pdf": (_HANDBOOK[:300], "damaged"),
    "cut.docx": (FILES["guide.docx"][:2000], "damaged"),
    "locked.docx": (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"),
        "protected by a password",
    ),
    "cut.pptx": (FILES["review.pptx"][:4000], "damaged"),
    "cut.xlsx": (FILES["stations.xlsx"][:900], "damaged"),
    "old.xlsx": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512), "in an older format than its name says"),
    "cut.epub": (FILES["lights.epub"][:200], "damaged"),
    "cut.ipynb": (FILES["tides.ipynb"][:60], "damaged"),
    "none.eml": (b"no header here\n\ntext", "damaged"),
    "none.mbox": (b"no mailbox here", "damaged"),
    "cut.zip": (FILES["bundle.zip"][:50], "damaged"),
    "cut.tar.gz": (FILES["backup.tar.gz"][:40], "damaged"),
    "cut.md.gz": (FILES["walrus.md.gz"][:20], "damaged"),
    "photo.gz": (made.compressed(b"\x89PNG\r\n\x1a\n\0\0\0", "gz"), "holds no text"),
    "cut.svg": (made.SVG[:90], "damaged"),
    "cut.drawio": (b'<mxfile><diagram name="a">!!!!</diagram></mxfile>', "damaged"),
    "cut.canvas": (made.CANVAS[:30], "damaged"),
}


def test_broken_twins_are_named_with_the_reason_and_cost_no_other_file(tmp_path: Path, invoke: Invoke) -> None:
    for name, (data, _) in BROKEN.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "whole.pdf").write_bytes(_HANDBOOK)
    knowledge = KnowledgeBase(tmp_path, Settings())
    knowledge.ensure_fresh(lambda _: None, CancelToken())
    stored = {file.record.path: file.error for file in knowledge.index.stored_files()}
    assert stored.pop("whole.pdf") == ""
    assert {name: reason in stored[name] for name, (_, reason) in BROKEN.items()} == dict.fromkeys(BROKEN, True), stored
    said = " ".join(knowledge.left_out())
    assert "scan.pdf: no text layer (OCR makes one: `ocrmypdf in.pdf out.pdf`)" in said


def test_search_and_evidence_name_the_place_too(
    shared: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch, shared_model: None
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(shared / "cache"))
    docs = str(shared / "docs")
    found = json.loads(invoke("search", "--kb", docs, "-k", "1", "--json", "crane sixty tonnes").stdout)
    assert (found["path"], found["locator"]) == ("handbook.pdf", "p.1-2")
    shown = invoke("search", "--kb", docs, "-k", "1", "crane sixty tonnes").stdout
    assert "handbook.pdf p.1-2" in shown
    asked = invoke("ask", "--kb", docs, "--no-session", "--json", ASKED["review.pptx"].question).stdout
    graded = [event for line in asked.splitlines() if (event := json.loads(line))["kind"] == "evidence_graded"]
    places = {item["path"]: item["locator"] for event in graded for item in event["items"]}
    assert places["review.pptx"].startswith("slide ")
    assert places.get("guide.docx", "") == ""


def test_an_answer_as_text_says_what_was_left_out_by_kind_where_nothing_was_found(
    tmp_path: Path, invoke: Invoke, shared_model: None
) -> None:
    (tmp_path / "notes.md").write_text("# Notes\n\nThe harbour opens at six.\n")
    (tmp_path / "locked.pdf").write_bytes(made.locked_pdf())
    for name in ("a.png", "b.png", "c.doc"):
        (tmp_path / name).write_bytes(b"\x89PNG\0")
    result = invoke("ask", "--kb", str(tmp_path), "--no-session", "Who invented the telephone?")
    assert "Left out: locked.pdf: protected by a password (save it without one)." in result.stderr
    assert "Left out: 1 .doc (an older format). Save as .docx or PDF." in result.stderr
    assert "Left out: 2 .png (no text)." in result.stderr
    indexed = invoke("index", str(tmp_path))
    assert "3 skipped (2 .png, 1 .doc)" in indexed.stdout
