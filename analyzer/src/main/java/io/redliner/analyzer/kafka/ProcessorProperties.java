// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the processor of records, beside those of Kafka Streams.
 *
 * @param grace how long after its end a window waits for missing observations, >= 0; complete windows do not wait
 * @param tick interval at which windows are checked for the end of their grace, positive
 * @param poll how long the thread waits for records before it does other work, positive
 * @param catchUp longest time after a takeover for which an incomplete window waits for records that are still to be read, >= 0
 */
@ConfigurationProperties("redliner.analyzer.stream")
public record ProcessorProperties(@DefaultValue("750ms") Duration grace, @DefaultValue("50ms") Duration tick,
        @DefaultValue("5ms") Duration poll, @DefaultValue("3s") Duration catchUp) {

    public ProcessorProperties {
        if (grace.isNegative() || catchUp.isNegative()) {
            throw new IllegalArgumentException("redliner.analyzer.stream: grace " + grace + " and catch-up " + catchUp
                    + " must not be negative");
        }
        if (tick.toMillis() <= 0 || poll.toMillis() <= 0) {
            throw new IllegalArgumentException("redliner.analyzer.stream: tick " + tick + " and poll " + poll
                    + " must be at least 1 ms");
        }
    }
}
