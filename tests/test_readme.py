"""The README shows what the program does: pictures what their captions say, transcripts what the commands print."""

from __future__ import annotations

import html
import re
import shlex
import sqlite3
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from rich.cells import cell_len

from kbtui import demo
from kbtui.bootstrap import Engine
from kbtui.cli.main import cli
from kbtui.demo import handbook_path, sample_database
from kbtui.settings.model import ModelSettings, Settings
from kbtui.text.sentences import sentences
from screenshots.chat_model import INVENTED, NAME, served
from screenshots.make import FILMS, QUESTIONS, SHOTS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PICTURES = dict(re.findall(r"!\[([^\]]*)\]\(screenshots/(\w+)\.svg\)", README))
"""Names of the pictures by what the README says of them."""

CELL = 12.2
"""Width of a column in a picture."""


@dataclass(frozen=True)
class Picture:
    """The screen that a picture shows.

    Attributes:
        rows: Its text, line by line.
        background: The colour that most of it has.
    """

    rows: tuple[str, ...]
    background: str

    def pane(self, title: str) -> list[str]:
        """The lines of a pane or dialogue, without its frame."""
        top = next(at for at, row in enumerate(self.rows) if re.search(rf"╭─[^╭╮]*{re.escape(title)}[^╭╮]*╮", row))
        title_at = re.search(rf"╭─[^╭╮]*{re.escape(title)}[^╭╮]*╮", self.rows[top])
        assert title_at is not None
        found = []
        for row in self.rows[top + 1 :]:
            cells = by_columns(row)
            if cells[title_at.start() : title_at.start() + 1] in ("╰", ""):
                break
            found.append(cells[title_at.start() + 1 : title_at.end() - 1].replace("\0", "").rstrip())
        return found

    def sources(self) -> dict[int, tuple[str, int, int]]:
        """What the proof lists as sources: path, first line and the two behind it, by number."""
        rows = [re.search(r"\[(\d+)\] ([^│]*) ([^\s│]+\.\w+):(\d+)\s*│", row) for row in self.rows]
        found = [row for row in rows if row is not None]
        return {int(row[1]): (path_of(row[3], int(row[4]), row[2]), int(row[4]), int(row[4]) + 2) for row in found}

    def columns(self) -> tuple[int, int]:
        """Where the conversation begins and ends: behind the rail, before the proof."""
        border = next(by_columns(row).index("│") for row in self.rows if "Intent" in row)
        proof = next((at for row in self.rows if (at := by_columns(row).rfind("╭─ [")) > border), None)
        return border + 1, proof if proof is not None else max(len(by_columns(row)) for row in self.rows)

    def rail(self) -> list[str]:
        """The lines of the stages."""
        return [by_columns(row)[: self.columns()[0] - 1].replace("\0", "").rstrip() for row in self.rows]

    def conversation(self) -> list[str]:
        """The lines of the conversation."""
        first, last = self.columns()
        return [by_columns(row)[first:last].replace("\0", "").rstrip() for row in self.rows[1:]]

    def cited(self) -> list[tuple[str, int]]:
        """What the answer says before each of its marks, on one line, and the mark's number."""
        text = "\n".join(self.conversation())
        blocks = [" ".join(block.split()) for block in re.split(r"\n\s*\n|\n\s*(?=•)", text)]
        return [(said, int(n)) for block in blocks for said, n in re.findall(r"([^\[\]]*[^\[\]\s])\s*\[(\d+)\]", block)]


def path_of(name: str, line: int, quote: str) -> str:
    """The file of the handbook with this name and quote, of both of which a part may be left out."""
    pattern = re.compile(re.escape(name).replace("…", ".*"))
    files = [path.relative_to(handbook_path()).as_posix() for path in handbook_path().rglob("*.*")]
    named = [path for path in files if pattern.fullmatch(path.rpartition("/")[2])]
    (path,) = [path for path in named if letters(quote) in letters(lines_of(path, line, line + 2))]
    return path


def by_columns(row: str) -> str:
    """A row with one character a column: what is two columns wide is followed by a NUL."""
    return "".join(f"{one}\0" if is_wide(one) else one for one in row)


def is_wide(character: str) -> bool:
    return cell_len(character) == 2


@cache
def picture(name: str) -> Picture:
    return read((ROOT / "screenshots" / f"{name}.svg").read_text(encoding="utf-8"))


