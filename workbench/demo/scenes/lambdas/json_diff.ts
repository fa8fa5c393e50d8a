type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Change = { path: string; change: "added" | "removed" | "changed"; before?: Json; after?: Json };

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// RFC 6901: a key as a step of a JSON pointer.
function step(key: string): string {
  return "/" + key.replaceAll("~", "~0").replaceAll("/", "~1");
}

function compare(before: Json, after: Json, path: string, changes: Change[]): void {
  if (Array.isArray(before) && Array.isArray(after)) {
    for (let at = 0; at < Math.max(before.length, after.length); at++) {
      member(before[at], after[at], at < before.length, at < after.length, `${path}/${at}`, changes);
    }
  } else if (isObject(before) && isObject(after)) {
    for (const key of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()) {
      member(before[key], after[key], Object.hasOwn(before, key), Object.hasOwn(after, key), path + step(key), changes);
    }
  } else if (before !== after) {
    changes.push({ path, change: "changed", before, after });
  }
}

function member(before: Json, after: Json, was: boolean, is: boolean, path: string, changes: Change[]): void {
  if (was && is) compare(before, after, path, changes);
  else if (was) changes.push({ path, change: "removed", before });
  else changes.push({ path, change: "added", after });
}

export default function (input: { before: Json; after: Json }) {
  const changes: Change[] = [];
  compare(input.before, input.after, "", changes);
  return { equal: changes.length === 0, changes };
}
