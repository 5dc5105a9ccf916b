"""Language models behind any OpenAI-compatible server, through the `openai` client.

Nothing outside this folder knows the client; it knows nothing of questions and answers.
"""
