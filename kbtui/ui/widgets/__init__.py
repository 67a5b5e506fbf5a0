"""Parts that panes and screens share."""
