// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import io.redliner.redirector.RedirectorApplication;
import io.redliner.redirector.envoy.XdsServer;
import io.redliner.redirector.lease.Lease;
import io.redliner.redirector.lease.LeaseListener;
import io.redliner.redirector.lease.LeaseStatusSink;
import io.redliner.redirector.lease.ServiceLeaseStatus;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** The whole application; Kafka is away, leases are handed in directly and statuses are kept. */
final class RunningRedirector implements AutoCloseable {

    private final ConfigurableApplicationContext context;

    private RunningRedirector(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static final class Statuses implements LeaseStatusSink {

        private final Map<String, List<ServiceLeaseStatus>> byService = new ConcurrentHashMap<>();

        @Override
        public void publish(ServiceLeaseStatus status) {
            of(status.service()).add(status);
        }

        private List<ServiceLeaseStatus> of(String service) {
            return byService.computeIfAbsent(service, first -> new CopyOnWriteArrayList<>());
        }
    }

    /** Not a {@code @Configuration}: the scan of other tests must not find it. */
    static class KeepStatuses {

        @Bean
        @Primary
        Statuses statuses() {
            return new Statuses();
        }
    }

    static RunningRedirector start(Path servicesFile, int xdsPort, String... properties) {
        List<String> arguments = new ArrayList<>(List.of("--server.port=0",
                "--redliner.kafka.bootstrap-servers=127.0.0.1:1",
                "--logging.level.org.apache.kafka=error",
                "--redliner.redirector.services.file=" + servicesFile,
                "--redliner.redirector.xds.port=" + xdsPort));
        for (String property : properties) {
            arguments.add("--" + property);
        }
        SpringApplicationBuilder builder = RedirectorApplication.builder();
        builder.sources(KeepStatuses.class);
        return new RunningRedirector(builder.run(arguments.toArray(String[]::new)));
    }

    int xdsPort() {
        return context.getBean(XdsServer.class).port();
    }

    /** All leases of former times are known; nothing moves before. */
    void begin() {
        context.getBean(LeaseListener.class).caughtUp();
    }

    void receive(Lease lease) {
        context.getBean(LeaseListener.class).received(lease, Instant.now());
    }

    /** What was reported of a service. */
    List<ServiceLeaseStatus> statuses(String service) {
        return List.copyOf(context.getBean(Statuses.class).of(service));
    }

    Optional<ServiceLeaseStatus> last(String service) {
        List<ServiceLeaseStatus> own = context.getBean(Statuses.class).of(service);
        return own.isEmpty() ? Optional.empty() : Optional.of(own.getLast());
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** As if the process had been killed: the proxies hear nothing more. */
    void kill() {
        context.getBean(XdsServer.class).close();
    }

    @Override
    public void close() {
        context.close();
    }
}
