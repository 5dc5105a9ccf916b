"""Hold the application: service, command line, server, evaluation and training.

Nothing below may import it.
"""
