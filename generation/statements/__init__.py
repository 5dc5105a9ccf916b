"""Parse passages and answers into statements: sentences, lists, tables, force, values, conditions.

It calls no model, judges nothing, and knows no mode.
"""
