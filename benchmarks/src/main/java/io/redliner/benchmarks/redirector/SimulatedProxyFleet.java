// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.redirector;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.redliner.benchmarks.redirector.AdsStream.Xds;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Many simulated proxies of one redirector. */
final class SimulatedProxyFleet implements AutoCloseable {

    /** Proxies know no such limit; the library's own is 4 MiB. */
    private static final int MAX_MESSAGE = 256 << 20;

    private static final long CLOSING_SECONDS = 10;

    private final int port;

    private final Xds xds;

    private final int perConnection;

    private final InstantSource clock;

    private final List<ManagedChannel> channels = new ArrayList<>();

    private final List<SimulatedProxy> proxies = new ArrayList<>();

    private int lastOnConnection;

    /** @param perConnection streams that share a connection; proxies have one each */
    SimulatedProxyFleet(int port, Xds xds, int perConnection, InstantSource clock) {
        this.port = port;
        this.xds = xds;
        this.perConnection = perConnection;
        this.clock = clock;
    }

    /** Connects further proxies, and waits until each has everything. */
    List<SimulatedProxy> add(int count, String group, Duration timeout) throws InterruptedException {
        List<SimulatedProxy> added = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            added.add(new SimulatedProxy("proxy-" + (proxies.size() + i), group, channel(), xds, clock));
        }
        proxies.addAll(added);
        var deadline = clock.instant().plus(timeout);
        for (var proxy : added) {
            proxy.awaitComplete(deadline);
        }
        return added;
    }

    /** Prints who got what, those together that got as many of each kind: for when one of them is at fault. */
    void describe() {
        var alike = new TreeMap<String, List<String>>();
        for (int i = 0; i < proxies.size(); i++) {
            alike.computeIfAbsent(proxies.get(i).toString(), first -> new ArrayList<>()).add("proxy-" + i);
        }
        alike.forEach(
                (what, who) -> System.err.println(who.size() + " proxies, " + who.getFirst() + " first: " + what));
    }

    private ManagedChannel channel() {
        if (channels.isEmpty() || lastOnConnection == perConnection) {
            channels.add(ManagedChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().directExecutor()
                    .maxInboundMessageSize(MAX_MESSAGE).build());
            lastOnConnection = 0;
        }
        lastOnConnection++;
        return channels.getLast();
    }

    @Override
    public void close() throws InterruptedException {
        channels.forEach(ManagedChannel::shutdownNow);
        for (var channel : channels) {
            channel.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS);
        }
    }
}
