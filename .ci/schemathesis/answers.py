"""Summarizes the responses to the fuzzer. Fails when an operation was not really tried, or when one shows a defect.

usage: answers.py URL LEAST ANSWERS ...
"""

import json
import os
import re
import sys
from collections import Counter
from urllib.request import Request, urlopen

import yaml

DEFECT = re.compile(r'^http_server_requests_seconds_count\{.*status="(5..)".*} ([0-9.E]+)$')
METHODS = ("get", "post", "put", "patch", "delete")


def read(path, token=None):
    request = Request(sys.argv[1] + path, headers={"Authorization": f"Bearer {token}"} if token else {})
    with urlopen(request, timeout=30) as answer:
        return answer.read().decode()


def load(name):
    with open(name, encoding="utf-8") as file:
        return json.load(file)


answers, right = Counter(), Counter()
for operation, status, many in (noted for name in sys.argv[3:] for noted in load(name)):
    answers[status] += many
    if status < 300:
        right[operation] += many
print(f"{answers.total():,} requests:", ", ".join(f"{many:,} x {status}" for status, many in sorted(answers.items())))

faults = [f"{many:,} responses with {status}" for status, many in answers.items() if status >= 500]
# The fuzzer's list lacks requests that it sends outside its cases, and the server's meters lack some of the list.
faults += [f"the server counts {found[2]} responses with {found[1]}" for found in map(DEFECT.match, read("/metrics").splitlines()) if found]
if answers.total() < int(sys.argv[2]):
    faults.append(f"fewer than {int(sys.argv[2]):,} requests")
for path, operations in yaml.safe_load(read("/openapi.yml"))["paths"].items():
    names = [f"{method.upper()} {path}" for method in operations if method in METHODS]
    faults += [f"{name} never succeeded" for name in names if not right[name]]
# Every request of an erased account is refused, which would look clean. So the fuzzer's account must still exist.
read("/v1/users/me", load(os.environ["FUZZ_WORLD"])["token"])
for fault in faults:
    print("fuzz:", fault, file=sys.stderr)
sys.exit(bool(faults))
