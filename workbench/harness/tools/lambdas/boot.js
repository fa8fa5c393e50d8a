// Runs inside the sandbox, before and around the code of a call. It is no part of the workbench's own process.

const channel = Deno.openSync("/lambda/result", { write: true });
const { stringify, parse } = JSON;
const { keys, getOwnPropertySymbols, prototype: { propertyIsEnumerable } } = Object;
const stderr = Deno.stderr;
const exit = Deno.exit;
const inspect = Deno.inspect;

class NotJson extends Error {
  constructor(why) {
    super(why);
    this.steps = [];
  }
}

class TooLarge extends Error {}

class OutOfPlace extends Error {}

function sendAll(bytes) {
  for (let at = 0; at < bytes.length;) at += channel.writeSync(bytes.subarray(at));
}

function report(kind, text) {
  const payload = new TextEncoder().encode(text);
  const head = new TextEncoder().encode(`${kind}${payload.length}\n`);
  const frame = new Uint8Array(head.length + payload.length);
  frame.set(head);
  frame.set(payload, head.length);
  sendAll(frame);
  exit(0);
}

function receiveAll() {
  const parts = [];
  const buffer = new Uint8Array(65536);
  for (;;) {
    const size = Deno.stdin.readSync(buffer);
    if (size === null) break;
    parts.push(buffer.slice(0, size));
  }
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return new TextDecoder().decode(whole);
}

function show(error) {
  const text = inspect(error, { colors: false }).split("\n").filter((line) => !line.includes("/lambda/boot.js"));
  const bytes = new TextEncoder().encode(text.join("\n") + "\n");
  for (let at = 0; at < bytes.length;) at += stderr.writeSync(bytes.subarray(at));
}

function describe(error) {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : `it threw ${inspect(error, { colors: false })}`;
  return text.slice(0, 2000);
}

const NO_JSON = [
  [Map, "a Map"],
  [Set, "a Set"],
  [WeakMap, "a WeakMap"],
  [WeakSet, "a WeakSet"],
  [ArrayBuffer, "bytes (an ArrayBuffer)"],
  [SharedArrayBuffer, "bytes (a SharedArrayBuffer)"],
  [Blob, "bytes (a Blob)"],
  [Promise, "a Promise (is an `await` missing?)"],
];

// JSON.stringify drops or bends what JSON does not have; here each of those is a failure that says where it stands.
function encode(value, limit) {
  let size = 0;
  const open = new Set();

  function text(piece) {
    if (!piece.isWellFormed()) throw new NotJson("text with a lone surrogate");
    return took(stringify(piece));
  }

  function took(piece) {
    size += piece.length;
    if (size > limit) throw new TooLarge("");
    return piece;
  }

  function inside(step, item, key, depth) {
    try {
      return write(item, key, depth);
    } catch (error) {
      if (error instanceof NotJson) error.steps.push(step);
      throw error;
    }
  }

  function write(item, key, depth) {
    if (item !== null && (typeof item === "object" || typeof item === "function" || typeof item === "bigint")) {
      if (typeof item.toJSON === "function") item = item.toJSON(key);
    }
    if (item instanceof Number) item = Number(item);
    else if (item instanceof String) item = String(item);
    else if (item instanceof Boolean || item instanceof BigInt) item = item.valueOf();
    if (item === null) return took("null");
    switch (typeof item) {
      case "undefined":
        return undefined;
      case "boolean":
        return took(item ? "true" : "false");
      case "number":
        if (!Number.isFinite(item)) throw new NotJson(`${item}, which JSON has no number for`);
        return took(stringify(item));
      case "string":
        return text(item);
      case "function":
      case "symbol":
      case "bigint":
        throw new NotJson(`a ${typeof item}, which JSON does not have`);
    }
    for (const [type, name] of NO_JSON) {
      if (item instanceof type) throw new NotJson(`${name}, which JSON does not have`);
    }
    if (ArrayBuffer.isView(item)) throw new NotJson(`bytes (a ${item.constructor?.name}), which JSON does not have`);
    if (open.has(item)) throw new NotJson("a value that contains itself");
    if (depth > 128) throw new NotJson("nested deeper than 128 levels");
    open.add(item);
    const parts = [];
    took("[]");
    if (Array.isArray(item)) {
      for (let index = 0; index < item.length; index++) {
        const part = inside(`[${index}]`, item[index], String(index), depth + 1);
        parts.push(part ?? took("null"));
        took(",");
      }
      size -= parts.length ? 1 : 0;
    } else {
      for (const symbol of getOwnPropertySymbols(item)) {
        if (propertyIsEnumerable.call(item, symbol)) {
          throw new NotJson(`an object with the key ${String(symbol)}; keys must be text`);
        }
      }
      for (const name of keys(item)) {
        const before = size;
        const head = text(name) + took(":");
        const part = inside(`.${name.slice(0, 80)}`, item[name], name, depth + 1);
        if (part === undefined) {
          size = before;
          continue;
        }
        parts.push(head + part);
        took(",");
      }
      size -= parts.length ? 1 : 0;
    }
    open.delete(item);
    return Array.isArray(item) ? `[${parts.join(",")}]` : `{${parts.join(",")}}`;
  }

  return write(value, "", 1) ?? "null";
}

async function runLambda(request) {
  let value;
  try {
    const module = await import("file:///lambda/main.ts");
    if (typeof module.default !== "function") {
      throw new OutOfPlace("it has no function as its default export: `export default function (input) { ... }`");
    }
    value = await module.default(request.input);
  } catch (error) {
    if (error instanceof OutOfPlace) return ["X", error.message];
    show(error);
    return ["X", describe(error)];
  }
  try {
    const text = encode(value, request.limit);
    const size = new TextEncoder().encode(text).length;
    return size > request.limit ? ["T", String(size)] : ["V", text];
  } catch (error) {
    if (error instanceof NotJson) return ["N", `$${error.steps.reverse().join("")} is ${error.message}`];
    if (error instanceof TooLarge) return ["T", "0"];
    show(error);
    return ["N", `reading it failed with ${describe(error)}`];
  }
}

sendAll(new TextEncoder().encode("H"));
const request = receiveAll();
if (!request.endsWith("\n")) exit(1); // the workbench died before it let this call go
const job = parse(request);
if (job.kind === "code") {
  // A program has no result, and so nowhere to write one.
  channel.close();
  Deno.permissions.revokeSync({ name: "write", path: "/lambda/result" });
  try {
    await import("file:///lambda/main.ts");
  } catch (error) {
    show(error);
    exit(1);
  }
} else {
  report(...await runLambda(job));
}
