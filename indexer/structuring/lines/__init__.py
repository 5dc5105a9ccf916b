"""Put the lines of a text together: broken and joined ones, fences, contents.

It knows lines and their labels, and not what they open.
"""
