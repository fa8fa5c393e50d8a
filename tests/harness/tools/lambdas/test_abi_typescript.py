"""The ABI of TypeScript lambdas: what is a value, what is not, and what happens to output."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.sandbox

NEST = "function nest(n: number) { let v: unknown = 1; for (let i = 0; i < n; i++) v = [v]; return v }\n"

VALUES = [
    ("undefined", None),
    ("null", None),
    ("[undefined, 1, , 2]", [None, 1, None, 2]),
    ("({a: undefined, b: 1})", {"b": 1}),
    ("new Date(0)", "1970-01-01T00:00:00.000Z"),
    ("({toJSON() { console.log('noise'); return {x: 1} }})", {"x": 1}),
    ("({a: {toJSON: (key: string) => key}})", {"a": "a"}),
    ("[new Number(1), new String('s'), new Boolean(false)]", [1, "s", False]),
    ("'ä 🙂 \\u2028'", "ä 🙂 \u2028"),
    ("-0", 0),
    ("1e21", 1e21),
    ("new (class { x = 1; y() {} })()", {"x": 1}),
    ("Promise.resolve(5)", 5),
    ("JSON.parse('{\"__proto__\": 1}')", {"__proto__": 1}),
]


@pytest.mark.parametrize(("expression", "expected"), VALUES)
async def test_a_value_arrives_as_json(call, expression, expected):
    outcome = await call("typescript", f"export default function (input: unknown) {{ return {expression} }}")
    assert outcome.value == expected


NOT_JSON = [
    ("NaN", "$ is NaN"),
    ("({a: [1, -Infinity]})", "$.a[1] is -Infinity"),
    ("({m: new Map()})", "$.m is a Map"),
    ("[new Set([1])]", "$[0] is a Set"),
    ("new Uint8Array(2)", "bytes"),
    ("({b: new ArrayBuffer(2)})", "bytes"),
    ("() => 1", "a function"),
    ("({f() {}})", "$.f is a function"),
    ("Symbol('s')", "a symbol"),
    ("({[Symbol('s')]: 1})", "keys must be text"),
    ("({n: 10n})", "$.n is a bigint"),
    ("'\\ud800'", "lone surrogate"),
    ("({'\\udfff': 1})", "lone surrogate"),
    ("(() => { const a: unknown[] = []; a.push(a); return a })()", "contains itself"),
    ("nest(129)", "deeper than 128"),
    ("({p: Promise.resolve(1)})", "a Promise"),
    ("({get x() { throw new Error('boo') }})", "boo"),
]


@pytest.mark.parametrize(("expression", "says"), NOT_JSON)
async def test_what_is_not_json_fails_and_says_where(failure, expression, says):
    error = await failure("typescript", f"{NEST}export default function (input: unknown) {{ return {expression} }}")
    assert error.code == "failed"
    assert "is not JSON" in error.message
    assert says in error.message


FAILURES = [
    ("export default () => { throw new Error('boo') }", "Error: boo"),
    ("export default () => { throw 'text' }", 'it threw "text"'),
    ("export default () => { Deno.exit(0) }", "exited (code 0) before it returned a value"),
    ("export default () => ({toJSON() { Deno.exit(0) }})", "exited (code 0) before it returned a value"),
    ("import process from 'node:process'; process.exit(4)", "exited (code 4)"),
    ("export default () => new Promise(() => {})", "before it returned a value"),
    (
        "export default async () => { Promise.reject(new Error('lost')); await new Promise(r => setTimeout(r, 1000)) }",
        "lost",
    ),
    ("export default 5", "no function as its default export"),
    ("export function main() {}", "no function as its default export"),
    ("export default () => {", "SyntaxError"),
    ("import 'npm:chalk'; export default () => 1", "npm"),
    ("import 'https://example.org/x.ts'; export default () => 1", "example.org"),
]


@pytest.mark.parametrize(("source", "says"), FAILURES)
async def test_a_lambda_that_ends_without_a_value_fails(failure, source, says):
    error = await failure("typescript", source)
    assert error.code == "failed"
    assert says in error.message


async def test_a_failure_carries_the_place_in_the_source_and_none_of_ours(failure):
    error = await failure("typescript", "export default () => {\n  throw new TypeError('boo')\n}\n")
    assert "file:///lambda/main.ts:2:9" in error.message
    assert "boot.js" not in error.message


async def test_types_are_stripped_and_built_in_modules_work(call):
    source = """
import { createHash } from "node:crypto";
import { join } from "node:path";
interface Input { text: string }
export default async function (input: Input): Promise<{ hash: string; path: string }> {
  await new Promise((resolve) => setTimeout(resolve, 1));
  return { hash: createHash("sha1").update(input.text).digest("hex"), path: join("/a", "b") };
}
"""
    outcome = await call("typescript", source, {"text": "a"})
    assert outcome.value == {"hash": "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8", "path": "/a/b"}


async def test_a_worker_runs(call):
    source = """
export default () => new Promise((resolve, reject) => {
  const code = "self.onmessage = (e) => self.postMessage(e.data * 2)";
  const worker = new Worker("data:text/javascript," + encodeURIComponent(code), { type: "module" });
  worker.onmessage = (e) => resolve(e.data);
  worker.onerror = (e) => reject(new Error(e.message));
  worker.postMessage(21);
});
"""
    assert (await call("typescript", source)).value == 42


async def test_what_is_printed_is_kept_apart_from_the_value(call):
    source = "export default () => { console.log('V5\\n[\"a\"]'); console.error('to stderr'); return {ok: 1} }"
    outcome = await call("typescript", source)
    assert outcome.value == {"ok": 1}
    assert (outcome.stdout, outcome.stderr) == ('V5\n["a"]\n', "to stderr\n")


async def test_a_large_program_a_large_value_and_long_logs_are_all_intact(call):
    padding = "//" + "x" * 1021 + "\n"
    head = "export default () => { console.log('y'.repeat(300_000)); return 'z'.repeat(1024 * 1024 - 2) }\n"
    source = head + padding * ((256 * 1024 - len(head)) // len(padding))
    outcome = await call("typescript", source)
    assert len(outcome.value) == 1024 * 1024 - 2
    assert outcome.truncated
    assert "300,001 were printed, 65,536 are kept" in outcome.stdout


async def test_over_a_mebibyte_is_refused(failure):
    error = await failure("typescript", "export default () => 'é'.repeat(600_000)")
    assert error.code == "limit"
    assert "1,200,002 bytes" in error.message


async def test_input_arrives_whole(call):
    argument = {"text": "ä\u2028🙂\x00", "long": "x" * 3_000_000}
    source = "export default (i: {text: string, long: string}) => [i.text, i.long.length]"
    assert (await call("typescript", source, argument)).value == [argument["text"], 3_000_000]


async def test_code_is_a_program_whose_exit_code_counts(call):
    source = "const x: number = await Promise.resolve(3); console.log('x', x, Deno.args.length); Deno.exit(x)"
    outcome = await call("typescript", source, kind="code")
    assert (outcome.exit_code, outcome.stdout, outcome.value) == (3, "x 3 0\n", None)


async def test_code_that_throws_ends_with_one(call):
    outcome = await call("typescript", "console.log('a');\nthrow new Error('boo')\n", kind="code")
    assert (outcome.exit_code, outcome.stdout) == (1, "a\n")
    assert outcome.stderr.startswith("Error: boo\n    at file:///lambda/main.ts:2:7")
