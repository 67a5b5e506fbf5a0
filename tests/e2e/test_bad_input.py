"""What goes wrong outside of the program, each through the real command line: folders, files, disks, questions.

Whatever it is, the user reads a message and a hint, nothing is lost, and no traceback is shown.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kbtui.bootstrap import Engine
from kbtui.domain.ports import CancelToken
from kbtui.knowledge.store.indexer import Indexer
from kbtui.settings import paths
from kbtui.settings.model import Settings
from tests.support.terminal import kbtui

Done = subprocess.CompletedProcess[str]

QUESTION = "When should I roll back a deploy?"
ANSWER = "Roll back when the error rate stays above two percent"


def run(*words: str, stdin: bytes = b"", prefix: tuple[str, ...] = (), **env: str) -> Done:
    """Run the program as a user does; standard output and error as text, whatever they hold."""
    done = subprocess.run(
        [*prefix, *kbtui(*words)], input=stdin, capture_output=True, env={**os.environ, **env}, timeout=120, check=False
    )
    out, err = (stream.decode("utf-8", "surrogateescape") for stream in (done.stdout, done.stderr))
    assert "Traceback" not in out + err
    assert "unexpected" not in err
    return Done(done.args, done.returncode, out, err)


def index(kb: Path) -> None:
    Indexer(kb, Settings()).run(lambda _event: None, CancelToken())


def failure(done: Done) -> tuple[str, str]:
    """The message and the hint a failed command ends with."""
    message, hint = done.stderr.removesuffix("\n").split("\n")[-2:]
    assert message.startswith("kbtui: ")
    assert hint.startswith("hint: ")
    return message, hint


def warnings(done: Done) -> list[str]:
    return [line.removeprefix("kbtui: warning: ") for line in done.stderr.split("\n") if "kbtui: warning: " in line]


def stand_in() -> tuple[str, ...]:
    """What to put before a command so that permissions stop it even when root runs the tests."""
    if os.geteuid() != 0:
        return ()
    if shutil.which("setpriv") is None:
        pytest.skip("root may read everything, and setpriv, which could take that right away, is not installed")
    return ("setpriv", "--bounding-set=-dac_override,-dac_read_search")


@pytest.fixture
def kb(new_kb: Path) -> Path:
    return new_kb


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of one megabyte with nothing on it."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = shutil.which("mount") and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], capture_output=True, check=False
    )
    if not mounted or mounted.returncode != 0:
        # tests/knowledge/store/test_indexer_interruptions.py and tests/sessions/test_recorder.py do it without one.
        pytest.skip("a file system of its own cannot be mounted here")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def fill(disk: Path) -> None:
    with (disk / "filler").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            pass


# Folders ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["index", "ask"])
def test_a_folder_that_is_none_or_may_not_be_read(command: str, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("text")
    (tmp_path / "closed").mkdir(mode=0o000)
    folder = (lambda path: [path]) if command == "index" else (lambda path: ["--kb", path, "what is it?"])
    for path, said in (("nothing", "There is no folder"), ("a.md", "is not a folder"), ("closed", "may not be read")):
        done = run(command, *folder(str(tmp_path / path)), prefix=stand_in())
        assert done.returncode == 2
        assert said in failure(done)[0]


def test_an_empty_folder_is_said_to_be_empty(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    folder.mkdir()
    assert warnings(run("index", str(folder))) == [
        "There are no files in this folder. Put documents into it, or open another folder."
    ]
    done = run("ask", "--kb", str(folder), "What is this about?")
    assert done.returncode == 3
    assert "There are no files in this folder." in done.stdout


def test_a_folder_that_goes_away_while_it_is_indexed(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    folder.mkdir()
    for number in range(1000):
        (folder / f"{number}.md").write_text("# Note\n\nThe same words in every note.\n" * 40)
    child = subprocess.Popen(kbtui("index", "--json", str(folder)), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None
    for line in child.stdout:
        if (event := json.loads(line)).get("stage") == "read" and event["done"]:
            folder.rename(tmp_path / "elsewhere")
            break
    out, err = child.communicate(timeout=120)
    assert child.returncode == 2
    assert json.loads(out.strip().split(b"\n")[-1])["error"] == "FolderNotFound"
    assert b"went away" in err
    assert b"hint: " in err
    assert b"Traceback" not in err


@pytest.mark.parametrize("count", [1_500, pytest.param(10_000, marks=pytest.mark.soak)])
def test_thousands_of_tiny_files(count: int, tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    for number in range(count):
        if number % 100 == 0:
            (folder / str(number // 100)).mkdir(parents=True)
        (folder / str(number // 100) / f"{number}.txt").write_bytes(b"The same few words.\n")
    done = run("index", str(folder))
    assert done.returncode == 0
    assert done.stdout.startswith(f"{count:,} files · {count:,} chunks · ")


# Files --------------------------------------------------------------------------------------------------------------

CHINESE = "值班每周三上午十点交接，{animal}的密码是红色。"
TRADITIONAL = "值班每週三上午十點交接，{animal}的密碼是藍色。"
CONTENTS: dict[str, bytes] = {
    "gbk.md": ("# 说明\n\n" + CHINESE.format(animal="狐狸") + "\n").encode("gbk"),
    "big5.md": ("# 說明\n\n" + TRADITIONAL.format(animal="老虎") + "\n").encode("big5"),
    "utf16.md": "# Mark\n\nThe kestrel password is green.\n".encode("utf-16"),
    "utf16-without-mark.md": "# None\n\nThe merlin password is yellow.\n".encode("utf-16-le"),
    "broken.md": "# 说明\n\n这里的鹭的密码是紫色，其余都好。\n".encode() * 5 + b"cut \xe7\xb4",
    "empty.md": b"",
    "newlines.md": b"\n" * 5000,
    "one-line.md": b"lorem ipsum " * 83_000 + b"the heron password is violet",
    "one-word.md": b"x" * 1_000_000,
    "hostile.md": b"# Hostile [bold red]page[/]\n\nThe numbat password is \x1b[31mred\x1b[0m \x1b]0;owned\x07\x1b[2J "
    b"[link=x]y[/link] ]] [@click=app.quit]z[/]\n",
    "new\nline.md": b"The ocelot password is teal.\n",
    "br[ack]et[bold]s.md": b"The serval password is teal.\n",
    "esc\x1b[31m\x1b]0;owned\x07.md": b"The caracal password is teal.\n",
    "binary.md": bytes(range(256)) * 40,
}


@pytest.fixture
def odd_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "odd"
    folder.mkdir()
    for name, content in CONTENTS.items():
        (folder / name).write_bytes(content)
    with (folder / "huge.md").open("wb") as file:
        file.truncate(200 << 20)
    (folder / os.fsdecode(b"bad\xff.md")).write_text("no name")
    (folder / "closed").mkdir()
    (folder / "closed" / "inner.md").write_text("closed")
    (folder / "secret.md").write_text("closed")
    (folder / "loop").mkdir()
    for link, target in (("self", "self"), ("up", ".."), ("a", "b"), ("b", "a"), ("gone.md", "nowhere"), ("etc", "/")):
        (folder / "loop" / link).symlink_to(target)
    os.mkfifo(folder / "pipe.md")
    (folder / "closed").chmod(0o000)
    (folder / "secret.md").chmod(0o000)
    return folder


def test_odd_files_cost_no_other_file_and_what_is_left_out_is_named(odd_folder: Path) -> None:
    prefix = stand_in()
    done = run("index", str(odd_folder), prefix=prefix)
    assert done.returncode == 0
    assert done.stdout.startswith("13 files · ")
    assert "(1 .md, 1 pipes or devices, 1 too large, 1 with names that are not UTF-8, 2 unreadable, 6 links)" in (
        re.sub(r"\(([^)]*)\)", lambda found: f"({', '.join(sorted(found[1].split(', ')))})", done.stdout)
    )
    said = warnings(done)
    assert [re.search(r"Left out: (.*) \(", line)[1] for line in said] == [  # type: ignore[index]
        "huge.md",
        "closed/, secret.md",
        "binary.md",
        "bad\ufffd.md",
    ]
    assert all(line.rstrip().endswith(".") for line in said)

    found = run("search", "--kb", str(odd_folder), "--json", "-k", "50", "password 密码 密碼", prefix=prefix)
    lines = {hit["path"]: hit["text"] for hit in map(json.loads, found.stdout.strip().split("\n"))}
    assert CHINESE.format(animal="狐狸") in lines["gbk.md"]
    assert TRADITIONAL.format(animal="老虎") in lines["big5.md"]
    assert "The kestrel password is green." in lines["utf16.md"]
    assert "The merlin password is yellow." in lines["utf16-without-mark.md"]
    assert "这里的鹭的密码是紫色" in lines["broken.md"]
    assert {"new\nline.md", "br[ack]et[bold]s.md", "esc\x1b[31m\x1b]0;owned\x07.md"} <= lines.keys()


def test_no_document_and_no_file_name_steers_the_terminal(odd_folder: Path) -> None:
    done = run("search", "--kb", str(odd_folder), "-k", "50", "numbat caracal ocelot password")
    assert "The numbat password is red  [link=x]y[/link] ]] [@click=app.quit]z[/]" in done.stdout
    for path in ("esc.md:1", "new line.md:1", "br[ack]et[bold]s.md:1"):
        assert f"  {path}" in done.stdout
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", done.stdout + done.stderr)


def test_a_file_that_changed_since_it_was_indexed_is_cited_as_changed(kb: Path) -> None:
    index(kb)
    page = kb / "runbooks" / "rollback.md"
    page.write_text(page.read_text().replace("two percent", "nine percent"))
    done = run("ask", "--kb", str(kb), QUESTION, KBTUI_INDEX__AUTO="false")
    assert "nine percent" in done.stdout
    assert any("runbooks/rollback.md" in line and "changed since it was indexed" in line for line in warnings(done))


# The index and its disk ---------------------------------------------------------------------------------------------


def index_of(kb: Path) -> Path:
    return next(path for path in paths.index_dir(kb).glob("g*") if path.is_dir())


def cut_chunks(generation: Path) -> None:
    for file in (generation / "chunks.lance" / "data").iterdir():
        os.truncate(file, 100)


def scribble(generation: Path) -> None:
    for file in generation.rglob("*.manifest"):
        file.write_bytes(b"\x00garbage\xff" * 9)


def be_of_another_version(generation: Path) -> None:
    meta = json.loads((generation / "meta.json").read_text())
    (generation / "meta.json").write_text(json.dumps({**meta, "schema_version": 99}))


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (cut_chunks, "damaged; it is made anew"),
        (scribble, "damaged; it is made anew"),
        (be_of_another_version, "made by another version of kbtui"),
    ],
    ids=["cut", "garbage", "other version"],
)
def test_an_index_that_cannot_be_used_is_made_anew_and_the_question_answered(
    kb: Path, damage: Callable[[Path], None], said: str
) -> None:
    index(kb)
    damage(index_of(kb))
    done = run("ask", "--kb", str(kb), QUESTION)
    assert done.returncode == 0
    assert ANSWER in done.stdout
    assert [said in line for line in warnings(done)] == [True]
    assert not Indexer(kb, Settings()).staleness().is_stale


def test_a_cache_folder_that_cannot_be_written(kb: Path) -> None:
    prefix = stand_in()
    closed = paths.cache_dir().parent
    closed.mkdir(parents=True, mode=0o500)
    message, hint = failure(run("ask", "--kb", str(kb), QUESTION, prefix=prefix))
    assert "cannot be read or written: Permission denied" in message
    assert "XDG_CACHE_HOME" in hint

    closed.chmod(0o700)
    index(kb)
    (kb / "new.md").write_text("# Wombats\n\nThe wombat sleeps at noon.\n")
    for folder in (path for path in closed.rglob("*") if path.is_dir()):
        folder.chmod(0o500)
    done = run("ask", "--kb", str(kb), QUESTION, prefix=prefix)
    assert done.returncode == 0
    assert ANSWER in done.stdout
    assert [line.startswith("The answer is from the index as it was.") for line in warnings(done)] == [True]
    for folder in (path for path in closed.rglob("*") if path.is_dir()):
        folder.chmod(0o700)


def test_a_full_disk_for_the_index(kb: Path, small_disk: Path) -> None:
    before = {path: path.read_bytes() for path in kb.rglob("*") if path.is_file()}
    message, hint = failure(run("index", str(kb), XDG_CACHE_HOME=str(small_disk)))
    assert re.search(r"The index needs \d+ MB in .*, where [01] MB are free", message)
    assert "XDG_CACHE_HOME" in hint
    fill(small_disk)
    message, _ = failure(run("ask", "--kb", str(kb), QUESTION, XDG_CACHE_HOME=str(small_disk)))
    assert "free" in message or "No space left" in message
    assert {path: path.read_bytes() for path in kb.rglob("*") if path.is_file()} == before


def test_a_full_disk_for_sessions_costs_the_recording_and_not_the_answer(kb: Path, small_disk: Path) -> None:
    fill(small_disk)
    done = run("ask", "--kb", str(kb), QUESTION, XDG_DATA_HOME=str(small_disk))
    assert done.returncode == 0
    assert ANSWER in done.stdout
    assert ["not being recorded" in line and "Free some space" in line for line in warnings(done)] == [True]
    assert run("sessions", "list", XDG_DATA_HOME=str(small_disk)).stdout == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_standard_output_on_a_full_disk() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(kbtui("config", "show"), stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("kbtui: The disk is full.\nhint: ")


# Programs, settings, sessions ---------------------------------------------------------------------------------------


def test_without_ripgrep_it_is_slower_and_says_so(kb: Path, tmp_path: Path) -> None:
    # The one beside the interpreter is found first, so the interpreter is said to be elsewhere; workers start there.
    elsewhere = tmp_path / "python"
    elsewhere.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n', encoding="utf-8")
    elsewhere.chmod(0o755)
    start = f"import sys; sys.executable = {str(elsewhere)!r}; from kbtui.__main__ import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", start, "ask", "--kb", str(kb), "Where is MAX_RETRIES defined?"],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": str(tmp_path)},
        check=False,
    )
    assert done.returncode == 0
    assert "config.py:L4" in done.stdout
    assert "ripgrep was not found; searching slower" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_setting_that_nobody_knows(kb: Path) -> None:
    file = paths.config_file()
    file.parent.mkdir(parents=True)
    file.write_text("[agent]\nmax_iteration = 3\n")
    done = run("ask", "--kb", str(kb), QUESTION)
    assert done.returncode == 2
    assert failure(done) == (
        f"kbtui: {file}, line 2: there is no setting agent.max_iteration.",
        "hint: Did you mean agent.max_iterations?",
    )


def test_a_session_that_was_cut_is_shown_up_to_there_and_one_that_is_none_is_refused(kb: Path) -> None:
    Engine(Settings(), kb).answer_query(QUESTION)
    (file,) = paths.sessions_dir().iterdir()
    lines = file.read_bytes().split(b"\n")
    answered = next(number for number, line in enumerate(lines) if b'"answer_completed"' in line)
    file.write_bytes(b"\n".join([*lines[: answered + 1], lines[answered + 1][:20]]))
    done = run("sessions", "show", "last")
    assert done.returncode == 0
    assert ANSWER in done.stdout
    assert [f"line {answered + 2}: The line is cut off" in line for line in warnings(done)] == [True]

    file.write_bytes(b"\x00\xff" * 500)
    done = run("replay", "--plain", "last")
    assert done.returncode == 1
    assert "line 1: Not a kbtui event" in failure(done)[0]
    assert "not a kbtui session" in run("sessions", "list").stdout


# Questions and streams ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "code"),
    [
        (b"When should I \x00roll back\xff\xfe a \x1b[31mdeploy?\x07", 0),
        (b"x" * 300_000, 3),
        (b"\n \t\n", 2),
    ],
    ids=["bytes that are no text", "endless", "blank"],
)
def test_a_question_from_a_pipe(kb: Path, question: bytes, code: int) -> None:
    done = run("ask", "--kb", str(kb), "-", stdin=question)
    assert done.returncode == code
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", done.stdout + done.stderr)
    assert max(map(len, (done.stdout + done.stderr).split("\n"))) < 500
    if code == 0:
        assert ANSWER in done.stdout
        assert run("replay", "--plain", "last").stdout.startswith("> When should I roll back")


def test_questions_of_signs_and_of_other_languages(kb: Path) -> None:
    engine = Engine(Settings(), kb, record=False)
    for question in (
        "!!! ??? …",
        "🦊🦊🦊",
        "夜のパスワードは何ですか？",
        "비밀번호가 뭐예요?",
        "'; DROP TABLE x; --",
        "[[[",
        "\\",
    ):
        answer = engine.answer_query(question)
        assert answer.markdown, question
        assert "这个文件夹" not in answer.markdown


def test_a_reader_that_has_read_enough(kb: Path) -> None:
    index(kb)
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as gone:
        done = subprocess.run(
            kbtui("search", "--kb", str(kb), "rollback"), stdout=gone, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr) == (0, b"")
