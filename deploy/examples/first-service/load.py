# SPDX-License-Identifier: Apache-2.0
"""Users of a service: requests at random times, each sent whether or not the ones before it were answered.

    python3 load.py URL RATE SECONDS    RATE in requests/s; ends after SECONDS and prints what the answers were
"""
import random
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

MAX_IN_FLIGHT = 100

url, rate, seconds = urlsplit(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
answers = Counter()
in_flight = threading.Semaphore(MAX_IN_FLIGHT)
thread = threading.local()


def send():
    try:
        if getattr(thread, "connection", None) is None:
            thread.connection = HTTPConnection(url.netloc, timeout=10)
        thread.connection.request("GET", url.path or "/")
        response = thread.connection.getresponse()
        response.read()
        answers[response.status] += 1
    except (OSError, HTTPException) as failure:
        thread.connection = None
        answers[type(failure).__name__] += 1
    finally:
        in_flight.release()


with ThreadPoolExecutor(MAX_IN_FLIGHT) as users:
    at = time.monotonic()
    end = at + seconds
    while at < end:
        time.sleep(max(0.0, at - time.monotonic()))
        # Users who would wait behind a hundred others go away: a backlog would keep the service overloaded.
        if in_flight.acquire(blocking=False):
            users.submit(send)
        else:
            answers["not sent"] += 1
        at += random.expovariate(rate)
print("Answers: " + ", ".join(f"{count} x {answer}" for answer, count in answers.most_common()))
