"""Judging answers by a language model, and spoiled answers that show how well a judge judges.

It knows answers, passages and rubrics; how an answer was made is not known here.
"""
