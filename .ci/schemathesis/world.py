"""Writes some accounts, posts and comments, so that the fuzzer gets other responses than 404."""

import json
import sys
import time
from urllib.error import HTTPError

from account import Api
from meters import defects

api = Api(sys.argv[1])


def member(name):
    caller = api.caller(name)
    caller.post("/v1/users", {"handle": name, "display_name": name.title()})
    return caller


def until_answered(caller, path):
    for _ in range(60):
        try:
            return caller.send("GET", path)
        except HTTPError as error:
            if error.code != 503:
                raise
            time.sleep(0.5)
    sys.exit(f"world: GET {path} was not answered in half a minute")


# Ann sends all requests. She follows and reads `readers`, and blocks and mutes `strangers`, so that blocks do not hide
# the accounts that other requests need.
readers, strangers = ["bob", "carol"], ["dan", "eve"]
ann = member("ann")
others = {name: member(name) for name in (*readers, *strangers)}
posts, comments = [], []
for author in (others["bob"], others["carol"]):
    for text in ("Hello #world", "Hello @ann and @bob", "#a #b"):
        post = author.post("/v1/posts", {"text": text})["id"]
        posts.append(post)
        comments.append([post, ann.post(f"/v1/posts/{post}/comments", {"text": "Yes"})["id"]])
        others["bob"].post(f"/v1/posts/{post}/like")
for name in readers:
    ann.post(f"/v1/users/{name}/follow")
    others[name].post("/v1/users/ann/follow")
# Two accounts whose follows of a day look abnormal: many, and half of them taken back.
crowd = [f"crowd{number}" for number in range(200)]
for name in crowd:
    member(name)
suspects = ["mallory", "trudy"]
for name in suspects:
    suspect = member(name)
    for followed in crowd:
        suspect.post(f"/v1/users/{followed}/follow")
    for followed in crowd[:100]:
        suspect.delete(f"/v1/users/{followed}/follow")
own = ann.post("/v1/posts", {"text": "Mine"})["id"]
for caller in others.values():
    caller.post(f"/v1/posts/{own}/like")
    caller.post(f"/v1/posts/{own}/comments", {"text": "Yours"})
# The first search of a process may take longer than a search may.
until_answered(ann, "/v1/search/posts?q=hello")
until_answered(ann, "/v1/search/accounts?q=bob")
json.dump(
    {
        "url": sys.argv[1],
        "token": ann.token,
        "operator": api.caller("ann", "feed:operate").token,
        "readers": readers,
        "strangers": strangers,
        "suspects": suspects,
        "posts": posts,
        "comments": comments,
        "own": own,
        "defects": defects(sys.argv[1]),
    },
    sys.stdout,
)
