// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of the guide to the first service, in the order in which a reader runs them, in one shell and with the guide's ports. */
@Tag("soak")
class FirstServiceGuideTest {

    private static final Pattern COMMANDS = Pattern.compile("(?ms)^```sh\\n(.*?)^```");

    private static final Pattern CAPACITY = Pattern.compile("Capacity (?:is at least )?([\\d.]+) requests/s");

    /** Five workers that take 50 ms for a request. */
    private static final double CONSTRUCTED = 100;

    private static final Duration LIMIT = Duration.ofMinutes(15);

    @TempDir
    Path folder;

    @Test
    void a_reader_who_follows_the_guide_finds_the_capacity() throws Exception {
        List<String> blocks = COMMANDS.matcher(Checkout.read(Checkout.ROOT.resolve("docs/guides/first-service.md")))
                .results().map(match -> match.group(1)).toList();
        assertThat(blocks).hasSizeGreaterThan(4);
        Path script = Files.writeString(folder.resolve("guide.sh"), script(blocks));

        String output = run(script);

        assertThat(output).contains("Finished: CAPACITY_FOUND", "Traffic restored: MEASURED",
                "Stopped, nothing is left behind.");
        List<MatchResult> found = CAPACITY.matcher(output).results().toList();
        assertThat(found).as(output).isNotEmpty();
        assertThat(Double.parseDouble(found.getFirst().group(1))).isBetween(0.85 * CONSTRUCTED, 1.15 * CONSTRUCTED);
    }

    /** With job control, so that signals reach the jobs as on a terminal; what is left of a failed block is stopped, too. */
    private static String script(List<String> blocks) {
        return "set -m\n" + "trap 'kill $(jobs -p) 2> /dev/null || true; wait' EXIT\n"
                + blocks.stream().collect(Collectors.joining("\n"));
    }

    private String run(Path script) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder("bash", "-e", script.toString()).directory(Checkout.ROOT.toFile())
                .redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("XDG_DATA_HOME", folder.resolve("data").toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process shell = builder.start();
        boolean ended = shell.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
        if (!ended) {
            shell.destroy();
            shell.waitFor(1, TimeUnit.MINUTES);
        }
        assertThat(ended).as("ended within %s:%n%s", LIMIT, Files.readString(output)).isTrue();
        assertThat(shell.exitValue()).as(Files.readString(output)).isZero();
        return Files.readString(output);
    }
}
