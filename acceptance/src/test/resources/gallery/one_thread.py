# SPDX-License-Identifier: Apache-2.0
"""A server with one thread that computes for 11 ms of its CPU time for a request: at most 90 requests/s. one_thread.py PORT"""
import http.server
import sys
import time


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        end = time.thread_time() + 0.011
        while time.thread_time() < end:
            pass
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Server(http.server.HTTPServer):
    request_queue_size = 400


Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
