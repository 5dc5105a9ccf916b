"""What a PDF draws: words, lines and pictures, taken out in a process of its own.

It knows nothing of paragraphs and documents.
"""
