"""Searches over an indexed folder: words, meaning, live lines, files; and questions in the words of the folder."""
