"""The values that all rooms share, frozen and plain, and the protocols between rooms.

Nothing but msgspec and the standard library is imported here, so that importing these types costs next to nothing.
"""
