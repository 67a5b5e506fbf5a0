"""The terminal interface: renders `RunView`s, which are folded from events, and sends questions to an engine."""
