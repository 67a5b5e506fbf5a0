"""The message that sends unsupported claims back to the model."""

from kbtui.agent.loop.shelf import Shelf
from kbtui.agent.loop.write import _objection
from kbtui.domain.evidence import Hit
from kbtui.reasoning.checking.checked import Doubt


def shelf() -> Shelf:
    own = Shelf(nonce="n")
    own.put(Hit(path="a.md", start_line=1, end_line=1, text="The kennel list stays in the old register."))
    own.put_text("genre | growth\nPaperback | 370.82\nHardback | 999.54", None, "sql")
    return own


def test_each_item_has_its_reason() -> None:
    text = _objection(
        [
            Doubt(text="The kennel list is removed.", cited=(1,), is_refuted=True),
            Doubt(text="The kennel list is red.", cited=(1,)),
            Doubt(text="Cats are grey."),
            Doubt(text="The kennel list is kept by Ada.", cited=(1,), lacking=("Ada",)),
        ],
        shelf(),
    )
    for reason in ("the lines say otherwise", "the lines do not say this", "it cites nothing", "not borne out: “Ada”"):
        assert reason in text


def test_a_row_is_quoted_with_the_names_of_its_columns_and_the_header_row_alone_never() -> None:
    text = _objection(
        [
            Doubt(text="Hardback grew by 370.82.", cited=(2,), is_refuted=True),
            Doubt(text="Nobody knows.", cited=(1,)),
        ],
        shelf(),
    )
    assert "«genre: " in text
    assert "«genre | growth»" not in text
    assert text.count("«") == 1
