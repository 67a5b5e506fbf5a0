"""What rows of a table show to a reader."""

from kbtui.nl2sql.listing import row_columns, row_names
from tests.nl2sql.shop import catalogue


def test_rows_show_their_name_then_their_key_then_the_rest():
    shop = catalogue()
    shown = [ref.column for ref in row_columns(shop, shop.tables["customer"])]
    assert shown[0] == row_names(shop, shop.tables["customer"])[0].column == "name"
    assert shown[1] == "id"
    assert set(shown) == {column.ref.column for column in shop.tables["customer"].columns}


def test_references_come_last():
    shop = catalogue()
    kinds = [shop.column(ref).kind for ref in row_columns(shop, shop.tables["orders"])]
    assert kinds[-1] == "reference"
    assert kinds.index("reference") > kinds.index("measure")
