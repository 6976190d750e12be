// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.analyzer.recording.InputEvent;
import io.redliner.analyzer.recording.RecordingReader;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.analyzer.state.AnalyzerStateStore;
import io.redliner.analyzer.state.EncodedVerdict;
import io.redliner.analyzer.state.KeyValueTable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Tells an analysis once more what is on a tape. With the settings that it was recorded with, the verdicts are byte-equal
 * to the ones that were published then.
 *
 * @param verdicts in the order in which they were decided
 * @param end whether the tape has one, and was not just cut off; {@link End#FULL} when it had no room for more
 */
public record RecordingReplay(List<EncodedVerdict> verdicts, End end) {

    /** How a tape ends. */
    public enum End {
        /** The analysis was closed. */
        CLOSED,
        /** The tape was full, and the analysis went on. */
        FULL,
        /** The recorder is at work still, or was killed. */
        CUT_OFF
    }

    public RecordingReplay {
        verdicts = List.copyOf(verdicts);
    }

    /**
     * Replays a tape.
     *
     * @param grace as it was when the tape was recorded
     * @param search as it was when the tape was recorded
     * @throws IOException when the file is no tape of this version, or is damaged
     */
    public static RecordingReplay of(Path tape, Duration grace, SearchSettings search) throws IOException {
        var metrics = new AnalyzerMetrics(new SimpleMeterRegistry());
        var table = new KeyValueTable.InMemory(new TreeMap<>());
        var analysis = new PartitionAnalyzer(() -> PartitionAnalyzer.service(grace, search),
                new AnalyzerStateStore(table, service -> List.of(), metrics::stored), (key, value, reason, words) -> {},
                metrics);
        var verdicts = new ArrayList<EncodedVerdict>();
        var end = End.CUT_OFF;
        try (var reader = RecordingReader.open(tape)) {
            for (Optional<InputEvent> next = reader.next(); next.isPresent(); next = reader.next()) {
                switch (next.get()) {
                    case InputEvent.Remembered(String key, byte[] value) -> table.put(key, value);
                    case InputEvent.Begun begun -> verdicts.addAll(analysis.recall(begun.now(), begun.patience()));
                    case InputEvent.Arrived it ->
                        verdicts.addAll(analysis.record(it.topic(), it.key(), it.value(), it.now()));
                    case InputEvent.Ticked ticked -> verdicts.addAll(analysis.tick(ticked.now()));
                    case InputEvent.Ended ended -> end = ended.full() ? End.FULL : End.CLOSED;
                }
            }
        }
        return new RecordingReplay(verdicts, end);
    }

    /** Prints the verdicts of tapes that were recorded with the default settings. */
    public static void main(String[] tapes) throws IOException {
        for (String tape : tapes) {
            var replay = of(Path.of(tape), Duration.ofMillis(750), SearchSettings.defaults());
            replay.verdicts().forEach(said -> System.out.println(said.verdict()));
            System.out.println(tape + ": " + replay.verdicts().size() + " verdicts, " + replay.end());
        }
    }
}
