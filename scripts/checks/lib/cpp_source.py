"""C++ source as tokens and bracket trees, enough for the checks: comments and preprocessor lines are dropped,
string literals are kept as one token each."""
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

TOKEN = re.compile(
    r"""
    (?P<space>\s+|//(?:[^\n\\]|\\.|\\\n)*|/\*.*?\*/)
  | (?P<raw>(?:u8|[uUL])?R"(?P<tag>[^()\\\s]{0,16})\((?P<rawtext>.*?)\)(?P=tag)")
  | (?P<string>(?:u8|[uUL])?"(?P<text>(?:[^"\\\n]|\\.)*)")
  | (?P<char>(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+')
  | (?P<directive>(?<![^\n])[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<number>\.?\d(?:'?[\w.]|(?<=[eEpP])[+-])*)
  | (?P<punctuation><<=|>>=|<=>|->\*|\.\.\.|::|->|\+\+|--|&&|\|\||[-+*/%&|^=!<>]=|<<|.)
    """,
    re.VERBOSE | re.DOTALL,
)
CLOSING = {"(": ")", "[": "]", "{": "}"}


@dataclass
class Token:
    text: str
    line: int
    kind: str  # word, number, string, char, punctuation
    value: str = ""  # of a string: its contents


@dataclass
class Group:
    """A bracketed part: text is the opening bracket, items are tokens and groups between it and its partner."""

    text: str
    line: int
    items: list = field(default_factory=list)
    kind: str = "group"


def tokens(source):
    position, line = 0, 1
    while position < len(source):
        match = TOKEN.match(source, position)
        # A directive begins its line; the spaces before it may already be eaten.
        if source[position] == "#" and not source[source.rfind("\n", 0, position) + 1 : position].strip():
            match = re.compile(r"#(?:[^\n\\]|\\.|\\\n)*", re.DOTALL).match(source, position)
            kind = "directive"
        else:
            kind = match.lastgroup if match.lastgroup not in ("tag", "rawtext", "text") else "string"
            kind = "string" if match.group("raw") or match.group("string") else kind
        text = match.group(0)
        if kind not in ("space", "directive"):
            value = (match.group("rawtext") or match.group("text") or "") if kind == "string" else ""
            yield Token(text, line, kind, value)
        line += text.count("\n")
        position = match.end()


def tree(source):
    """The file's top-level items, brackets folded into groups. Unbalanced brackets (macros) end where they can."""
    root = Group("", 1)
    stack = [root]
    for token in tokens(source):
        if token.kind == "punctuation" and token.text in CLOSING:
            group = Group(token.text, token.line)
            stack[-1].items.append(group)
            stack.append(group)
        elif token.kind == "punctuation" and token.text in CLOSING.values():
            while len(stack) > 1:
                if CLOSING[stack.pop().text] == token.text:
                    break
        else:
            stack[-1].items.append(token)
    return root.items


def tracked_files(*patterns):
    """Paths, relative to the root, that git tracks or would track."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
    return sorted({Path(name) for name in names if name and (ROOT / name).is_file()})


def report(findings, what):
    """Prints the findings as file:line: text and ends the process accordingly."""
    for path, line, text in findings:
        print(f"{path}:{line}: {text}")
    if findings:
        sys.exit(f"{len(findings)} finding(s): {what}")
