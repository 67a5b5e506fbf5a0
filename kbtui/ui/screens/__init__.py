"""The screens: asking, reading a source, help, sessions, replay, themes."""
