"""Reads the meters of the API."""

import re
from urllib.request import urlopen

DEFECT = re.compile(r'^http_server_requests_seconds_count({.*status="5...*}) ([0-9.E]+)$', re.MULTILINE)


def defects(url):
    """Returns how many responses with a status of 500 or higher the server counts, by the labels of their meter."""
    with urlopen(url + "/metrics", timeout=30) as answer:
        return {labels: float(many) for labels, many in DEFECT.findall(answer.read().decode())}
