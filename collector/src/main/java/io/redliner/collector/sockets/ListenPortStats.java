// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.sockets;

import io.redliner.collector.linux.IpAddress;
import io.redliner.collector.source.SampleSet;
import java.time.Duration;
import java.util.Optional;

/**
 * Adds up what the kernel's tables say of one port of an instance, of those who listen on its address or on all. A table
 * tells who listens before it tells of connections, and those of one table were accepted by somebody of the same. For one
 * thread.
 */
final class ListenPortStats {

    /** The rows of both ends are not read at one moment, while connections come and go. */
    private static final double NEARLY_ALL = 0.95;

    private int port;

    private Optional<IpAddress> address = Optional.empty();

    private final long full;

    /** Where others listen on the same port, in the present table. */
    private final AddressCounts others = new AddressCounts();

    /** Whether the instance listens on all addresses, in the present table. */
    private boolean all;

    private final AddressCounts servers = new AddressCounts();

    private final AddressCounts clients = new AddressCounts();

    private final QueuedConnections waiting = new QueuedConnections();

    private long listening;

    private long notAccepted;

    private long open;

    private long established;

    private long sent;

    private long received;

    private long retransmitting;

    /** @param full from how many bytes on the queue of a connection is full */
    ListenPortStats(int port, long full) {
        this.port = port;
        this.full = full;
    }

    int port() {
        return port;
    }

    /** Where the instance listens from now on; without an address: whatever the address. */
    void on(Optional<IpAddress> its, int itsPort) {
        address = its;
        port = itsPort;
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

    /** Begins a table. */
    void table() {
        others.clear();
        all = false;
    }

    /** Takes a row of which one end is this port. */
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

    private void listens(TcpTableRow row) {
        if (address.isEmpty() || address.get().isServedBy(row.localHigh(), row.localLow())) {
            listening++;
            notAccepted += row.receive();
            all |= new IpAddress(row.localHigh(), row.localLow()).isWildcard();
        } else {
            others.add(row.localHigh(), row.localLow(), 0);
        }
    }

    /** Of one that listens on all addresses, those where nobody else listens; also when its clients use another address. */
    private boolean isOwn(TcpTableRow row) {
        return address.isEmpty()
                || address.get().isServedBy(row.localHigh(), row.localLow())
                || (all && !others.contains(row.localHigh(), row.localLow()));
    }

    /** Whether anybody listens there. */
    boolean isListening() {
        return listening > 0;
    }

    void report(SampleSet readings, Duration pace) {
        readings.level("sockets.connections", (double) established, pace);
        readings.level("sockets.send.queue", (double) sent, pace);
        readings.level("sockets.receive.queue", (double) received, pace);
        readings.level("sockets.accept.queue", (double) notAccepted, pace);
        readings.level("sockets.retransmitting", (double) retransmitting, pace);
        // A few of the clients would be taken for all of them.
        if (open > 0 && clients.countIn(servers) >= NEARLY_ALL * open) {
            readings.level("client.receive.queue", (double) clients.bytesIn(servers), pace);
        }
        var counts = waiting.count(servers, full);
        level(readings, ConnectionBottleneck.SLOW_CLIENT, counts.client(), pace);
        level(readings, ConnectionBottleneck.SLOW_NETWORK, counts.network(), pace);
        level(readings, ConnectionBottleneck.SLOW_SERVER, Math.max(0, established - counts.established()), pace);
        if (waiting.dropped() > 0) {
            readings.missing(waiting.dropped() + " connections of port " + port
                    + " are not classified: bytes wait in too many");
        }
    }

    private static void level(SampleSet readings, ConnectionBottleneck waitsFor, long connections, Duration pace) {
        readings.level("sockets.case[" + waitsFor.label() + "]", (double) connections, pace);
    }
}
