"""Sets the caller and makes valid requests name existing resources. Invalid requests stay as they were generated."""

import atexit
import hashlib
import json
import os
import random
import re
import struct
import threading
import uuid
import zlib
from collections import Counter
from datetime import datetime, timedelta, timezone
from urllib.error import HTTPError
from urllib.parse import urljoin
from urllib.request import Request, urlopen

import schemathesis
from account import Api, Caller

with open(os.environ["FUZZ_WORLD"], encoding="utf-8") as file:
    WORLD = json.load(file)
API = Api(WORLD["url"])

COMPLETE = "POST /v1/media/{id}/complete"
EXPORT, STREAM = "/v1/users/me/export", "/v1/stream"
ERASE = "DELETE /v1/users/me"
REGISTER = "POST /v1/users"
WEBHOOKS = "/v1/webhooks"
SUSPICIOUS = "/v1/operator/suspicious"
# Nothing listens there, so that each call ends at once.
NOWHERE = "http://127.0.0.1:9/"
EVENT_TYPES = ("post.created", "post.deleted", "like.created", "account.erased")
ACTS_ON_A_STRANGER = ("/block", "/mute")
EVENT_ID = re.compile(r"^id: (\S+)$", re.MULTILINE)
LOCK = threading.Lock()
ANSWERS = Counter()
# The fuzzer uses the global generator.
RANDOM = random.Random(20_261_120)


