// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.analyzer;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.redliner.benchmarks.process.TopicListener;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.Judgement;
import io.redliner.contract.v1.SearchPhase;
import io.redliner.contract.v1.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Services with live runs, as time passes: each window is sent as soon as it is over, as collectors send it, and it is
 * noted when the verdict on it is read.
 */
final class LiveServices implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** Windows are made so long before they end, so that only sending is left to do then. */
    private static final long AHEAD_MILLIS = 250;

    /**
     * What came out.
     *
     * @param micros from the last observation of a window to its verdict
     * @param sent windows
     * @param confirming of those that were measured, verdicts of a search in its confirming phase
     * @param inconclusive of those that were measured
     */
    record Figures(Histogram micros, long sent, long confirming, long inconclusive) {

        double millis(double percentile) {
            return micros.getValueAtPercentile(percentile) / 1e3;
        }
    }

    private record Window(String service, long startMillis) {}

    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Received(byte[] verdict, Instant at) {}

    private record Due(SimulatedRun run, long startMillis, Instant at, List<byte[]> observations) {}

    private final InstantSource clock;

    private final int spreadMillis;

    private final Map<String, SimulatedRun> runs = new TreeMap<>();

    private final KafkaProducer<String, byte[]> producer;

    private final Queue<Received> received = new ConcurrentLinkedQueue<>();

    private final TopicListener verdicts;

    /** When the last observation of a window was sent. */
    private final Map<Window, Instant> sent = new HashMap<>();

    private long confirming;

    private long inconclusive;

    /** @param spreadMillis after the end of a window the last service is reported so much later than the first */
    LiveServices(String bootstrapServers, int count, int spreadMillis, InstantSource clock) {
        this.clock = clock;
        this.spreadMillis = spreadMillis;
        var latencies = new EncodedLatencies();
        for (int i = 0; i < count; i++) {
            var run = new SimulatedRun(i, latencies);
            runs.put(run.service(), run);
        }
        producer = new KafkaProducer<>(asCollectorsDo(bootstrapServers), new StringSerializer(),
                new ByteArraySerializer());
        verdicts = new TopicListener(bootstrapServers, TopicNames.DEFAULT.name(Topic.VERDICTS), clock,
                (verdict, at) -> received.add(new Received(verdict, at)));
        runs.values().forEach(run -> send(Topic.RUNS, run.service(), run.spec().toByteArray()));
        producer.flush();
    }

    /** A collector's settings when nothing else is set. */
    private static Map<String, Object> asCollectorsDo(String bootstrapServers) {
        return Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers,
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true, ProducerConfig.ACKS_CONFIG, "all",
                ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4", ProducerConfig.LINGER_MS_CONFIG, 5);
    }

    /** Lives for a while. */
    Figures live(int warmUpSeconds, int seconds) throws InvalidProtocolBufferException {
        var micros = new Histogram(3);
        long start = Math.ceilDiv(clock.millis(), SimulatedRun.WINDOW_MILLIS) * SimulatedRun.WINDOW_MILLIS;
        long measuredFrom = start + warmUpSeconds * 1_000L;
        long end = measuredFrom + seconds * 1_000L;
        for (; start < end; start += SimulatedRun.WINDOW_MILLIS) {
            for (var next : due(start, measuredFrom, micros)) {
                hearUntil(next.at, measuredFrom, micros);
                next.observations.forEach(value -> send(Topic.OBSERVATIONS, next.run.service(), value));
                sent.put(new Window(next.run.service(), next.startMillis), clock.instant());
            }
        }
        var timeout = clock.instant().plus(TIMEOUT);
        while (!sent.isEmpty() && clock.instant().isBefore(timeout)) {
            hearUntil(clock.instant().plusMillis(10), measuredFrom, micros);
        }
        return new Figures(micros, (long) seconds * runs.size(), confirming, inconclusive);
    }

    private List<Due> due(long startMillis, long measuredFrom, Histogram micros)
            throws InvalidProtocolBufferException {
        long endMillis = startMillis + SimulatedRun.WINDOW_MILLIS;
        hearUntil(Instant.ofEpochMilli(endMillis - AHEAD_MILLIS), measuredFrom, micros);
        var due = new ArrayList<Due>();
        for (var run : runs.values()) {
            long at = endMillis + (long) due.size() * spreadMillis / runs.size();
            due.add(new Due(run, startMillis, Instant.ofEpochMilli(at),
                    run.window(startMillis).stream().map(MessageLite::toByteArray).toList()));
        }
        return due;
    }

    private void hearUntil(Instant until, long measuredFrom, Histogram micros) throws InvalidProtocolBufferException {
        while (clock.instant().isBefore(until)) {
            var next = received.poll();
            if (next == null) {
                LockSupport.parkNanos(200_000);
                continue;
            }
            var verdict = Verdict.parseFrom(next.verdict());
            var run = runs.get(verdict.getService());
            var sentAt = sent.remove(new Window(verdict.getService(), verdict.getWindowStartMs()));
            if (sentAt != null && verdict.getWindowStartMs() >= measuredFrom) {
                micros.recordValue(Math.max(0, Duration.between(sentAt, next.at()).toNanos() / 1_000));
                confirming += verdict.getAdvice().getPhase() == SearchPhase.SEARCH_PHASE_CONFIRMING ? 1 : 0;
                inconclusive += verdict.getJudgement() == Judgement.JUDGEMENT_INCONCLUSIVE ? 1 : 0;
            }
            if (run != null && run.hear(verdict)) {
                send(Topic.RUNS, run.service(), run.spec().toByteArray());
            }
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // What does not arrive is a window without a verdict.
    private void send(Topic topic, String service, byte[] value) {
        producer.send(new ProducerRecord<>(TopicNames.DEFAULT.name(topic), service, value));
    }

    @Override
    public void close() {
        verdicts.close();
        producer.close();
    }
}
