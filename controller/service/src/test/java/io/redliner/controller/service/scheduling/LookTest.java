// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Scene;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One look after another at a controller that watches nothing by itself. */
class LookTest {

    private final Scene scene = Scene.shared();

    private final PlanFolderPoller folder = scene.context().getBean(PlanFolderPoller.class);

    @TempDir
    private Path files;

    @AfterEach
    void empty() throws IOException {
        Files.deleteIfExists(files.resolve("a.yaml"));
        folder.poll(files);
        folder.poll(files);
    }

    private boolean present(String plan) {
        return scene.client().get("/api/v1/plans/" + plan).status() == 200;
    }

    @Test
    void a_file_that_is_being_written_is_neither_taken_nor_complained_about() throws IOException {
        String whole = Scene.plan("shop", "look-a") + "---\n" + Scene.plan("shop", "look-b");
        for (int length = 100; length < whole.length(); length += 100) {
            Files.writeString(files.resolve("a.yaml"), whole.substring(0, length));
            folder.poll(files);
            assertThat(folder.status().problems()).isEmpty();
            assertThat(present("look-a")).isFalse();
        }
        Files.writeString(files.resolve("a.yaml"), whole);
        folder.poll(files);
        assertThat(present("look-a")).isFalse();

        folder.poll(files);

        assertThat(present("look-a")).isTrue();
        assertThat(present("look-b")).isTrue();
    }

    @Test
    void a_folder_that_is_gone_changes_nothing_and_is_reported() throws IOException {
        Files.writeString(files.resolve("a.yaml"), Scene.plan("shop", "look-c"));
        folder.poll(files);
        folder.poll(files);

        folder.poll(files.resolve("elsewhere"));
        folder.poll(files.resolve("elsewhere"));

        assertThat(present("look-c")).isTrue();
        assertThat(folder.status().problems().getFirst().message()).contains("there is no folder");
    }
}
