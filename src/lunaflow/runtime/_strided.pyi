"""Integers of any dtype and layout, read and written block by block in C order."""
