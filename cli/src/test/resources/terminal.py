# SPDX-License-Identifier: Apache-2.0
"""Runs a command on a terminal of its own: terminal.py WIDTH {TEXT KEYS}... -- COMMAND...

Types KEYS as soon as TEXT was shown; ^C is Ctrl-C. Prints all that was shown, and ends with the command's status.
"""
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

end = sys.argv.index("--")
width, steps, command = int(sys.argv[1]), sys.argv[2:end], sys.argv[end + 1:]
child, terminal = pty.fork()
if child == 0:
    # A build that runs in the background ignores Ctrl-C, and what it starts would, too.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.execvp(command[0], command)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
shown, seen, until = b"", 0, time.monotonic() + 90
while time.monotonic() < until:
    if select.select([terminal], [], [], 0.1)[0]:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    if steps and steps[0].encode() in shown[seen:]:
        seen = len(shown)
        os.write(terminal, steps[1].replace("^C", "\x03").encode())
        steps = steps[2:]
else:
    os.kill(child, 9)
sys.stdout.buffer.write(shown)
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 0xFF)
