// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of Kafka Streams.
 *
 * @param applicationId consumer group and prefix of the changelog topic; analyzers that share the work share it;
 *            with another topic prefix than the default one, that prefix comes first
 * @param stateDirectory where Kafka Streams keeps its lock and process id; analyzers on one machine need one each
 * @param threads at least 1; there is no use for more than partitions
 * @param commitInterval interval between commits, positive; after a crash, records of up to this time are read again
 * @param standbyReplicas how many other analyzers hold the state of each live run ready, >= 0
 * @param sessionTimeout time without a heartbeat after which an analyzer is dead; the broker may refuse less than its
 *            {@code group.min.session.timeout.ms}, which is 6 s unless it is set
 * @param heartbeatInterval positive, a third of the session timeout at most
 * @param closeTimeout how long closing may take
 */
@ConfigurationProperties("redliner.analyzer.stream")
public record StreamsProperties(@DefaultValue("redliner-analyzer") String applicationId,
        @DefaultValue("${java.io.tmpdir}/redliner-analyzer") Path stateDirectory, @DefaultValue("1") int threads,
        @DefaultValue("1s") Duration commitInterval, @DefaultValue("1") int standbyReplicas,
        @DefaultValue("6s") Duration sessionTimeout, @DefaultValue("1s") Duration heartbeatInterval,
        @DefaultValue("1500ms") Duration closeTimeout) {

    public StreamsProperties {
        if (applicationId.isBlank()) {
            throw new IllegalArgumentException("redliner.analyzer.stream.application-id must not be blank");
        }
        if (threads < 1) {
            throw new IllegalArgumentException("redliner.analyzer.stream.threads must be at least 1, not " + threads);
        }
        if (standbyReplicas < 0) {
            throw new IllegalArgumentException("redliner.analyzer.stream.standby-replicas must not be negative: "
                    + standbyReplicas);
        }
        if (closeTimeout.isNegative()) {
            throw new IllegalArgumentException("redliner.analyzer.stream.close-timeout " + closeTimeout
                    + " must not be negative");
        }
        if (commitInterval.toMillis() <= 0) {
            throw new IllegalArgumentException("redliner.analyzer.stream.commit-interval " + commitInterval
                    + " must be at least 1 ms");
        }
        if (!heartbeatInterval.isPositive() || heartbeatInterval.multipliedBy(3).compareTo(sessionTimeout) > 0) {
            throw new IllegalArgumentException("redliner.analyzer.stream.heartbeat-interval " + heartbeatInterval
                    + " must be positive and a third of session-timeout " + sessionTimeout + " at most");
        }
    }
}
