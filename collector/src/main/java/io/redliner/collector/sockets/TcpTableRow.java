// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.sockets;

/**
 * One row of {@code net/tcp} or {@code net/tcp6}. One object is reused for all rows, because a table may have 100 000. Addresses
 * are 128 bits; an IPv4 address is the same in both tables.
 */
final class TcpTableRow {

    static final int ESTABLISHED = 1;

    static final int LISTEN = 10;

    /** A bit for each state in which bytes can wait: established and the closing ones, but not the opening ones. */
    private static final int OPEN = 1 << ESTABLISHED | 1 << 4 | 1 << 5 | 1 << 8 | 1 << 9 | 1 << 11;

    private static final long MAPPED = 0xFFFF_0000_0000L;

    /** The value of ffff in the last but one word of a mapped address, on machines of both byte orders. */
    private static final long MAPPED_LITTLE = 0xFFFF_0000L;

    private static final long MAPPED_BIG = 0xFFFFL;

    private static final int WINDOW_PROBE = 4;

    private final long[] high = new long[2];

    private final long[] low = new long[2];

    private final int[] port = new int[2];

    private int state;

    private long send;

    private long receive;

    private int timer;

    private long retransmits;

    /** Parses a line; returns false when it is malformed. */
    boolean parse(byte[] line, int begin, int end) {
        ByteCursor cursor = new ByteCursor(line, begin, end);
        cursor.past(':');
        endpoint(cursor, 0);
        endpoint(cursor, 1);
        cursor.spaces();
        state = (int) cursor.hex(2);
        cursor.spaces();
        send = cursor.hex(8);
        cursor.past(':');
        receive = cursor.hex(8);
        cursor.spaces();
        timer = (int) cursor.hex(2);
        cursor.past(':');
        cursor.hex(8);
        cursor.spaces();
        retransmits = cursor.hex(8);
        return cursor.good();
    }

    boolean isListening() {
        return state == LISTEN;
    }

    boolean isEstablished() {
        return state == ESTABLISHED;
    }

    /** Returns whether the row is a connection in which bytes can wait. */
    boolean isOpen() {
        return state < Integer.SIZE && (OPEN >> state & 1) == 1;
    }

    int localPort() {
        return port[0];
    }

    int remotePort() {
        return port[1];
    }

    long localHigh() {
        return high[0];
    }

    long localLow() {
        return low[0];
    }

    long remoteHigh() {
        return high[1];
    }

    long remoteLow() {
        return low[1];
    }

    /** Returns the bytes that were written and are not acknowledged. */
    long send() {
        return send;
    }

    /** Returns the bytes that arrived and were not read; for a listening socket the connections that were not accepted. */
    long receive() {
        return receive;
    }

    /** Returns whether the other side's receive window is closed. */
    boolean isWindowClosed() {
        return timer == WINDOW_PROBE;
    }

    /** Returns whether it retransmits bytes that are not acknowledged yet. */
    boolean isRetransmitting() {
        return retransmits > 0;
    }

    private void endpoint(ByteCursor cursor, int side) {
        cursor.spaces();
        long first = cursor.hex(8);
        if (cursor.at(':')) {
            high[side] = 0;
            low[side] = MAPPED | first;
        } else {
            long second = cursor.hex(8);
            long third = cursor.hex(8);
            long fourth = cursor.hex(8);
            high[side] = first << 32 | second;
            boolean mapped = high[side] == 0 && (third == MAPPED_LITTLE || third == MAPPED_BIG);
            low[side] = mapped ? MAPPED | fourth : third << 32 | fourth;
        }
        cursor.past(':');
        port[side] = (int) cursor.hex(4);
    }

    /** A position in a line of bytes. After the first unexpected byte it stays bad. */
    private static final class ByteCursor {

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
}
