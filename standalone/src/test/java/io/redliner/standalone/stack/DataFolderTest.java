// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.stack;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataFolderTest {

    @TempDir
    Path folder;

    @Test
    void is_held_by_one_process_at_a_time_which_the_error_names() {
        try (DataFolder held = DataFolder.lock(folder.resolve("data"))) {
            assertThat(held.path()).isDirectory();
            assertThatThrownBy(() -> DataFolder.lock(folder.resolve("data")))
                    .isInstanceOf(DataFolder.DataFolderInUseException.class)
                    .hasMessageContaining("process id " + ProcessHandle.current().pid()).hasMessageContaining("--data");
        }

        DataFolder.lock(folder.resolve("data")).close();
    }

    @Test
    void says_what_to_do_when_it_cannot_be_written() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));

        assertThatThrownBy(() -> DataFolder.lock(file)).isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("choose another with --data");
    }

    /** Covers builds before the format was kept (an empty one), and those with another. */
    @ParameterizedTest
    @ValueSource(strings = {"", "1", "2", "2.5", "one", "\u00e9"})
    void data_of_another_format_is_left_alone_and_named_and_only_disposable_data_is_deleted(String format)
            throws Exception {
        Path data = Files.createDirectories(folder.resolve("data"));
        Path kept = Files.createFile(Files.createDirectories(data.resolve("postgresql")).resolve("PG_VERSION"));
        Path topics = Files.createFile(Files.createDirectories(data.resolve("kafka")).resolve("meta.properties"));
        Path own = Files.createFile(data.resolve("services.yaml"));
        if (!format.isEmpty()) {
            Files.write(data.resolve("format"), format.getBytes(StandardCharsets.ISO_8859_1));
        }

        assertThatThrownBy(() -> DataFolder.lock(data)).isInstanceOf(DataFolder.OtherFormatException.class)
                .hasMessageContaining(data.toString()).hasMessageContaining("--data");
        assertThat(kept).exists();
        deleteOtherFormat(data);

        assertThat(kept).doesNotExist();
        assertThat(topics).doesNotExist();
        assertThat(own).exists();
        Files.createDirectories(data.resolve("postgresql"));
        DataFolder.lock(data).close();
        deleteOtherFormat(data);
        assertThat(data.resolve("postgresql")).as("of this format").exists();
    }

    /** Until a release has stored something, the schema changes in place: a folder of a build before is of another format. */
    @Test
    void another_schema_is_another_format() throws Exception {
        try (InputStream schema = DataFolder.class.getResourceAsStream("/db/controller/V1__schema.sql");
                DataFolder held = DataFolder.lock(folder.resolve("data"))) {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(requireNonNull(schema).readAllBytes());

            assertThat(Files.readString(held.path().resolve("format")).strip() + " "
                    + HexFormat.of().formatHex(digest, 0, 8))
                    .as("the schema was changed: raise DataFolder.FORMAT, and write both here")
                    .isEqualTo("4 f99a169b24336078");
        }
    }

    private static void deleteOtherFormat(Path data) {
        try (DataFolder held = DataFolder.holdAny(data)) {
            held.deleteOtherFormat();
        }
    }
}
