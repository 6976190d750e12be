// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.sockets;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The connections of one port in which bytes wait, each with both of its ends where both are on this machine. On most machines
 * there are few; beyond 50 000 they are counted as dropped.
 */
final class QueuedConnections {

    private static final int MAX_CONNECTIONS = 50_000;

    private final Map<Ends, Queues> connections = new HashMap<>();

    private long dropped;

    void clear() {
        connections.clear();
        dropped = 0;
    }

    /** Returns the number of connections that were not kept. */
    long dropped() {
        return dropped;
    }

    /** Adds the row of the instance's end. */
    void server(TcpTableRow row) {
        Queues queues = of(new Ends(row.remoteHigh(), row.remoteLow(), row.remotePort(), row.localHigh(),
                row.localLow()));
        queues.sent = row.send();
        queues.windowClosed = row.isWindowClosed();
        queues.closing = !row.isEstablished();
    }

    /** Adds a row that may be a client's end: it is connected to that port of some address. */
    void client(TcpTableRow row) {
        of(new Ends(row.localHigh(), row.localLow(), row.localPort(), row.remoteHigh(), row.remoteLow())).unread = row
                .receive();
    }

    /**
     * Counts the connections that do not wait for the server.
     *
     * @param servers the addresses of the instance; connections to others are not its own
     * @param full the number of bytes from which on a queue is full
     */
    Counts count(AddressCounts servers, long full) {
        long clients = 0;
        long network = 0;
        long notServer = 0;
        for (Map.Entry<Ends, Queues> connection : connections.entrySet()) {
            Queues queues = connection.getValue();
            if (servers.contains(connection.getKey().serverHigh, connection.getKey().serverLow)) {
                ConnectionBottleneck waits = ConnectionBottleneck.of(queues.sent, queues.windowClosed, queues.unread,
                        full);
                clients += waits == ConnectionBottleneck.SLOW_CLIENT ? 1 : 0;
                network += waits == ConnectionBottleneck.SLOW_NETWORK ? 1 : 0;
                notServer += waits != ConnectionBottleneck.SLOW_SERVER && !queues.closing ? 1 : 0;
            }
        }
        return new Counts(clients, network, notServer);
    }

    private Queues of(Ends ends) {
        Queues known = connections.get(ends);
        if (known == null) {
            known = new Queues();
            if (connections.size() < MAX_CONNECTIONS) {
                connections.put(ends, known);
            } else {
                dropped++;
            }
        }
        return known;
    }

    /**
     * Numbers of connections, by the side that they wait for.
     *
     * @param client waiting for the client
     * @param network waiting for the network
     * @param established the established ones that do not wait for the server
     */
    record Counts(long client, long network, long established) {}

    private record Ends(long clientHigh, long clientLow, int clientPort, long serverHigh, long serverLow) {}

    private static final class Queues {

        private long sent;

        private long unread;

        private boolean windowClosed;

        private boolean closing;
    }

    /** The side that a connection waits for, if any. */
    enum ConnectionBottleneck {

        /** The client has not read what it was sent. */
        SLOW_CLIENT,
        /** The client has taken all that the server wrote. An idle connection looks the same. */
        SLOW_SERVER,
        /** Bytes of the server are not acknowledged, although the client has read what it got. */
        SLOW_NETWORK,
        /** Only as many bytes are in transit as usual. */
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
}
