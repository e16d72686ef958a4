"""Lets right requests meet what exists. Wrong ones are left as they were made."""

import json
import os
import random
import threading
import uuid

import schemathesis

with open(os.environ["FUZZ_WORLD"], encoding="utf-8") as file:
    WORLD = json.load(file)

ACTS_ON_ANOTHER = ("/follow", "/block", "/mute")
# The cursors that the server gave, by list; no other is right.
CURSORS = {}
LOCK = threading.Lock()
# The global one belongs to the fuzzer.
RANDOM = random.Random(20_261_120)


def is_right(case):
    return case.meta is not None and case.meta.generation.mode.is_positive


def list_of(case):
    unread = str((case.query or {}).get("unread")).lower() == "true"
    return case.formatted_path, unread


@schemathesis.hook
def before_call(context, case, kwargs):
    if not is_right(case):
        return
    name_what_exists(case)
    if "cursor" in (case.query or {}):
        with LOCK:
            known = CURSORS.get(list_of(case))
        if known:
            case.query["cursor"] = RANDOM.choice(known)
        else:
            del case.query["cursor"]
    # The same key with another body is refused, rightly.
    if "Idempotency-Key" in (case.headers or {}):
        case.headers["Idempotency-Key"] = uuid.uuid4().hex


def name_what_exists(case):
    path = case.path_parameters or {}
    # What a link brought from an answer exists already.
    if "id" not in path or len(path["id"]) == 26 or RANDOM.random() < 0.3:
        return
    if case.path.startswith("/v1/users/"):
        others = WORLD["users"][1:] if case.path.endswith(ACTS_ON_ANOTHER) else WORLD["users"]
        path["id"] = RANDOM.choice(others)
    elif case.path.startswith("/v1/posts/"):
        post, comment = RANDOM.choice(WORLD["comments"])
        path["id"] = post
        if "comment_id" in path:
            path["comment_id"] = comment


@schemathesis.hook
def after_call(context, case, response):
    if case.method.upper() != "GET" or response.status_code != 200:
        return
    try:
        cursor = response.json().get("next_cursor")
    except (ValueError, AttributeError):
        return
    if cursor:
        with LOCK:
            CURSORS.setdefault(list_of(case), []).append(cursor)
