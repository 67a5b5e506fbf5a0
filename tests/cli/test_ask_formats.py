"""A real file of each format: ``kbtui ask`` answers from it and names the place. Broken twins are named and skipped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from kbtui.domain.ports import CancelToken
from kbtui.knowledge.base import KnowledgeBase
from kbtui.knowledge.reading.walker import walk
from kbtui.settings.model import IndexSettings, Settings
from kbtui.text.file_formats import FORMATS, format_of
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
    "beacon.md": b"# Beacon\n\nThe beacon of Lista flashes every four seconds.\n",
    "pilotage.rst": b"Pilotage\n========\n\nPilots of Farsund board at the outer buoy.\n",
    "tug.txt": b"The tug\n\nThe tug Bjarne pulls thirty-two tonnes.\n",
    "fog.html": b"<h1>Fog</h1>\n<p>The fog horn of Obrestad is heard nine miles away.</p>\n",
    "winch.py": b"# The winch of the slipway turns clockwise to lower a boat.\nCLOCKWISE = 1\n",
    "berths.csv": b"berth,depth,keeper\nSkagen,7 m,Tora Lie\nVarde,11 m,Jon Moe\n",
    "lamp.json": b'{\n  "lantern": "Utsira",\n  "fuel": "acetylene gas"\n}\n',
    "lock.yaml": b"# Sluice\nsluice: Loveid\ngates: seventeen\n",
    "bell.toml": b'# Bell\n[bell]\nfoundry = "Olsen Nauen"\n',
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
    "quarry.tar": made.tarred({"stone.txt": b"The quarry of Larvik ships blue larvikite.\n"}, "w"),
    "dock.tar.xz": made.tarred({"dry.txt": b"The dry dock of Horten is closed in April.\n"}, "w:xz"),
    "walrus.md.gz": made.compressed(b"# Walrus\n\nThe walrus colony moved to Torellneset.\n", "gz"),
    "seal.txt.bz2": made.compressed(b"The seal count of Froan was nine hundred.\n", "bz2"),
    "puffin.txt.xz": made.compressed(b"The puffins of Runde return in the middle of April.\n", "xz"),
    "field.org": made.ORG,
    "ferry.adoc": made.ADOC,
    "glacier.tex": made.LATEX,
    "buoy.pod": made.POD,
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
    "beacon.md": Asked("How often does the beacon of Lista flash?", "four seconds", "beacon.md:3"),
    "pilotage.rst": Asked("Where do pilots of Farsund board?", "outer buoy", "pilotage.rst:4"),
    "tug.txt": Asked("How much does the tug Bjarne pull?", "thirty-two tonnes", "tug.txt:3"),
    "fog.html": Asked("How far away is the fog horn of Obrestad heard?", "nine miles", "fog.html:2"),
    "winch.py": Asked("Which way does the winch of the slipway turn to lower a boat?", "clockwise", "winch.py:1"),
    "berths.csv": Asked("Who is the keeper of berth Varde?", "Jon Moe", "berths.csv:3"),
    "lamp.json": Asked("What is the fuel of the lantern Utsira?", "acetylene gas", "lamp.json:3"),
    "lock.yaml": Asked("How many gates does the sluice Loveid have?", "seventeen", "lock.yaml:"),
    "bell.toml": Asked("Which foundry made the bell?", "Olsen Nauen", "bell.toml:3"),
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
    "quarry.tar": Asked("What does the quarry of Larvik ship?", "blue larvikite", "quarry.tar stone.txt:L1"),
    "dock.tar.xz": Asked("When is the dry dock of Horten closed?", "April", "dock.tar.xz dry.txt:L1"),
    "seal.txt.bz2": Asked("What was the seal count of Froan?", "nine hundred", "seal.txt.bz2:1"),
    "puffin.txt.xz": Asked("When do the puffins of Runde return?", "middle of April", "puffin.txt.xz:1"),
    "walrus.md.gz": Asked("Where did the walrus colony move?", "Torellneset", "walrus.md.gz:3"),
    "field.org": Asked("How many animals did the herd of Finse count in June?", "412", "field.org:6"),
    "ferry.adoc": Asked("What does the ramp of the ferry carry?", "forty tonnes", "ferry.adoc:7"),
    "glacier.tex": Asked("How much ice did the glacier lose in one year?", "two metres", "glacier.tex:6"),
    "buoy.pod": Asked("How often does a buoy of Skudenes flash?", "seconds", "buoy.pod:11"),
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


NO_TEXT: Final = b"\x7fELF\x02\x01\x01\0\0\0 the harbour \0\0\0"
TEXTS: Final = tuple(name for name in FILES if (form := format_of(name)) is None or form.in_place)
"""Files whose lines are those of their text: any text is one, so what is broken of them is text that is none."""


def test_every_format_has_a_file_that_is_asked_and_a_broken_twin() -> None:
    every = {row.name for row in FORMATS} | {"manual page"}
    assert {form.name for name in FILES if (form := format_of(name)) is not None} == every
    assert {form.name for name in (*BROKEN, *TEXTS) if (form := format_of(name)) is not None} == every


def test_files_of_text_that_hold_none_are_named_or_counted_and_cost_no_other_file(tmp_path: Path) -> None:
    for name in TEXTS:
        (tmp_path / name).write_bytes(NO_TEXT)
    (tmp_path / "whole.md").write_bytes(FILES["beacon.md"])
    knowledge = KnowledgeBase(tmp_path, Settings())
    knowledge.ensure_fresh(lambda _: None, CancelToken())
    assert [file.record.path for file in knowledge.index.stored_files()] == ["whole.md"]
    walked = walk(tmp_path, IndexSettings())
    # The ends of code and of manual pages are also those of programs, so these are counted and not named.
    counted = {name for name in TEXTS if name.endswith((".py", ".8"))}
    assert {*walked.paths_by_reason["binary"]} == {*TEXTS} - counted
    assert knowledge.left_out() == (
        f"Left out: beacon.md, bell.toml, berths.csv and {len(TEXTS) - len(counted) - 3} more (no text, whatever the "
        "name says). Save it as text, or exclude it with index.exclude.",
        "Left out: 2 .8, 1 .py (no text).",
    )


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


def test_what_was_written_on_a_day_is_answered_by_the_note_of_that_day(
    tmp_path: Path, invoke: Invoke, shared_model: None
) -> None:
    for day, line in (("2025_03_04", "Met Bo at the boatyard."), ("2025_03_05", "The heater cut out at three.")):
        (tmp_path / f"{day}.md").write_text(f"- {line}\n- Slept on board.\n")
    answer = invoke("ask", "--kb", str(tmp_path), "--no-session", "what did I do on 4 March 2025?").stdout
    assert "*Read as: 2025_03_04 (for 4 March 2025)*" in answer
    assert "Met Bo at the boatyard." in answer
    assert "[1] 2025_03_04.md:L1" in answer
    assert "heater" not in answer
