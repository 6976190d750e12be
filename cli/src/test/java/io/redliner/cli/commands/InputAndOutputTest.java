// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.cli.commands.FakeController.Ran;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A plan is read from whatever has one, and nothing is called written that did not arrive. */
@Execution(ExecutionMode.CONCURRENT)
class InputAndOutputTest {

    private static final String PLAN = "metadata: {name: Prüfung}\n";

    private static final String REPORT = "<testsuite name=\"Prüfung\"/>";

    @TempDir
    Path folder;

    private FakeController controller;

    @BeforeEach
    void start() throws IOException {
        controller = new FakeController().on("POST /api/v1/plans:validate", 200, "{\"valid\": true, \"hash\": \"abc\"}")
                .on("GET /api/v1/runs/r1/report?format=junit", 200, REPORT)
                .on("GET /api/v1/runs/r1/report?format=html", 200, "<html>")
                .on("GET /api/v1/runs/r1/report?format=json", 200, "{}")
                .on("GET /api/v1/runs/r1/report?format=csv", 200, "a,b\n")
                .on("GET /api/v1/runs/r1", 200, "{\"id\": \"r1\", \"phase\": \"Finished\"}")
                .on("POST /api/v1/runs/r1:abort", 202, "{\"id\": \"r1\", \"phase\": \"Restoring\"}");
    }

    @AfterEach
    void stop() {
        controller.close();
    }

    /** Takes nothing, as a disk that is full. */
    private static final class FullDisk extends Writer {

        @Override
        public void write(char[] text, int from, int length) throws IOException {
            throw new IOException("No space left on device");
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "--version", "man", "completion bash", "status --output json", "status",
        "status r1", "status r1 --output json", "validate PLAN", "validate PLAN --output json", "report r1",
        "report r1 --format junit", "report r1 --format html", "report r1 --format csv", "abort r1 --reason enough",
        "abort r1 --reason enough --output json", "validate --help"})
    void an_answer_that_did_not_arrive_is_a_failure_whatever_was_asked(String line) throws IOException {
        Path plan = Files.writeString(folder.resolve("plan.yaml"), PLAN);
        for (String phase : List.of("Pending", "Preparing", "Baseline", "Ramping", "Confirming", "Holding", "Paused",
                "Restoring")) {
            controller.on("GET /api/v1/runs?limit=200&phase=" + phase, 200, "{\"items\": []}");
        }
        controller.on("GET /api/v1/runs?phase=Finished&limit=10", 200, "{\"items\": []}");
        Stream<String> words = Stream.of(line.replace("PLAN", plan.toString()).split(" "));
        boolean asks = !line.matches("--.*|man|completion.*|.*--help");
        String[] arguments = Stream.concat(words, asks ? Stream.of("--url", controller.url()) : Stream.of())
                .toArray(String[]::new);
        StringWriter err = new StringWriter();

        int code = RedlinerCommand.commandLine(RedlinerCommand.VERBS).setOut(new PrintWriter(new FullDisk(), true))
                .setErr(new PrintWriter(err, true)).execute(arguments);

        assertThat(code).as(err.toString()).isNotZero();
        assertThat(err.toString()).contains("not all of the answer could be written to the standard output");
    }

    @Test
    void a_full_disk_and_a_closed_pipe_are_named() throws Exception {
        Path err = folder.resolve("err");

        int full = shell(err, "\"$@\" validate --help > /dev/full");

        assertThat(full).isEqualTo(1);
        assertThat(Files.readString(err)).contains("standard output: No space left on device");
        int closed = shell(err, "set -o pipefail; \"$@\" validate --help | true");
        assertThat(closed).isEqualTo(1);
        assertThat(Files.readString(err)).contains("standard output: Broken pipe");
    }

    @Test
    void what_is_written_is_UTF_8_and_what_is_read_too_whatever_the_locale() throws Exception {
        Path out = folder.resolve("out");
        Path plan = Files.writeString(folder.resolve("plan.yaml"), PLAN);

        int code = shell(folder.resolve("err"), "\"$@\" report r1 --format junit --url '" + controller.url() + "' > '"
                + out + "' && \"$@\" validate - --url '" + controller.url() + "' < '" + plan + "'");

        assertThat(code).isZero();
        assertThat(Files.readString(out)).isEqualTo(REPORT);
        assertThat(controller.asked()).anyMatch(request -> request.endsWith(PLAN));
    }

    /** Runs a line of bash in which "$@" is the command, in a locale without letters beyond ASCII. */
    static int shell(Path err, String line) throws IOException, InterruptedException {
        ProcessBuilder bash = new ProcessBuilder("bash", "-c", line, "bash",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1", "-cp",
                System.getProperty("java.class.path"), RedlinerCommand.class.getName());
        bash.environment().put("LC_ALL", "C");
        return bash.redirectError(err.toFile()).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
    }

    @Test
    void a_plan_comes_through_a_pipe_and_through_a_link() throws Exception {
        Path pipe = pipe();
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> write(pipe),
                task -> new Thread(task).start());

        assertThat(controller.run("validate", pipe.toString()).code()).isZero();

