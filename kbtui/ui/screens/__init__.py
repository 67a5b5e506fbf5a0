"""The screens of the app: asking, replay, and dialogs such as sessions, settings and help."""
