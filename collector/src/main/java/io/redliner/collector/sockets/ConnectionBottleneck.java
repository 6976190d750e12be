// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.sockets;

import java.util.Locale;

/** The side that a connection waits for, if any. */
enum ConnectionBottleneck {

    /** The client has not read what it was sent. */
    SLOW_CLIENT,
    /** The client has taken all that the server wrote. A connection that nobody uses looks the same. */
    SLOW_SERVER,
    /** Bytes of the server are not acknowledged, although the client has read what it got. */
    SLOW_NETWORK,
    /** Bytes are under way, no more than usual. */
    NOBODY;

    /**
     * Classifies a connection.
     *
     * @param sent bytes that the server wrote and the client's side has not acknowledged
     * @param windowClosed whether the server's side waits for the client to take any bytes at all: it is full
     * @param unread bytes that arrived at the client and that it has not read; 0 where that cannot be seen
     * @param full the number of bytes from which on a queue is full
     */
    static ConnectionBottleneck of(long sent, boolean windowClosed, long unread, long full) {
        if (windowClosed || unread >= full) {
            return SLOW_CLIENT;
        }
        if (sent >= full) {
            return SLOW_NETWORK;
        }
        return sent == 0 && unread == 0 ? SLOW_SERVER : NOBODY;
    }

    /** Returns the text in the brackets of a gauge. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
