// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.kafka.RecordingReplay;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.contract.Topic;
import io.redliner.contract.TopicNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Has the analyzer of a stack record what it reads. */
final class Recording {

    private static final String PROPERTY = "redliner.analyzer.stream.tape";

    private static final Duration GRACE = Duration.ofMillis(750);

    private final Path folder;

    /** @param folder of the tapes */
    Recording(Path folder) {
        this.folder = folder;
    }

    /** What a stack is to be started with. */
    Map<String, String> settings() {
        return Map.of(PROPERTY, folder.toString());
    }

    /** Asserts that a replay of each tape gives what was published to its partition, byte by byte. */
    void assertReplayGives(String bootstrapServers) throws IOException {
        long verdicts = 0;
        for (Path tape : tapes()) {
            RecordingReplay replay = RecordingReplay.of(tape, GRACE, SearchSettings.defaults());

            assertThat(replay.end()).as("end of %s", tape).isEqualTo(RecordingReplay.End.CLOSED);
            assertThat(replay.verdicts()).as("verdicts of %s", tape)
                    .extracting(said -> HexFormat.of().formatHex(said.value()))
                    .containsExactlyElementsOf(published(bootstrapServers, partition(tape)));
            verdicts += replay.verdicts().size();
        }
        assertThat(verdicts).as("verdicts of the whole run").isPositive();
        System.out.println("Replayed " + verdicts + " verdicts, byte by byte, from " + tapes().size() + " tapes");
    }

    private List<Path> tapes() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    /** As in {@code analysis-0_3.tape}. */
    private static int partition(Path tape) {
        String name = tape.getFileName().toString();
        return Integer.parseInt(name.substring(name.indexOf('_') + 1, name.indexOf('.')));
    }

    private static List<String> published(String bootstrapServers, int partition) {
        TopicPartition verdicts = new TopicPartition(TopicNames.DEFAULT.name(Topic.VERDICTS), partition);
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers), new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(List.of(verdicts));
            consumer.seekToBeginning(List.of(verdicts));
            long end = consumer.endOffsets(List.of(verdicts)).getOrDefault(verdicts, 0L);
            while (consumer.position(verdicts) < end) {
                consumer.poll(Duration.ofSeconds(1))
                        .forEach(record -> values.add(HexFormat.of().formatHex(record.value())));
            }
        }
        return values;
    }
}
