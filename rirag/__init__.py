"""Hold the application: service, command line and server.

Nothing below may import it.
"""