        writing.join();
        Path link = Files.createSymbolicLink(folder.resolve("link"), Files.writeString(folder.resolve("plan"), PLAN));
        assertThat(controller.run("validate", link.toString()).code()).isZero();
        assertThat(controller.asked()).filteredOn(request -> request.endsWith(PLAN)).hasSize(2);
    }

    private Path pipe() throws IOException, InterruptedException {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        return pipe;
    }

    private static void write(Path file) {
        try {
            Files.writeString(file, PLAN);
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    @Test
    void a_folder_and_a_file_that_is_not_there_are_no_plans() {
        assertThat(controller.run("validate", folder.toString()).err()).contains(folder + " is a folder");
        assertThat(controller.run("validate", folder + "/none").err()).contains("There is no plan file " + folder);
        assertThat(controller.run("validate", "/dev/zero")).satisfies(ran -> {
            assertThat(ran.code()).isEqualTo(104);
            assertThat(ran.err()).contains("/dev/zero: is longer than 4096 KiB");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "UTF-16LE", "ISO-8859-1", "UTF-32"})
    void a_plan_in_another_encoding_is_refused_before_anybody_is_asked(String encoding) throws IOException {
        Path plan = Files.write(folder.resolve("plan.yaml"), PLAN.getBytes(Charset.forName(encoding)));

        for (String verb : List.of("validate", "run")) {
            Ran ran = controller.run(verb, plan.toString(), "--output", "json");
            assertThat(ran.code()).isEqualTo(104);
            assertThat(ran.err()).contains(plan + ": is not UTF-8");
            assertThat(ran.out()).contains("\"is not UTF-8 (line 1, byte ");
        }
        assertThat(controller.asked()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"ISO-8859-1, 2, 13", "windows-1252, 2, 13", "UTF-16, 1, 1", "UTF-16LE, 2, 26"})
    void a_journal_in_another_encoding_is_refused_at_its_place(String encoding, int line, int position)
            throws IOException {
        Path journal = Files.write(folder.resolve("r1.jsonl"),
                "{}\n{\"name\": \"Prüfung\"}".getBytes(Charset.forName(encoding)));

        Ran ran = controller.run("replay", journal.toString());

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).contains(journal + ": is not UTF-8 (line " + line + ", byte " + position + ")")
                .doesNotContain("Input length");
    }

    @Test
    void a_journal_comes_from_whatever_can_be_read() {
        assertThat(controller.run("replay", folder.toString()).err()).contains(folder + "' is no id of a run");
        assertThat(controller.run("replay", "/dev/null").err()).doesNotContain("is no id of a run");
    }

    @Test
    void a_report_is_written_through_pipes_and_devices() throws Exception {
        Path pipe = pipe();
        CompletableFuture<String> read = CompletableFuture.supplyAsync(() -> read(pipe),
                task -> new Thread(task).start());

        assertThat(report(pipe).err())
                .contains("Wrote " + pipe + " (" + REPORT.getBytes(StandardCharsets.UTF_8).length);

        assertThat(read.join()).isEqualTo(REPORT);
        assertThat(Files.isRegularFile(pipe)).isFalse();
        assertThat(report(Path.of("/dev/null")).code()).isZero();
        assertThat(Files.isRegularFile(Path.of("/dev/null"))).isFalse();
        assertThat(report(Path.of("/dev/full"))).satisfies(ran -> {
            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.err()).contains("No space left on device").doesNotContain("Wrote");
        });
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    private Ran report(Path file) {
        return controller.run("report", "r1", "--format", "junit", "--out", file.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"report r1 --format junit --out -", "report r1 --format junit --out=-",
        "--out - report r1 --format junit", "report --out - --format junit r1"})
    void a_dash_is_the_standard_output(String line) {
        Ran ran = controller.run(line.split(" "));

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).isEqualTo(REPORT);
        assertThat(ran.err()).isEmpty();
        assertThat(Path.of("-")).doesNotExist();
    }

    @Test
    void a_file_whose_name_is_a_dash_is_named_with_its_folder() {
        assertThat(report(folder.resolve("-")).code()).isZero();

        assertThat(folder.resolve("-")).hasContent(REPORT);
    }

    @Test
    void a_report_goes_to_where_a_link_leads_and_the_link_stays() throws IOException {
        Path file = Files.writeString(folder.resolve("old"), "old");
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        Path dangling = Files.createSymbolicLink(folder.resolve("dangling"), folder.resolve("new"));

        assertThat(report(link).code()).isZero();
        assertThat(report(dangling).code()).isZero();

        assertThat(Files.isSymbolicLink(link) && Files.isSymbolicLink(dangling)).isTrue();
        assertThat(file).hasContent(REPORT);
        assertThat(folder.resolve("new")).hasContent(REPORT);
    }

    @Test
    void a_new_report_has_the_permissions_of_any_new_file_and_a_replaced_one_keeps_its_own() throws IOException {
        Path any = Files.writeString(folder.resolve("any"), "");
        Path kept = Files.writeString(folder.resolve("kept"), "");
        Files.setPosixFilePermissions(kept, PosixFilePermissions.fromString("rw-rw----"));

        report(folder.resolve("report"));
        report(kept);

        assertThat(Files.getPosixFilePermissions(folder.resolve("report")))
                .isEqualTo(Files.getPosixFilePermissions(any));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept, LinkOption.NOFOLLOW_LINKS)))
                .isEqualTo("rw-rw----");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).hasSize(3);
        }
    }
}
