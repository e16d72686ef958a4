"""Checks the aws commands of documents and scripts with the AWS CLI, up to the call. Fails for a wrong command, and when
a planted one is accepted. The scripts in infra also call aws by their functions `run` and `answer`; the latter takes a part
of the answer by an expression of JavaScript, whose fields are checked too.

usage: commands.py   in the root of the repository, with the Python of an environment that has awscli
"""

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
from pathlib import Path

import jmespath
from awscli.arguments import CLIArgument
from awscli.clidriver import create_clidriver

# What the parser must refuse, with a part of its message.
PLANTED = (
    ("aws dynamodb update-table --table-name T --warm-thruput ReadUnitsPerSecond=1", "--warm-thruput"),
    ("aws dynamodb warm-table --table-name T", "Invalid choice"),
    ("aws dynamo list-tables", "Invalid choice"),
    ("aws dynamodb describe-table --table T", "--table"),
    ("aws dynamodb update-time-to-live --table-name T", "required"),
    ("aws dynamodb update-table --table-name T --on-demand-throughput MaxReadUnits=1", "MaxReadUnits"),
    ("aws dynamodb update-table --table-name T --stream-specification StreamEnabled=true,StreamViewType=ALL", "ALL"),
    ("aws dynamodb update-table --table-name T --on-demand-throughput MaxReadRequestUnits=many", "many"),
    ("aws dynamodb describe-table --table-name T --query Table.StreamLabel", "Table.StreamLabel"),
    ("aws dynamodb wait table-there --table-name T", "Invalid choice"),
    ("aws s3 sync s3://BUCKET s3://COPY --dele", "Unknown option --dele"),
    ('run aws dynamodb describe-table --table "$name"', "--table"),
    ('name=$(answer a.Table.Name dynamodb describe-table --table-name "$1")', "no field Name"),
    ('answer "a.Table.GlobalSecondaryIndexes.map(i => i.Name)" dynamodb describe-table --table-name "$1"', "no field Name"),
    ("answer '' dynamodb delete-table --table-name T --name T", "--name"),
)
LEFT_OUT = {".git", "node_modules", "target"}
# These are options of version 2 only, with the number of their values.
VERSION_2 = {"--cli-binary-format": 1, "--no-cli-pager": 0}
# What stands for a value: a word in capitals, or a variable of a script.
PLACEHOLDER = re.compile(r"[A-Z][A-Z0-9_]*|\$\{?\w+}?")
# Those that stand for a value of a form.
VALUES = {
    "$region": "eu-central-1",
    "CURRENT": "00000000-0000-0000-0000-000000000000",
    "MAPPING": "00000000-0000-0000-0000-000000000000",
    "NEXT": "00000000-0000-0000-0000-000000000000",
    "NUMBER": "1",
    "REGION": "eu-central-1",
    "TIME": "2026-01-01T00:00:00Z",
}
BEFORE_A_COMMAND = {"if", "then", "else", "do", "while", "until", "!", "time", "exec", "run"}
# What JavaScript has, in the expressions of `answer`.
METHODS = {"filter", "join", "length", "map", "pop", "slice", "some", "sort", "split", "test"}
SEPARATOR = re.compile(r"[();<>|&]+")


class Sent(Exception):
    """The call that the command would have made."""


def words(text):
    lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    return list(lexer)


def commands_in(text):
    """Returns the words of each aws command in a text of a shell."""
    found, current, before = [], None, ";"
    for word in [*words(text), ";"]:
        # A command in the text of another.
        if re.search(r"(^|\()\s*aws [a-z]", word):
            found += commands_in(re.sub(r"^.*?(?=aws )", "", word, count=1, flags=re.DOTALL))
        if SEPARATOR.fullmatch(word):
            # Alone it is the definition of `answer`.
            if current and len(current) > 1:
                # A number before a redirection is a channel.
                if word.startswith(">") and current[-1].isdigit():
                    current.pop()
                found.append(current)
            current = None
        elif current is not None:
            current.append(word)
        elif word in ("aws", "answer") and (SEPARATOR.fullmatch(before) or before in BEFORE_A_COMMAND):
            current = [word]
        before = word
    return found


def shell(text):
    """Returns the commands of a script, once for each word that a loop puts into them."""
    loops = re.findall(r"\bfor (\w+) in ([^;\n$]+)", text)
    text = text.replace("\\\n", " ")
    found = []
    for line in text.splitlines():
        if re.search(r"\b(aws [a-z$]|answer [\w\"'])", line) and not line.lstrip().startswith("#"):
            try:
                commands = commands_in(line)
            except ValueError as error:
                raise ValueError(f"{error} in the line {line.strip()}") from error
            for command in commands:
                loop = next(((name, values) for name, values in loops if f"${name}" in command), None)
                expanded = [[value if word == f"${loop[0]}" else word for word in command] for value in loop[1].split()] if loop else [command]
                found += expanded
    return found


