"""Prints how many requests the server answered, by status, and fails on one that says it is a defect."""

import re
import sys
from collections import Counter
from urllib.request import urlopen

SERIES = re.compile(r"^http_server_requests_seconds_count\{(.*)} ([0-9.E]+)$")
STATUS = re.compile(r'status="(\d+)"')

with urlopen(sys.argv[1] + "/metrics") as answer:
    lines = answer.read().decode().splitlines()
answers = Counter()
for line in lines:
    series = SERIES.match(line)
    if series:
        answers[STATUS.search(series[1])[1]] += int(float(series[2]))
print(f"{answers.total()} requests:", ", ".join(f"{n} x {s}" for s, n in sorted(answers.items())))
sys.exit(any(status >= "500" for status in answers))