@cache
def frames(name: str) -> list[Picture]:
    """The screens of a moving picture: what the groups that are seen then hold."""
    svg = (ROOT / "screenshots" / f"{name}.svg").read_text(encoding="utf-8")
    groups = [
        (set(map(int, indexes.split("-"))), body)
        for indexes, body in re.findall(r'(?s)<g class="f([\d-]+)">(.*?)</g>', svg)
    ]
    last = max(max(indexes) for indexes, _ in groups)
    return [read("".join(body for indexes, body in groups if index in indexes)) for index in range(last + 1)]


def read(svg: str) -> Picture:
    rows: dict[float, list[tuple[int, str]]] = {}
    for x, y, text in re.findall(r'<text class="[^"]*" x="([\d.]+)" y="([\d.]+)" textLength[^>]*>(.*?)</text>', svg):
        rows.setdefault(float(y), []).append((round(float(x) / CELL), html.unescape(text).replace("\xa0", " ")))
    lines = []
    for _, texts in sorted(rows.items()):
        line = ""
        for column, text in sorted(texts):
            line += " " * (column - len(by_columns(line))) + text
        lines.append(line)
    areas: Counter[str] = Counter()
    for fill, width in re.findall(r'<rect fill="(#\w{6})"[^>]* width="([\d.]+)"', svg):
        areas[fill] += round(float(width))
    return Picture(tuple(line for line in lines if line.strip()), areas.most_common(1)[0][0])


def letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()


def lines_of(path: str, first: int, last: int) -> str:
    return "\n".join((handbook_path() / path).read_text(encoding="utf-8").split("\n")[first - 1 : last])


def is_light(colour: str) -> bool:
    return sum(int(colour[at : at + 2], 16) for at in (1, 3, 5)) > 3 * 0xD0


def queried(sql: str) -> list[tuple[object, ...]]:
    with sqlite3.connect(sample_database()) as connection:
        return list(connection.execute(sql))


# What each caption claims ---------------------------------------------------------------------------------------------


def every_mark_leads_to_lines_that_hold_the_sentence(name: str) -> None:
    shown = picture(name)
    sources, cited = shown.sources(), shown.cited()
    assert {n for _, n in cited} == set(sources)
    for said, n in cited:
        lines = letters(re.sub(r"\]\([^)]*\)", "]", lines_of(*sources[n])))
        told = [letters(one.text) for one in sentences(said.lstrip("• "))]
        assert all(one in lines for one in told), (said, lines)


def a_question_is_answered_over_the_handbook(name: str) -> None:
    every_mark_leads_to_lines_that_hold_the_sentence(name)
    assert f"› {QUESTIONS['rollback']}" in "\n".join(picture(name).conversation())
    # “What each passage was worth and which ones were dropped.”
    evidence = [row for row in picture(name).rail() if re.search(r"[▃▁]{4} [.1]", row)]
    assert any("✗" in row for row in evidence)
    assert any("✗" not in row for row in evidence)


def a_question_about_data_has_plan_chart_and_table(name: str) -> None:
    shown = picture(name)
    assert any(re.search(r"\b\d+ rows\b", row) for row in shown.rail())
    answer = "\n".join(shown.conversation())
    expected = queried("SELECT code, count(*) FROM incidents GROUP BY 1 ORDER BY 1")
    by_count = sorted(expected, key=lambda row: (-row[1], row[0]))
    chart, _, table = answer.partition("─ Table")
    assert [(code, int(n)) for code, n in re.findall(r"(HL-E\d+) [^\n\d]*█[^\n\d]* (\d+)", chart)] == by_count
    assert [(code, int(n)) for code, n in re.findall(r"(HL-E\d+) +(\d+)", table)] == by_count


def one_sentence_has_no_source_and_is_marked(name: str) -> None:
    shown = picture(name)
    answer = " ".join(" ".join(shown.conversation()).split())
    assert answer.count("[?]") == 1
    assert f"{INVENTED} [?] ? No source for: {INVENTED}" in answer
    assert len(shown.cited()) == 3
    assert not any(letters(INVENTED) in letters(said) for said, _ in shown.cited())
    every_mark_leads_to_lines_that_hold_the_sentence(name)
    assert "answered in part · 3 cited" in "\n".join(shown.rail())


def the_screen_is_narrow(name: str) -> None:
    assert max(len(by_columns(row)) for row in picture(name).rows) <= 80
    assert f"› {QUESTIONS['compare']}" in "\n".join(picture(name).rows)


