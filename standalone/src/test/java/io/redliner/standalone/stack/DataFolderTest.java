// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
}
