"""What goes wrong outside of the program, as the screen tells it."""

from __future__ import annotations

from pathlib import Path

from kbtui.settings import paths
from tests.support.terminal import Terminal, kbtui

QUESTION = "When should I roll back a deploy?"


def test_an_empty_folder_says_so_before_it_is_asked(tmp_path: Path) -> None:
    folder = tmp_path / "nothing"
    folder.mkdir()
    with Terminal(kbtui(str(folder))) as terminal:
        terminal.wait("There is nothing to read in this folder")


def test_a_cache_that_cannot_be_written_is_told_on_the_page_and_to_the_question(new_kb: Path) -> None:
    # A file where the folder should be stops root too.
    paths.cache_dir().parent.write_text("")
    with Terminal(kbtui(str(new_kb))) as terminal:
        screen = terminal.wait("Not a directory")
        assert "XDG_CACHE_HOME" in screen
        terminal.type(QUESTION)
        terminal.keys("Enter")
        screen = terminal.wait(lambda screen: QUESTION in screen and "✗ The index in" in screen)
        assert "Traceback" not in screen
        terminal.keys("C-q")
        terminal.wait("[exit 0]")


def test_names_of_files_are_shown_as_text_and_lead_to_their_lines(kb: Path) -> None:
    for name in ("new\nline.md", "br[ack]et[bold]s.md", "esc\x1b[31m\x1b]0;owned\x07.md"):
        (kb / name).write_text("# Ocelots\n\nThe ocelot sleeps at noon.\n")
    with Terminal(kbtui(str(kb))) as terminal:
        terminal.wait("8 files")
        terminal.type("find files about ocelots")
        terminal.keys("Enter")
        screen = terminal.wait(lambda screen: "done ·" in screen)
        for shown in ("new line.md", "br[ack]et[bold]s.md", "esc.md"):
            assert shown in screen
        for number in "123":
            terminal.keys(number)
            # The answer beside it has its numbers and its words too.
            terminal.wait(lambda screen, number=number: f"╭─ [{number}] " in screen and "The ocelot sleeps" in screen)


def test_a_source_that_changes_after_the_answer_is_previewed_as_changed(kb: Path) -> None:
    page = kb / "runbooks" / "rollback.md"
    with Terminal(kbtui(str(kb))) as terminal:
        terminal.wait("ask about handbook")
        terminal.type(QUESTION)
        terminal.keys("Enter")
        terminal.wait("done ·")
        page.write_text("A new first line.\n" + page.read_text())
        terminal.keys("1")
        terminal.wait("The file has changed: what is")
        page.unlink()
        terminal.keys("1")
        terminal.wait("There is no file")
