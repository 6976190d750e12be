// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.contract.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputRecorderTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.123456789Z");

    @TempDir
    Path folder;

    private final List<IOException> failures = new ArrayList<>();

    @Test
    void what_was_written_is_read_in_its_order() throws IOException {
        try (var tape = tapes(1_000_000).begin("a")) {
            tape.write(new InputEvent.Remembered("run/shöp", new byte[]{1, 2}));
            tape.write(new InputEvent.Begun(NOW, Duration.ofSeconds(1)));
            tape.write(new InputEvent.Arrived(Topic.RUNS, "key", new byte[]{3}, NOW));
            tape.write(new InputEvent.Arrived(Topic.OBSERVATIONS, null, null, NOW));
            tape.write(new InputEvent.Ticked(NOW.plusNanos(1)));
        }

        var told = read(folder.resolve("a.tape"));

        assertThat(told).usingRecursiveFieldByFieldElementComparator().containsExactly(
                new InputEvent.Remembered("run/shöp", new byte[]{1, 2}),
                new InputEvent.Begun(NOW, Duration.ofSeconds(1)),
                new InputEvent.Arrived(Topic.RUNS, "key", new byte[]{3}, NOW),
                new InputEvent.Arrived(Topic.OBSERVATIONS, null, null, NOW),
                new InputEvent.Ticked(NOW.plusNanos(1)), new InputEvent.Ended(false));
    }

    @Test
    void a_full_tape_says_so_and_stays_within_its_size() throws IOException {
        try (var tape = tapes(1_000).begin("a")) {
            for (int i = 0; i < 1_000; i++) {
                tape.write(new InputEvent.Ticked(NOW));
            }
        }

        var told = read(folder.resolve("a.tape"));

        assertThat(Files.size(folder.resolve("a.tape"))).isLessThanOrEqualTo(1_000);
        assertThat(told).hasSizeGreaterThan(50).endsWith(new InputEvent.Ended(true));
        assertThat(failures).isEmpty();
    }

    @Test
    void a_tape_that_was_cut_off_is_read_as_far_as_it_is_whole() throws IOException {
        try (var tape = tapes(1_000).begin("a")) {
            tape.write(new InputEvent.Ticked(NOW));
            tape.write(new InputEvent.Ticked(NOW));
        }
        byte[] whole = Files.readAllBytes(folder.resolve("a.tape"));
        Files.write(folder.resolve("cut.tape"), Arrays.copyOf(whole, whole.length - 10));

        assertThat(read(folder.resolve("cut.tape"))).containsExactly(new InputEvent.Ticked(NOW));
    }

    @Test
    void what_is_on_disk_after_each_second_survives_a_kill() throws IOException {
        var tape = tapes(1_000).begin("a");
        tape.write(new InputEvent.Ticked(NOW));

        assertThat(read(folder.resolve("a.tape"))).containsExactly(new InputEvent.Ticked(NOW));
        tape.close();
    }

    @Test
    void a_second_tape_of_the_same_name_does_not_replace_the_first() throws IOException {
        tapes(1_000).begin("a").close();
        tapes(1_000).begin("a").close();

        assertThat(folder.resolve("a.tape")).exists();
        assertThat(read(folder.resolve("a-2.tape"))).containsExactly(new InputEvent.Ended(false));
    }

    @Test
    void a_tape_that_cannot_be_written_says_so_once_and_keeps_nobody_from_going_on() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        var tape = new InputRecorderFactory(Optional.of(file), 1_000, failures::add).begin("a");

        tape.write(new InputEvent.Ticked(NOW));
        tape.close();

        assertThat(failures).hasSize(1);
    }

    @Test
    void what_is_no_tape_or_of_another_version_is_refused_by_name() throws IOException {
        Path other = Files.writeString(folder.resolve("other"), "something else");
        Path newer = Files.write(folder.resolve("newer"),
                new byte[]{'R', 'D', 'L', 'N', 'T', 'A', 'P', 'E', 0, 0, 0, 2});

        assertThatThrownBy(() -> RecordingReader.open(other)).hasMessageContaining("other is not a tape");
        assertThatThrownBy(() -> RecordingReader.open(newer)).hasMessageContainingAll("version 2", "reads version 1");
    }

    private InputRecorderFactory tapes(long mostBytes) {
        return new InputRecorderFactory(Optional.of(folder), mostBytes, failures::add);
    }

    private static List<InputEvent> read(Path file) throws IOException {
        var told = new ArrayList<InputEvent>();
        try (var reader = RecordingReader.open(file)) {
            for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                told.add(next.get());
            }
        }
        return told;
    }
}
