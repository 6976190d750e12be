// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.standalone.stack.DataFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DownCommandTest {

    private final StringWriter output = new StringWriter();

    @TempDir
    Path folder;

    /** Holds a data folder until it is ended, as a RedLiner does. */
    static final class Holder {

        private Holder() {}

        public static void main(String[] arguments) throws InterruptedException {
            try (DataFolder held = DataFolder.lock(Path.of(arguments[0]))) {
                System.out.println(held);
                System.out.flush();
                new CountDownLatch(1).await();
            }
        }
    }

    private int down(Path data) {
        PrintWriter writer = new PrintWriter(output, true);
        return StandaloneCommand.commandLine().setOut(writer).setErr(writer).execute("down", "--data", data.toString());
    }

    @Test
    void a_folder_that_nobody_used_is_not_made_and_there_is_nothing_to_end() {
        Path never = folder.resolve("never");

        assertThat(down(never)).isZero();
        assertThat(output.toString()).contains("Nothing to end: no RedLiner has used " + never);
        assertThat(never).doesNotExist();
    }

    private static Process hold(Path data) throws IOException {
        Process holder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), Holder.class.getName(),
                data.toString()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        assertThat(holder.inputReader().readLine()).isEqualTo(data.toString());
        return holder;
    }

    @Test
    void the_process_that_holds_the_folder_is_ended_and_the_data_stays() throws Exception {
        Path data = folder.resolve("data");
        Process holder = hold(data);
        Files.writeString(data.resolve("kept"), "");

        assertThat(down(data)).as(output.toString()).isZero();

        assertThat(holder.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(output.toString()).contains("Ending RedLiner, process " + holder.pid(), "Ended.");
        assertThat(data.resolve("kept")).exists();
        DataFolder.lock(data).close();
    }

    /** A container that shares the folder has written the number that its process has there. */
    @Test
    void another_process_with_the_number_of_the_one_that_holds_the_folder_is_left_alone() throws Exception {
        Path data = folder.resolve("data");
        Process holder = hold(data);
        Process another = new ProcessBuilder("sh", "-c", "read never").start();
        for (String content : List.of(another.pid() + "\n", ProcessHandle.current().pid() + "\n", "999999999\n")) {
            Files.writeString(data.resolve("redliner.lock"), content);

            assertThat(down(data)).isEqualTo(1);
            assertThat(output.toString()).contains("with process id " + content.strip() + ": no such RedLiner",
                    "end it there").doesNotContain("Ending");
        }

        assertThat(another.isAlive() && holder.isAlive()).isTrue();
        another.destroy();
        holder.destroy();
    }

    @Test
    void a_second_one_does_not_end_the_first() throws Exception {
        Path data = folder.resolve("data");
        Process holder = hold(data);
        Files.writeString(data.resolve("redliner.lock"), "down " + holder.pid() + "\n");

        assertThat(down(data)).isEqualTo(1);

        assertThat(output.toString()).contains("in use by redliner down with process id " + holder.pid() + ": wait");
        assertThat(holder.isAlive()).isTrue();
        holder.destroy();
    }

    @Test
    void what_is_left_of_a_killed_one_is_ended() throws Exception {
        Path data = folder.resolve("data");
        DataFolder.lock(data).close();
        Path envoy = Files.createDirectories(data.resolve("envoy"));
        Process left = new ProcessBuilder("sh", "-c", "read never # envoy " + envoy.resolve("envoy-standalone.yaml"))
                .start();
        Files.writeString(envoy.resolve("envoy-standalone.pid"), left.pid() + "\n");

        assertThat(down(data)).as(output.toString()).isZero();

        assertThat(left.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(output.toString()).contains("It did not run; what was left of it is ended.");
        assertThat(data.resolve("redliner.lock")).as("not to be ended by a second one").content().startsWith("down ");
    }

    @Test
    void a_process_that_has_the_number_of_an_ended_one_is_left_alone() throws IOException {
        Path data = folder.resolve("data");
        DataFolder.lock(data).close();
        Files.writeString(data.resolve("redliner.lock"), ProcessHandle.current().pid() + "\n");

        assertThat(down(data)).isZero();
    }
}