def the_lines_that_are_cited_are_highlighted(name: str) -> None:
    # The preview is of the second source of the answer in the first picture.
    path, first, _ = picture("wide").sources()[2]
    preview = picture(name).pane(f"[2] {path}")
    marked = {int(found[1]): found[2] for row in preview if (found := re.match(r" *(\d+) ▌ (.*?)\s*$", row))}
    assert min(marked) == first
    assert letters("".join(marked.values())) in letters(lines_of(path, first, max(marked)))


def a_session_is_replayed(name: str) -> None:
    shown = "\n".join(picture(name).rows)
    step, of = map(int, re.findall(r"(\d+)/(\d+)", shown)[-1])
    assert shown.startswith("replay · ") or "replay · " in picture(name).rows[0]
    assert 0 < step < of
    assert QUESTIONS["compare"] in shown


def the_theme_is_light(name: str) -> None:
    assert is_light(picture(name).background)
    assert [shot for shot in SHOTS if is_light(picture(shot).background)] == [
        shot for shot in SHOTS if SHOTS[shot].theme == "kbtui-paper"
    ]
    (source,) = picture(name).sources().values()
    assert "HL-144" in lines_of(*source)


def question_and_answer_are_chinese(name: str) -> None:
    shown = picture(name)
    assert f"› {QUESTIONS['chinese']}" in "\n".join(shown.conversation())
    sources = shown.sources()
    said = {n: text for text, n in reversed(shown.cited())}
    assert set(said) == set(sources) >= {1, 2}
    for n, text in said.items():
        lines = letters(lines_of(*sources[n]))
        told = [letters(one.text) for one in sentences(text.replace("• ", ""))]
        assert all(one in lines for one in told), (told, lines)
    assert "24" in said[1]
    assert "2025 年 11 月 3 日" in said[1]


def several_steps_are_done_one_after_the_other(name: str) -> None:
    shown = picture(name)
    assert sum(bool(re.search(r"\b1 row\b", row)) for row in shown.rail()) == 2
    answer = " ".join(" ".join(shown.conversation()).split())
    ((code, count),) = queried("SELECT code, count(*) FROM incidents GROUP BY 1 ORDER BY 2 DESC LIMIT 1")
    ((minutes,),) = queried(f"SELECT round(avg(minutes), 2) FROM incidents WHERE code = '{code}'")
    assert f"code {code}; number of incidents {count} [1]" in answer
    assert f"whose code is “{code}”. {minutes} [2]" in answer


def a_statement_stands_with_its_rows(name: str) -> None:
    dialogue = picture(name).pane("[1] harbourlight")
    at = next(at for at, row in enumerate(dialogue) if "─ Table" in row)
    statement = " ".join(re.sub(r"^ *1 ", "", row).strip() for row in dialogue[:at])
    rows = [(code, int(n)) for code, n in re.findall(r"(HL-E\d+) +(\d+)", "\n".join(dialogue[at:]))]
    assert queried(statement) == rows
    assert f"Table · {len(rows)} rows · harbourlight" in dialogue[at]


def what_the_model_was_asked_and_said_is_listed(name: str) -> None:
    shown = "\n".join(picture(name).pane(f"Audit · {QUESTIONS['model']}"))
    for stage in ("route", "grade", "write"):
        assert re.search(rf"› {stage} +{re.escape(NAME)}", shown)
    assert "raw answer" in shown
    assert '"semantic_intent": "When should a deploy be rolled back?"' in shown
    assert "prompt: system" in shown


def a_question_is_typed_answered_and_its_sources_walked_through(name: str) -> None:
    screens = frames(name)
    question = QUESTIONS[FILMS[name].question]
    typed = [row for screen in screens for row in screen.rows if re.search(r"│ › \w", row)]
    assert any(question[:12] in row and question not in row for row in typed)
    working = [
        screen for screen in screens if any(re.search(r"▸ (Intent|Searches|Answer)", row) for row in screen.rows)
    ]
    assert len(working) >= 3
    walked = [screen for screen in screens if any(re.search(r"╭─ \[\d\] ", row) for row in screen.rows)]
    assert [re.search(r"\[(\d)\]", screen.rows[1])[1] for screen in walked] == ["1", "2", "3"]  # type: ignore[index]
    for n, screen in enumerate(walked, start=1):
        path, line, _ = screen.sources()[n]
        marked = [row for row in screen.pane(f"[{n}] {path}") if "▌" in row]
        assert marked[0].lstrip().startswith(f"{line} ▌")


