"""What a model wrote, taken apart: reasoning from answer, the person's name, markup, sentences, words."""

from eftlib.text.damage import cut_echo, flags, is_blank
from eftlib.text.masking import NEUTRAL_NAME, mask_name, mentions
from eftlib.text.plain import plain
from eftlib.text.reasoning import REASONING_TAGS, Split, split_reasoning
from eftlib.text.units import sentences, stretches, words

__all__ = [
    "NEUTRAL_NAME",
    "REASONING_TAGS",
    "Split",
    "cut_echo",
    "flags",
    "is_blank",
    "mask_name",
    "mentions",
    "plain",
    "sentences",
    "split_reasoning",
    "stretches",
    "words",
]
