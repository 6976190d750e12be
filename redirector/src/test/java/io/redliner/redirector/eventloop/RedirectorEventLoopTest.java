// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.eventloop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.contract.redirect.Redirect;
import io.redliner.redirector.dataplane.ProxyEventHandler.StreamId;
import io.redliner.redirector.dataplane.ProxyTraffic;
import io.redliner.redirector.dataplane.ResourceKey;
import io.redliner.redirector.lease.DataPlane;
import io.redliner.redirector.lease.DataPlane.DesiredRouting;
import io.redliner.redirector.lease.Lease;
import io.redliner.redirector.lease.LeaseJournal;
import io.redliner.redirector.lease.LeaseReconciler;
import io.redliner.redirector.lease.LeaseRejectionReason;
import io.redliner.redirector.lease.RequestedTraffic;
import io.redliner.redirector.lease.Validity;
import io.redliner.redirector.routing.RoutedServices;
import io.redliner.redirector.routing.Service;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class RedirectorEventLoopTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static final EventLoopProperties PROPERTIES = new EventLoopProperties(Duration.ofMillis(300),
            Duration.ofSeconds(2),
            Duration.ofSeconds(10), Duration.ofSeconds(1), Duration.ofSeconds(5), 0.01);

    private final List<String> looked = new CopyOnWriteArrayList<>();

    private final CountDownLatch first = new CountDownLatch(1);

    private final CountDownLatch goOn = new CountDownLatch(1);

    /** Looks at the first lease for as long as the test wants. */
    private final class SlowJournal implements LeaseJournal {

        @Override
        public void accepted(Lease lease) {
            throw new AssertionError("there is no service " + lease.service());
        }

        @Override
        public void rejected(Lease lease, LeaseRejectionReason rejection) {
            looked.add(lease.epoch() + "." + lease.sequence() + " " + rejection);
            first.countDown();
            try {
                goOn.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static final class NoDataPlane implements DataPlane {

        @Override
        public Map<String, Map<ResourceKey, String>> apply(List<DesiredRouting> routings) {
            return Map.of();
        }

        @Override
        public void withdraw(Service service) {
            // There is none.
        }

        @Override
        public void suspend(Set<String> groups) {
            // There are none.
        }

        @Override
        public void admit(StreamId shares, String service) {
            // There is none.
        }

        @Override
        public void send() {
            // There is nothing.
        }
    }

    private static Lease lease(long epoch, long sequence) {
        return new Lease("shop", "run-" + epoch, epoch, sequence,
                new RequestedTraffic("127.0.0.1:9001", 600_000, 600_000, Redirect.SPLIT),
                new Validity(NOW, NOW.plusSeconds(5), Duration.ofSeconds(5)), false);
    }

    @Test
    void what_fails_at_one_event_ends_neither_the_others_nor_the_reconciling() {
        LeaseJournal failing = new LeaseJournal() {

            @Override
            public void accepted(Lease lease) {
                throw new ArithmeticException("accepted");
            }

            @Override
            public void rejected(Lease lease, LeaseRejectionReason rejection) {
                throw new ArithmeticException("long overflow");
            }
        };
        InstantSource clock = InstantSource.fixed(NOW);
        LeaseReconciler redirector = new LeaseReconciler(RoutedServices.of(List.of()), PROPERTIES.timeouts(),
                new NoDataPlane(), status -> {}, failing, new ProxyTraffic(clock), clock);
        try (RedirectorEventLoop loop = new RedirectorEventLoop(redirector, PROPERTIES, clock)) {
            for (int epoch = 1; epoch <= 20_000; epoch++) {
                loop.received(lease(epoch, 1), NOW);
            }
            loop.caughtUp();

            await().until(loop::started);
            loop.received(lease(1, 1), NOW);
            await().until(() -> String.valueOf(loop.problem()).contains("long overflow"));
        }
    }

    @Test
    void a_release_waits_in_place_of_any_lease_of_its_run() throws InterruptedException {
        InstantSource clock = InstantSource.fixed(NOW);
        LeaseReconciler redirector = new LeaseReconciler(RoutedServices.of(List.of()), PROPERTIES.timeouts(),
                new NoDataPlane(), status -> {}, new SlowJournal(), new ProxyTraffic(clock), clock);
        try (RedirectorEventLoop loop = new RedirectorEventLoop(redirector, PROPERTIES, clock)) {
            loop.received(lease(7, 1), NOW);
            first.await();
            loop.received(release(7, 2), NOW);
            loop.received(lease(7, 9_000), NOW);
            goOn.countDown();

            await().until(() -> looked.size() == 2);
            assertThat(looked.getLast()).startsWith("7.2 ");
        }
    }

    private static Lease release(long epoch, long sequence) {
        Lease lease = lease(epoch, sequence);
        return new Lease(lease.service(), lease.runId(), epoch, sequence,
                new RequestedTraffic(lease.sut(), 0, lease.traffic().maxSharePpm(), lease.redirect()),
                new Validity(NOW, lease.validity().expiresAt(), lease.validity().ttl()), true);
    }

    @Test
    void only_the_newest_lease_of_a_run_waits() throws InterruptedException {
        InstantSource clock = InstantSource.fixed(NOW);
        LeaseReconciler redirector = new LeaseReconciler(RoutedServices.of(List.of()), PROPERTIES.timeouts(),
                new NoDataPlane(),
                status -> {}, new SlowJournal(), new ProxyTraffic(clock), clock);
        try (RedirectorEventLoop loop = new RedirectorEventLoop(redirector, PROPERTIES, clock)) {
            loop.received(lease(7, 1), NOW);
            first.await();
            for (int sequence = 2; sequence <= 1_000; sequence++) {
                loop.received(lease(7, sequence), NOW);
            }
            loop.received(lease(7, 3), NOW);
            // A forged epoch does not push the live run's lease away.
            loop.received(lease(Long.MAX_VALUE, 1), NOW);
            goOn.countDown();

            await().until(() -> looked.size() == 3);
            assertThat(looked).containsExactly("7.1 UNKNOWN_SERVICE", "7.1000 UNKNOWN_SERVICE",
                    Long.MAX_VALUE + ".1 EPOCH_JUMP");
        }
    }

    @Test
    void a_flood_of_runs_waits_outside() throws InterruptedException {
        InstantSource clock = InstantSource.fixed(NOW);
        LeaseReconciler redirector = new LeaseReconciler(RoutedServices.of(List.of()), PROPERTIES.timeouts(),
                new NoDataPlane(), status -> {}, new SlowJournal(), new ProxyTraffic(clock), clock);
        try (RedirectorEventLoop loop = new RedirectorEventLoop(redirector, PROPERTIES, clock)) {
            loop.received(lease(1, 1), NOW);
            first.await();
            Thread flood = Thread.ofVirtual().start(() -> {
                for (int epoch = 2; epoch <= 3_000; epoch++) {
                    loop.received(lease(epoch, 1), NOW);
                }
            });

            await().until(() -> loop.waiting() == RedirectorEventLoop.MAX_WAITING);
            loop.received(lease(2, 2), NOW);
            assertThat(flood.isAlive()).isTrue();
            goOn.countDown();

            await().until(() -> looked.size() == 3_000);
            assertThat(looked).contains("2.2 UNKNOWN_SERVICE").last().isEqualTo("3000.1 UNKNOWN_SERVICE");
        }
    }
}
