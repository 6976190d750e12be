// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.redirector;

import io.redliner.benchmarks.process.BrokerProcess;
import io.redliner.benchmarks.process.JavaProcess;
import io.redliner.embedded.EnvoyBinary;
import io.redliner.embedded.EnvoyBootstrap;
import io.redliner.embedded.EnvoyProcess;
import io.redliner.embedded.FreePort;
import io.redliner.embedded.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** A service called {@code demo}: broker, redirector and proxy in processes of their own, and its instances here. */
final class EnvoyFixture implements AutoCloseable {

    static final String SERVICE = "demo";

    static final Duration TIMEOUT = Duration.ofSeconds(15);

    final Clock clock = Clock.systemUTC();

    /** Where the proxy takes the service's traffic. */
    final int port = FreePort.next();

    final String bootstrapServers;

    final UpstreamServers upstreams;

    final BenchLeasePublisher leases;

    final LeaseStatusConsumer statuses;

    private final Path folder = TemporaryFolder.create("redirector-bench");

    /** The last first. */
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    EnvoyFixture(int instances) throws IOException, InterruptedException {
        try {
            upstreams = part(new UpstreamServers(instances));
            bootstrapServers = part(JavaProcess.start(BrokerProcess.class, List.of("-Xmx1g"))).ready();
            statuses = part(new LeaseStatusConsumer(bootstrapServers, clock));
            leases = part(new BenchLeasePublisher(bootstrapServers, clock));
            var services = new ServicesFileWriter().add(SERVICE, "", "127.0.0.1:" + port, upstreams.addresses())
                    .write(folder);
            var redirector = part(RedirectorProcess.start(List.of("-Xmx512m"), bootstrapServers, services, 0));
            var bootstrap = EnvoyBootstrap.everything("bench", Integer.parseInt(redirector.ready()), FreePort.next(),
                    FreePort.next());
            var proxy = part(EnvoyProcess.start(EnvoyBinary.locate(), bootstrap,
                    folder));
            // It is in a session of its own, so an interrupted bench would leave it behind.
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(proxy::close));
            proxy.awaitLive(TIMEOUT);
            statuses.awaitNatural(SERVICE, clock.instant(), TIMEOUT);
        } catch (IOException | InterruptedException | RuntimeException failed) {
            close();
            throw failed;
        }
    }

    private <T extends AutoCloseable> T part(T part) {
        parts.push(part);
        return part;
    }

    /** The instance that leases speak of: the last one. */
    String sut() {
        return upstreams.addresses().getLast();
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
