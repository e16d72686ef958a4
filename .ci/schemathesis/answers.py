"""Summarizes the responses to the fuzzer. Fails when an operation was not really tried, or when one shows a defect.

usage: answers.py URL LEAST ANSWERS ...
"""

import json
import os
import sys
from collections import Counter
from urllib.request import Request, urlopen

import yaml

from meters import defects

METHODS = ("get", "post", "put", "patch", "delete")


def read(path, token=None):
    request = Request(sys.argv[1] + path, headers={"Authorization": f"Bearer {token}"} if token else {})
    with urlopen(request, timeout=30) as answer:
        return answer.read().decode()


def load(name):
    with open(name, encoding="utf-8") as file:
        return json.load(file)


world = load(os.environ["FUZZ_WORLD"])
answers, right = Counter(), Counter()
for operation, status, many in (noted for name in sys.argv[3:] for noted in load(name)):
    answers[status] += many
    if status < 300:
        right[operation] += many
print(f"{answers.total():,} requests:", ", ".join(f"{many:,} x {status}" for status, many in sorted(answers.items())))

faults = [f"{many:,} responses with {status}" for status, many in answers.items() if status >= 500]
# The fuzzer's list lacks requests that it sends outside its cases, and the server's meters lack some of the list.
before = world["defects"]
faults += [
    f"the server counts {many:,.0f} responses {labels}, {before.get(labels, 0):,.0f} of them before"
    for labels, many in defects(sys.argv[1]).items()
    if many > before.get(labels, 0)
]
if answers.total() < int(sys.argv[2]):
    faults.append(f"fewer than {int(sys.argv[2]):,} requests")
for path, operations in yaml.safe_load(read("/openapi.yml"))["paths"].items():
    names = [f"{method.upper()} {path}" for method in operations if method in METHODS]
    faults += [f"{name} never succeeded" for name in names if not right[name]]
# Every request of an erased account is refused, which would look clean. So the fuzzer's account must still exist.
read("/v1/users/me", world["token"])
for fault in faults:
    print("fuzz:", fault, file=sys.stderr)
sys.exit(bool(faults))
