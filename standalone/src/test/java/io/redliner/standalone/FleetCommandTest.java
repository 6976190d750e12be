// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.cli.watch.LineOutput;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FleetCommandTest {

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void waits_for_five_minutes_however_long_each_question_takes() {
        AtomicInteger asked = new AtomicInteger();
        StringWriter printed = new StringWriter();

        assertThatThrownBy(() -> new FleetCommand(() -> now).await(new LineOutput(new PrintWriter(printed, true)),
                "the controller to know the service", () -> {
                    asked.incrementAndGet();
                    now = now.plus(Duration.ofMinutes(5));
                    throw new IOException("it takes too long");
                })).hasMessage("Waited 5 minutes in vain for the controller to know the service")
                .hasRootCauseMessage("it takes too long");

        assertThat(asked).hasValue(1);
        assertThat(printed.toString()).startsWith("Waiting for the controller to know the service");
    }
}
