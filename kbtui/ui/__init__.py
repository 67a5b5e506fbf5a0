"""The screen: a pure function of events. It shows a `RunView` and sends questions to an engine; it computes nothing."""
