"""Published collections: a folder's index and texts as generations on object storage, and their copies on this machine.

``publish`` writes a generation, ``collection`` opens the newest one for reading. ``README.md`` describes the layout.
"""
