"""The values that all rooms share, frozen and plain, and the protocols between rooms.

Only small libraries are imported here (``codec`` adds pydantic), so that importing these types costs next to nothing.
"""
