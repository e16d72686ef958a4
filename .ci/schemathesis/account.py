"""Calls the API as one of its users."""

import json
from urllib.request import Request, urlopen


class Caller:
    def __init__(self, url, token=None):
        self.url = url
        self.token = token

    def post(self, path, body=None):
        return self.send("POST", path, body)

    def delete(self, path):
        return self.send("DELETE", path)

    def send(self, method, path, body=None):
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = Request(self.url + path, json.dumps(body).encode() if body else None, headers, method=method)
        with urlopen(request, timeout=30) as answer:
            return json.loads(answer.read() or "null")


class Api:
    def __init__(self, url):
        self.url = url

    def caller(self, user_id, *scopes):
        token = Caller(self.url).post("/v1/dev/tokens", {"user_id": user_id, "scopes": scopes})["access_token"]
        return Caller(self.url, token)
