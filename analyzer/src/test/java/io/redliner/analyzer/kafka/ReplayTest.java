// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import static io.redliner.analyzer.kafka.Messages.PEER;
import static io.redliner.analyzer.kafka.Messages.SERVICE;
import static io.redliner.analyzer.kafka.Messages.SUT;
import static io.redliner.analyzer.kafka.Messages.observation;
import static io.redliner.analyzer.kafka.Messages.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import io.redliner.contract.v1.Observation;
import io.redliner.contract.v1.RunPhase;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
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

/** One run, lived through twice. */
class ReplayTest {

    private static final Instant START = Instant.ofEpochSecond(1_000_000);

    private Random random = new Random(7);

    private Instant now = START;

    private long sequence;

    @TempDir
    Path folder;

    @Test
    void the_same_records_at_the_same_instants_are_answered_byte_by_byte_whatever_happened_in_the_run() {
        var published = liveThrough();
        random = new Random(7);
        now = START;
        sequence = 0;

        assertThat(published).hasSizeGreaterThan(30);
        assertThat(liveThrough()).isEqualTo(published);
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
    private List<String> liveThrough() {
        var settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        settings.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
        var topology = AnalyzerTopology.of(Messages.properties(), TopicNames.DEFAULT, SearchSettings.defaults(),
                () -> now, new AnalyzerMetrics(new SimpleMeterRegistry()));
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
            return driver.createOutputTopic(TopicNames.DEFAULT.name(Topic.VERDICTS), new StringDeserializer(),
                    new ByteArrayDeserializer())
                    .readValuesToList().stream().map(HexFormat.of()::formatHex).toList();
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
}
