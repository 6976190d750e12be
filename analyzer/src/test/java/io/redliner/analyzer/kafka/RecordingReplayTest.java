// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import static io.redliner.analyzer.kafka.Messages.PEER;
import static io.redliner.analyzer.kafka.Messages.SERVICE;
import static io.redliner.analyzer.kafka.Messages.SUT;
import static io.redliner.analyzer.kafka.Messages.observation;
import static io.redliner.analyzer.kafka.Messages.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.analyzer.recording.InputEvent;
import io.redliner.analyzer.recording.InputRecorderFactory;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.analyzer.state.AnalyzerStateStore;
import io.redliner.analyzer.state.EncodedVerdict;
import io.redliner.analyzer.state.KeyValueTable;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.Observation;
import io.redliner.contract.v1.RunPhase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That a tape gives the verdicts again on a real run is shown by the module {@code acceptance}. */
class RecordingReplayTest {

    private static final Instant START = Instant.ofEpochSecond(1_000_000);

    private final SearchSettings search = SearchSettings.defaults();

    private final Random random = new Random(7);

    private final List<String> published = new ArrayList<>();

    private Instant now = START;

    private long sequence;

    @TempDir
    Path folder;

    @Test
    void a_replay_gives_the_verdicts_byte_by_byte_whatever_happened_in_the_run() throws IOException {
        liveThrough(Long.MAX_VALUE);

        var replay = RecordingReplay.of(folder.resolve("tapes/analysis-0_0.tape"), Duration.ofMillis(750), search);

        assertThat(replay.end()).isEqualTo(RecordingReplay.End.CLOSED);
        assertThat(replay.verdicts()).hasSizeGreaterThan(30);
        assertThat(hex(replay.verdicts())).isEqualTo(published);
    }

    @Test
    void a_full_tape_gives_the_verdicts_up_to_there() throws IOException {
        liveThrough(15_000);

        var replay = RecordingReplay.of(folder.resolve("tapes/analysis-0_0.tape"), Duration.ofMillis(750), search);

        assertThat(replay.end()).isEqualTo(RecordingReplay.End.FULL);
        assertThat(replay.verdicts()).hasSizeBetween(5, published.size() - 5);
        assertThat(hex(replay.verdicts())).isEqualTo(published.subList(0, replay.verdicts().size()));
    }

    @Test
    void a_tape_of_a_run_that_was_taken_over_begins_with_what_was_remembered() throws IOException {
        var table = KeyValueTable.inMemory();
        var first = analysis(table);
        first.record(Topic.RUNS, SERVICE, run(RunPhase.RUN_PHASE_BASELINE, 1).build().toByteArray(), now);
        seconds(5).forEach(value -> first.record(Topic.OBSERVATIONS, SERVICE, value, now));

        var said = new ArrayList<EncodedVerdict>();
        try (var tape = new InputRecorderFactory(Optional.of(folder), Long.MAX_VALUE, e -> {}).begin("takeover")) {
            var second = analysis(table);
            table.forEach((key, value) -> tape.write(new InputEvent.Remembered(key, value)));
            tape.write(new InputEvent.Begun(now, Duration.ofSeconds(1)));
            said.addAll(second.recall(now, Duration.ofSeconds(1)));
            for (int i = 0; i < 15; i++) {
                seconds(1).forEach(value -> {
                    tape.write(new InputEvent.Arrived(Topic.OBSERVATIONS, SERVICE,
                            value, now));
                    said.addAll(second.record(Topic.OBSERVATIONS, SERVICE, value, now));
                });
            }
        }

        var replay = RecordingReplay.of(folder.resolve("takeover.tape"), Duration.ofMillis(750), search);

        assertThat(said).hasSizeGreaterThan(10);
        assertThat(hex(replay.verdicts())).isEqualTo(hex(said));
    }

    private PartitionAnalyzer analysis(KeyValueTable table) {
        var metrics = new AnalyzerMetrics(new SimpleMeterRegistry());
        return new PartitionAnalyzer(() -> PartitionAnalyzer.service(Duration.ofMillis(750), search),
                new AnalyzerStateStore(table, service -> List.of(), metrics::stored), (key, value, reason, words) -> {},
                metrics);
    }

    private List<byte[]> seconds(int count) {
        var values = new ArrayList<byte[]>();
        for (int i = 0; i < count; i++) {
            long started = now.toEpochMilli();
            now = now.plusSeconds(1);
            for (String instance : List.of(SUT, PEER)) {
                values.add(gauged(observation(instance, ++sequence, started, 100 + random.nextInt(50), 10)));
            }
        }
        return values;
    }

    /** A run with lost, doubled, reordered and poisoned observations. */
    private void liveThrough(long tapeBytes) {
        var settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        settings.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
        var topology = AnalyzerTopology.of(Messages.properties(folder), TopicNames.DEFAULT, search, () -> now,
                new AnalyzerMetrics(new SimpleMeterRegistry()), new ProducerAckTracker(),
                new InputRecorderFactory(Optional.of(folder.resolve("tapes")), tapeBytes, e -> {}));
        try (var driver = new TopologyTestDriver(topology, settings, now)) {
            TestInputTopic<String, byte[]> observations = driver.createInputTopic(
                    TopicNames.DEFAULT.name(Topic.OBSERVATIONS),
                    new StringSerializer(), new ByteArraySerializer());
            TestInputTopic<String, byte[]> runs = driver.createInputTopic(TopicNames.DEFAULT.name(Topic.RUNS),
                    new StringSerializer(), new ByteArraySerializer());
            runs.pipeInput(SERVICE, run(RunPhase.RUN_PHASE_BASELINE, 1).build().toByteArray());
            for (int second = 0; second < 60; second++) {
                var arriving = seconds(1);
                if (second == 12) {
                    runs.pipeInput(SERVICE, run(RunPhase.RUN_PHASE_RAMPING, 1).build().toByteArray());
                }
                disturb(arriving).forEach(value -> observations.pipeInput(SERVICE, value, now));
                driver.advanceWallClockTime(Duration.ofSeconds(1));
            }
            driver.createOutputTopic(TopicNames.DEFAULT.name(Topic.VERDICTS), new StringDeserializer(),
                    new ByteArrayDeserializer())
                    .readValuesToList().forEach(value -> published.add(HexFormat.of().formatHex(value)));
        }
    }

    private List<byte[]> disturb(List<byte[]> values) {
        return switch (random.nextInt(10)) {
            case 0 -> values.subList(0, 1);
            case 1 -> List.of(values.get(1), values.get(0), values.get(1));
            case 2 -> List.of(values.get(0), new byte[]{1, 2, 3}, values.get(1));
            default -> values;
        };
    }

    private byte[] gauged(Observation.Builder observation) {
        return observation.putGauges("cpu", random.nextDouble()).putGauges("memory", random.nextDouble()).build()
                .toByteArray();
    }

    private static List<String> hex(List<EncodedVerdict> said) {
        return said.stream().map(it -> HexFormat.of().formatHex(it.value())).toList();
    }
}
