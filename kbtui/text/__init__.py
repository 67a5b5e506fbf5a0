"""Text as such: its words, sentences and language, and how it is made safe to show. Knows no files and no search."""
