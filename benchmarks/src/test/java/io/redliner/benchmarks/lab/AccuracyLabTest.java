// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class AccuracyLabTest {

    @Test
    void runs_tables_and_charts_are_written(@TempDir Path folder) throws Exception {
        // when
        int code = run("--methods", "redliner,bisection", "--kinds", "mmc16,bounded", "--seeds", "2", "--output",
                folder.toString());

        // then
        assertThat(code).isZero();
        assertThat(Files.readAllLines(folder.resolve("runs.csv"))).hasSize(1 + 2 * 2 * 2)
                .anyMatch(line -> line.startsWith("redliner,mmc16,100,"))
                .anyMatch(line -> line.startsWith("bisection,bounded,101,"));
        assertThat(Files.readString(folder.resolve("README.md"))).contains("| redliner | 4 |", "| bisection | 4 |",
                "## redliner, by kind of server", "--seeds 2");
        assertThat(Files.readString(folder.resolve("methods.svg"))).contains("<svg").endsWith("</svg>\n");
        assertThat(Files.readString(folder.resolve("kinds.svg"))).contains("<svg").endsWith("</svg>\n");
    }

    @Test
    void the_same_seed_gives_the_same_runs(@TempDir Path folder) throws Exception {
        // when
        for (var name : new String[]{"first", "second"}) {
            run("--kinds", "gc", "--seeds", "1", "--output", folder.resolve(name).toString());
        }

        // then
        assertThat(folder.resolve("first/runs.csv")).hasSameTextualContentAs(folder.resolve("second/runs.csv"));
    }

    @Test
    void a_name_that_is_not_known_is_refused() {
        assertThat(run("--kinds", "mmc17", "--seeds", "1")).isNotZero();
        assertThat(run("--methods", "guessing", "--seeds", "1")).isNotZero();
    }

    private static int run(String... arguments) {
        return new CommandLine(new AccuracyLab()).execute(arguments);
    }
}
