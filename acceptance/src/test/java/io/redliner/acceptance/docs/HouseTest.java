// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules inside of a class, which {@code build/House.java} counts: of main code, but for the benchmarks. */
class HouseTest {

    private static final int MINUTES = 3;

    @TempDir
    private Path folder;

    private record Checked(int exitCode, String output) {}

    private Checked check(Path repository) throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "house", ".txt");
        Process java = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                Checkout.ROOT.resolve("build/House.java").toAbsolutePath().normalize().toString(), "--check", "--list")
                .directory(repository.toFile()).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        assertThat(java.waitFor(MINUTES, TimeUnit.MINUTES)).isTrue();
        return new Checked(java.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    }

    @Test
    void fields_are_named_like_their_types_constants_by_their_kind_and_javadoc_begins_with_a_verb_or_the_thing()
            throws Exception {
        Checked checked = check(Checkout.ROOT);

        assertThat(checked.exitCode()).as(checked.output()).isZero();
    }

    @Test
    void each_rule_that_is_broken_is_named_with_its_place() throws Exception {
        Path sources = Files.createDirectories(folder.resolve("core/src/main/java"));
        Files.writeString(sources.resolve("Engine.java"), """
                final class Engine {
                    /** Of several the first. */
                    private int first;
                    private static final int LONGEST_WAIT = 5;
                    private Engine driver;
                }
                """);

        Checked checked = check(folder);

        assertThat(checked.exitCode()).as(checked.output()).isEqualTo(1);
        assertThat(checked.output()).contains("core/src/main/java/Engine.java:3 Of several the first.",
                "core/src/main/java/Engine.java:4 LONGEST_WAIT", "core/src/main/java/Engine.java:5 Engine driver");
    }
}
