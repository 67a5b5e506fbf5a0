"""Running questions: the engine, event stamps, the audit log, recorded durations and the history of a session."""
