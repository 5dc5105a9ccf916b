"""The expert form: answers of several systems, blinded, for people to score; and their scores.

It knows answers and ratings; how answers are made and measured by machines is not known here.
"""
