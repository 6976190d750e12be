// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class StandaloneCommandTest {

    private final StringWriter errors = new StringWriter();

    @TempDir
    Path folder;

    @Test
    void an_option_that_is_not_known_is_named_with_the_usage() {
        assertThat(execute("demo", "--keeep")).isEqualTo(2);
        assertThat(errors.toString()).contains("Unknown option: '--keeep'");
    }

    @Test
    void a_port_that_is_no_number_is_named() {
        assertThat(execute("demo", "--port", "http")).isEqualTo(2);
        assertThat(errors.toString()).contains("'--port'").contains("'http' is not an int");
    }

    @Test
    void a_data_folder_that_is_a_file_is_one_line_without_a_trace() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));

        assertThat(execute("demo", "--data", file.toString())).isEqualTo(1);
        assertThat(errors.toString()).startsWith("redliner demo: Cannot use the data folder " + file)
                .doesNotContain("\tat ");
    }

    private int execute(String... arguments) {
        CommandLine command = StandaloneCommand.commandLine().setErr(new PrintWriter(errors, true));
        return command.execute(arguments);
    }
}
