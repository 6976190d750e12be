# SPDX-License-Identifier: Apache-2.0
"""A server of processes that serve one connection at a time each, as gunicorn's default workers do; with 0 processes, of one with a thread
for each connection. A request computes, or waits, for some milliseconds. server.py PORT PROCESSES compute|wait MILLISECONDS"""
import http.server
import os
import signal
import sys
import time

PORT, PROCESSES, SECONDS = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[4]) / 1000


def compute():
    end = time.thread_time() + SECONDS
    while time.thread_time() < end:
        pass


def wait():
    time.sleep(SECONDS)


WORK = {"compute": compute, "wait": wait}[sys.argv[3]]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        WORK()
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.send_header("Connection", "close")
        self.end_headers()

    def log_message(self, *_):
        pass


class Server(http.server.HTTPServer if PROCESSES else http.server.ThreadingHTTPServer):
    request_queue_size = 400


server = Server(("127.0.0.1", PORT), Handler)
children = []
for _ in range(PROCESSES - 1):
    child = os.fork()
    if child == 0:
        children = []
        break
    children.append(child)


def end(*_):
    for child in children:
        os.kill(child, signal.SIGTERM)
    os._exit(0)


signal.signal(signal.SIGTERM, end if children else signal.SIG_DFL)
server.serve_forever()
