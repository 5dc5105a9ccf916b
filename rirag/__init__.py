"""The application: service, command line, server, evaluation and training over the three packages.

Nothing below may import it.
"""
