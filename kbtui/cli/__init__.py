"""The commands. One file each, imported only when it is called, so that ``kbtui --help`` costs nothing."""
