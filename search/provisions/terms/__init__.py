"""Terms that rules define: where a text defines one, and which one a question asks for.

It reads text alone, and looks nothing up.
"""
