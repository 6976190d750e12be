// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanFolderContentTest {

    @TempDir
    Path root;

    @Test
    void a_folder_whose_files_are_not_read_is_named_with_the_reason() throws IOException {
        Path plans = Files.createDirectories(root.resolve("plans"));
        Path elsewhere = Files.createDirectories(root.resolve("elsewhere"));
        Files.writeString(elsewhere.resolve("linked.yaml"), "a");
        Files.createSymbolicLink(plans.resolve("team-a"), elsewhere);
        Files.createSymbolicLink(plans.resolve("file.yaml"), elsewhere.resolve("linked.yaml"));
        Files.createDirectories(plans.resolve("..data"));
        Path deep = Files.createDirectories(plans.resolve("1/2/3/4/5"));
        Files.writeString(deep.resolve("deep.yaml"), "b");
        Files.writeString(Files.createDirectories(deep.resolve("6")).resolve("deeper.yaml"), "c");

        PlanFolderContent content = PlanFolderContent.read(plans);

        assertThat(content.texts()).containsOnlyKeys("file.yaml", "1/2/3/4/5/deep.yaml");
        assertThat(content.unreadable()).containsOnlyKeys("team-a/", "1/2/3/4/5/6/");
        assertThat(content.unreadable().get("team-a/")).contains("link to a folder", "link its files");
        assertThat(content.unreadable().get("1/2/3/4/5/6/")).contains("5 folders deep");
    }
}
