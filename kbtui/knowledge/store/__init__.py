"""The index of a folder on disk: writing and reading its text and vectors, and the locks for writers."""
