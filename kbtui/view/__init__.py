"""What a run looks like: the only fold over its events, playing it again, exports, charts as cells and SVG."""
