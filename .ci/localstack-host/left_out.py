"""Reports which tests were skipped and why. Fails when one was skipped without a reason, or when no test of a named
class was run.

usage: left_out.py CLASSES REPORTS...

CLASSES are names without packages, separated by commas, or an empty string.
"""

import collections
import sys
import xml.etree.ElementTree as xml

named, reports = set(filter(None, sys.argv[1].split(","))), sys.argv[2:]
run, reasons, unexplained = collections.Counter(), collections.Counter(), []
for report in reports:
    for test in xml.parse(report).getroot().iter("testcase"):
        skipped = test.find("skipped")
        if skipped is None:
            run[test.get("classname").rpartition(".")[2]] += 1
            continue
        message = skipped.get("message", "")
        reasons[message] += 1
        if not message.startswith("Left out on ENDPOINT: "):
            unexplained.append(f"{test.get('classname')}.{test.get('name')}: {message}")
print(f"LocalStack: {run.total()} tests of {len(run)} classes run")
for reason, count in sorted(reasons.items()):
    print(f"LocalStack: {count} of the tests: {reason}")
if unexplained:
    sys.exit("\n".join(["Skipped without a reason:", *unexplained]))
if not run or named - run.keys():
    sys.exit(f"No test was run of {', '.join(sorted(named - run.keys())) or 'any class'}.")
