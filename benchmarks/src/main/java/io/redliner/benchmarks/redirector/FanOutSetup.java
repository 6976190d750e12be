// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.redirector;

import io.redliner.benchmarks.process.BrokerProcess;
import io.redliner.benchmarks.process.JavaProcess;
import io.redliner.benchmarks.process.ProcessUsage;
import io.redliner.benchmarks.redirector.AdsStream.Xds;
import io.redliner.contract.v1.Redirect;
import io.redliner.contract.v1.RedirectMode;
import io.redliner.embedded.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A broker and a redirector in processes of their own, and two services, the tested one and another, with a group of
 * simulated proxies each, or one for both.
 */
final class FanOutSetup implements AutoCloseable {

    static final String TESTED = "tested";

    static final String OTHER = "other";

    static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final String SUT = "10.0.0.1:8080";

    final Clock clock = Clock.systemUTC();

    final BenchLeasePublisher leases;

    final LeaseStatusConsumer statuses;

    final ProcessUsage redirector;

    private final Xds xds;

    private final boolean groups;

    private final int perConnection;

    private final int port;

    private final Path folder = TemporaryFolder.create("fan-out");

    /** The last first. */
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    /**
     * Starts all but the proxies.
     *
     * @param groups whether each service has a group of proxies of its own
     * @param perConnection streams that share a connection
     */
    FanOutSetup(Xds xds, boolean groups, int perConnection) throws IOException {
        this.xds = xds;
        this.groups = groups;
        this.perConnection = perConnection;
        try {
            String bootstrapServers = part(JavaProcess.start(BrokerProcess.class, List.of("-Xmx1g"))).ready();
            statuses = part(new LeaseStatusConsumer(bootstrapServers, clock));
            leases = part(new BenchLeasePublisher(bootstrapServers, clock));
            var file = new ServicesFileWriter()
                    .add(TESTED, groups ? TESTED : "", "127.0.0.1:20000", List.of(SUT, "10.0.0.2:8080"))
                    .add(OTHER, groups ? OTHER : "", "127.0.0.1:20001", List.of("10.0.1.1:8080", "10.0.1.2:8080"))
                    .write(folder);
            var process = part(RedirectorProcess.start(List.of("-Xmx1g", ProcessUsage.COUNT_NATIVE_MEMORY),
                    bootstrapServers, file, 0));
            port = Integer.parseInt(process.ready());
            redirector = new ProcessUsage(process.handle());
        } catch (IOException | RuntimeException failed) {
            close();
            throw failed;
        }
    }

    private <T extends AutoCloseable> T part(T part) {
        parts.push(part);
        return part;
    }

    SimulatedProxyFleet fleet() {
        return new SimulatedProxyFleet(port, xds, perConnection, clock);
    }

    /** The group of proxies that carries a service. */
    String group(String service) {
        return groups ? service : "redliner";
    }

    /** A lease on the tested service, in force, and how long that took. */
    Duration lease(int ppm) throws InterruptedException {
        var sent = leases.begin(TESTED, SUT,
                Redirect.newBuilder().setMode(RedirectMode.REDIRECT_MODE_SPLIT).build(), ppm);
        return Duration.between(sent.at(), statuses.awaitApplied(sent, TIMEOUT));
    }

    /** The lease is given back, and traffic is natural. */
    void release() throws InterruptedException {
        var sent = leases.release(TESTED);
        statuses.awaitNatural(TESTED, sent.at(), TIMEOUT);
    }

    /** Waits, while everything goes on. */
    void goOn(Duration duration) {
        var until = clock.instant().plus(duration);
        while (clock.instant().isBefore(until)) {
            LockSupport.parkNanos(Math.max(1, Duration.between(clock.instant(), until).toNanos()));
        }
    }

    @Override
    public void close() {
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception e) {
                System.err.println("a part cannot be closed: " + e);
            }
        }
        TemporaryFolder.delete(folder);
    }
}
