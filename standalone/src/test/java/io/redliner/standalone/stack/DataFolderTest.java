// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataFolderTest {

    @TempDir
    Path folder;

    @Test
    void is_held_by_one_process_at_a_time_which_the_error_names() {
        try (DataFolder held = DataFolder.hold(folder.resolve("data"))) {
            assertThat(held.path()).isDirectory();
            assertThatThrownBy(() -> DataFolder.hold(folder.resolve("data")))
                    .isInstanceOf(DataFolderInUseException.class)
                    .hasMessageContaining("process id " + ProcessHandle.current().pid()).hasMessageContaining("--data");
        }

        DataFolder.hold(folder.resolve("data")).close();
    }

    @Test
    void says_what_to_do_when_it_cannot_be_written() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));

        assertThatThrownBy(() -> DataFolder.hold(file)).isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("choose another with --data");
    }

    /** Covers builds before the format was kept (an empty one), and those with another. */
    @ParameterizedTest
    @ValueSource(strings = {"", "0", "2", "1.5", "one", "\u00e9"})
    void data_of_another_format_is_left_alone_and_named_and_only_disposable_data_is_deleted(String format)
            throws Exception {
        Path data = Files.createDirectories(folder.resolve("data"));
        Path kept = Files.createFile(Files.createDirectories(data.resolve("postgresql")).resolve("PG_VERSION"));
        Path topics = Files.createFile(Files.createDirectories(data.resolve("kafka")).resolve("meta.properties"));
        Path own = Files.createFile(data.resolve("services.yaml"));
        if (!format.isEmpty()) {
            Files.write(data.resolve("format"), format.getBytes(StandardCharsets.ISO_8859_1));
        }

        assertThatThrownBy(() -> DataFolder.hold(data)).isInstanceOf(OtherFormatException.class)
                .hasMessageContaining(data.toString()).hasMessageContaining("--data");
        assertThat(kept).exists();
        deleteOtherFormat(data);

        assertThat(kept).doesNotExist();
        assertThat(topics).doesNotExist();
        assertThat(own).exists();
        Files.createDirectories(data.resolve("postgresql"));
        DataFolder.hold(data).close();
        deleteOtherFormat(data);
        assertThat(data.resolve("postgresql")).as("of this format").exists();
    }

    private static void deleteOtherFormat(Path data) {
        try (DataFolder held = DataFolder.holdAny(data)) {
            held.deleteOtherFormat();
        }
    }
}
