"""What kbtui talks about: plain, frozen values and the protocols between rooms.

Only the standard library is imported here (``codec`` adds pydantic), so every other room can use these types
without paying for anything.
"""
