// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgressTest {

    private static final Progress HALFWAY = new Progress(Duration.ofSeconds(65), "Ramping", 0.382, 229.4, 0.040, 0.080,
            3,
            "next step");

    @Test
    void fills_the_bar_toward_the_red_line() {
        assertThat(HALFWAY.bar()).isEqualTo("1:05 Ramping    [############------------]   40 ms of   80 ms  "
                + "share 38.2 %   229 req/s  harm 3");
    }

    @Test
    void says_that_it_does_not_know_rather_than_zero() {
        Progress unknown = new Progress(Duration.ZERO, "Preparing", 0, 0, null, null, 0, "");

        assertThat(unknown.bar()).contains("[------------------------]    - ms of    - ms");
    }

    @Test
    void moves_one_line_on_a_terminal_and_prints_plain_lines_elsewhere() {
        ByteArrayOutputStream terminal = new ByteArrayOutputStream();
        ByteArrayOutputStream pipe = new ByteArrayOutputStream();

        show(terminal, true);
        show(pipe, false);

        assertThat(terminal.toString(StandardCharsets.UTF_8)).startsWith("\r\033[K1:05").endsWith("\r\033[Kend\n");
        assertThat(pipe.toString(StandardCharsets.UTF_8)).doesNotContain("\r").endsWith("next step\nend\n");
    }

    private static void show(ByteArrayOutputStream bytes, boolean terminal) {
        Screen screen = new Screen(new PrintStream(bytes, true, StandardCharsets.UTF_8), terminal);
        screen.show(HALFWAY);
        screen.say("end");
    }
}
