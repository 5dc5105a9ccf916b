"""The application: command line, settings, evaluation and training over the three packages."""
