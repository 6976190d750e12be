// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

import io.redliner.analyzer.runstats.KnownGauge;
import io.redliner.sla.Unit;
import java.util.List;
import java.util.stream.Stream;

/**
 * Who does not read. Bytes that the instance has sent and nobody has acknowledged wait for the client when the client's
 * own queue is full, and for the network when it is not.
 */
final class SocketQueueDetector {

    /** The default of one socket's buffer: below, queues are ordinary. */
    private static final double ORDINARY_BYTES = 64 * 1024.0;

    private static final String SLOW_CLIENT = "slow-client";

    private static final String SLOW_NETWORK = "slow-network";

    private SocketQueueDetector() {}

    static Stream<BottleneckCandidate> suspects(PeakIdleComparison knee) {
        double sent = knee.top(KnownGauge.SOCKETS_SEND_QUEUE);
        if (Double.isNaN(sent)) {
            return Stream.of();
        }
        double waiting = full(knee, KnownGauge.SOCKETS_SEND_QUEUE);
        var cases = knee.parts(KnownGauge.SOCKETS_CASE);
        double slowClients = cases.getOrDefault(SLOW_CLIENT, 0.0);
        double slow = slowClients + cases.getOrDefault(SLOW_NETWORK, 0.0);
        if (slow > 0) {
            return told(knee, waiting, slowClients / slow);
        }
        double unread = full(knee, KnownGauge.CLIENT_RECEIVE_QUEUE);
        boolean known = knee.measured(KnownGauge.CLIENT_RECEIVE_QUEUE);
        String queue = queue(knee);
        var figures = List.of(BottleneckCandidate.figure(KnownGauge.SOCKETS_SEND_QUEUE, sent));
        // Where the clients were not looked at, it can be either.
        return Stream.of(
                new BottleneckCandidate(BottleneckKind.SLOW_CLIENT, 0.9 * waiting * (known ? unread : 0.5),
                        queue + (known
                                ? " while " + NamedValue.words(knee.top(KnownGauge.CLIENT_RECEIVE_QUEUE), Unit.COUNT)
                                        + " bytes lay unread at the clients"
                                : "; the clients' queues were not measured"),
                        figures),
                new BottleneckCandidate(BottleneckKind.SLOW_NETWORK, 0.9 * waiting * (known ? 1 - unread : 0.5),
                        queue + (known ? " and the clients had read all" : "; the clients' queues were not measured"),
                        figures));
    }

    /** The kernel says of each connection what it waits for. */
    private static Stream<BottleneckCandidate> told(PeakIdleComparison knee, double waiting, double clients) {
        var figures = List.of(
                BottleneckCandidate.figure(KnownGauge.SOCKETS_SEND_QUEUE, knee.top(KnownGauge.SOCKETS_SEND_QUEUE)),
                new NamedValue(KnownGauge.SOCKETS_CASE.gaugeName() + ".clients", clients, Unit.RATIO));
        String part = NamedValue.words(clients, Unit.RATIO);
        return Stream.of(
                new BottleneckCandidate(BottleneckKind.SLOW_CLIENT, 0.9 * waiting * clients,
                        queue(knee) + "; of the connections that waited, " + part + " had a client that did not read",
                        figures),
                new BottleneckCandidate(BottleneckKind.SLOW_NETWORK, 0.9 * waiting * (1 - clients),
                        queue(knee) + "; of the connections that waited, all but " + part
                                + " had a client that had read",
                        figures));
    }

    private static String queue(PeakIdleComparison knee) {
        return NamedValue.words(knee.top(KnownGauge.SOCKETS_SEND_QUEUE), Unit.COUNT)
                + " bytes waited to be taken from the instance" + HostSaturationDetector.load(knee) + " (at rest "
                + NamedValue.words(knee.rest(KnownGauge.SOCKETS_SEND_QUEUE), Unit.COUNT) + ")";
    }

    private static double full(PeakIdleComparison knee, KnownGauge gauge) {
        double bytes = knee.top(gauge);
        double growth = bytes / Math.max(1, knee.rest(gauge));
        return BottleneckCandidate.rise(Math.log(bytes / ORDINARY_BYTES), 0, Math.log(8))
                * (Double.isNaN(growth) ? 0.65 : 0.3 + 0.7 * BottleneckCandidate.rise(growth, 1.5, 4));
    }
}
