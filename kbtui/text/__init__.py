"""Functions on text: words, sentences, language, and safe display. Without files or search."""