CLAIMS: dict[str, Callable[[str], None]] = {
    "A question is typed, answered as one watches, and three of its sources are walked through": (
        a_question_is_typed_answered_and_its_sources_walked_through
    ),
    "A question answered over the sample handbook": a_question_is_answered_over_the_handbook,
    "A question about the sample database, with its plan, its chart and its table": (
        a_question_about_data_has_plan_chart_and_table
    ),
    "An answer of a chat model; one sentence has no source and is marked": one_sentence_has_no_source_and_is_marked,
    "Narrow": the_screen_is_narrow,
    "Preview of the cited lines": the_lines_that_are_cited_are_highlighted,
    "Replay of a session": a_session_is_replayed,
    "A light theme": the_theme_is_light,
    "A question in Chinese": question_and_answer_are_chinese,
    "A request of several steps over data": several_steps_are_done_one_after_the_other,
    "The statement behind a number, with its rows": a_statement_stands_with_its_rows,
    "What the chat model was asked and said": what_the_model_was_asked_and_said_is_listed,
}


@pytest.mark.parametrize("name", ["chinese", "moving"])
def test_chinese_texts_of_a_picture_are_two_cells_a_character_wide(name: str) -> None:
    svg = (ROOT / "screenshots" / f"{name}.svg").read_text(encoding="utf-8")
    texts = [
        (float(width), html.unescape(text)) for width, text in re.findall(r'textLength="([\d.]+)"[^>]*>([^<]+)<', svg)
    ]
    wide = [(width, text) for width, text in texts if cell_len(text) > len(text)]
    assert wide
    assert all(abs(width - CELL * cell_len(text)) < 0.1 for width, text in wide)


@pytest.mark.parametrize("caption", PICTURES)
def test_a_picture_shows_what_its_caption_says(caption: str) -> None:
    assert caption in CLAIMS, "a new caption needs a check of its own"
    CLAIMS[caption](PICTURES[caption])


def test_every_picture_is_drawn_by_the_script_and_shown() -> None:
    drawn = {file.stem for file in (ROOT / "screenshots").glob("*.svg")}
    assert set(PICTURES.values()) == set(SHOTS | FILMS) == drawn


def test_the_program_marks_the_sentence_that_the_picture_shows_as_marked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none-is-needed")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with served() as url:
        settings = Settings(model=ModelSettings(name=NAME, base_url=url))
        answer = Engine(settings, handbook_path(), record=False).answer_query(QUESTIONS["model"])
    assert answer.unsupported == (INVENTED,)
    assert f"{INVENTED} [?]" in answer.markdown
    listed = {n: (path, first) for n, (path, first, _) in picture("model").sources().items()}
    assert {c.n: (c.path, c.start_line) for c in answer.citations} == listed


# Transcripts ----------------------------------------------------------------------------------------------------------

BLOCKS = re.findall(r"```console\n(.*?)```", README, re.S)
COMMANDS = [
    command.strip()
    for block in BLOCKS
    for line in block.split("\n")
    if line.startswith("$ ")
    for command in re.split(r"\s&&\s|\s\|\s", re.sub(r"\s#.*", "", line[2:]))
    if re.match(r"(?:\w+=\S+\s+)*kbtui\b", command.strip())
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_readme_is_one_that_the_program_takes(
    command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("notes", "runbooks"):
        (tmp_path / name).mkdir()
        command = command.replace(f"~/{name}", str(tmp_path / name))
    words = shlex.split(command)
    words = words[next(at for at, word in enumerate(words) if word == "kbtui") + 1 :]
    invoked: list[str] = []
    monkeypatch.setattr(click.Command, "invoke", lambda self, ctx: invoked.append(ctx.command.name or ""))
    group = cli.make_context("kbtui", list(words))
    with group:
        name, found, rest = cli.resolve_command(group, [*group.protected_args, *group.args])
        assert found is not None
        found.make_context(name, rest, parent=group)


def test_the_transcript_of_the_sample_database_is_what_is_printed(tmp_path: Path) -> None:
    (block,) = (block for block in BLOCKS if block.startswith("> "))
    question, _, shown = block.strip().removeprefix("> ").partition("\n\n")
    done = CliRunner().invoke(cli, ["ask", "--kb", str(tmp_path), "--data", str(sample_database()), question])
    assert done.stdout.partition("\n\n---\n")[0].strip() == shown
    assert question in demo.QUESTIONS
