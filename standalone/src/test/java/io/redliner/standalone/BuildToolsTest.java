// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gate names what a machine lacks, in one line that says what to install. */
class BuildToolsTest {

    private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();

    /** The only folder on the PATH. */
    @TempDir
    private Path bin;

    private record Ran(int code, List<String> lines) {}

    @BeforeEach
    void provide() throws IOException {
        for (String program : List.of("bash", "dirname", "readlink", "sed", "id")) {
            Files.createSymbolicLink(bin.resolve(program), onPath(program));
        }
        script("mvn", "exit 0");
        script("python3", "exit 0");
    }

    private static Path onPath(String program) {
        return List.of(System.getenv("PATH").split(":")).stream().map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable).findFirst().orElseThrow();
    }

    /** In the place of a link, and never through it: what it leads to is the machine's own. */
    private void script(String name, String body) throws IOException {
        Files.deleteIfExists(bin.resolve(name));
        Path file = Files.writeString(bin.resolve(name), "#!/bin/sh\n" + body + "\n", StandardOpenOption.CREATE_NEW);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private Ran run(String... command) throws IOException, InterruptedException {
        Path output = bin.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(command).directory(CHECKOUT.toFile()).redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("PATH", bin.toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        int code = builder.start().waitFor();
        return new Ran(code, Files.readAllLines(output));
    }

    private Ran packages() throws IOException, InterruptedException {
        return run(CHECKOUT.resolve(".ci/packages").toString());
    }

    @Test
    void no_maven() throws Exception {
        Files.delete(bin.resolve("mvn"));

        assertThat(packages())
                .isEqualTo(new Ran(1, List.of("RedLiner's build needs Maven 3.8 or newer, and mvn is not on"
                        + " the PATH: install it (Debian: apt-get install maven).")));
    }

    @Test
    void no_pip() throws Exception {
        script("python3", "exit 1");

        assertThat(packages()).isEqualTo(new Ran(1, List.of("RedLiner's build needs Python 3.11 or newer with pip and"
                + " venv: install them (Debian: apt-get install python3-pip python3-venv).")));
    }

    @Test
    void no_jdk_that_is_new_enough() throws Exception {
        Ran ran = run(CHECKOUT.resolve("build/jdk").toString(), "999");

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.lines()).singleElement().asString().matches("RedLiner needs a JDK of version 999 or newer, and"
                + " found only \\S+ \\(/.+\\): install one \\(for example Temurin 25\\), or set JAVA_HOME to one\\.");
    }

    @Test
    void the_jdk_that_java_home_names_is_taken() throws Exception {
        Ran ran = run(CHECKOUT.resolve("build/jdk").toString(), "21");

        assertThat(ran.code()).isZero();
        assertThat(ran.lines()).singleElement().asString().endsWith(" " + System.getProperty("java.home"));
    }

    @Test
    void no_programs_and_nothing_to_install_them_with() throws Exception {
        script("id", "echo 1000");

        assertThat(packages())
                .isEqualTo(new Ran(1, List.of("RedLiner's build needs zsh fish groff prometheus: install them"
                        + " (Debian: apt-get install zsh fish groff prometheus).")));
    }
}