def markdown(text):
    blocks = re.findall(r"^ *```\w*\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)
    prose = re.sub(r"^ *```\w*\n.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE)
    inline = [" ".join(code.split()) for code in re.findall(r"`(aws [^`]+)`", prose)]
    return [command for code in [*blocks, *inline] for command in shell(code)]


def sources():
    for path in sorted(Path().rglob("*")):
        if LEFT_OUT.isdisjoint(path.parts) and path.is_file():
            if path.suffix == ".md":
                yield path, markdown
            elif path.parts[0] in ("infra", ".ci") and path.read_bytes()[:20].startswith((b"#!/usr/bin/env bash", b"#!/bin/sh")):
                yield path, shell


def sample(shape, around=()):
    """Returns an answer with all fields."""
    if shape.name in around:
        return {}
    around = (*around, shape.name)
    if shape.type_name == "structure":
        return {name: sample(member, around) for name, member in shape.members.items()}
    if shape.type_name == "list":
        return [sample(shape.member, around)]
    if shape.type_name == "map":
        return {"KEY": sample(shape.value, around)}
    return {"string": "TEXT", "boolean": True}.get(shape.type_name, 1)


def fields(shape, seen=()):
    """Returns the names of all fields of an answer."""
    if shape is None or shape.name in seen:
        return set()
    seen = (*seen, shape.name)
    if shape.type_name == "structure":
        return set(shape.members).union(*(fields(member, seen) for member in shape.members.values()))
    return fields(shape.member if shape.type_name == "list" else shape.value if shape.type_name == "map" else None, seen)


def empty(value):
    return value is None or value == [] or (isinstance(value, list) and any(map(empty, value)))


def wrong_constant(shape, value):
    """Returns a constant in a value that the shape does not have, or nothing."""
    parts = ()
    if shape.type_name == "structure" and isinstance(value, dict):
        parts = [(shape.members[name], part) for name, part in value.items() if name in shape.members]
    elif shape.type_name == "list" and isinstance(value, list):
        parts = [(shape.member, part) for part in value]
    elif getattr(shape, "enum", None) and value not in shape.enum and not str(value).startswith("$"):
        return f"{value} is none of {', '.join(shape.enum)}"
    return next(filter(None, (wrong_constant(*part) for part in parts)), None)


def lenient(number):
    return lambda text: number(1) if PLACEHOLDER.fullmatch(text) else number(text)


class Check:
    """One command on its way to the call."""

    def __init__(self, command):
        self.arguments = []
        is_part = command[0] == "answer"
        self.part = command[1] if is_part else ""
        rest = iter(command[2 if is_part else 1 :])
        for word in rest:
            if word in VERSION_2:
                for _ in range(VERSION_2[word]):
                    next(rest, None)
            else:
                # The file of a script does not exist here.
                self.arguments.append("{}" if word.startswith(("file://$", "fileb://$")) else VALUES.get(word, word))
        self.sent, self.constant, self.query = False, None, None
        # The parser takes the beginning of an option for the option.
        self.known = {"--query", "--output", "--region"}

    def note_options(self, argument_table, **_):
        self.known |= {f"--{name}" for name in argument_table}

    def before_parameters(self, params, model, **_):
        self.constant = model.input_shape and wrong_constant(model.input_shape, params)

    def before_call(self, model, **_):
        self.sent = True
        if "--query" in self.arguments[:-1]:
            query = self.arguments[self.arguments.index("--query") + 1]
            if not model.output_shape or empty(jmespath.search(query, sample(model.output_shape))):
                self.query = f"--query {query} finds nothing in the answer of {model.name}"
        # A variable has a name in capitals, and texts are in quotes.
        asked = {name for name in re.findall(r"\.(\w+)", re.sub(r"'[^']*'", "", self.part)) if not PLACEHOLDER.fullmatch(name)}
        unknown = asked - METHODS - fields(model.output_shape)
        if unknown:
            self.query = f"{self.part}: the answer of {model.name} has no field {', '.join(sorted(unknown))}"
        raise Sent

    def fault(self):
        """Returns what is wrong with the command, or nothing."""
        driver = create_clidriver()
        driver.session.register("before-building-argument-table-parser", self.note_options)
        driver.session.register("before-parameter-build", self.before_parameters)
        driver.session.register("before-call", self.before_call)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed), contextlib.suppress(SystemExit):
            driver.main(self.arguments)
        message = printed.getvalue().strip().partition("error: ")[2] or printed.getvalue().strip()
        # Prose may name an operation without its options.
        bare = not any(word.startswith("-") for word in self.arguments)
        if not self.sent and not (bare and "arguments are required" in message):
            return self.constant or message or "does not get to a call"
        unknown = (f"Unknown option {word}" for word in self.arguments if word.startswith("--") and word.partition("=")[0] not in self.known)
        return self.constant or self.query or next(unknown, None)


os.environ.update(
    AWS_ACCESS_KEY_ID="none",
    AWS_SECRET_ACCESS_KEY="none",
    AWS_DEFAULT_REGION="eu-central-1",
    AWS_CONFIG_FILE=os.devnull,
    AWS_SHARED_CREDENTIALS_FILE=os.devnull,
    AWS_EC2_METADATA_DISABLED="true",
    # Nothing listens there.
    AWS_ENDPOINT_URL="http://127.0.0.1:9",
    AWS_MAX_ATTEMPTS="1",
)
os.environ.pop("AWS_PROFILE", None)
found = {}
for path, read in sources():
    try:
        for command in read(path.read_text(encoding="utf-8")):
            found.setdefault(shlex.join(command), (command, []))[1].append(str(path))
    except ValueError as error:
        sys.exit(f"{path}: a command cannot be read: {error}")
for name, number in (("integer", int), ("long", int), ("float", float), ("double", float)):
    CLIArgument.TYPE_MAP[name] = lenient(number)
faults = []
# A command may create a folder.
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for text, part in PLANTED:
        fault = next((Check(command).fault() for command in shell(text)), None)
        if not fault or part not in fault:
            faults.append(f"The planted fault was not found: {text}: {fault}")
    for text, (command, paths) in found.items():
        fault = Check(command).fault()
        if fault:
            faults.append(f"{', '.join(dict.fromkeys(paths))}: {text}\n  {fault}")
    os.chdir("/")
if not any("docs/operations.md" in paths for _, paths in found.values()):
    faults.append("docs/operations.md has no aws command.")
if faults:
    sys.exit("\n".join(faults))
print(f"{len(found)} aws commands of {len({path for _, paths in found.values() for path in paths})} files are right; {len(PLANTED)} wrong ones are found.")
