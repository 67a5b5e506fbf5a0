"""One pane a stage. A pane renders its part of a `RunView` and knows no other pane."""
