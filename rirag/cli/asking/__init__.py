"""Share the options and output of `rirag ask` and `rirag verify`.

It knows options and terminals; the service does the work.
"""
