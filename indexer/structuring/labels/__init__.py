"""Read labels: the numbers that lines begin with, and which follows which.

It knows single lines, and nothing of what is around them.
"""
