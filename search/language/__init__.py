"""Hold the words of natural languages as data, a file a language, behind one loader.

It knows words alone: no document, no reference, no question.
"""
