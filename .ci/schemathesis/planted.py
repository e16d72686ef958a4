"""A proxy in front of the API that corrupts some responses, and the check that each fault was found.

usage: planted.py serve API     prints its address
       planted.py names         prints the operations that it corrupts
       planted.py judge REPORT  fails when a fault was not found
"""

import itertools
import json
import re
import sys
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Callable
from urllib.parse import urlsplit


@dataclass
class Answer:
    status: int
    headers: list = field(default_factory=list)
    body: bytes = b""

    def with_header(self, name, value):
        kept = [(n, v) for n, v in self.headers if n.lower() != name.lower()]
        return Answer(self.status, kept + ([(name, value)] if value else []), self.body)

    def with_body(self, status, value):
        changed = Answer(status, self.headers, json.dumps(value).encode())
        return changed.with_header("Content-Type", "application/json")


@dataclass
class Fault:
    """An operation, the failure type that must report its fault, and the fault."""

    operation: str
    found_as: str
    plant: Callable[[Answer], Answer]
    # The fault changes responses to the methods that the path does not have.
    to_other_methods: bool = False

    def is_of(self, method, path):
        wanted, template = self.operation.split(" ")
        return (method != wanted) == self.to_other_methods and re.fullmatch(re.sub(r"{\w+}", "[^/]+", template), path)


def when(status, change):
    return lambda answer: change(answer) if answer.status == status else answer


def now_and_then(change):
    answers = itertools.count(1)
    return lambda answer: change(answer) if next(answers) % 5 == 0 else answer


ERASURE = "DELETE /v1/users/me"
FAULTS = [
    Fault(
        "GET /v1/notifications/unread-count",
        "JsonSchemaError",
        when(200, lambda a: a.with_body(200, {"count": "many"})),
    ),
    Fault("GET /v1/access-patterns", "UndefinedStatusCode", when(200, lambda a: a.with_body(418, []))),
    Fault("GET /v1/users/me/mutes", "UndefinedContentType", when(200, lambda a: a.with_header("Content-Type", "text/plain"))),
    Fault("POST /v1/posts", "MissingHeaders", when(201, lambda a: a.with_header("Location", None))),
    # In every fifth response only.
    Fault("POST /v1/posts/{id}/like", "ServerError", when(200, now_and_then(lambda a: a.with_body(500, {})))),
    Fault("GET /v1/feed", "AcceptedNegativeData", when(400, lambda a: a.with_body(200, {"items": []}))),
    Fault("GET /v1/users/me/blocks", "RejectedPositiveData", when(200, lambda a: a.with_body(400, {}))),
    Fault(
        "GET /v1/tags/trending",
        "UnsupportedMethodResponse",
        when(405, lambda a: a.with_header("Allow", None)),
        to_other_methods=True,
    ),
    Fault("GET /v1/notifications", "IgnoredAuth", when(401, lambda a: a.with_body(200, {"items": []}))),
    Fault("GET /v1/users/me/export", "CustomFailure", when(200, lambda a: Answer(a.status, a.headers, a.body[: a.body.rstrip().rfind(b"\n") + 1]))),
    # The proxy never passes it on.
    Fault(ERASURE, "CustomFailure", lambda a: a),
]


class Proxy(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    api = None

    def handle_any(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = urlsplit(self.path).path
        answer = self.passed_on(body)
        for fault in FAULTS:
            if fault.is_of(self.command, path):
                answer = fault.plant(answer)
        self.send_response_only(answer.status)
        for name, value in answer.headers:
            self.send_header(name, value)
        if answer.status not in (204, 304):
            self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    def passed_on(self, body):
        pretends = self.command == "DELETE" and self.path == ERASURE.split(" ")[1] and "Authorization" in self.headers
        connection = HTTPConnection(urlsplit(self.api).netloc, timeout=30)
        try:
            # The API checks the token.
            connection.putrequest("GET" if pretends else self.command, self.path, skip_host=True, skip_accept_encoding=True)
            for name, value in self.headers.items():
                # A compressed body could not be changed.
                if name.lower() not in ("connection", "transfer-encoding", "content-length", "accept-encoding"):
                    connection.putheader(name, value.encode("latin-1"))
            if body or self.command in ("POST", "PUT", "PATCH"):
                connection.putheader("Content-Length", str(0 if pretends else len(body)))
            connection.endheaders(b"" if pretends else body)
            response = connection.getresponse()
            headers = [
                (n, v)
                for n, v in response.getheaders()
                if n.lower() not in ("connection", "transfer-encoding", "content-length")
            ]
            answer = Answer(response.status, headers, response.read())
        finally:
            connection.close()
        if pretends and answer.status == 200:
            kept = [(n, v) for n, v in answer.headers if n.lower() not in ("etag", "content-type", "cache-control")]
            return Answer(202, kept)
        return answer

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_TRACE = do_QUERY = handle_any

    def log_message(self, *_):
        pass


def serve(api):
    Proxy.api = api
    server = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    server.daemon_threads = True
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


def judge(report):
    with open(report, encoding="utf-8") as file:
        groups = json.load(file)["failures"]
    # By path, because the report lists a response to another method under that method.
    found = {(operation.split(" ")[1], group["type"]) for group in groups for operation in group["operations"]}
    planted = {(fault.operation.split(" ")[1], fault.found_as) for fault in FAULTS}
    for path, kind in sorted(planted - found):
        print(f"fuzz: the planted fault of {path} was not found as {kind}", file=sys.stderr)
    print(f"{len(planted & found)} of {len(planted)} planted faults were found.")
    return bool(planted - found)


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(sys.argv[2])
    elif sys.argv[1] == "names":
        print(*(fault.operation for fault in FAULTS), sep="\n")
    else:
        sys.exit(judge(sys.argv[2]))
