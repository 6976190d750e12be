// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessReportTest {

    private final List<String> lines = new ArrayList<>();

    private final ProcessReport report = new ProcessReport(lines::add, new ShutdownSequence(line -> {}, "Stopping"));

    @Test
    void what_becomes_of_a_process_is_a_line_on_the_terminal() {
        report.changed("Envoy died");
        assertThat(lines).containsExactly("Envoy died");
    }

    @Test
    void the_command_ends_with_the_reason_when_users_are_not_served_any_more() throws InterruptedException {
        report.gaveUp("Port 10000 is in use");
        assertThat(lines).containsExactly("Port 10000 is in use");
        assertThat(report.awaitFailure()).hasMessage(
                "RedLiner ends: users are not served any more. Port 10000 is in use");
    }
}
