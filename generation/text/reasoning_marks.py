"""The marks by which models part their reasoning, their answer and the turns of a conversation.

Servers are to take them out of a reply, and many do not. Sources: the chat templates of the models
named beside each pattern.
"""

from __future__ import annotations

import re

LONGEST = 48
"""Characters of the longest mark; what is longer and not complete is text."""

_THOUGHT = (
    "think|thinking|thought|thoughts|reason|reasoning|reflection|scratchpad|analysis|monologue|思考"
)
_TAG = rf"(?:\w{{1,12}}[:_])?(?:{_THOUGHT})"
"""DeepSeek R1, Qwen, GLM; with what comes before it Seed (`seed:think`) and LongCat."""

_OPENS = (
    rf"<{_TAG}(?:\s[\w=\"' ]{{1,20}})?>|&lt;{_TAG}&gt;"
    r"|\[(?:THINK|THINKING|REASONING)\]"  # Magistral
    r"|◁think▷"  # Kimi
    r"|<\|(?:begin_of_thought|START_THINKING|think|thinking)\|>"  # Sky-T1, Command A, others
)
_CLOSES = (
    rf"</{_TAG}>|&lt;/{_TAG}&gt;"
    r"|\[/(?:THINK|THINKING|REASONING)\]"
    r"|◁/think▷"
    r"|<\|(?:end_of_thought|END_THINKING|/think|/thinking)\|>"
    r"|<channel\|>"  # Gemma
)
_CHANNEL = r"<\|channel\|?>"  # gpt-oss; Gemma
_ROLE = (
    r"<\|(?:start|im_start|start_header_id|start_of_role)\|>"  # gpt-oss, ChatML, Llama 3, Granite
    r"|<start_of_turn>"  # Gemma
)
_BEGINS = r"<\|(?:message|im_sep|end_header_id|end_of_role)\|>"
_ENDS = (
    r"<\|(?:end|im_end|eot_id|eom_id|eot|endoftext|end_of_text|return|call|end_of_turn"
    r"|END_OF_TURN_TOKEN|END_RESPONSE|user|system|observation)\|>"
    r"|<｜(?:end▁of▁sentence|User|Assistant)｜>"  # DeepSeek
    r"|</s>|<end_of_turn>|<eos>|\[/?INST\]"  # Llama 2, Mistral, Gemma
)
_WRAPS = (
    r"</?(?:answer|final_answer|response)>"  # Hunyuan, R1-Zero and their like
    r"|<\|(?:begin_of_solution|end_of_solution|START_RESPONSE|begin_of_box|end_of_box"
    r"|begin_of_text|assistant|constrain)\|>"
    r"|<bos>|<s>"
)

MARK = re.compile(
    f"(?P<opens>{_OPENS})|(?P<closes>{_CLOSES})|(?P<channel>{_CHANNEL})|(?P<role>{_ROLE})"
    f"|(?P<begins>{_BEGINS})|(?P<ends>{_ENDS})|(?P<wraps>{_WRAPS})",
    re.IGNORECASE,
)
"""`opens` and `closes` reasoning; `channel` and `role` come before a header that says what
follows, `begins` behind it; `ends` a turn; `wraps` the answer, and means nothing."""

THOUGHT = f"{_OPENS}|{_CLOSES}"
"""Regular expression of the marks around reasoning alone."""

_BEGUN = re.compile(
    rf"(?:<[|｜/]?[\w▁:/]{{0,{LONGEST}}}(?:[|｜]|\s[\w=\"' ]{{0,20}})?"
    r"|&(?:l|lt|lt;/?[\w:]{0,24}(?:&(?:g|gt)?)?)?|\[/?[A-Za-z]{0,10}|◁/?\w{0,10})\Z"
)


def begun_at(text: str) -> int:
    """Return where a mark may have begun that is not complete; the text's length if nowhere."""
    found = _BEGUN.search(text, max(0, len(text) - LONGEST))
    return found.start() if found else len(text)
