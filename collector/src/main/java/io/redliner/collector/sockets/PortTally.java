// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.sockets;

import io.redliner.collector.source.Readings;
import java.time.Duration;

/** Adds up what the kernel's tables say of one listening port. For one thread. */
final class PortTally {

    /** The rows of both ends are not read at one moment, while connections come and go. */
    private static final double NEARLY_ALL = 0.95;

    private final int port;

    private final long full;

    private final Addresses servers = new Addresses();

    private final Addresses clients = new Addresses();

    private final Waiting waiting = new Waiting();

    private long listening;

    private long notAccepted;

    private long open;

    private long established;

    private long sent;

    private long received;

    private long retransmitting;

    /** @param full from how many bytes on the queue of a connection is full */
    PortTally(int port, long full) {
        this.port = port;
        this.full = full;
    }

    int port() {
        return port;
    }

    /** Begins again. */
    void clear() {
        servers.clear();
        clients.clear();
        waiting.clear();
        listening = 0;
        notAccepted = 0;
        open = 0;
        established = 0;
        sent = 0;
        received = 0;
        retransmitting = 0;
    }

    /** Takes a row of which one end is this port. */
    void add(SocketRow row) {
        boolean idle = row.send() == 0 && row.receive() == 0;
        if (row.localPort() == port) {
            if (row.isListening()) {
                listening++;
                notAccepted += row.receive();
            } else if (row.isOpen()) {
                open++;
                established += row.isEstablished() ? 1 : 0;
                sent += row.send();
                received += row.receive();
                retransmitting += row.isRetransmitting() ? 1 : 0;
                servers.add(row.localHigh(), row.localLow(), 0);
                if (!idle) {
                    waiting.server(row);
                }
            }
        }
        if (row.remotePort() == port && row.isOpen()) {
            clients.add(row.remoteHigh(), row.remoteLow(), row.receive());
            if (!idle) {
                waiting.client(row);
            }
        }
    }

    /** Whether anybody listens there. */
    boolean isListening() {
        return listening > 0;
    }

    void report(Readings readings, Duration pace) {
        readings.level("sockets.connections", (double) established, pace);
        readings.level("sockets.send.queue", (double) sent, pace);
        readings.level("sockets.receive.queue", (double) received, pace);
        readings.level("sockets.accept.queue", (double) notAccepted, pace);
        readings.level("sockets.retransmitting", (double) retransmitting, pace);
        // A few of the clients would be taken for all of them.
        if (open > 0 && clients.countIn(servers) >= NEARLY_ALL * open) {
            readings.level("client.receive.queue", (double) clients.bytesIn(servers), pace);
        }
        var tally = waiting.tally(servers, full);
        level(readings, WaitsFor.SLOW_CLIENT, tally.client(), pace);
        level(readings, WaitsFor.SLOW_NETWORK, tally.network(), pace);
        level(readings, WaitsFor.SLOW_SERVER, Math.max(0, established - tally.established()), pace);
        if (waiting.dropped() > 0) {
            readings.missing(waiting.dropped() + " connections of port " + port
                    + " are not told apart: bytes wait in too many");
        }
    }

    private static void level(Readings readings, WaitsFor whom, long connections, Duration pace) {
        readings.level("sockets.case[" + whom.label() + "]", (double) connections, pace);
    }
}
