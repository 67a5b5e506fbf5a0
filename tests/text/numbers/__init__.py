"""The reader of numbers."""
