// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.redliner.cli.commands.FakeController.Ran;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A file that is named for a report has a whole report or what it had; a failure is reported with the name that was given. */
@Execution(ExecutionMode.CONCURRENT)
class OutputFileTest {

    private static final String REPORT = "{\"name\": \"Prüfung\"}";

    private static final String DENIED = ": Permission denied";

    /** Without the rights of a superuser over the files of others. */
    private static final String UNPRIVILEGED = "[ \"$(id -u)\" != 0 ] "
            + "|| set -- setpriv --inh-caps=-all --bounding-set=-all \"$@\"; ";

    @TempDir
    Path folder;

    private FakeController controller;

    @BeforeEach
    void start() throws IOException {
        controller = new FakeController().on("GET /api/v1/runs/r1/report?format=json", 200, REPORT);
    }

    @AfterEach
    void stop() {
        controller.close();
    }

    private Ran report(String run, Path file) {
        return controller.run("report", run, "--format", "json", "--out", file.toString());
    }

    /** Runs lines of bash in the folder; REPORT is the command that writes a report to the file that follows. */
    private String shell(String lines) throws IOException, InterruptedException {
        Path err = Files.createTempFile("redliner-test", ".err");
        try {
            int code = InputAndOutputTest.shell(err, "cd '" + folder + "'; " + lines.replace("REPORT",
                    "\"$@\" report r1 --format json --url " + controller.url() + " --out"));
            return code + " " + Files.readString(err).strip();
        } finally {
            Files.delete(err);
        }
    }

