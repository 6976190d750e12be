// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.sockets;

/** A position in a line of bytes. After the first unexpected byte it stays bad. */
final class ByteCursor {

    private final byte[] line;

    private final int end;

    private int at;

    private boolean good = true;

    ByteCursor(byte[] line, int begin, int end) {
        this.line = line;
        this.end = end;
        at = begin;
    }

    boolean good() {
        return good;
    }

    boolean at(char expected) {
        return at < end && line[at] == expected;
    }

    void spaces() {
        while (at(' ')) {
            at++;
        }
    }

    /** Moves behind the next separator. */
    void past(char separator) {
        while (at < end && line[at] != separator) {
            at++;
        }
        good &= at < end;
        at++;
    }

    /** Reads a number of exactly so many hexadecimal digits. */
    long hex(int digits) {
        long value = 0;
        for (int digit = 0; digit < digits; digit++, at++) {
            int one = at < end ? Character.digit(line[at], 16) : -1;
            if (one < 0) {
                good = false;
                return 0;
            }
            value = value << 4 | one;
        }
        return value;
    }
}
