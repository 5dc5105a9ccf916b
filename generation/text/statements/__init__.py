"""Parse the text of a passage into statements: sentences, lists with what introduces them, tables.

It knows nothing of questions, answers or models.
"""
