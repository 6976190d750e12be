// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import io.redliner.contract.KafkaProperties;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.ThreadMetadata;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Runs the topology for as long as the application lives. */
public final class StreamsLifecycle implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(StreamsLifecycle.class);

    /** A second death of a stream thread within this time stops the analyzer. Health then reports it as down. */
    private static final Duration MIN_THREAD_LIFETIME = Duration.ofSeconds(30);

    private final Topology topology;

    private final AnalyzerWarmUp warmUp;

    private final StreamsProperties properties;

    private final Properties settings;

    private final ProducerAckTracker ackTracker;

    private final InstantSource clock;

    private volatile Optional<KafkaStreams> streams = Optional.empty();

    private volatile Instant lastDeath = Instant.MIN;

    private volatile boolean stopping;

    /** @param poll how long a thread waits for records before it does other work */
    StreamsLifecycle(Topology topology, AnalyzerWarmUp warmUp, StreamsProperties properties, Duration poll,
            KafkaProperties kafka, ProducerAckTracker ackTracker, InstantSource clock) {
        this.topology = topology;
        this.warmUp = warmUp;
        this.properties = properties;
        this.settings = settings(properties, poll, kafka);
        this.ackTracker = ackTracker;
        this.clock = clock;
    }

    @Override
    public synchronized void start() {
        if (streams.isEmpty()) {
            stopping = false;
            warmUp();
            var started = new KafkaStreams(topology, settings, new AckTrackingClientSupplier(ackTracker));
            started.setUncaughtExceptionHandler(this::threadDied);
            started.start();
            streams = Optional.of(started);
        }
    }

    /** The analyzer starts even when its warm-up fails: only the first takeover takes longer. */
    private void warmUp() {
        try {
            log.info("The warm-up gave {} verdicts", warmUp.perform().size());
        } catch (RuntimeException e) {
            log.warn("The warm-up failed", e);
        }
    }

    @Override
    public synchronized void stop() {
        stopping = true;
        streams.ifPresent(running -> {
            boolean closed = running.close(CloseOptions.timeout(properties.closeTimeout())
                    .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
            if (!closed) {
                interrupt(running);
            }
        });
        streams = Optional.empty();
    }

    /**
     * Ends the threads that {@link KafkaStreams#close} gave up on. One that waits for a rebalance while no broker answers would
     * use a whole processor for as long as the process lives (apache/kafka#11085).
     */
    private static void interrupt(KafkaStreams running) {
        var names = running.metadataForLocalThreads().stream().map(ThreadMetadata::threadName)
                .collect(Collectors.toSet());
        Thread.getAllStackTraces().keySet().stream().filter(thread -> names.contains(thread.getName()))
                .forEach(Thread::interrupt);
    }

    @Override
    public boolean isRunning() {
        return streams.isPresent();
    }

    /** Returns the state of Kafka Streams; empty before the start and after the stop. */
    Optional<KafkaStreams.State> state() {
        return streams.map(KafkaStreams::state);
    }

    private StreamThreadExceptionResponse threadDied(Throwable cause) {
        if (stopping && isInterruption(cause)) {
            log.info("A stream thread was interrupted: no broker answered while the analyzer stopped");
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        }
        var now = clock.instant();
        boolean again = now.isBefore(lastDeath.plus(MIN_THREAD_LIFETIME));
        lastDeath = now;
        log.error("A stream thread died{}", again ? " again: the analyzer stops" : ", and is replaced", cause);
        return again ? StreamThreadExceptionResponse.SHUTDOWN_CLIENT : StreamThreadExceptionResponse.REPLACE_THREAD;
    }

    /** Returns true when a thread was interrupted, whichever call of Kafka Streams it was in. */
    private static boolean isInterruption(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InterruptException || cause instanceof InterruptedException) {
                return true;
            }
        }
        return false;
    }

    private static Properties settings(StreamsProperties properties, Duration poll, KafkaProperties kafka) {
        var settings = new Properties();
        settings.putAll(kafka.client(Map.of()));
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, kafka.topics().id(properties.applicationId()));
        settings.put(StreamsConfig.STATE_DIR_CONFIG, properties.stateDirectory().toString());
        settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, properties.threads());
        settings.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, properties.standbyReplicas());
        // Kafka Streams assigns work to a new analyzer when it has read the state, which is small. So it probes often.
        settings.put(StreamsConfig.PROBING_REBALANCE_INTERVAL_MS_CONFIG, Duration.ofMinutes(1).toMillis());
        settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, properties.commitInterval().toMillis());
        // A verdict is useful for a second or two, so records are sent without delay.
        settings.put(StreamsConfig.POLL_MS_CONFIG, poll.toMillis());
        // Observations and runs are not ordered among each other; waiting for a topic without new records would delay the others.
        settings.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 0);
        settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.FETCH_MIN_BYTES_CONFIG), 1);
        settings.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG),
                Math.toIntExact(properties.sessionTimeout().toMillis()));
        settings.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG),
                Math.toIntExact(properties.heartbeatInterval().toMillis()));
        return settings;
    }
}
