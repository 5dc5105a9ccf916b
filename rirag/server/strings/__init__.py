"""Every word that the page says, one file for each language, so that a translation is a file.

It holds words alone, and no markup.
"""
