# SPDX-License-Identifier: Apache-2.0
"""A server of four processes, each of which serves one connection at a time and waits for 45 ms in a request, as gunicorn's default
workers do: at most 89 requests/s. workers.py PORT"""
import http.server
import os
import signal
import sys
import time


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        time.sleep(0.045)
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.send_header("Connection", "close")
        self.end_headers()

    def log_message(self, *_):
        pass


class Server(http.server.HTTPServer):
    request_queue_size = 400


server = Server(("127.0.0.1", int(sys.argv[1])), Handler)
children = []
for _ in range(3):
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
