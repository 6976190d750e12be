// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends parked records to their topic, with the reason and the origin in headers: {@code redliner.reason},
 * {@code redliner.words}, {@code redliner.topic}, {@code redliner.partition}, {@code redliner.offset} and {@code redliner.bytes},
 * the size of the value. At most 64 KiB of the value are kept. For each reason, one record in ten seconds is logged; a metric
 * counts all.
 */
final class DeadLetterPublisher implements DeadLetterHandler {

    private static final Logger log = LoggerFactory.getLogger(DeadLetterPublisher.class);

    private static final int MAX_BYTES = 64 * 1_024;

    private static final int MAX_MESSAGE_LENGTH = 500;

    private final ProcessorContext<String, byte[]> context;

    private final String sink;

    private final LogRateLimiter logRateLimiter = new LogRateLimiter();

    /** Records to send. Kafka Streams cannot send while a task is being initialised. */
    private final Deque<Record<String, byte @Nullable []>> waiting = new ArrayDeque<>();

    DeadLetterPublisher(ProcessorContext<String, byte[]> context, String sink) {
        this.context = context;
        this.sink = sink;
    }

    @Override
    public void park(@Nullable String key, byte @Nullable [] value, Reason reason, String message) {
        Optional<RecordMetadata> source = context.recordMetadata();
        if (logRateLimiter.allows(reason, context.currentSystemTimeMs())) {
            log.warn("A record of {} at {} is parked, {}: {}", shortened(key),
                    source.map(it -> it.topic() + "-" + it.partition() + "@" + it.offset()).orElse("the state store"),
                    reason.label(), message);
        }
        var headers = new RecordHeaders().add("redliner.reason", bytes(reason.label()))
                .add("redliner.words", bytes(message.substring(0, Math.min(message.length(), MAX_MESSAGE_LENGTH))))
                .add("redliner.bytes", bytes(Integer.toString(value == null ? 0 : value.length)));
        source.ifPresent(it -> headers.add("redliner.topic", bytes(it.topic()))
                .add("redliner.partition", bytes(Integer.toString(it.partition())))
                .add("redliner.offset", bytes(Long.toString(it.offset()))));
        byte @Nullable [] kept = value == null || value.length <= MAX_BYTES
                ? value
                : Arrays.copyOf(value, MAX_BYTES);
        waiting.add(new Record<>(shortened(key), kept, context.currentSystemTimeMs(), headers));
    }

    /** Sends the parked records. */
    void release() {
        while (!waiting.isEmpty()) {
            context.forward(waiting.remove(), sink);
        }
    }

    private static @Nullable String shortened(@Nullable String key) {
        return key == null || key.length() <= MAX_MESSAGE_LENGTH ? key : key.substring(0, MAX_MESSAGE_LENGTH);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Allows one log line per reason in ten seconds. For one thread. */
    static final class LogRateLimiter {

        private static final long MILLIS = 10_000;

        private final Map<DeadLetterHandler.Reason, Long> logged = new HashMap<>();

        /** Returns true when the line may be logged, and then starts the next ten seconds. */
        boolean allows(DeadLetterHandler.Reason reason, long nowMillis) {
            Long last = logged.get(reason);
            if (last != null && nowMillis - last < MILLIS) {
                return false;
            }
            logged.put(reason, nowMillis);
            return true;
        }
    }
}
