// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

import java.io.PrintStream;

/** Where the demo prints: a terminal, on which the progress is one line that moves, or anything
 * else, on which it is a line each second. */
public final class Screen {

    private final PrintStream out;

    private final boolean terminal;

    private boolean onProgressLine;

    private long lastSecond = -1;

    /** @param terminal whether the stream is a terminal that understands ANSI's "erase line" */
    public Screen(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** A line that stays. */
    public synchronized void say(String line) {
        if (onProgressLine) {
            out.print("\r\033[K");
            onProgressLine = false;
        }
        out.println(line);
        out.flush();
    }

    synchronized void show(Progress progress) {
        if (terminal) {
            out.print("\r\033[K" + progress.bar());
            onProgressLine = true;
        } else if (progress.elapsed().toSeconds() != lastSecond) {
            lastSecond = progress.elapsed().toSeconds();
            out.println(progress.line());
        }
        out.flush();
    }
}
