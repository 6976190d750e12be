// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.redirector;

import com.google.protobuf.InvalidProtocolBufferException;
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

/** What the redirector says of its leases, as a controller reads it. Safe for use by several threads. */
final class LeaseStatuses implements AutoCloseable {

    private static final int MOST_RECENT = 64;

    /** A status without its list of proxies, and when it was there. */
    private record Heard(LeaseStatus status, Instant at) {}

    private final InstantSource clock;

    private final Map<String, Deque<Heard>> recent = new HashMap<>();

    private final TopicListener listener;

    LeaseStatuses(String bootstrapServers, InstantSource clock) {
        this.clock = clock;
        this.listener = new TopicListener(bootstrapServers, TopicNames.DEFAULT.name(Topic.LEASE_STATUS), clock,
                this::hear);
    }

    private synchronized void hear(byte[] value, Instant at) {
        try {
            var status = LeaseStatus.parseFrom(value);
            var own = recent.computeIfAbsent(status.getService(), first -> new ArrayDeque<>());
            own.addLast(new Heard(status.toBuilder().clearProxies().clearInstances().build(), at));
            if (own.size() > MOST_RECENT) {
                own.removeFirst();
            }
            notifyAll();
        } catch (InvalidProtocolBufferException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * When it was said that all proxies have a share.
     *
     * @throws LeaseEndedException when the lease failed
     * @throws IllegalStateException when nothing of the kind is said in time
     */
    Instant awaitApplied(LeaseWriter.Sent sent, Duration patience) throws InterruptedException {
        var lease = sent.lease();
        return await(lease.getService(), patience, status -> {
            if (status.getEpoch() == lease.getEpoch() && ended(status.getState())) {
                throw new LeaseEndedException(status.getState() + ": " + status.getReason());
            }
            return status.getState() == LeaseState.LEASE_STATE_APPLIED && status.getEpoch() == lease.getEpoch()
                    && status.getLeaseSequence() >= lease.getSequence()
                    && status.getSharePpm() == lease.getSharePpm();
        });
    }

    /** When it was said, after a moment, that all proxies have natural shares. */
    Instant awaitNatural(String service, Instant after, Duration patience) throws InterruptedException {
        return await(service, patience, status -> status.getState() == LeaseState.LEASE_STATE_NATURAL
                && status.getAtMs() >= after.toEpochMilli());
    }

    private static boolean ended(LeaseState state) {
        return state == LeaseState.LEASE_STATE_FAILED || state == LeaseState.LEASE_STATE_REJECTED
                || state == LeaseState.LEASE_STATE_EXPIRED;
    }

    private synchronized Instant await(String service, Duration patience, Predicate<LeaseStatus> wanted)
            throws InterruptedException {
        var deadline = clock.instant().plus(patience);
        while (true) {
            var own = recent.getOrDefault(service, new ArrayDeque<>());
            for (var heard : own) {
                if (wanted.test(heard.status())) {
                    return heard.at();
                }
            }
            long left = Duration.between(clock.instant(), deadline).toMillis();
            if (left <= 0) {
                throw new IllegalStateException("The redirector did not say what was waited for in " + patience
                        + "; its last word: " + (own.isEmpty() ? "none" : own.getLast().status()));
            }
            wait(left);
        }
    }

    @Override
    public void close() {
        listener.close();
    }
}
