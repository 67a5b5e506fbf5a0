"""Serves the screen to browsers: access control (`guard`), and the pages with a process for each (`server`)."""