def part_of_png(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


# One red pixel.
IMAGE = (
    b"\x89PNG\r\n\x1a\n"
    + part_of_png(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    + part_of_png(b"IDAT", zlib.compress(b"\0\xff\0\0"))
    + part_of_png(b"IEND", b"")
)


class Known:
    """Values from responses that a request may name. The newest are kept, because the oldest may be gone."""

    MOST = 200

    def __init__(self):
        self.by_list = {}

    def add(self, where, what):
        with LOCK:
            known = self.by_list.setdefault(where, [])
            known.append(what)
            del known[: -self.MOST]

    def any(self, where):
        with LOCK:
            known = self.by_list.get(where)
            return RANDOM.choice(known) if known else None

    def take(self, where):
        """Returns the oldest value and removes it, so that no other request gets it. A sequence may still use a new one."""
        with LOCK:
            known = self.by_list.get(where)
            return known.pop(0) if known else None


CURSORS, TAGS, NAMES = Known(), Known(), Known()
NAMES.add("post", WORLD["own"])
# An account has a bounded number of files.
for number in range(20):
    NAMES.add("try", number + 1)


def label(case):
    return f"{case.method.upper()} {case.path}"


def newcomer():
    return API.caller("n" + uuid.uuid4().hex)


@schemathesis.auth(refresh_interval=None)
class Tokens:
    """The caller is Ann, as an operator where a route needs one, except for registrations (a new user) and erasures (an account made for that request)."""

    def get(self, case, context):
        if label(case) == REGISTER and RANDOM.random() < 0.5:
            return newcomer().token
        if label(case) == ERASE:
            caller = newcomer()
            caller.post("/v1/users", {"handle": "h" + uuid.uuid4().hex[:20], "display_name": "X"})
            return caller.token
        return WORLD["operator" if case.path.startswith((WEBHOOKS, SUSPICIOUS)) else "token"]

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.check
def erased_account_is_gone(ctx, response, case):
    """An account rejects every request once its erasure was accepted."""
    if label(case) != ERASE or response.status_code != 202:
        return
    request = Request(WORLD["url"] + "/v1/users/me", headers={"Authorization": response.request.headers["Authorization"]})
    try:
        with urlopen(request, timeout=30) as answer:
            status, code = answer.status, None
    except HTTPError as refusal:
        status, code = refusal.code, json.loads(refusal.read()).get("code")
    assert (status, code) == (409, "account_erased"), f"The account answers {status} {code} after it was erased"


@schemathesis.check
def lines_and_events_are_json(ctx, response, case):
    """Checks what the schema check does not cover: the lines of an export, and the data of events."""
    if response.status_code != 200 or case.path not in (EXPORT, STREAM):
        return
    # Not splitlines(): a text may contain other line separators.
    for line in response.content.decode().rstrip("\n").split("\n"):
        if case.path == STREAM and line.startswith("data: "):
            assert isinstance(json.loads(line.removeprefix("data: ")), dict), line
        if case.path == EXPORT and line:
            assert json.loads(line)["kind"], line
    if case.path == EXPORT:
        assert json.loads(line)["kind"] == "end", "The export was cut off"


@schemathesis.check
def signed_addresses_are_answered(ctx, response, case):
    """The document leaves out the signed addresses of files: each in a response is answered, and no other signature is."""
    if label(case) != COMPLETE or response.status_code != 200:
        return
    for address in json.loads(response.content)["files"].values():
        first = address.index("signature=") + len("signature=")
        changed = address[:first] + ("B" if address[first] == "A" else "A") + address[first + 1 :]
        statuses = [status_of(each) for each in (address, changed)]
        assert statuses == [200, 404], f"{address} and the same with another signature answer {statuses}"


def status_of(address):
    try:
        with urlopen(urljoin(WORLD["url"], address), timeout=30) as answer:
            return answer.status
    except HTTPError as refusal:
        return refusal.code


def is_right(case):
    return case.meta is not None and case.meta.generation.mode.is_positive


def list_of(case):
    query = case.query or {}
    flags = tuple(str(query.get(flag)).lower() == "true" for flag in ("unread", "special_first"))
    searched = tuple(str(query.get(name)) for name in ("q", "author", "tag", "since", "until"))
    return case.formatted_path, *flags, *(searched if case.path.startswith("/v1/search/") else ())


@schemathesis.hook
def before_call(context, case, kwargs):
    if not is_right(case):
        return
    name_what_exists(case)
    if "cursor" in (case.query or {}):
        known = CURSORS.any(list_of(case))
        if known:
            case.query["cursor"] = known
        else:
            del case.query["cursor"]
    if "post_id" in (case.query or {}) and RANDOM.random() < 0.7:
        case.query["post_id"] = RANDOM.choice(WORLD["posts"])
    # The order by followers covers only the months of a year, which a schema cannot express.
    if "period" in (case.query or {}) and case.query.get("by") != "gained":
        case.query["period"] = datetime.now(timezone.utc).strftime("%Y-%m")
    headers = case.headers or {}
    # The same key with another body is correctly refused.
    if "Idempotency-Key" in headers:
        headers["Idempotency-Key"] = uuid.uuid4().hex
    if "If-None-Match" in headers and RANDOM.random() < 0.5:
        headers["If-None-Match"] = TAGS.any(case.formatted_path) or headers["If-None-Match"]
    # An id that no event had is correctly refused, and a schema cannot describe the ids that events had.
    if "Last-Event-ID" in headers:
        headers["Last-Event-ID"] = NAMES.any("event") if RANDOM.random() < 0.3 else None
        headers["Last-Event-ID"] = headers["Last-Event-ID"] or some_time_ago()


def some_time_ago():
    """A sort key. An old one gets an event in response, which ends the reading at once."""
    then = datetime.now(timezone.utc) - timedelta(minutes=RANDOM.choice((1, 90, 90, 90)))
    return then.strftime("%Y-%m-%dT%H:%M:%S.") + f"{then.microsecond // 1000:03}Z"


def some_file():
    """Uploads an image of the caller and returns its id. It is not completed."""
    caller = Caller(WORLD["url"], WORLD["token"])
    announced = {"content_type": "image/png", "bytes": len(IMAGE), "sha256": hashlib.sha256(IMAGE).hexdigest()}
    upload = caller.post("/v1/media", announced)
    address = urljoin(WORLD["url"], upload["address"])
    with urlopen(Request(address, IMAGE, upload["headers"], method=upload["method"]), timeout=30):
        return upload["id"]


def describe_webhook(case):
    """Which addresses can be called and which types exist, a schema cannot express. Few are called, since each event is."""
    if "url" in case.body and RANDOM.random() < 0.9:
        case.body["url"] = NOWHERE
    if case.body.get("event_types") and RANDOM.random() < 0.9:
        case.body["event_types"] = [RANDOM.choice(EVENT_TYPES)]
    case.body["enabled"] = RANDOM.random() < 0.1


def name_what_exists(case):
    path = case.path_parameters or {}
    # A file is completed once and shown once, by a post or the profile, which a schema cannot express.
    if label(case) == COMPLETE and NAMES.take("try"):
        path["id"] = some_file()
        return
    if label(case) == "POST /v1/posts" and isinstance(case.body, dict) and case.body.get("media"):
        file = NAMES.take("file")
        case.body["media"] = [file] if file else []
    if label(case) == "PATCH /v1/users/me" and isinstance(case.body, dict):
        for picture in ("avatar", "banner"):
            if case.body.get(picture) is not None:
                case.body[picture] = NAMES.take("file")
    # A schema cannot say that a time is in the future.
    if label(case) == "PUT /v1/operator/suspicious/{id}/slow-down" and isinstance(case.body, dict):
        case.body["until"] = (datetime.now(timezone.utc) + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
    if case.path in (WEBHOOKS, WEBHOOKS + "/{id}") and isinstance(case.body, dict):
        describe_webhook(case)
    # An id that a link took from a response exists already.
    if len(str(path.get("id", ""))) == 26 or RANDOM.random() < 0.3:
        return
    if "handle" in path:
        path["handle"] = RANDOM.choice(WORLD["readers"])
    if "id" not in path:
        return
    if case.path.startswith("/v1/users/"):
        path["id"] = RANDOM.choice(WORLD["strangers" if case.path.endswith(ACTS_ON_A_STRANGER) else "readers"])
    elif case.path.startswith("/v1/notifications/"):
        path["id"] = NAMES.any("notification") or path["id"]
    elif case.path.startswith(SUSPICIOUS):
        path["id"] = RANDOM.choice(WORLD["suspects"])
    elif label(case) == "DELETE /v1/webhooks/{id}":
        path["id"] = NAMES.take("webhook") or path["id"]
    elif case.path.startswith(WEBHOOKS):
        path["id"] = NAMES.any("webhook") or path["id"]
    elif label(case) == "DELETE /v1/posts/{id}":
        path["id"] = NAMES.take("post") or path["id"]
    elif label(case) in ("PATCH /v1/posts/{id}", "GET /v1/posts/{id}/delivery"):
        path["id"] = NAMES.any("post") or path["id"]
    elif case.path.startswith("/v1/posts/"):
        path["id"] = RANDOM.choice(WORLD["posts"])
        if "comment_id" in path:
            path["id"], path["comment_id"] = NAMES.take("comment") or RANDOM.choice(WORLD["comments"])


@atexit.register
def note_answers():
    with open(os.environ["FUZZ_ANSWERS"], "w", encoding="utf-8") as file:
        json.dump([[*key, many] for key, many in ANSWERS.items()], file)


@schemathesis.hook
def after_call(context, case, response):
    with LOCK:
        ANSWERS[label(case), response.status_code] += 1
    if response.status_code not in (200, 201):
        return
    for tag in response.headers.get("etag", []):
        TAGS.add(case.formatted_path, tag)
    if case.path == STREAM:
        for found in EVENT_ID.findall(response.content.decode()):
            NAMES.add("event", found)
        return
    try:
        body = json.loads(response.content)
    except ValueError:
        return
    if case.method.upper() == "GET" and isinstance(body, dict) and body.get("next_cursor"):
        CURSORS.add(list_of(case), body["next_cursor"])
    if label(case) == "GET /v1/notifications":
        for item in body["items"]:
            NAMES.add("notification", item["id"])
    elif label(case) == "POST /v1/posts":
        NAMES.add("post", body["id"])
    elif label(case) == "POST /v1/webhooks":
        NAMES.add("webhook", body["id"])
    elif label(case) == COMPLETE:
        NAMES.add("file", body["id"])
    elif label(case) == "POST /v1/posts/{id}/comments":
        NAMES.add("comment", (case.path_parameters["id"], body["id"]))
