// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.sockets;

import io.redliner.collector.linux.IpAddress;
import io.redliner.collector.sockets.QueuedConnections.ConnectionBottleneck;
import io.redliner.collector.source.SampleSet;
import java.time.Duration;
import java.util.Optional;

/**
 * Sums up the kernel's tables for one port of an instance, for the sockets that listen on its address or on all. A table lists
 * the listening sockets before the connections, and a connection in it was accepted by a listener of the same table. For one
 * thread.
 */
final class ListenPortStats {

    /**
     * The part of the clients that counts as all of them: the rows of both ends are not read at one moment, while connections
     * come and go.
     */
    private static final double NEARLY_ALL = 0.95;

    private int port;

    private Optional<IpAddress> address = Optional.empty();

    private final long full;

    /** Addresses on which others listen on the same port, in the present table. */
    private final AddressCounts others = new AddressCounts();

    /** True when the instance listens on all addresses, in the present table. */
    private boolean all;

    private final AddressCounts serverCounts = new AddressCounts();

    private final AddressCounts clientCounts = new AddressCounts();

    private final QueuedConnections queuedConnections = new QueuedConnections();

    private long listening;

    private long notAccepted;

    private long open;

    private long established;

    private long sent;

    private long received;

    private long retransmitting;

    /**
     * Creates empty sums.
     *
     * @param full the number of bytes from which on the queue of a connection is full
     */
    ListenPortStats(int port, long full) {
        this.port = port;
        this.full = full;
    }

    int port() {
        return port;
    }

    /** Sets the address on which the instance listens; without an address any counts. */
    void on(Optional<IpAddress> its, int itsPort) {
        address = its;
        port = itsPort;
    }

    /** Clears all sums. */
    void clear() {
        serverCounts.clear();
        clientCounts.clear();
        queuedConnections.clear();
        listening = 0;
        notAccepted = 0;
        open = 0;
        established = 0;
        sent = 0;
        received = 0;
        retransmitting = 0;
    }

    /** Begins to read a table of the kernel, whose rows are then added. */
    void table() {
        others.clear();
        all = false;
    }

    /** Adds a row with this port at one of its ends. */
    void add(TcpTableRow row) {
        boolean idle = row.send() == 0 && row.receive() == 0;
        if (row.localPort() == port) {
            if (row.isListening()) {
                listens(row);
            } else if (row.isOpen() && isOwn(row)) {
                open++;
                established += row.isEstablished() ? 1 : 0;
                sent += row.send();
                received += row.receive();
                retransmitting += row.isRetransmitting() ? 1 : 0;
                serverCounts.add(row.localHigh(), row.localLow(), 0);
                if (!idle) {
                    queuedConnections.server(row);
                }
            }
        }
        if (row.remotePort() == port && row.isOpen()) {
            clientCounts.add(row.remoteHigh(), row.remoteLow(), row.receive());
            if (!idle) {
                queuedConnections.client(row);
            }
        }
    }

    private void listens(TcpTableRow row) {
        if (address.isEmpty() || address.get().isServedBy(row.localHigh(), row.localLow())) {
            listening++;
            notAccepted += row.receive();
            all |= new IpAddress(row.localHigh(), row.localLow()).isWildcard();
        } else {
            others.add(row.localHigh(), row.localLow(), 0);
        }
    }

    /**
     * Returns whether the instance accepted the connection. If it listens on all addresses, it accepted those on which no other
     * process listens, also when its clients use another address.
     */
    private boolean isOwn(TcpTableRow row) {
        return address.isEmpty()
                || address.get().isServedBy(row.localHigh(), row.localLow())
                || (all && !others.contains(row.localHigh(), row.localLow()));
    }

    /** Returns whether any socket listens there. */
    boolean isListening() {
        return listening > 0;
    }

    void report(SampleSet samples, Duration pace) {
        samples.level("sockets.connections", (double) established, pace);
        samples.level("sockets.send.queue", (double) sent, pace);
        samples.level("sockets.receive.queue", (double) received, pace);
        samples.level("sockets.accept.queue", (double) notAccepted, pace);
        samples.level("sockets.retransmitting", (double) retransmitting, pace);
        // A few of the clients would be taken for all of them.
        if (open > 0 && clientCounts.countIn(serverCounts) >= NEARLY_ALL * open) {
            samples.level("client.receive.queue", (double) clientCounts.bytesIn(serverCounts), pace);
        }
        var counts = queuedConnections.count(serverCounts, full);
        level(samples, ConnectionBottleneck.SLOW_CLIENT, counts.client(), pace);
        level(samples, ConnectionBottleneck.SLOW_NETWORK, counts.network(), pace);
        level(samples, ConnectionBottleneck.SLOW_SERVER, Math.max(0, established - counts.established()), pace);
        if (queuedConnections.dropped() > 0) {
            samples.missing(queuedConnections.dropped() + " connections of port " + port
                    + " are not classified: bytes wait in too many");
        }
    }

    private static void level(SampleSet samples, ConnectionBottleneck bottleneck, long connections, Duration pace) {
        samples.level("sockets.case[" + bottleneck.label() + "]", (double) connections, pace);
    }
}
