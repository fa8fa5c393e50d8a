interface Heading {
  level: number;
  text: string;
  anchor: string;
  line: number;
}

// Links, emphasis and code inside a heading leave their text behind.
function plain(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/(\*\*|__|\*|`)(.+?)\1/g, "$2")
    .trim();
}

function anchorOf(text: string, taken: Map<string, number>): string {
  const base = text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").trim().replace(/\s/gu, "-");
  const before = taken.get(base) ?? 0;
  taken.set(base, before + 1);
  return before === 0 ? base : `${base}-${before}`;
}

export default function (input: { markdown: string; max_level?: number }) {
  const most = input.max_level ?? 3;
  const taken = new Map<string, number>();
  const headings: Heading[] = [];
  let fence = "";
  input.markdown.split(/\r?\n/).forEach((line, index) => {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (mark) {
      if (fence === "") fence = mark[1];
      else if (mark[1][0] === fence[0] && mark[1].length >= fence.length && mark[2].trim() === "") fence = "";
      return;
    }
    const found = fence === "" ? /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/.exec(line) : null;
    if (!found) return;
    const text = plain(found[2] ?? "");
    headings.push({ level: found[1].length, text, anchor: anchorOf(text, taken), line: index + 1 });
  });
  const shown = headings.filter((heading) => heading.level <= most);
  const top = Math.min(...shown.map((heading) => heading.level));
  const toc = shown.map((heading) => `${"  ".repeat(heading.level - top)}- [${heading.text}](#${heading.anchor})\n`).join("");
  return { toc, headings: shown };
}
