// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChromiumTest {

    @TempDir
    Path folder;

    @Test
    void is_found_on_the_path() throws IOException {
        Path browser = program("google-chrome");

        assertThat(Chromium.locate(Map.of("PATH", "/nowhere" + File.pathSeparator + folder))).isEqualTo(browser);
    }

    @Test
    void is_the_one_that_the_environment_names() throws IOException {
        program("chromium");
        Path own = program("own");

        assertThat(Chromium.locate(Map.of("PATH", folder.toString(), "CHROMIUM_PATH", own.toString()))).isEqualTo(own);
    }

    @Test
    void is_missed_with_what_to_do() throws IOException {
        Files.createFile(folder.resolve("chromium"));

        assertThatThrownBy(() -> Chromium.locate(Map.of("PATH", folder.toString())))
                .hasMessageContaining("apt-get install chromium").hasMessageContaining("CHROMIUM_PATH");
        assertThatThrownBy(() -> Chromium.locate(Map.of("CHROMIUM_PATH", "/nowhere/chromium")))
                .hasMessageContaining("CHROMIUM_PATH names /nowhere/chromium");
    }

    private Path program(String name) throws IOException {
        Path file = Files.createFile(folder.resolve(name));
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }
}
