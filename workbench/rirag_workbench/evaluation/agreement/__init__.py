"""Agreement of raters, people or models, who rated the same items.

It knows ratings only: neither what was rated, nor whether a rating is right.
"""
