"""What the server must not lose: answers, feedback and jobs in one SQLite file, and the audit file.

It must not know HTTP; a call returns when what it wrote is on the disk.
"""
