"""Count the words, lines and characters of a text."""

import re
import unicodedata
from collections import Counter

WORD = re.compile(r"\w+(?:['’\-]\w+)*")


def main(input):
    text = unicodedata.normalize("NFC", input["text"])
    words = [word.casefold() for word in WORD.findall(text) if any(c.isalpha() or c.isdigit() for c in word)]
    counts = Counter(words)
    most_common = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))[: input.get("top", 5)]
    return {
        "words": len(words),
        "distinct": len(counts),
        "lines": len(text.splitlines()),
        "characters": len(text),
        "top": [{"word": word, "count": count} for word, count in most_common],
    }
