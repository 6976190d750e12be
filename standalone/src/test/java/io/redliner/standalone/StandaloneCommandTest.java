// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.collector.source.ListenerPortInUseException;
import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.BindException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.BeanCreationException;
import picocli.CommandLine;

class StandaloneCommandTest {

    private final StringWriter errors = new StringWriter();

    private final StringWriter output = new StringWriter();

    @TempDir
    Path folder;

    @Test
    void an_option_that_is_not_known_is_named_with_the_one_that_was_meant() {
        assertThat(execute("demo", "--keeep")).isEqualTo(2);
        assertThat(errors.toString()).contains("Unknown option: '--keeep'", "Did you mean: --keep?")
                .doesNotContain("Usage:");
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

    @Test
    void a_component_that_spring_could_not_start_is_explained_by_redliners_own_cause() {
        BindException socket = new BindException("Address already in use");
        ListenerPortInUseException port = new ListenerPortInUseException("access logs", "redliner.collector.access-log",
                "127.0.0.1", 18090, socket);

        assertThat(StandaloneCommand.cause(new BeanCreationException("server", "cannot be made", port)))
                .isSameAs(port);
        assertThat(StandaloneCommand.cause(new BeanCreationException("server", "cannot be made", socket)))
                .isSameAs(socket);
        assertThat(StandaloneCommand.cause(port)).isSameAs(port);
    }

    /** The database that an older build left there is ended and deleted, which made a logger before the log had its file. */
    @Test
    void what_an_older_build_left_in_the_demos_folder_is_deleted_without_a_word() throws Exception {
        Path old = Files
                .createFile(Files.createDirectories(folder.resolve("redliner/demo/postgresql")).resolve("PG_VERSION"));
        ProcessBuilder demo = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"), StandaloneCommand.class.getName(), "demo")
                .redirectErrorStream(true);
        demo.environment().put("XDG_DATA_HOME", folder.toString());
        demo.environment().put("ENVOY_PATH", folder.resolve("no-envoy").toString());

        Process process = demo.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(old).doesNotExist();
        assertThat(printed.lines()).as(printed).singleElement().asString()
                .startsWith("redliner demo: ENVOY_PATH names");
    }

    /** The class path of the image of the command line. */
    @Test
    void without_servers_a_verb_explains_its_failure_and_there_is_no_demo() throws Exception {
        String classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("springframework")).collect(Collectors.joining(File.pathSeparator));
        for (String verb : List.of("status", "demo")) {
            Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1", "-cp", classPath, StandaloneCommand.class.getName(), verb, "--url",
                    "http://127.0.0.1:1").redirectErrorStream(true).start();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(process.waitFor()).as(printed).isEqualTo(verb.equals("demo") ? 2 : 1);
            assertThat(printed).startsWith(
                    verb.equals("demo")
                            ? "redliner: 'demo' is no verb"
                            : "redliner status: no answer from the controller");
        }
    }

    @Test
    void every_verb_has_the_version() {
        for (String verb : StandaloneCommand.VERBS.keySet()) {
            output.getBuffer().setLength(0);

            assertThat(execute(verb, "-V")).as(verb).isZero();

            assertThat(output.toString()).as(verb).matches("RedLiner \\S+\\R");
        }
    }

    private int execute(String... arguments) {
        CommandLine command = StandaloneCommand.commandLine().setErr(new PrintWriter(errors, true))
                .setOut(new PrintWriter(output, true));
        return command.execute(arguments);
    }
}
