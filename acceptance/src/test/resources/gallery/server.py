# SPDX-License-Identifier: Apache-2.0
"""A small service of one event loop with one wall, for GalleryTest.

usage: server.py {burn MS | call URL | slots COUNT MS}

burn:   uses so many ms of CPU for each request, one after the other
call:   asks another service for each request, and has metrics of how long that takes
slots:  sleeps so many ms for each request, in so many at a time
It prints its port and serves on the loopback interface until its input ends.
"""
import asyncio
import os
import sys
import time
import urllib.parse

called = [0, 0.0]


async def wall(mode, arguments, locks):
    if mode == "burn":
        async with locks[0]:
            end = time.thread_time() + float(arguments[0]) / 1e3
            while time.thread_time() < end:
                pass
    elif mode == "slots":
        async with locks[1]:
            await asyncio.sleep(float(arguments[1]) / 1e3)
    elif mode == "call":
        begun = time.monotonic()
        await ask(urllib.parse.urlsplit(arguments[0]))
        called[0] += 1
        called[1] += time.monotonic() - begun


async def ask(url):
    reader, writer = await asyncio.open_connection(url.hostname, url.port)
    writer.write(b"GET / HTTP/1.1\r\nhost: downstream\r\nconnection: close\r\n\r\n")
    await reader.read()
    writer.close()


def metrics():
    return ("# TYPE http_client_requests_seconds summary\n"
            "http_client_requests_seconds_count{client_name=\"stock\"} %d\n"
            "http_client_requests_seconds_sum{client_name=\"stock\"} %f\n" % tuple(called)).encode()


async def main(mode, arguments):
    locks = [asyncio.Lock(), asyncio.Semaphore(int(arguments[0]) if mode == "slots" else 1)]

    async def serve(reader, writer):
        try:
            while line := await reader.readline():
                path = line.split(b" ")[1]
                close = False
                while (header := await reader.readline()) not in (b"\r\n", b""):
                    close |= header.lower().replace(b" ", b"").startswith(b"connection:close")
                if path == b"/metrics":
                    body = metrics()
                else:
                    await wall(mode, arguments, locks)
                    body = b"ok\n"
                writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/plain; version=0.0.4\r\ncontent-length: %d\r\n\r\n"
                             % len(body) + body)
                await writer.drain()
                if close:
                    break
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    os._exit(0)


asyncio.run(main(sys.argv[1], sys.argv[2:]))
