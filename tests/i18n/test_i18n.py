"""Which language is spoken, and what is said in it."""

from __future__ import annotations

import sys

import pytest

from kbtui import i18n
from kbtui.i18n import N_, _, ngettext, pgettext
from kbtui.settings.reference import all_settings
from kbtui.text.language import interface_language


@pytest.fixture
def chinese() -> None:
    i18n.use("zh")


def test_english_is_said_as_it_stands_in_the_code() -> None:
    assert _("Nothing has been asked yet.") == "Nothing has been asked yet."
    assert _("There is no source {n}.", n=3) == "There is no source 3."
    assert N_("Plan") == "Plan"
    assert ngettext("{count:,} file", "{count:,} files", 1) == "1 file"
    assert ngettext("{count:,} file", "{count:,} files", 1_200) == "1,200 files"
    assert pgettext("replay_back", "back") == "back"


@pytest.mark.usefixtures("chinese")
def test_chinese_is_said_by_its_english() -> None:
    assert i18n.language() == "zh"
    assert _("There is no source {n}.", n=3) == "没有来源 3。"
    assert ngettext("{count:,} file", "{count:,} files", 1) == "1 个文件"
    assert ngettext("{count:,} file", "{count:,} files", 1_200) == "1,200 个文件"


@pytest.mark.usefixtures("chinese")
def test_a_word_can_mean_something_else_in_a_context() -> None:
    assert pgettext("replay_back", "back") == "后退"
    assert pgettext("why_close", "back") == _("back") == "返回"


@pytest.mark.usefixtures("chinese")
def test_a_text_without_translation_stays_english() -> None:
    assert _("Nobody ever says this.") == "Nobody ever says this."
    assert _("") == "", "the empty text is gettext's name for the head of a file"
    assert pgettext("anywhere", "") == ""


def test_braces_in_a_value_are_no_places_for_others() -> None:
    assert _("There is no source {n}.", n="{x}") == "There is no source {x}."


def test_back_to_english() -> None:
    i18n.use("zh")
    i18n.use("en")
    assert i18n.language() == "en"
    assert _("Plan") == "Plan"


def test_there_is_no_other_language() -> None:
    with pytest.raises(FileNotFoundError):
        i18n.use("xx")
    assert i18n.language() == "en", "what was spoken before"


@pytest.mark.parametrize(
    ("setting", "environ", "expected"),
    [
        ("auto", {}, "en"),
        ("auto", {"LANG": "zh_CN.UTF-8"}, "zh"),
        ("auto", {"LANG": "zh_CN.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ("auto", {"LANG": "de_DE.UTF-8"}, "en"),
        ("en", {"LANG": "zh_CN.UTF-8"}, "en"),
        ("zh", {"LANG": "C.UTF-8"}, "zh"),
    ],
)
def test_the_setting_comes_before_the_locale(setting: str, environ: dict[str, str], expected: str) -> None:
    assert interface_language(setting, environ) == expected


def test_each_language_can_be_set() -> None:
    assert set(all_settings()["ui.language"].choices) == {"auto", *i18n.languages()}


def test_importing_reads_no_translations() -> None:
    import subprocess

    code = "import sys, kbtui.i18n; print('tomllib' in sys.modules, kbtui.i18n.catalogue.cache_info().currsize)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "0"]


def test_what_was_made_below_the_screen_is_english_where_english_is_spoken() -> None:
    assert i18n.made("notes.md is not there any more.") == "notes.md is not there any more."


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("notes.md is not there any more.", "notes.md 已不存在。"),
        ("index: nothing answers at db:5432.", "index：db:5432 没有响应。"),
        (
            "The answer is from the index as it was. The folder /kb went away while it was indexed.",
            "回答依据原有索引。文件夹 /kb 在索引过程中消失了。",
        ),
        ('If it draws in the terminal, say so: editor.command = "terminal:mg {path}".', "若它在终端中显示"),
        ("What nobody has words for.", "What nobody has words for."),
        ("", ""),
    ],
)
def test_what_was_made_below_the_screen_is_translated_by_its_form(message: str, said: str) -> None:
    assert i18n.made(message).startswith(said)
    assert "{" not in i18n.made(message).replace("{path}", "")


@pytest.mark.usefixtures("chinese")
def test_a_long_text_is_not_compared_with_any_form() -> None:
    long = "x" * 100_000
    assert i18n.made(long) == long
