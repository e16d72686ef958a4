"""Tells which tests were left out and why; fails when one was for no stated reason, or when none was run.

usage: left_out.py REPORTS...
"""

import collections
import sys
import xml.etree.ElementTree as xml

run, reasons, unexplained = 0, collections.Counter(), []
for report in sys.argv[1:]:
    for test in xml.parse(report).getroot().iter("testcase"):
        run += 1
        skipped = test.find("skipped")
        if skipped is not None:
            run -= 1
            said = skipped.get("message", "")
            reasons[said] += 1
            if not said.startswith("Left out on ENDPOINT: "):
                unexplained.append(f"{test.get('classname')}.{test.get('name')}: {said}")
print(f"LocalStack: {run} tests run")
for reason, count in sorted(reasons.items()):
    print(f"LocalStack: {count} of the tests: {reason}")
if unexplained or not run:
    sys.exit("\n".join(["Left out without a reason, or nothing run:", *unexplained]))
