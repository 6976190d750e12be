// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnvoyBinaryTest {

    @TempDir
    Path folder;

    @Test
    void takes_the_binary_that_ENVOY_PATH_names_before_the_one_on_the_path() throws IOException {
        Path named = executable("named/my-envoy");
        executable("bin/envoy");

        Path found = binary(Map.of("ENVOY_PATH", named.toString(), "PATH", folder.resolve("bin").toString()), List.of())
                .find();

        assertThat(found).isEqualTo(named);
    }

    @Test
    void takes_the_envoy_on_the_path_before_it_installs_one() throws IOException {
        Path onPath = executable("bin/envoy");

        Path found = binary(Map.of("PATH", "/nowhere:" + folder.resolve("bin")), List.of()).find();

        assertThat(found).isEqualTo(onPath);
    }

    @Test
    void says_what_to_do_when_ENVOY_PATH_names_no_executable() {
        assertThatThrownBy(() -> binary(Map.of("ENVOY_PATH", "/nowhere/envoy"), List.of()).find())
                .isInstanceOf(EnvoyBinary.EnvoyUnavailableException.class)
                .hasMessageContaining("ENVOY_PATH names /nowhere/envoy").hasMessageContaining("Set ENVOY_PATH");
    }

    @Test
    void says_what_to_do_when_nothing_can_install_it() {
        EnvoyBinary binary = binary(Map.of("PATH", ""), List.of(List.of("/nowhere/pip")));

        assertThatThrownBy(binary::find).isInstanceOf(EnvoyBinary.EnvoyUnavailableException.class)
                .hasMessageContaining("cannot run /nowhere/pip").hasMessageContaining("install Python's pip");
    }

    @Test
    void says_what_the_installer_said_when_it_fails() throws IOException {
        Path pip = executable("bin/pip");
        Files.writeString(pip, "#!/bin/sh\nprintf 'p\\344kin: no such package'; exit 1\n");

        EnvoyBinary binary = binary(Map.of("PATH", ""), List.of(List.of(pip.toString())));

        assertThatThrownBy(binary::find).isInstanceOf(EnvoyBinary.EnvoyUnavailableException.class)
                .hasMessageContaining("no such package");
    }

    private EnvoyBinary binary(Map<String, String> environment, List<List<String>> installers) {
        return new EnvoyBinary(environment, folder.resolve("cache"), installers);
    }

    private Path executable(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(folder.resolve("bin"));
        Files.createDirectories(folder.resolve("named"));
        Files.writeString(file, "#!/bin/sh\nexit 0\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }
}
