// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of Kafka Streams and of the windows.
 *
 * @param applicationId consumer group and prefix of the changelog topic; analyzers that share the work share it;
 *            with another topic prefix than the default one, that prefix comes first
 * @param stateDirectory where Kafka Streams keeps its lock and process id; analyzers on one machine need one each
 * @param threads at least 1; there is no use for more than partitions
 * @param grace how long after its end a window waits for missing observations, >= 0; complete windows do not wait
 * @param tick interval at which windows are checked for the end of their grace, positive
 * @param poll how long the thread waits for records before it does other work, positive
 * @param commitInterval interval between commits, positive; after a crash, records of up to this time are read again
 * @param standbyReplicas how many other analyzers hold the state of each live run ready, >= 0
 * @param sessionTimeout time without a heartbeat after which an analyzer is dead; the broker may refuse less than its
 *            {@code group.min.session.timeout.ms}, which is 6 s unless it is set
 * @param heartbeatInterval positive, a third of the session timeout at most
 * @param catchUp longest time after a takeover for which an incomplete window waits for records that are still to be read, >= 0
 * @param closeTimeout how long closing may take
 */
@ConfigurationProperties("redliner.analyzer.stream")
public record StreamsProperties(@DefaultValue("redliner-analyzer") String applicationId,
        @DefaultValue("${java.io.tmpdir}/redliner-analyzer") Path stateDirectory, @DefaultValue("1") int threads,
        @DefaultValue("750ms") Duration grace, @DefaultValue("50ms") Duration tick,
        @DefaultValue("5ms") Duration poll, @DefaultValue("1s") Duration commitInterval,
        @DefaultValue("1") int standbyReplicas, @DefaultValue("6s") Duration sessionTimeout,
        @DefaultValue("1s") Duration heartbeatInterval, @DefaultValue("3s") Duration catchUp,
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
        if (grace.isNegative() || catchUp.isNegative() || closeTimeout.isNegative()) {
            throw new IllegalArgumentException("redliner.analyzer.stream: grace " + grace + ", catch-up " + catchUp
                    + " and close-timeout " + closeTimeout + " must not be negative");
        }
        if (tick.toMillis() <= 0 || poll.toMillis() <= 0 || commitInterval.toMillis() <= 0) {
            throw new IllegalArgumentException("redliner.analyzer.stream: tick " + tick + ", poll " + poll
                    + " and commit-interval " + commitInterval + " must be at least 1 ms");
        }
        if (!heartbeatInterval.isPositive() || heartbeatInterval.multipliedBy(3).compareTo(sessionTimeout) > 0) {
            throw new IllegalArgumentException("redliner.analyzer.stream.heartbeat-interval " + heartbeatInterval
                    + " must be positive and a third of session-timeout " + sessionTimeout + " at most");
        }
    }
}
