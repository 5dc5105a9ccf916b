"""Measure and train what rirag searches and answers with.

It imports the four packages of rirag, and none of them imports it.
"""
