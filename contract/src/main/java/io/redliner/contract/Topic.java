// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract;

import java.time.Duration;
import java.util.Map;

/**
 * The seven topics. Every record's key is the service's name in UTF-8, so that one service's stream stays in order in
 * one partition; all topics have the same number of partitions, so that one analyzer task sees a run whole.
 */
public enum Topic {

    /** {@link io.redliner.contract.v1.Observation}: collector to analyzer. */
    OBSERVATIONS("observations", Duration.ofHours(24)) {
        @Override
        public Map<String, String> settings() {
            // So that collectors learn from what the broker answers how far its clock is from theirs.
            return Map.of("cleanup.policy", "delete", "retention.ms", Long.toString(Duration.ofHours(24).toMillis()),
                    "message.timestamp.type", "LogAppendTime");
        }
    },

    /** {@link io.redliner.contract.v1.RunSpec}: controller to analyzer and collector. */
    RUNS("runs"),

    /** {@link io.redliner.contract.v1.Verdict}: analyzer to controller. */
    VERDICTS("verdicts", Duration.ofDays(7)),

    /** {@link io.redliner.contract.v1.Lease}: controller to redirector. */
    LEASES("leases"),

    /** {@link io.redliner.contract.v1.LeaseStatus}: redirector to controller and collector. */
    LEASE_STATUS("lease-status", Duration.ofDays(1)),

    /** Deployments, as JSON: CI/CD to controller. See docs/controller/plans.md for the fields; the key does not matter here. */
    DEPLOYMENTS("deployments", Duration.ofDays(7)),

    /**
     * Records of the other topics that the analyzer could not parse, unchanged, with headers that give the reason: for people. At
     * most 64 MiB of each partition are kept.
     */
    PARKED("parked", Duration.ofDays(7)) {
        @Override
        public Map<String, String> settings() {
            return Map.of("cleanup.policy", "delete", "retention.ms", Long.toString(Duration.ofDays(7).toMillis()),
                    "retention.bytes", "67108864", "segment.bytes", "16777216");
        }
    };

    private final String suffix;

    private final Duration retention;

    Topic(String suffix) {
        this(suffix, Duration.ZERO);
    }

    Topic(String suffix, Duration retention) {
        this.suffix = suffix;
        this.retention = retention;
    }

    /** Returns the name on the broker without the installation's prefix, see {@link TopicNames}. */
    public String suffix() {
        return suffix;
    }

    /** Returns whether the newest record of each service is kept for ever, and older ones are not. */
    public boolean compacted() {
        return retention.isZero();
    }

    /** Topic-level broker settings with which the topic is to be created. */
    public Map<String, String> settings() {
        return compacted()
                // A segment that is written to is not compacted, and a starting process reads all of it.
                ? Map.of("cleanup.policy", "compact", "min.cleanable.dirty.ratio", "0.1", "segment.ms", "60000",
                        "segment.bytes", "16777216", "max.compaction.lag.ms", "60000")
                : Map.of("cleanup.policy", "delete", "retention.ms", Long.toString(retention.toMillis()));
    }
}
