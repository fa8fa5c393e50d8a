// Letters that do not come apart into a plain one and an accent.
const PLAIN: Record<string, string> = {
  "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i",
};

interface Input {
  text: string;
  separator?: "-" | "_";
  max_length?: number;
}

export default function (input: Input) {
  const separator = input.separator ?? "-";
  const plain = input.text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]/gu, (letter) => PLAIN[letter] ?? " ");
  const words = plain.split(" ").filter((word) => word !== "");
  const limit = input.max_length ?? 80;
  let slug = "";
  for (const word of words) {
    const longer = slug === "" ? word.slice(0, limit) : slug + separator + word;
    if (longer.length > limit) break;
    slug = longer;
  }
  return { slug, words: words.length };
}
