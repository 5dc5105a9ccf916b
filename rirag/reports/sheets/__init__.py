"""An answer as a file to check it by: Markdown, HTML or DOCX, with every source in full.

It reads the JSON form of an answer and must not know where that comes from.
"""
