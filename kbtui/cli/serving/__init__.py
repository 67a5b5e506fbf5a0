"""The screen in a browser: who may come in (`guard`), the pages (`server`), and a process a page (`visitor`)."""
