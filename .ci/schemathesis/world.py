"""Writes some accounts, posts and comments, so that the fuzzer meets more than 404."""

import json
import sys
from urllib.request import Request, urlopen

URL = sys.argv[1]


def send(path, body, token=None):
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    request = Request(URL + path, json.dumps(body).encode() if body else None, headers, method="POST")
    with urlopen(request) as answer:
        return json.loads(answer.read() or "null")


def member(name):
    token = send("/v1/dev/tokens", {"user_id": name})["access_token"]
    send("/v1/users", {"handle": name, "display_name": name.title()}, token)
    return token


tokens = {name: member(name) for name in ("ann", "bob", "carol")}
posts, comments = [], []
for token in tokens.values():
    for text in ("Hello #world", "Hello @ann and @bob", "#a #b"):
        post = send("/v1/posts", {"text": text}, token)["id"]
        posts.append(post)
        comments.append([post, send(f"/v1/posts/{post}/comments", {"text": "Yes"}, tokens["ann"])["id"]])
        send(f"/v1/posts/{post}/like", None, tokens["bob"])
for other in ("bob", "carol"):
    send(f"/v1/users/{other}/follow", None, tokens["ann"])
    send("/v1/users/ann/follow", None, tokens[other])
json.dump(
    {"token": tokens["ann"], "users": list(tokens), "posts": posts, "comments": comments},
    sys.stdout,
)
