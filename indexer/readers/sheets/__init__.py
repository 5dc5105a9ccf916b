"""The reader of tables: CSV files and spreadsheets whose rows are passages.

It knows rows and columns; which column is what is known to the readers of records.
"""
