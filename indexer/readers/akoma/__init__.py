"""Akoma Ntoso (OASIS LegalDocML): its elements, and how it names an act.

It knows the standard, and no publisher.
"""
