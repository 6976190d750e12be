// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.window;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What a proxy reports of one request to one instance. All times are the proxy's. */
public sealed interface RequestRecord {

    /** Identifies the request among those of one proxy; start and end carry the same one. */
    String requestId();

    /** The instance as host:port. */
    String instance();

    /** The time that decides which window the record belongs to. */
    Instant at();

    /** Whether this is a start or an end. */
    RecordKind kind();

    /**
     * The request was sent to the instance.
     *
     * @param outside whether it is none of those that the lease in force speaks of
     */
    record Started(String requestId, String instance, Instant at, boolean outside) implements RequestRecord {

        public Started {
            if (requestId.isEmpty() || instance.isEmpty()) {
                throw new IllegalArgumentException("a start needs a request id and an instance");
            }
        }

        /** Of a request that the lease speaks of, or without any lease. */
        public Started(String requestId, String instance, Instant at) {
            this(requestId, instance, at, false);
        }

        @Override
        public RecordKind kind() {
            return RecordKind.START;
        }
    }

    /**
     * The request ended.
     *
     * @param requestId the id of its start; empty when unknown, then it settles nothing in flight
     * @param instance the instance that it was sent to last, as host:port
     * @param at when it ended
     * @param latency from its first byte in to the last byte sent to the user, not negative
     * @param error its first cause of failure; empty when it did not fail
     */
    record Ended(String requestId, String instance, Instant at, Duration latency,
            Optional<ErrorClass> error) implements RequestRecord {

        public Ended {
            if (instance.isEmpty() || latency.isNegative()) {
                throw new IllegalArgumentException("an end needs an instance and a latency of 0 or more");
            }
        }

        @Override
        public RecordKind kind() {
            return RecordKind.END;
        }
    }
}
