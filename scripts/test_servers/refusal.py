"""What the command cannot do, as one sentence."""


class RefusalError(Exception):
    """Says what is in the way, and what to do."""

    exit_code = 1


class MissingError(RefusalError):
    """This machine lacks something that no test can bring along."""

    exit_code = 3
