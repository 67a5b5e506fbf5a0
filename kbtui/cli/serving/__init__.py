"""Serves the screen to browsers: access control (`guard`), the pages (`server`), and a process for each (`visitor`)."""