    private long files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.count();
        }
    }

    @Test
    void a_file_is_replaced_wherever_it_is_also_below_dev() throws IOException {
        Path shared = Path.of("/dev/shm");
        assumeTrue(Files.isWritable(shared));
        Path own = Files.createTempDirectory(shared, "redliner-test");
        Path file = own.resolve("r.json");
        try {
            assertThat(report("r1", file).code()).isZero();
            assertThat(report("r1", file).code()).isZero();
            assertThat(file).hasContent(REPORT);

            Files.delete(file);
            assertThat(report("nosuch", file).code()).isEqualTo(1);
            assertThat(file).doesNotExist();
        } finally {
            Files.deleteIfExists(file);
            Files.delete(own);
        }
    }

    @Test
    void what_a_descriptor_leads_to_is_added_to_also_when_it_is_a_file() throws Exception {
        assertThat(shell("{ echo before; REPORT /dev/stdout; echo after; } >> out")).startsWith("0 ");
        assertThat(shell("exec 7> seven; REPORT /proc/self/fd/7; REPORT /dev/fd/7")).startsWith("0 ");

        assertThat(folder.resolve("out")).hasContent("before\n" + REPORT + "after\n");
        assertThat(folder.resolve("seven")).hasContent(REPORT + REPORT);
        assertThat(files()).isEqualTo(2);
    }

    @Test
    void a_failure_leaves_nothing_where_nothing_was() throws IOException {
        Path dangling = Files.createSymbolicLink(folder.resolve("dangling"), Path.of("chain"));
        Files.createSymbolicLink(folder.resolve("chain"), Path.of("new"));
        Path lost = Files.createSymbolicLink(folder.resolve("lost"), folder.resolve("nodir/x"));
        Path loop = Files.createSymbolicLink(folder.resolve("loop"), Path.of("loop"));

        assertThat(report("nosuch", dangling).code()).isEqualTo(1);
        assertThat(report("nosuch", folder.resolve("plain")).code()).isEqualTo(1);
        assertThat(report("r1", lost).err()).contains(lost + ": there is no folder " + folder.resolve("nodir"));
        assertThat(report("r1", loop).err()).contains(loop + ": ").contains("links");
        assertThat(files()).isEqualTo(4);

        assertThat(report("r1", dangling).code()).isZero();
        assertThat(folder.resolve("new")).hasContent(REPORT);
        assertThat(Files.isSymbolicLink(dangling) && Files.isSymbolicLink(folder.resolve("chain"))).isTrue();
    }

    @Test
    void an_answer_that_breaks_off_changes_nothing() throws IOException {
        Path kept = Files.writeString(folder.resolve("kept"), "old");
        Path dangling = Files.createSymbolicLink(folder.resolve("dangling"), folder.resolve("new"));
        controller.on("GET /api/v1/runs/r1/report?format=json", exchange -> {
            exchange.sendResponseHeaders(200, 1000);
            exchange.getResponseBody().write(REPORT.getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });

        assertThat(report("r1", kept).code()).isEqualTo(1);
        assertThat(report("r1", dangling).code()).isEqualTo(1);

        assertThat(kept).hasContent("old");
        assertThat(files()).isEqualTo(2);
    }

    @Test
    void a_place_that_cannot_be_written_is_named_as_it_was_given() throws Exception {
        Files.createDirectory(folder.resolve("ro"));
        Files.writeString(folder.resolve("ro/kept"), "old");
        Files.writeString(folder.resolve("file"), "old");
        Files.setPosixFilePermissions(folder.resolve("ro/kept"), PosixFilePermissions.fromString("r--r--r--"));
        Files.setPosixFilePermissions(folder.resolve("ro"), PosixFilePermissions.fromString("r-xr-xr-x"));

        String err = shell(UNPRIVILEGED + "REPORT ro/new; REPORT ro/kept; REPORT nodir/x; REPORT file/x; REPORT ro");

        assertThat(err).contains("redliner report: ro/new" + DENIED, "redliner report: ro/kept" + DENIED,
                "redliner report: nodir/x: there is no folder nodir", "redliner report: file/x: file is no folder",
                "redliner report: ro: is a folder").doesNotContain(".part");
        assertThat(folder.resolve("ro/kept")).hasContent("old");
        assertThat(files()).isEqualTo(2);
    }

    @Test
    void a_plan_that_may_not_be_read_is_said_to_be_so() throws Exception {
        Files.writeString(folder.resolve("secret.yaml"), "metadata: {}");
        Files.createDirectory(folder.resolve("closed"));
        Files.setPosixFilePermissions(folder.resolve("secret.yaml"), PosixFilePermissions.fromString("---------"));
        Files.setPosixFilePermissions(folder.resolve("closed"), PosixFilePermissions.fromString("---------"));

        assertThat(shell(UNPRIVILEGED + "\"$@\" validate secret.yaml; \"$@\" validate closed/plan.yaml"))
                .contains("redliner validate: secret.yaml" + DENIED, "redliner validate: closed/plan.yaml" + DENIED);
    }

    @Test
    void a_file_that_may_be_written_is_written_where_nothing_can_be_put_beside_it() throws Exception {
        Path closed = Files.createDirectory(folder.resolve("closed"));
        Path file = Files.writeString(closed.resolve("r.json"), "an older and much longer report ".repeat(9));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-xr-xr-x"));

        assertThat(shell(UNPRIVILEGED + "REPORT closed/r.json")).startsWith("0 ").contains("Wrote ");

        assertThat(file).hasContent(REPORT);
    }

    @Test
    @Tag("fault")
    void a_file_that_cannot_be_replaced_because_it_is_a_mount_is_written() throws Exception {
        assumeTrue(shell("unshare -m bash -c 'mount --bind /dev/null /dev/null'").startsWith("0 "));
        Path mounted = Files.writeString(folder.resolve("mounted"), "an older and much longer report ".repeat(9));
        Path file = Files.writeString(folder.resolve("r.json"), "");

        assertThat(shell("unshare -m bash -c 'mount --bind mounted r.json; REPORT r.json' bash \"$@\""))
                .startsWith("0 ").contains("Wrote ");

        assertThat(mounted).hasContent(REPORT);
        assertThat(file).isEmptyFile();
        assertThat(files()).isEqualTo(2);
    }

    @Test
    @Tag("fault")
    void a_full_disk_leaves_the_report_that_was_there_and_what_is_lost_nevertheless_is_said() throws Exception {
        String full = "unshare -m bash -c 'mkdir disk; mount -t tmpfs -o size=8k none disk; ";
        assumeTrue(shell("unshare -m bash -c 'mkdir disk; mount -t tmpfs -o size=8k none disk'").startsWith("0 "));
        Files.delete(folder.resolve("disk"));
        // The report is larger than the disk.
        controller.on("GET /api/v1/runs/r1/report?format=json", 200, REPORT.repeat(900));
        Files.createSymbolicLink(folder.resolve("link"), Path.of("disk/new"));

        String err = shell(full + "echo old > disk/kept; REPORT disk/kept; REPORT link; "
                + "cat disk/kept >&2; ls -A disk >&2; touch mount; mount --bind disk/kept mount; REPORT mount' bash \"$@\"");

        assertThat(err).contains("redliner report: disk/kept: No space left on device",
                "redliner report: link: No space left on device").contains("old\nkept\n")
                .endsWith("mount: what was there is lost, "
                        + "and not all of the answer is written: No space left on device");
    }

    @Test
    void a_file_of_somebody_else_stays_theirs() throws Exception {
        Path file = Files.writeString(folder.resolve("r.json"), "old");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        assumeTrue(shell("chown 65534:65533 r.json").startsWith("0 "));

        assertThat(report("r1", file).code()).isZero();

        assertThat(file).hasContent(REPORT);
        assertThat(owner(file)).isEqualTo("65534:65533");
        Files.writeString(file, "an older and much longer report ".repeat(9));
        assertThat(shell(UNPRIVILEGED + "REPORT r.json")).startsWith("0 ");
        assertThat(file).hasContent(REPORT);
        assertThat(owner(file)).isEqualTo("65534:65533");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-rw-rw-");
        assertThat(files()).isEqualTo(1);
    }

    private static String owner(Path file) throws IOException {
        return Files.getAttribute(file, "unix:uid") + ":" + Files.getAttribute(file, "unix:gid");
    }

    @Test
    void a_standard_input_that_is_closed_is_no_plan() throws Exception {
        assertThat(shell("\"$@\" validate - --url '" + controller.url() + "' <&-")).startsWith("2 ")
                .contains("The standard input is closed");
        assertThat(controller.asked()).isEmpty();
    }

    @Test
    void a_port_that_there_cannot_be_is_named_with_its_option_and_the_range() {
        for (String port : new String[]{"0", "65536", "99999"}) {
            Ran ran = FakeController.execute("status", "--url", "http://127.0.0.1:" + port);

            assertThat(ran.code()).isEqualTo(2);
            assertThat(ran.err()).contains("--url: the port is a number from 1 to 65535, not " + port);
        }
    }
}
