// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcFilesTest {

    @TempDir
    private Path folder;

    @Test
    void only_those_names_of_a_folder_count() throws IOException {
        Files.createFile(folder.resolve("7"));
        Files.createFile(folder.resolve("self"));

        assertThat(ProcFiles.folder(folder, "[0-9]*")).containsExactly(folder.resolve("7"));
    }

    @Test
    void a_folder_that_fails_in_the_middle_is_an_ordinary_error() throws IOException {
        IOException denied = new AccessDeniedException("/proc/4711/fd");
        try (DirectoryStream<Path> failing = new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                throw new DirectoryIteratorException(denied);
            }

            @Override
            public void close() {}
        }) {
            assertThatThrownBy(() -> ProcFiles.all(failing)).isEqualTo(denied);
        }
    }

    @Test
    void the_name_in_a_stat_may_have_anything_in_it() {
        assertThat(ProcFiles.stat("7 (a) S (b) R 1 2\n")).isEqualTo(List.of("R", "1", "2"));
        assertThat(ProcFiles.stat("")).isEmpty();
    }
}
