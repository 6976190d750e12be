// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.redirector;

import com.google.protobuf.InvalidProtocolBufferException;
import io.redliner.benchmarks.process.TopicListener;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.LeaseState;
import io.redliner.contract.v1.LeaseStatus;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/** Reads the redirector's lease statuses from now on, as a controller does. Safe for use by several threads. */
final class LeaseStatusConsumer implements AutoCloseable {

    private static final int MAX_RECENT = 64;

    /** A status without its list of proxies, and when it was read. */
    private record Received(LeaseStatus status, Instant at) {}

    private final InstantSource clock;

    private final Map<String, Deque<Received>> recent = new HashMap<>();

    private final TopicListener listener;

    LeaseStatusConsumer(String bootstrapServers, InstantSource clock) {
        this.clock = clock;
        this.listener = new TopicListener(bootstrapServers, TopicNames.DEFAULT.name(Topic.LEASE_STATUS), clock,
                this::receive);
    }

    private synchronized void receive(byte[] value, Instant at) {
        try {
            var status = LeaseStatus.parseFrom(value);
            var own = recent.computeIfAbsent(status.getService(), first -> new ArrayDeque<>());
            own.addLast(new Received(status.toBuilder().clearProxies().clearInstances().build(), at));
            if (own.size() > MAX_RECENT) {
                own.removeFirst();
            }
            notifyAll();
        } catch (InvalidProtocolBufferException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * When the status that all proxies have a share was read.
     *
     * @throws LeaseEndedException when the lease failed
     * @throws IllegalStateException when no such status comes in time
     */
    Instant awaitApplied(BenchLeasePublisher.Sent sent, Duration timeout) throws InterruptedException {
        var lease = sent.lease();
        return await(lease.getService(), timeout, status -> {
            if (status.getEpoch() == lease.getEpoch() && ended(status.getState())) {
                throw new LeaseEndedException(status.getState() + ": " + status.getReason());
            }
            return status.getState() == LeaseState.LEASE_STATE_APPLIED && status.getEpoch() == lease.getEpoch()
                    && status.getLeaseSequence() >= lease.getSequence()
                    && status.getSharePpm() == lease.getSharePpm();
        });
    }

    /** When a status of after a moment was read, by which all proxies have natural shares. */
    Instant awaitNatural(String service, Instant after, Duration timeout) throws InterruptedException {
        return await(service, timeout, status -> status.getState() == LeaseState.LEASE_STATE_NATURAL
                && status.getAtMs() >= after.toEpochMilli());
    }

    private static boolean ended(LeaseState state) {
        return state == LeaseState.LEASE_STATE_FAILED || state == LeaseState.LEASE_STATE_REJECTED
                || state == LeaseState.LEASE_STATE_EXPIRED;
    }

    private synchronized Instant await(String service, Duration timeout, Predicate<LeaseStatus> wanted)
            throws InterruptedException {
        var deadline = clock.instant().plus(timeout);
        while (true) {
            var own = recent.getOrDefault(service, new ArrayDeque<>());
            for (var received : own) {
                if (wanted.test(received.status())) {
                    return received.at();
                }
            }
            long left = Duration.between(clock.instant(), deadline).toMillis();
            if (left <= 0) {
                throw new IllegalStateException("No lease status of the expected kind came within " + timeout
                        + "; the last one: " + (own.isEmpty() ? "none" : own.getLast().status()));
            }
            wait(left);
        }
    }

    @Override
    public void close() {
        listener.close();
    }
}
