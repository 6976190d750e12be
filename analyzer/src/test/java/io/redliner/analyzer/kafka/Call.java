// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import com.google.protobuf.InvalidProtocolBufferException;
import io.redliner.contract.Topic;
import io.redliner.contract.v1.Observation;
import io.redliner.contract.v1.Verdict;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A record, or without a topic the passing of time. */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record Call(@Nullable Topic topic, String key, byte @Nullable [] value, Instant now) {

    List<Verdict> on(PartitionAnalyzer analysis) {
        return topic == null ? analysis.tick(now) : analysis.record(topic, key, value, now);
    }

    /** Whether it is the first word on an instance that nobody waits for. */
    boolean isNewcomersFirst() {
        if (topic != Topic.OBSERVATIONS) {
            return false;
        }
        try {
            var observation = Observation.parseFrom(value);
            return observation.getInstance().equals("newcomer:1")
                    && observation.getWindowStartMs() == Calls.start(Calls.NEWCOMER);
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }
}
