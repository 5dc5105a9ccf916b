"""Answer without a language model: units → score → choose → complete → write.

Each step is a pure function of the one before. It knows no engine and no command.
"""
