"""What drives a run and what a run looks like: the engine, and the only fold over its events."""
