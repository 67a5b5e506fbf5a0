"""Questions and documents made from documented functions."""

from __future__ import annotations

from pathlib import Path

from code_questions import first_sentence, functions

PYTHON = '''
def ring(bell, often):
    """Ring the bell of the harbour. It is loud.

    More of it.
    """
    # Loud enough for the ferry.
    for _ in range(often):
        bell.strike("# 1")  # once
'''

GO = """
// Ring strikes the bell of the harbour
// as often as it is told. It is loud.
func (b *Bell) Ring(often int) {
	// Loud enough for the ferry.
	for i := 0; i < often; i++ {
		b.strike("http://ferry.example") /* once */
	}
}

func silent() {
}
"""


def test_a_python_function_is_left_without_its_documentation_and_comments(tmp_path: Path) -> None:
    (tmp_path / "bell.py").write_text(PYTHON)

    [(_, text, documentation)] = functions(tmp_path / "bell.py")

    assert text == 'def ring(bell, often):\n    for _ in range(often):\n        bell.strike("# 1")'
    assert first_sentence(documentation) == "Ring the bell of the harbour"


def test_a_go_function_is_left_without_comments_and_its_question_without_its_name(tmp_path: Path) -> None:
    (tmp_path / "bell.go").write_text(GO)

    [(_, text, documentation)] = functions(tmp_path / "bell.go")

    assert text == (
        'func (b *Bell) Ring(often int) {\n\tfor i := 0; i < often; i++ {\n\t\tb.strike("http://ferry.example")\n\t}\n}'
    )
    assert first_sentence(documentation) == "strikes the bell of the harbour as often as it is told"


def test_a_sentence_of_three_words_is_no_question() -> None:
    assert first_sentence("Ring the bell. It is loud and clear.") == ""
