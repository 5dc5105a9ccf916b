"""Language models behind any OpenAI-compatible server, through the `openai` client."""
