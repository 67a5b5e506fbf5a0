"""What is computed from a catalogue."""

from __future__ import annotations

from msgspec.structs import replace

from kbtui.nl2sql.catalogue import Catalogue
from tests.nl2sql.shop import catalogue


def test_what_a_catalogue_leads_to_is_computed_once_and_anew_for_other_tables():
    asked: list[str] = []

    def rows(known: Catalogue, table: str) -> int:
        asked.append(table)
        return known.tables[table].rows

    shop = catalogue()
    fuller = replace(shop, tables={**shop.tables, "customer": replace(shop.tables["customer"], rows=99)})
    found = [known.once(rows, "customer") for known in (shop, shop, fuller)]
    assert found == [shop.tables["customer"].rows, shop.tables["customer"].rows, 99]
    assert asked == ["customer", "customer"]
