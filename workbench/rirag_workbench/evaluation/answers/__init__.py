"""Measures of answers: what they cover, cite, refuse and leave out, question by question.

They read finished answers, questions and passages; how an answer is made is not known here.
"""
