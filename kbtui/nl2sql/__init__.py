"""Translates questions to SQL statements (catalogue, linking, typed candidates, ranker and gate) and back to words."""
