// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.stream;

import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How the analyzer runs on Kafka Streams.
 *
 * @param applicationId consumer group and prefix of the changelog topic; analyzers that share the work share it
 * @param stateDirectory where Kafka Streams keeps its lock and process id
 * @param threads at least 1; there is no use for more than partitions
 * @param grace how long after its end a window waits for what is missing, >= 0; whole windows do not wait
 * @param tick how often graces are looked at, positive
 * @param closeTimeout how long closing may take
 */
@ConfigurationProperties("redliner.analyzer.stream")
public record StreamProperties(@DefaultValue("redliner-analyzer") String applicationId,
        @DefaultValue("${java.io.tmpdir}/redliner-analyzer") Path stateDirectory, @DefaultValue("1") int threads,
        @DefaultValue("750ms") Duration grace, @DefaultValue("50ms") Duration tick,
        @DefaultValue("1500ms") Duration closeTimeout) {

    public StreamProperties {
        if (applicationId.isBlank()) {
            throw new IllegalArgumentException("redliner.analyzer.stream.application-id must not be blank");
        }
        if (threads < 1) {
            throw new IllegalArgumentException("redliner.analyzer.stream.threads must be at least 1, not " + threads);
        }
        if (grace.isNegative() || !tick.isPositive() || closeTimeout.isNegative()) {
            throw new IllegalArgumentException("redliner.analyzer.stream: grace " + grace + ", tick " + tick
                    + " and close-timeout " + closeTimeout + " must not be negative, and the tick must be positive");
        }
    }
}
