"""Compares the findings of checkov with the lines of the list for it. Fails for any other finding, and for a line that
excuses nothing.

usage: checkov_excuses.py LIST REPORT TEMPLATES   REPORT is checkov's JSON, TEMPLATES the least number of them
"""

import json
import sys
from collections import Counter
from fnmatch import fnmatchcase
from pathlib import PurePath

list_name, report_name, least = sys.argv[1], sys.argv[2], int(sys.argv[3])
with open(list_name, encoding="utf-8") as file:
    excuses = [line.rstrip("\n").split("\t") for line in file if line.startswith("CKV_")]
with open(report_name, encoding="utf-8") as file:
    report = json.load(file)
faults = [f"{list_name} needs a rule, a place and a reason, separated by tabs: {line}" for line in excuses if len(line) != 3 or not all(line)]
if faults:
    sys.exit("\n".join(faults))

results = report.get("results", {})
uses, seen = Counter(), set()
for result in results.get("passed_checks", []) + results.get("failed_checks", []):
    seen.add(result["file_abs_path"])
if report.get("summary", {}).get("parsing_errors", 0) or len(seen) < least:
    faults.append(f"checkov read {len(seen)} of {least} templates: {report.get('summary', report)}")
for finding in results.get("failed_checks", []):
    check = finding["check_id"]
    place = PurePath(finding["file_abs_path"]).name.removesuffix(".template.json") + " " + finding["resource"]
    excuse = next((number for number, line in enumerate(excuses) if line[0] == check and fnmatchcase(place, line[1])), None)
    if excuse is None:
        faults.append(f"{check} {place}: {finding['check_name']}")
    else:
        uses[excuse] += 1
faults += [f"{list_name} excuses nothing, remove the line: {' '.join(line[:2])}" for number, line in enumerate(excuses) if number not in uses]
if faults:
    sys.exit("\n".join(dict.fromkeys(faults)))
print(f"{uses.total()} findings have a reason in {list_name}.")
