"""Why a reply ended, in the words of many servers."""

from __future__ import annotations

from collections.abc import Mapping

from generation.llm.protocol import Finish

_WHOLE = """
stop eos eos_token end_turn end stop_sequence stop_token stop_words complete completed finished
finish done normal success tool_calls tool_call tool_use function_call finish_reason_stop eot
"""
_AT_LIMIT = """
length max_tokens model_length max_output_tokens max_length max_new_tokens token_limit length_limit
limit error_limit max_tokens_reached max_context_length context_length context_length_exceeded
model_context_window_exceeded incomplete truncated
"""
_FILTERED = """
content_filter content_filtered contentfilter safety recitation blocklist prohibited_content spii
image_safety sensitive error_toxic refusal refused guardrail_intervened moderation blocked filtered
flagged language model_armor
"""
_BROKEN = """
error abort aborted cancelled canceled cancel network_error insufficient_system_resource timeout
time_limit user_cancel internal_error server_error
"""

_WORDS: Mapping[Finish, str] = {
    "stop": _WHOLE, "length": _AT_LIMIT, "filtered": _FILTERED, "cut": _BROKEN
}  # fmt: skip
_FINISHES = {word: finish for finish, words in _WORDS.items() for word in words.split()}


def finish_of(word: str) -> Finish:
    """Return what a server's word means; `unknown` where no vendor known here uses it."""
    folded = word.strip().casefold().replace("-", "_").replace(" ", "_")
    return _FINISHES.get(folded.removeprefix("finish_reason_"), "unknown")
