// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("fault")
class InterruptedDemoTest {

    @TempDir
    Path folder;

    @Test
    void ctrl_c_in_mid_ramp_restores_the_traffic_first_and_leaves_no_process_behind() throws Exception {
        Path data = folder.resolve("data");
        try (RedlinerProcess demo = ramping(data, 3)) {
            assertThat(processesOf(data)).as("the proxy and the database at work").hasSizeGreaterThanOrEqualTo(2);

            demo.interrupt();

            assertThat(demo.awaitExit(Duration.ofMinutes(1))).isEqualTo(130);
            assertThat(demo.output()).contains("Stopping, the traffic first").contains("nothing is left behind");
            assertThat(Files.readString(data.resolve("redliner.log")))
                    .as("the run's end, proven before anything stopped")
                    .containsPattern("Restoring -> Finished: ABORTED, traffic restored (MEASURED|ACKNOWLEDGED)");
            assertThat(processesOf(data)).isEmpty();
        }
    }

    /** On a machine that is too busy for its baseline a demo ends, and is started again. */
    private RedlinerProcess ramping(Path data, int spare) throws Exception {
        RedlinerProcess demo = RedlinerProcess.start(folder,
                List.of("demo", "--port", "0", "--data", data.toString()), Map.of());
        try {
            demo.awaitOutput("(Ramping)", Duration.ofMinutes(2));
            return demo;
        } catch (RuntimeException failed) {
            // Left alone, it would crowd every test after this one.
            demo.close();
            if (spare == 0 || !(failed instanceof IllegalStateException)) {
                throw failed;
            }
            return ramping(data, spare - 1);
        }
    }

    /** Processes that work on the folder: Envoy names its configuration, PostgreSQL its data, the command both. */
    private static List<String> processesOf(Path data) {
        return ProcessHandle.allProcesses().filter(process -> process.pid() != ProcessHandle.current().pid())
                .flatMap(process -> process.info().commandLine().stream())
                .filter(line -> line.contains(data.toString()) && !line.contains("StandaloneCommand")).toList();
    }
}
