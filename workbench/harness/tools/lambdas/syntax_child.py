"""Compiles the Python source on stdin and prints what is wrong with it, as JSON: [[line, column, message], ...].

A program of its own, for the interpreter that runs the lambdas. It compiles and does nothing else with the source.
"""

import ast
import json
import sys

MOST_BYTES = 1024 * 1024 * 1024
MOST_SECS = 10


def confine() -> None:
    """Take no more of the machine than a compiler needs: a source can be written so that it wants everything."""
    try:
        import resource
    except ImportError:
        return
    for which, most in ((resource.RLIMIT_AS, MOST_BYTES), (resource.RLIMIT_CPU, MOST_SECS)):
        try:
            resource.setrlimit(which, (most, most))
        except (OSError, ValueError):
            continue


def problems(source: str) -> "list[tuple[int, int, str]]":
    """What is wrong with a source: what the compiler says, or that it has no usable `main`."""
    at = source.find("\0")
    if at >= 0:
        return [(source.count("\n", 0, at) + 1, at - source.rfind("\n", 0, at), "a NUL character stands here")]
    try:
        # The same call as at run time.
        compile(source, "main.py", "exec", dont_inherit=True)
        tree = ast.parse(source)
    except SyntaxError as error:
        return [(error.lineno or 1, error.offset or 1, error.msg)]
    except (MemoryError, RecursionError):
        return [(1, 1, "nested too deeply to be compiled")]
    return entry(tree, source)


def entry(tree: ast.Module, source: str) -> "list[tuple[int, int, str]]":
    """What is wrong with the entry point."""
    bound = names_of(tree)
    if "main" not in bound and "*" not in bound:
        return [(1, 1, "it defines no function `main(input)`, which is what a call runs")]
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == "main":
            takes = node.args
            positional = len(takes.posonlyargs) + len(takes.args)
            required = positional - len(takes.defaults) + takes.kw_defaults.count(None)
            if required > 1 or (not positional and takes.vararg is None):
                text = source.split("\n")[node.lineno - 1].encode()[: node.col_offset]
                return [(node.lineno, len(text.decode()) + 1, "main takes one argument, the input: def main(input)")]
    return []


def names_of(tree: ast.Module) -> "set[str]":
    """What a module binds at its top level; `*` for what cannot be known."""
    bound = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.add(node.name)
            continue
        if isinstance(node, ast.Lambda):
            continue
        if isinstance(node, ast.alias):
            bound.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
            bound.add(node.name)
        waiting.extend(ast.iter_child_nodes(node))
    return bound


if __name__ == "__main__":
    confine()
    given = sys.stdin.buffer.read().decode()
    sys.stdout.write(json.dumps(problems(given)))
