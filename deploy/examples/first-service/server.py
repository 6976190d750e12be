# SPDX-License-Identifier: Apache-2.0
"""One instance of a service: a number of workers, each of which takes 50 ms for a request. It listens on 127.0.0.1.

    python3 server.py PORT WORKERS      it takes at most WORKERS * 20 requests/s
"""
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

WORKERS = threading.Semaphore(int(sys.argv[2]))


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        with WORKERS:
            time.sleep(0.050)
        self.send_response(200)
        self.send_header("Content-Length", "3")
        self.end_headers()
        self.wfile.write(b"ok\n")

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    # With the default of 5 waiting connections the kernel drops others, which then take a second longer.
    request_queue_size = 128

    def handle_error(self, *_):
        """A client that went away is no error."""


Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
