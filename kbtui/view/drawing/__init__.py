"""Charts drawn: as text in cells for a pane or a terminal, and as SVG for a file. Pure functions of a `Chart`.

Drawn by hand instead of by plotext: that one joins a line over its gaps, tells series apart by colour alone, labels
ticks with odd numbers (3.67), and moves its axes out of place under Chinese labels; and it keeps one figure for the
whole process, which threads would share.
"""
